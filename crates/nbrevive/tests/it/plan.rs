//! `nbrevive plan` and `nbrevive imports` as a person uses them, offline from a committed snapshot; and the environment that
//! `nbrevive modernize` makes for one notebook, from the configured index.

use std::path::{Path, PathBuf};

use crate::support::{nbrevive, repository, scratch};
use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;

/// Real histories and metadata of some two hundred distributions.
fn snapshot() -> PathBuf {
    repository().join("crates/environment/tests/it/oracle/dated.snapshot.zst")
}

fn script(folder: &Path, text: &str) -> PathBuf {
    let path = folder.join("old.py");
    std::fs::write(&path, text).expect("a scratch folder can be written");
    path
}

/// Plans for Python 3.8, which every machine of ours has, from the snapshot.
fn plan(path: &Path, rest: &[&str]) -> Command {
    let mut command = nbrevive();
    command.arg("plan").arg(path).args(["--date", "2020-02-15", "--python", "3.8"]);
    command.arg("--snapshot").arg(snapshot()).args(rest);
    command
}

#[test]
fn a_plan_has_versions_of_the_date_with_reasons() {
    let scratch = scratch();
    let path = script(scratch.path(), "import requests\nimport utils\nimport os\n");
    let shown = plan(&path, &[]).assert().code(0);
    shown.stdout(contains("requests").and(contains("2.22.0")).and(contains("import requests")).and(contains("utils")));
    plan(&path, &["--format", "requirements"]).assert().code(0).stdout(contains("requests==2.22.0\n"));
    plan(&path, &["--format", "hashes"]).assert().code(0).stdout(contains("--hash=sha256:"));
    plan(&path, &["--format", "pylock"]).assert().code(0).stdout(contains("lock-version = \"1.0\""));
}

#[test]
fn a_snapshot_repeats_a_plan_bit_for_bit() {
    let scratch = scratch();
    let path = script(scratch.path(), "import requests\n");
    let saved = scratch.path().join("saved.snapshot.zst");
    let json = |command: &mut Command| command.assert().code(0).get_output().stdout.clone();
    let first = json(plan(&path, &["--format", "json"]).arg("--save-snapshot").arg(&saved));
    let mut again = nbrevive();
    again.arg("plan").arg(&path).args(["--date", "2020-02-15", "--python", "3.8", "--format", "json"]);
    let second = json(again.arg("--snapshot").arg(&saved));
    assert_eq!(String::from_utf8(first).unwrap(), String::from_utf8(second).unwrap());
    assert!(saved.metadata().unwrap().len() < snapshot().metadata().unwrap().len());
}

#[test]
fn dates_that_cannot_be_are_refused() {
    let scratch = scratch();
    let path = script(scratch.path(), "import requests\n");
    let dated = |date: &str| nbrevive().arg("plan").arg(&path).args(["--date", date]).assert();
    dated("2009-01-01").code(2).stderr(contains("before the first release of Python 2.7"));
    dated("2999-01-01").code(2).stderr(contains("in the future"));
    dated("soon").code(2).stderr(contains("not a date such as 2018-05-01"));
}

#[test]
fn several_notebooks_are_planned_into_a_folder() {
    let scratch = scratch();
    let folder = scratch.path().join("notebooks");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("one.py"), "import requests\n").unwrap();
    std::fs::write(folder.join("two.py"), "import idna\n").unwrap();
    std::fs::write(folder.join("broken.ipynb"), "{").unwrap();
    plan(&folder, &[]).assert().code(2).stderr(contains("name a folder with --out"));
    let out = scratch.path().join("plans");
    let planned = plan(&folder, &["--format", "requirements", "--out", out.to_str().unwrap()]).assert();
    planned.code(6).stderr(contains("broken.ipynb").and(contains("2 planned, 0 cannot be installed, 1 without")));
    assert_eq!(std::fs::read_dir(&out).unwrap().count(), 2);
}

#[test]
fn what_is_wrong_with_a_snapshot_or_a_path_is_named() {
    let scratch = scratch();
    let path = script(scratch.path(), "import requests\n");
    let asked = |snapshot: &Path| {
        let mut command = nbrevive();
        command.arg("plan").arg(&path).args(["--date", "2020-02-15", "--snapshot"]).arg(snapshot).assert()
    };
    asked(&path).code(3).stderr(contains("old.py"));
    asked(Path::new("nowhere.zst")).code(3).stderr(contains("nowhere.zst"));
    nbrevive()
        .args(["plan", "nowhere", "--date", "2020-02-15"])
        .assert()
        .code(3)
        .stderr(contains("cannot read nowhere"));
    std::fs::create_dir(scratch.path().join("empty")).unwrap();
    let empty = nbrevive().arg("plan").arg(scratch.path().join("empty")).args(["--date", "2020-02-15"]).assert();
    empty.code(3).stderr(contains("no notebook (.ipynb) and no script (.py)"));
}

#[test]
fn imports_are_listed_without_asking_anybody() {
    let scratch = scratch();
    let path = script(scratch.path(), "import numpy as np\n# %%\ndef f(:\n# %%\n!pip install xgboost==0.90\n");
    let shown = nbrevive().arg("imports").arg(&path).assert().code(0);
    shown.stdout(contains("  numpy\n"));
    let json = nbrevive().arg("imports").arg(&path).arg("--json").assert().code(0).get_output().stdout.clone();
    let row: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(row["imports"][0]["module"], "numpy");
    assert_eq!(row["installs"][0]["requirements"][0], "xgboost==0.90");
    assert_eq!(row["broken_cells"][0]["cell"], 1);
}

#[test]
fn environments_are_listed_and_pruned_below_the_home() {
    let scratch = scratch();
    let home = scratch.path().join("home");
    let run = |arguments: &[&str]| nbrevive().env("NBREVIVE_HOME", &home).arg("environments").args(arguments).assert();
    run(&["list"]).code(0).stdout(contains("last used"));
    run(&["prune"]).code(2).stderr(contains("--max-size"));
    run(&["prune", "--max-size", "-1"]).code(2);
    run(&["prune", "--max-age", "0"]).code(0).stderr(contains("removed 0 environments"));
}

#[test]
fn what_a_notebook_imports_beyond_the_lock_is_added_and_what_cannot_be_had_is_named() {
    let scratch = scratch();
    let path = |name: &str| scratch.path().join(name);
    std::fs::write(path("tiny.lock"), "# python: 3.12\npackaging==24.2\n").unwrap();
    let cells = [
        "!pip install colorama==0.0.0.1 packaging",
        "import bs4, colorama\nimport helper_of_nobody_else",
        "page = bs4.BeautifulSoup('<p>', 'html5lib')",
        "kernel_of_jupyter = [__import__(name) for name in ('nbformat', 'ipywidgets')]",
    ];
    let cells = cells.map(nbrevive_notebook::Cell::code);
    let notebook = nbrevive_notebook::Notebook::from_cells(cells.to_vec());
    std::fs::write(path("old.ipynb"), nbrevive_notebook::write(&notebook)).unwrap();
    let modernize = |more: &str| {
        let mut command = nbrevive();
        command.arg("modernize").arg(path("old.ipynb")).arg("--environment").arg(path("tiny.lock"));
        command.arg("--json").arg(path("account.json")).args(more.split_whitespace());
        command.assert()
    };
    let added = "beautifulsoup4 (import bs4), html5lib (html5lib needs html5lib), colorama (import colorama)";
    modernize("").stderr(
        contains("cannot be had, going on without: colorama==0.0.0.1 (install line): no-matching-version")
            .and(contains(added)),
    );
    let account: serde_json::Value = serde_json::from_slice(&std::fs::read(path("account.json")).unwrap()).unwrap();
    assert_eq!(account["left_out"], serde_json::json!(["colorama==0.0.0.1"]));
    let raised = |cell: &serde_json::Value| cell["error"]["evalue"].as_str().map(str::to_owned);
    let errors: Vec<String> = account["before"]["cells"].as_array().unwrap().iter().filter_map(raised).collect();
    assert_eq!(
        errors,
        ["No module named 'helper_of_nobody_else'"],
        "bs4 with its parser and colorama are there, and what comes with Jupyter"
    );
    modernize("--lock-only").stderr(contains("added to the lock").not());
}
