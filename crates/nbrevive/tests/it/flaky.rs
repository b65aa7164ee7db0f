//! A/A runs, end to end through the real binary: a notebook whose outcome is a matter of chance is found, one that is stable is not.

use std::path::Path;

use crate::support::{nbrevive, repository, scratch};
use nbrevive_corpus::Condition;
use nbrevive_store::{Store, executions, outcomes, repetitions};

/// Raises in half of its runs, whatever seed Python's hashing has.
const FLAKY: &str = "import os\nassert os.urandom(1)[0] % 2 == 0";
const STABLE: &str = "print(sorted({'a', 'b'}))";
/// Runs of the flaky one: that all come out the same has a chance of 2 in 2³², below 10⁻⁹.
const RUNS: u32 = 32;

/// A study of two notebooks without a submission, in `folder`.
fn write_study(folder: &Path) {
    let notebooks = folder.join("notebooks/iris-species");
    std::fs::create_dir_all(&notebooks).expect("a folder of notebooks");
    let put = |path: std::path::PathBuf, text: String| std::fs::write(path, text).expect("a file of the study");
    let (mut versions, mut targets) = (String::new(), String::new());
    for (slug, code) in [("flaky", FLAKY), ("stable", STABLE)] {
        let cell = serde_json::json!({
            "cell_type": "code", "metadata": {}, "source": code, "outputs": [], "execution_count": null,
        });
        let notebook = serde_json::json!({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": [cell]});
        put(notebooks.join(format!("{slug}.ipynb")), notebook.to_string());
        versions.push_str(&format!(
            "[[version]]\nslug = \"{slug}\"\ntitle = \"{slug}\"\nsubmitted = \"2024-09-01T12:00:00Z\"\n"
        ));
        targets.push_str(&format!("[target.{slug}]\nscore = 0.95\n"));
    }
    put(notebooks.join("versions.toml"), versions);
    put(folder.join("targets.toml"), targets);
    let shared = repository().join("study");
    let study = format!(
        "name = \"chance\"\ntitle = \"Chance\"\ncompetitions = {:?}\nnotebooks = \"notebooks\"\ntargets = \"targets.toml\"\n\
         environments = {:?}\nbaseline = \"contemporary\"\nconditions = [\"baseline\"]\njobs = \"auto\"\nrepeat = 2\n\
         [limits]\nseconds = 60.0\nmemory_mib = 512\ncores = 1\ndisk_mib = 256\n",
        shared.join("competitions"),
        shared.join("environments"),
    );
    put(folder.join("study.toml"), study);
}

#[test]
fn chance_is_found_and_told_and_can_be_left_out() {
    let scratch = scratch();
    write_study(scratch.path());
    let (study, store) = (scratch.path().join("study.toml"), scratch.path().join("store"));
    nbrevive().args(["study", "prepare"]).arg(&study).assert().success();
    let run = |more: &[&str]| {
        let ran = nbrevive().args(["study", "run"]).arg(&study).arg("--store").arg(&store).args(more).assert();
        String::from_utf8_lossy(&ran.success().get_output().stderr).into_owned()
    };
    let said = run(&[]);
    assert!(said.starts_with("4 jobs: 4 to run") && said.contains("at a time with `--jobs auto`"), "{said}");
    // More of them later: what is stored is not run again.
    let said = run(&["--only", "flaky", "--repeat", &RUNS.to_string()]);
    assert!(said.starts_with(&format!("{RUNS} jobs: {} to run, 2 done", RUNS - 2)), "{said}");
    assert!(said.contains("run more than once: 2, of these flaky: 1: flaky baseline ("), "{said}");
    assert!(run(&["--repeat", "2"]).starts_with("4 jobs: 0 to run"));

    let found = Store::open_read_only(&store).unwrap();
    let flakiness = repetitions::flakiness(&found).unwrap();
    let of = |slug: &str| flakiness[&(Condition::BASELINE, slug.to_owned())];
    assert!(of("flaky").is_flaky() && of("flaky").repetitions == RUNS, "{:?}", of("flaky"));
    assert!(!of("stable").is_flaky() && of("stable").repetitions == 2, "{:?}", of("stable"));
    assert_eq!(outcomes::all(&found).unwrap().len(), 2, "a repetition was counted as an outcome");
    let ran = executions::all(&found).unwrap();
    assert_eq!(ran.len(), RUNS as usize + 2, "an execution was counted twice or lost");
    assert!(ran.iter().all(|row| store.join(&row.notebook_file).is_file()));
    let files: std::collections::BTreeSet<&str> = ran.iter().map(|row| row.notebook_file.as_str()).collect();
    assert_eq!(files.len(), ran.len(), "a repetition replaced the notebook of another");

    let tables = |choice: &str| {
        let mut command = nbrevive();
        command.args(["tables", "--flaky", choice, "--out"]).arg(scratch.path().join(choice));
        let made = command.arg("--data").arg(store.join("data")).assert().success();
        String::from_utf8_lossy(&made.get_output().stdout).into_owned()
    };
    let (shown, without) = (tables("show"), tables("leave-out"));
    assert!(shown.contains("2 versions under baseline") && shown.contains("Flaky: 1 of 2 versions"), "{shown}");
    assert!(without.contains("1 version under baseline") && without.contains("left out"), "{without}");
}
