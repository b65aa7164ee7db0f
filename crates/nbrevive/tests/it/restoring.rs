//! What a notebook misses is put back: by `restore`, and by the conditions of a study; and its errors are followed to their roots.

use std::path::Path;

use nbrevive_corpus::{Executability, Preparation};
use nbrevive_diagnosis::roots::ErrorLink;
use nbrevive_store::{Store, executability, outcomes, restorations};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{nbrevive, scratch};

/// A module that the environment lacks, an import and a function that are missed, a cell that stands too far down, a file that is gone.
const CELLS: [&str; 7] = [
    "import toolz\nprint(toolz.__name__)",
    "print(Counter([1, 1]))",
    "y = double(2)",
    "def double(x):\n    return scale * x",
    "scale = int(str(3))",
    "x = open('gone.txt').read()",
    "print(x)",
];

fn notebook() -> String {
    let cell = |source: &&str| json!({"cell_type": "code", "metadata": {}, "source": source, "outputs": [], "execution_count": null});
    let cells: Vec<_> = CELLS.iter().map(cell).collect();
    json!({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": cells}).to_string()
}

fn put(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().expect("it is below the folder")).expect("a folder can be made");
    std::fs::write(path, text).expect("a file can be written");
}

fn one() -> TempDir {
    let folder = scratch();
    put(folder.path(), "lost.ipynb", &notebook());
    put(folder.path(), "bare.lock", "# python: 3.12\n");
    folder
}

#[test]
fn a_notebook_in_hand_gets_back_what_it_misses_and_is_told_what_is_left() {
    let folder = one();
    let mut command = nbrevive();
    command.current_dir(folder.path()).args(["restore", "lost.ipynb", "--prepare", "modules,names"]);
    let assert = command.args(["--environment", "bare.lock", "--json", "told.json"]).assert().code(10);
    let said = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
    assert!(said.contains("code cell 6, line 1: FileNotFoundError"), "{said}");
    let told: Value = serde_json::from_slice(&std::fs::read(folder.path().join("told.json")).unwrap()).unwrap();
    assert_eq!((&told["before"]["prefix"], &told["before"]["tolerant"]), (&json!(0), &json!(2)), "{said}");
    assert_eq!((&told["after"]["prefix"], &told["after"]["tolerant"]), (&json!(5), &json!(5)), "{said}");
    assert_eq!(told["end"], "nothing-helps");
    let left = told["errors"].as_array().unwrap();
    assert_eq!(left.len(), 2);
    assert_eq!((&left[1]["root"], &left[1]["is_certain"]), (&json!(5), &json!(true)), "the name follows from the file");
    let restored = std::fs::read(folder.path().join("lost.restored.ipynb")).unwrap();
    let restored = nbrevive_notebook::read(&restored).unwrap().notebook;
    assert_eq!(restored.cells.len(), CELLS.len(), "cells move, and none is lost");
}

#[test]
fn diagnose_runs_a_notebook_and_follows_its_errors() {
    let folder = one();
    let mut command = nbrevive();
    command.current_dir(folder.path()).args([
        "diagnose",
        "lost.ipynb",
        "--run",
        "--environment",
        "bare.lock",
        "--json",
    ]);
    let assert = command.assert().success();
    let row: Value = serde_json::from_slice(&assert.get_output().stdout).unwrap();
    assert_eq!(row["category"], "undefined");
    assert_eq!(row["run"]["degree"]["tolerant"], 2);
    let follows: Vec<&Value> = row["run"]["errors"].as_array().unwrap().iter().map(|error| &error["follows"]).collect();
    assert_eq!(follows, [&Value::Null, &Value::Null, &Value::Null, &Value::Null, &json!([5, "name"])]);
}

const SETTINGS: &str = "name = \"lost\"\ntitle = \"Lost\"\njudge = \"executability\"\nnotebooks = \"notebooks\"\n\
                        environments = \"environments\"\nbaseline = \"bare\"\nlimits.disk_mib = 256\n\
                        [[condition]]\nname = \"as-it-is\"\nrole = \"baseline\"\n\
                        [[condition]]\nname = \"modules\"\nprepare = [\"modules\"]\n\
                        [[condition]]\nname = \"both\"\nprepare = [\"modules\", \"names\"]\n\
                        [[condition]]\nname = \"code\"\nenvironment = \"none\"\n";

#[test]
fn conditions_put_back_what_notebooks_miss_and_a_second_run_has_nothing_to_do() {
    let folder = scratch();
    let list = "belongs = \"nothing\"\n[[version]]\nslug = \"lost\"\ntitle = \"T\"\nsubmitted = \"2022-05-01T00:00:00Z\"\nfile = \"lost.ipynb\"\n";
    put(folder.path(), "study.toml", SETTINGS);
    put(folder.path(), "environments/bare.lock", "# python: 3.12\n");
    put(folder.path(), "notebooks/alone/versions.toml", list);
    put(folder.path(), "notebooks/alone/lost.ipynb", &notebook());
    let run = || {
        let mut command = nbrevive();
        command.args(["study", "run"]).arg(folder.path().join("study.toml"));
        let assert = command.arg("--store").arg(folder.path().join("store")).assert().success();
        String::from_utf8_lossy(&assert.get_output().stderr).into_owned()
    };
    run();
    let store = Store::open_read_only(&folder.path().join("store")).expect("the store can be read");
    let far: Vec<_> =
        executability::all(&store).unwrap().into_iter().map(|of| (of.condition.to_string(), of.row.ran)).collect();
    let far: Vec<(&str, u32)> = far.iter().map(|(condition, ran)| (condition.as_str(), *ran)).collect();
    assert_eq!(far, [("as-it-is", 2), ("both", 5), ("code", 0), ("modules", 3)]);
    let kinds = |condition: &str| -> Vec<Preparation> {
        let all = restorations::put_back(&store).unwrap().into_iter();
        all.filter(|of| of.condition.as_str() == condition && of.row.is_kept).map(|of| of.row.preparation).collect()
    };
    assert_eq!(kinds("modules"), [Preparation::Modules]);
    assert!(kinds("both").contains(&Preparation::Names) && kinds("as-it-is").is_empty());
    let roots = restorations::roots(&store).unwrap();
    let last = roots.iter().rfind(|of| of.condition.as_str() == "as-it-is").unwrap();
    assert_eq!((last.row.root, last.row.link), (5, Some(ErrorLink::Name)));
    assert_eq!(last.row.executability, Executability::NameError);
    let row = executability::all(&store).unwrap().into_iter().find(|of| of.condition.as_str() == "code").unwrap().row;
    assert_eq!((row.executability, row.first_error.as_deref()), (Executability::NameError, Some("NameError")));
    let outcome = outcomes::all(&store).unwrap().into_iter().find(|row| row.condition.as_str() == "code").unwrap();
    assert_eq!(outcome.verdict.failure, Some(nbrevive_corpus::Failure::NotRun));
    assert_eq!((outcome.environment, outcome.verdict.failure_cause.as_deref()), (None, Some("undefined")));
    let executions = nbrevive_store::executions::all(&store).unwrap();
    assert!(executions.iter().all(|row| row.condition.as_str() != "code"));
    let again = run();
    assert!(again.contains("nothing to do") || !again.contains("/4 "), "{again}");
    let exported = folder.path().join("data");
    nbrevive()
        .args(["export", "--store"])
        .arg(folder.path().join("store"))
        .arg("--out")
        .arg(&exported)
        .assert()
        .success();
    let assert =
        nbrevive().arg("tables").arg("--data").arg(&exported).arg("--out").arg(folder.path().join("tables")).assert();
    assert.success();
    let table =
        std::fs::read_to_string(folder.path().join("tables/tables/executability.csv")).expect("the table is there");
    assert_eq!(table.lines().filter(|line| line.contains("not-run")).count(), 1, "{table}");
}

/// What the notebook reads, as it is gone.
const READS: [&str; 3] = [
    "import csv\nwith open('data/people.csv') as file:\n    rows = list(csv.DictReader(file))",
    "ages = [int(row['age']) for row in rows]\nprint(len(ages) > 9, min(ages) >= 0)",
    "print(sorted({row['town'] for row in rows if row['town'] == 'Bern'}))",
];

#[test]
fn files_that_are_gone_are_made_up_and_marked_and_can_be_kept() {
    let folder = scratch();
    let cell = |source: &&str| json!({"cell_type": "code", "metadata": {}, "source": source, "outputs": [], "execution_count": null});
    let cells: Vec<_> = READS.iter().map(cell).collect();
    let text = json!({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": cells}).to_string();
    put(folder.path(), "reads.ipynb", &text);
    put(folder.path(), "bare.lock", "# python: 3.12\n");
    put(folder.path(), "beside/data/people.csv", "age,town\nold,Basel\n");
    let restore = |words: &[&str]| {
        let mut command = nbrevive();
        command.current_dir(folder.path()).args(["restore", "reads.ipynb", "--environment", "bare.lock"]).args(words);
        command.assert()
    };
    let assert = restore(&["--keep-data", "kept", "--json", "told.json"]).code(0);
    let said = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
    assert!(said.contains("files    made up: data/people.csv"), "{said}");
    let kept = std::fs::read_to_string(folder.path().join("kept/data/people.csv")).unwrap();
    assert!(kept.lines().next().unwrap().split(',').any(|name| name == "age"), "{kept}");
    let told: Value = serde_json::from_slice(&std::fs::read(folder.path().join("told.json")).unwrap()).unwrap();
    assert_eq!(told["made_up"]["files"][0]["path"], "data/people.csv");
    let restored = std::fs::read_to_string(folder.path().join("reads.restored.ipynb")).unwrap();
    assert!(restored.contains("made_up_inputs"), "the notebook says that its data are made up");
    // A file that is there stays, whatever is in it, unless it is to be hidden.
    restore(&["--beside", "beside", "--out", "with.ipynb"]).code(10);
    restore(&["--beside", "beside", "--without-data", "--out", "without.ipynb"]).code(0);
}
