//! Which names reach outside.

mod reaching;

use nbrevive_corpus::Breach;
use reaching::REACHING;

/// Names of methods that reach the network whatever they are called on.
const FETCHING_METHODS: &[&str] = &[
    "from_pretrained",
    "get_file",
    "urlopen",
    "urlretrieve",
    "load_dataset",
    "fetch_openml",
    "load_state_dict_from_url",
];

/// Attributes through which every object leads to everything.
const DEEP_ATTRIBUTES: &[&str] = &[
    "__self__",
    "__wrapped__",
    "__globals__",
    "__subclasses__",
    "__builtins__",
    "__code__",
    "__getattribute__",
    "__mro__",
    "__bases__",
    "__base__",
    "__dict__",
    "__loader__",
    "__spec__",
    "__closure__",
    "__reduce__",
    "__reduce_ex__",
    "__import__",
    "f_globals",
    "f_locals",
    "f_back",
    "gi_frame",
    "tb_frame",
    "func_globals",
];

/// Modules that other modules carry as attributes, as in `glob.os`.
const CARRIED: &[&str] = &[
    "os",
    "_os",
    "sys",
    "_sys",
    "subprocess",
    "builtins",
    "socket",
    "importlib",
    "ctypes",
    "urllib",
    "posix",
    "requests",
];

/// Names that everybody has without an import.
const BUILTINS: &[&str] = &[
    "exec",
    "eval",
    "compile",
    "execfile",
    "__import__",
    "globals",
    "locals",
    "vars",
    "__builtins__",
    "breakpoint",
    "get_ipython",
];
/// Modules that a star import may have brought.
const COMMON_MODULES: &[&str] = &[
    "os",
    "sys",
    "subprocess",
    "socket",
    "requests",
    "urllib",
    "urllib2",
    "importlib",
    "builtins",
    "ctypes",
    "shutil",
    "bytes",
    "bytearray",
];

/// Modules that are no value: handed around, they cannot be followed.
pub(super) const NO_VALUES: &[&str] = &["os", "sys", "io", "shutil", "glob", "pathlib", "urllib", "asyncio", "pickle"];

/// Environment variables that switch a library of this process and tell nobody anything.
const SWITCHES: &[&str] = &[
    "TF_USE_LEGACY_KERAS",
    "TF_CPP_MIN_LOG_LEVEL",
    "TF_DETERMINISTIC_OPS",
    "TF_FORCE_GPU_ALLOW_GROWTH",
    "TF_ENABLE_ONEDNN_OPTS",
    "KERAS_BACKEND",
    "CUDA_VISIBLE_DEVICES",
    "CUBLAS_WORKSPACE_CONFIG",
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "PYTHONHASHSEED",
    "MPLBACKEND",
    "TOKENIZERS_PARALLELISM",
    "PYTHONWARNINGS",
    "NUMEXPR_MAX_THREADS",
    "SCIPY_ARRAY_API",
];

/// Calls that list folders, by dotted name or as methods of a path.
const WALKING: &[&str] = &["os.walk", "os.fwalk", "os.listdir", "os.scandir", "glob.glob*", "glob.iglob"];
const WALKING_METHODS: &[&str] = &["rglob", "iterdir", "glob", "walk"];

/// Line magics that do nothing to the world.
const HARMLESS_MAGICS: &[&str] = &[
    "matplotlib",
    "pylab",
    "time",
    "timeit",
    "prun",
    "memit",
    "mprun",
    "lprun",
    "config",
    "reload_ext",
    "load_ext",
    "autoreload",
    "precision",
    "inline",
    "who",
    "whos",
    "who_ls",
    "reset_selective",
    "tensorflow_version",
    "xmode",
    "pprint",
    "colors",
    "capture",
    "pinfo",
    "pdoc",
    "psource",
];
/// Cell magics that do nothing to the world.
const HARMLESS_CELL_MAGICS: &[&str] = &[
    "time", "timeit", "capture", "prun", "memit", "mprun", "lprun", "html", "HTML", "latex", "markdown", "skip",
    "notify",
];

/// Commands that go to the network or install.
const FETCHING_COMMANDS: &[&str] = &[
    "wget",
    "curl",
    "git",
    "pip",
    "pip2",
    "pip3",
    "conda",
    "mamba",
    "micromamba",
    "apt",
    "apt-get",
    "aptitude",
    "kaggle",
    "npm",
    "aria2c",
    "gdown",
    "gsutil",
    "gcloud",
    "aws",
    "ssh",
    "scp",
    "sftp",
    "rsync",
    "nc",
    "ncat",
    "ftp",
    "uv",
    "poetry",
    "easy_install",
    "svn",
    "hg",
    "az",
];

/// Stems of file names that hold answers, wherever they are.
const ANSWER_STEMS: &[&str] = &[
    "answers",
    "answer",
    "solution",
    "solutions",
    "ground_truth",
    "groundtruth",
    "ground-truth",
    "test_labels",
    "test_answers",
    "labels_test",
    "private_test",
    "hidden",
    "answer_key",
    "leaderboard",
    "private_labels",
    "test_solution",
];

/// The rule that a dotted name falls under.
pub(super) fn reaching(dotted: &str) -> Option<Breach> {
    let dotted = uncarried(dotted);
    let found = REACHING.iter().find(|(_, names)| names.iter().any(|name| covers(name, dotted)));
    found.map(|(breach, _)| *breach)
}

/// Names that took each other's place in the course of time: who used one of them may use another.
const FAMILIES: &[(&str, &[&str])] = &[
    ("urllib", &["urllib", "urllib2", "urllib3", "requests", "httplib", "http"]),
    ("prices", &["pandas.io.data", "pandas_datareader", "yfinance", "fix_yahoo_finance"]),
    ("sklearn.datasets", &["sklearn.datasets.fetch_*"]),
];

/// The family of a name, or the name itself.
pub(super) fn family(dotted: &str) -> &str {
    let dotted = uncarried(dotted);
    let found = FAMILIES.iter().find(|(_, names)| names.iter().any(|name| covers(name, dotted)));
    found.map_or(dotted, |(family, _)| family)
}

/// Whether a name that is not imported may yet be what its spelling says.
pub(super) fn is_there_anyway(root: &str) -> bool {
    BUILTINS.contains(&root) || COMMON_MODULES.contains(&root)
}

/// The name from a carried module on: `glob.os.system` is `os.system`.
fn uncarried(dotted: &str) -> &str {
    let mut start = 0;
    let mut found = dotted;
    for part in dotted.split('.') {
        if start > 0 && CARRIED.contains(&part) {
            found = dotted[start..].trim_start_matches('_');
        }
        start += part.len() + 1;
    }
    found.strip_prefix('_').filter(|rest| rest.starts_with("os.") || rest.starts_with("sys.")).unwrap_or(found)
}

fn covers(entry: &str, dotted: &str) -> bool {
    match entry.strip_suffix('*') {
        Some(start) => dotted.starts_with(start),
        None => dotted.strip_prefix(entry).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')),
    }
}

pub(super) fn is_fetching_method(name: &str) -> bool {
    FETCHING_METHODS.contains(&name)
}

pub(super) fn is_deep_attribute(name: &str) -> bool {
    DEEP_ATTRIBUTES.contains(&name)
}

pub(super) fn is_switch(variable: &str) -> bool {
    SWITCHES.contains(&variable)
}

pub(super) fn is_walking(dotted: &str) -> bool {
    let dotted = uncarried(dotted);
    WALKING.iter().any(|entry| covers(entry, dotted))
}

pub(super) fn is_walking_method(name: &str) -> bool {
    WALKING_METHODS.contains(&name)
}

pub(super) fn is_harmless_magic(name: &str) -> bool {
    HARMLESS_MAGICS.contains(&name)
}

pub(super) fn is_harmless_cell_magic(name: &str) -> bool {
    HARMLESS_CELL_MAGICS.contains(&name)
}

/// Whether a command line goes to the network.
pub(super) fn is_fetching_command(command: &str) -> bool {
    let segments = command.split(['|', ';', '&', '(', '`', '\n']);
    let mut words = segments.flat_map(|segment| segment.split_whitespace().take(6));
    words.any(|word| FETCHING_COMMANDS.contains(&word.rsplit('/').next().unwrap_or_default()) || word.contains("://"))
}

pub(super) fn is_answer_stem(stem: &str) -> bool {
    ANSWER_STEMS.contains(&stem)
}
