//! A graded run that others take away: without its data, and as an image, whose command is run as an engine would run it.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::support::{nbrevive, scratch};

const STUDY: &str = "name = \"thrown\"\ntitle = \"Thrown\"\ncompetitions = \"competitions\"\nnotebooks = \"notebooks\"\n\
                     targets = \"targets.toml\"\nenvironments = \"environments\"\nbaseline = \"bare\"\nlimits.disk_mib = 256\nconditions = [\"baseline\"]\n";
/// A competition whose data lies beside its description.
const COIN: &str = "id = \"coin\"\ntitle = \"Coin\"\nmetric = \"accuracy\"\ndirection = \"maximize\"\nid-column = \"Id\"\n\
                    target-columns = [\"Side\"]\nprediction = \"label\"\n[data]\nsource = \"thrown\"\nlicence = \"CC0-1.0\"\n";
/// By the two names that Kaggle gives an input folder, and from somewhere else to the working folder by its whole name.
const CELLS: [&str; 3] = [
    "import csv, os\nrows = list(csv.DictReader(open('../input/coin/test.csv')))\nprint(len(rows))",
    "assert rows == list(csv.DictReader(open('/kaggle/input/coin/test.csv')))\nos.chdir('/tmp')",
    "with open('/kaggle/working/submission.csv', 'w') as out:\n    print('Id,Side', file=out)\n    for row in rows:\n        \
     print(row['Id'], 'heads' if int(row['Id']) % 2 else 'tails', sep=',', file=out)",
];

fn put(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().expect("it is below a folder")).expect("a folder can be made");
    std::fs::write(path, text).expect("a file can be written");
}

fn write_study(folder: &Path) {
    let cell = |source: &&str| json!({"cell_type": "code", "metadata": {}, "source": source, "outputs": [], "execution_count": null});
    let cells: Vec<Value> = CELLS.iter().map(cell).collect();
    let notebook = json!({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": cells}).to_string();
    let files = [
        ("study.toml", STUDY),
        ("targets.toml", "[target.guess]\nscore = 0.75\n"),
        ("environments/bare.lock", "# python: 3.12\n"),
        ("competitions/coin/competition.toml", COIN),
        ("competitions/coin/public/test.csv", "Id\n1\n2\n3\n4\n"),
        ("competitions/coin/public/sample_submission.csv", "Id,Side\n1,heads\n2,heads\n3,heads\n4,heads\n"),
        ("competitions/coin/private/answers.csv", "Id,Side\n1,heads\n2,tails\n3,heads\n4,heads\n"),
        (
            "notebooks/coin/versions.toml",
            "[[version]]\nslug = \"guess\"\ntitle = \"G\"\nsubmitted = \"2024-05-01T00:00:00Z\"\n",
        ),
        ("notebooks/coin/guess.ipynb", &notebook),
    ];
    for (name, text) in files {
        put(&folder.join(name), text);
    }
}

/// What a command printed, and what it said.
fn ran(folder: &Path, words: &[&str], code: i32) -> String {
    let assert = nbrevive().current_dir(folder).args(words).assert().code(code);
    let output = assert.get_output();
    [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned()).concat()
}

/// Has one of the system's programs do something, and gives what it printed.
fn system(command: &mut Command) -> String {
    let output = command.output().expect("the program is there");
    let said = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
    assert!(output.status.success(), "{command:?}: {}{}", said[0], said[1]);
    said[0].clone()
}

const SAME: &str = "3 of 3 cells show the same (3 exact), score 0.75000 then and now";

#[test]
fn a_score_is_the_same_elsewhere_and_in_an_image() {
    let scratch = scratch();
    let folder = scratch.path();
    write_study(folder);
    ran(folder, &["study", "run", "study.toml", "--store", "store"], 0);
    let pack = |more: &[&str]| ran(folder, &[&["pack", "--study", "study.toml", "--store", "store"], more].concat(), 0);

    let said = pack(&["--without-data", "--out", "without.tar.zst"]);
    assert!(said.contains("without the data of coin (CC0-1.0)"), "{said}");
    ran(folder, &["unpack", "without.tar.zst", "--out", "without"], 0);
    let left: Vec<PathBuf> = ["data", "competitions/coin/private", "competitions/coin/public"]
        .iter()
        .map(|name| folder.join("without").join(name))
        .filter(|path| path.exists())
        .collect();
    assert!(left.is_empty(), "{left:?}");
    let refused = ran(folder, &["run", "without"], 3);
    assert!(refused.contains("the data of `coin` is not in the capsule (licence: CC0-1.0)"), "{refused}");
    for data in ["competitions/coin", "competitions"] {
        let run = ran(folder, &["run", "without", "--data", data], 0);
        assert!(run.contains(SAME), "{run}");
    }
    runs_as_an_image(folder, &pack);
}

/// Unpacks an image as an engine does, and runs its command in its root without a network.
fn runs_as_an_image(folder: &Path, pack: &dyn Fn(&[&str]) -> String) {
    pack(&["--as", "oci", "--out", "image.tar"]);
    let (layout, root) = (folder.join("layout"), folder.join("root"));
    for made in [&layout, &root] {
        std::fs::create_dir(made).expect("the folder is ours");
    }
    system(Command::new("tar").arg("-xf").arg(folder.join("image.tar")).arg("-C").arg(&layout));
    let read = |name: &str| -> Value {
        let text = std::fs::read(layout.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        serde_json::from_slice(&text).expect("it is JSON")
    };
    let blob = |described: &Value| {
        let digest = described["digest"].as_str().expect("it has a digest").replace(':', "/");
        format!("blobs/{digest}")
    };
    assert_eq!(read("oci-layout"), json!({"imageLayoutVersion": "1.0.0"}));
    let manifest = read(&blob(&read("index.json")["manifests"][0]));
    let image = read(&blob(&manifest["config"]));
    let layers = manifest["layers"].as_array().expect("it has layers");
    // What older versions of Docker read says the same.
    let of_docker: Vec<Value> = layers.iter().map(|layer| Value::from(blob(layer))).collect();
    assert_eq!(read("manifest.json")[0]["Layers"], Value::from(of_docker));
    for layer in layers {
        let file = layout.join(blob(layer));
        assert_eq!(file.metadata().map(|found| found.len()).ok(), layer["size"].as_u64());
        let sum = system(Command::new("sha256sum").arg(&file));
        assert!(layer["digest"].as_str().is_some_and(|digest| digest.ends_with(&sum[..64])), "{sum}");
        system(Command::new("tar").args(["--no-same-owner", "-xzf"]).arg(&file).arg("-C").arg(&root));
    }
    let words = |key: &str| -> Vec<String> {
        let words = image["config"][key].as_array().expect("it is a list").iter();
        words.map(|word| word.as_str().expect("of texts").to_owned()).collect()
    };
    let mut container = Command::new("bwrap");
    container.arg("--bind").arg(&root).arg("/").args(["--dev", "/dev", "--proc", "/proc", "--unshare-all"]);
    container.args(["--die-with-parent", "--clearenv", "--chdir"]);
    container.arg(image["config"]["WorkingDir"].as_str().expect("it names one"));
    for variable in words("Env") {
        let (name, value) = variable.split_once('=').expect("it has a value");
        container.args(["--setenv", name, value]);
    }
    let run = system(container.arg("--").args(words("Cmd")));
    assert!(run.contains("same     guess") && run.contains(SAME), "{run}");
}
