//! Answers, network, processes, files, environment variables, and code that only a run can tell.

use super::*;

#[test]
fn hidden_answers_are_not_read() {
    for source in [
        "answers = pd.read_csv('/kaggle/input/iris/answers.csv')",
        "answers = pd.read_csv('../input/private/test.csv')",
        "answers = pd.read_csv('../' + 'input/' + 'ans' + 'wers.csv')",
        "name = 'answers'\nanswers = pd.read_csv(f'../input/{name}.csv')",
        "answers = pd.read_csv(os.path.join('..', 'input', 'private', 'test.csv'))",
        "from pathlib import Path\nanswers = (Path('..') / 'private' / 'test.csv').read_text()",
        "answers = open('%s/%s.csv' % ('..', 'answers')).read()",
        "answers = open('{}/{}'.format('..', 'ground_truth.csv')).read()",
        "for folder, _, files in os.walk('/'):\n    print(files)",
        "w = os.walk\nfor folder, _, files in w('/'):\n    print(files)",
        "from os import walk as search\nlist(search('/'))",
        "import glob\nglob.glob('/**/*.csv', recursive=True)",
        "import glob as g\ng.iglob('../../**')",
        "from pathlib import Path\nlist(Path('/').rglob('*.csv'))",
        "here = '/'\nos.listdir(here)",
        "os.scandir(os.sep)",
        "getattr(os, 'listdir')('/')",
    ] {
        refused(&breaches_with(source), Breach::HiddenAnswers, source);
    }
}

#[test]
fn nothing_is_fetched() {
    for source in [
        "import requests\nr = requests.get('x')",
        "import urllib.request as u\nu.urlopen('x')",
        "from urllib.request import urlretrieve",
        "import socket",
        "!wget example.org/a.csv",
        "!pip install git+https://example.org/x.git",
        "!cd /opt && curl -O x",
        "%pip install pandas==0.25",
        "pip install pandas",
        "files = !kaggle competitions download -c iris",
        "%%bash\nwget x",
        "data = pd.read_csv('https://example.org/a.csv')",
        "data = pd.read_csv('ht' + 'tps://example.org/a.csv')",
        "host = 'example.org'\ndata = pd.read_csv(f's3://{host}/a.csv')",
        "from sklearn.datasets import fetch_openml",
        "import sklearn.datasets as d\nd.fetch_openml('iris')",
        "import kaggle",
        "import seaborn as sns\niris = sns.load_dataset('iris')",
        "import torch\nm = torch.hub.load('a', 'b')",
        "import six\nfrom six.moves.urllib.request import urlopen",
    ] {
        refused(&breaches_with(source), Breach::Network, source);
    }
}

#[test]
fn no_process_is_started() {
    for source in [
        "import subprocess",
        "from subprocess import run as go\ngo(['ls'])",
        "os.system('ls')",
        "f = os.system\nf('ls')",
        "from os import popen",
        "getattr(os, 'system')('ls')",
        "import glob\nglob.os.system('ls')",
        "np.os.system('ls')",
        "list(map(os.system, ['ls']))",
        "import ctypes",
        "!ls",
        "%%bash\nls",
        "%%script perl\nprint 1",
        "%run other.py",
        "%%writefile x.py\nimport os",
        "os.execv('/bin/sh', [])",
    ] {
        refused(&breaches_with(source), Breach::Process, source);
    }
}

#[test]
fn files_outside_of_the_world_stay_untouched() {
    for source in [
        "open('/etc/passwd').read()",
        "np.load('/mnt/data/x.npy')",
        "p = '/et' + 'c/passwd'",
        "open('../../../home/x', 'w')",
        "import shutil\nshutil.copy('a.csv', '/home/x/a.csv')",
        "open(os.path.join('..', '..', 'etc', 'passwd'))",
        "open('~/x')",
        "open('/proc/self/environ')",
        "open('/kaggle/../proc/self/environ')",
        "os.chdir('..')",
        "open(os.path.expanduser('x'))",
        "from pathlib import Path\nPath.home()",
    ] {
        refused(&breaches_with(source), Breach::OutsidePath, source);
    }
}

#[test]
fn environment_variables_are_not_read() {
    for source in [
        "os.environ['KEY']",
        "os.environ.get('KEY')",
        "os.getenv('KEY')",
        "from os import environ",
        "e = os.environ\nprint(e)",
        "%env",
        "%env KEY=1",
        "os.environ['KEY'] = '1'",
        "os.environ['TF_USE_LEGACY_KERAS'] = os.environ['KEY']",
    ] {
        refused(&breaches_with(source), Breach::EnvironmentVariable, source);
    }
    assert!(breaches_with("os.environ['TF_USE_LEGACY_KERAS'] = '1'").is_empty());
}

#[test]
fn code_that_only_a_run_can_tell_is_refused() {
    for source in [
        "exec('import os')",
        "e = eval\ne('1')",
        "__import__('subprocess')",
        "import importlib\nimportlib.import_module('os')",
        "getattr(os, 'sys' + 'tem')('ls')",
        "name = 'x'\ngetattr(np, name)",
        "m = os\nm.listdir('.')",
        "[os][0].system('ls')",
        "import sys\nsys.modules['os'].system('ls')",
        "().__class__.__base__.__subclasses__()",
        "pd.__builtins__",
        "globals()['x'] = 1",
        "import base64\nexec(base64.b64decode('eA=='))",
        "p = ''.join(chr(c) for c in [47, 101])",
        "p = bytes([47, 101]).decode()",
        "p = 'vsc.srewsna/'[::-1]",
        "p = '/kaggle/inXput'.replace('X', '')",
        "from os import *",
        "get_ipython().system('ls')",
        "sub0 = train.query('@os.system(\"ls\")')",
        "/print x",
        "@eval\ndef f():\n    pass",
        "print.__self__.eval('1')",
    ] {
        refused(&breaches_with(source), Breach::DynamicCode, source);
    }
}

#[test]
fn what_the_author_did_is_no_breach() {
    let original = [
        "import os, subprocess, requests\nos.system('ls ../input')\n!ls ../input\nprint(os.listdir('/'))",
        "data = requests.get('https://example.org/a.csv')\nos.environ['KEY'] = '1'\neval('1 + 1')\nopen('/opt/x')",
    ];
    let patched = [
        "import os\nimport subprocess\nimport requests\nos.system('ls ../input')\n!ls ../input\nprint(os.listdir('/'))",
        "data = requests.get('https://example.org/a.csv', timeout=9)\nos.environ['KEY'] = '1'\neval('1 + 1')\nopen('/opt/x')",
    ];
    assert_eq!(breaches_of(&original, &patched), BTreeSet::new());
    let more = [original[0], "os.system('cat /etc/passwd')\neval('2')\nrequests.get('https://example.org/b.csv')"];
    let found = breaches_of(&original, &more);
    for rule in [Breach::Process, Breach::DynamicCode, Breach::Network] {
        refused(&found, rule, "more than the author did");
    }
}

#[test]
fn what_took_the_place_of_a_module_is_the_same() {
    let original =
        ["from pandas.io.data import DataReader", "from sklearn.datasets import fetch_mldata", "import urllib2"];
    let patched = [
        "from pandas_datareader.data import DataReader",
        "from sklearn.datasets import fetch_openml",
        "import requests",
    ];
    assert_eq!(breaches_of(&original, &patched), BTreeSet::new());
}

#[test]
fn python_2_that_did_it_is_no_breach_after_its_repair() {
    let original = ["import os\nprint os.listdir('/data')", "import urllib2\nprint urllib2.urlopen('http://a.org/x')"];
    let patched = [
        "import os\nprint(os.listdir('/data'))",
        "import urllib.request\nprint(urllib.request.urlopen('http://a.org/x'))",
    ];
    let found = breaches_of(&original, &patched);
    assert!(!found.contains(&Breach::HiddenAnswers) && !found.contains(&Breach::OutsidePath), "{found:?}");
}
