//! Outcomes that change from one run to the next: each is told after it came once more.

use crate::capsule::study;
use crate::support::nbrevive;

fn told(folder: &std::path::Path) -> String {
    let (file, store) = (folder.join("study.toml"), folder.join("store"));
    let assert = nbrevive().args(["study", "run"]).arg(file).arg("--store").arg(store).assert().success();
    String::from_utf8_lossy(&assert.get_output().stderr).into_owned()
}

fn write(folder: &std::path::Path, code: &str) {
    let cell = serde_json::json!({"cell_type": "code", "metadata": {}, "source": code, "outputs": [], "execution_count": null});
    let notebook = serde_json::json!({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": [cell]});
    std::fs::write(folder.join("notebooks/alone/moody.ipynb"), notebook.to_string()).expect("the folder is ours");
}

#[test]
fn a_change_is_told_after_it_came_once_more() {
    let folder = study();
    let first = told(folder.path());
    assert!(!first.contains("changed"), "{first}");
    write(folder.path(), "1 / 0");
    let second = told(folder.path());
    assert!(second.contains("1 outcomes changed since the last run: once more"), "{second}");
    assert!(second.contains("changed: moody plain: ") && second.contains("now, and once more"), "{second}");
    // Nothing ran, so nothing changed.
    assert!(!told(folder.path()).contains("changed: "));
    // The inputs are others and the outcome is not, so that nothing comes once more.
    write(folder.path(), "2 / 0");
    assert!(!told(folder.path()).contains("changed"));
}

#[test]
fn what_comes_otherwise_once_more_is_no_change() {
    let folder = study();
    let settings = folder.path().join("study.toml");
    let text = std::fs::read_to_string(&settings).expect("the folder is ours");
    // With this key each run has hashes of its own, by which the notebook tells the first from the one that comes once more.
    std::fs::write(&settings, format!("{text}antidotes = []\n")).expect("the folder is ours");
    write(folder.path(), "print(1)");
    told(folder.path());
    write(folder.path(), "import os\nif os.environ['PYTHONHASHSEED'] == '1':\n    raise ValueError");
    let second = told(folder.path());
    assert!(second.contains("when it ran once more: it is flaky, and no change is seen"), "{second}");
}
