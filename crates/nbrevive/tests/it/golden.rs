//! The golden corpus, run end to end through the real binary: every notebook comes out as its name says.
//!
//! `study/golden/expected.toml` names for each version and condition the outcome and what led to it. When a change is meant, read the
//! difference that this test prints, and edit the file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{nbrevive, repository, scratch};
use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    /// By slug: why it is left out.
    left_out: BTreeMap<String, String>,
    /// By slug and condition: the outcome, then what led to it (failure and cause, or why there is no submission).
    outcome: BTreeMap<String, BTreeMap<String, String>>,
}

#[test]
fn every_golden_notebook_comes_out_as_its_name_says() {
    let scratch = scratch();
    let store = scratch.path().join("store");
    let study = repository().join("study/golden/study.toml");
    nbrevive().args(["study", "prepare"]).arg(&study).assert().success();
    let run = || nbrevive().args(["study", "run"]).arg(&study).arg("--store").arg(&store).assert().success();
    run();

    let text = std::fs::read_to_string(repository().join("study/golden/expected.toml")).unwrap();
    let expected: Expected = toml::from_str(&text).unwrap();
    let found = nbrevive_store::Store::open_read_only(&store).unwrap();
    validate(&store.join("executed"));
    assert_eq!(outcomes(&found), flat(&expected.outcome));
    assert_eq!(left_out(&found), expected.left_out);
    drop(found);

    // Run again: nothing is left to do, and nothing is counted twice.
    let again = run();
    let said = String::from_utf8_lossy(&again.get_output().stderr).into_owned();
    assert!(said.contains(" 0 to run"), "{said}");
}

/// The reference validator takes every executed notebook of a folder.
fn validate(folder: &Path) {
    let entries = std::fs::read_dir(folder).expect("there are executed notebooks");
    let notebooks: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    assert!(!notebooks.is_empty());
    let home = nbrevive_environment::Home::from_environment().expect("there is a home folder");
    let python = home.tools().join("nbformat-venv/bin/python");
    assert!(python.exists(), "{} is missing: run scripts/setup --for-tests", python.display());
    let script = repository().join("crates/notebook/tests/validate.py");
    let status = Command::new(python).arg("-I").arg(script).args(notebooks).status().expect("Python runs");
    assert!(status.success(), "nbformat does not take every executed notebook");
}

fn flat(expected: &BTreeMap<String, BTreeMap<String, String>>) -> BTreeMap<String, String> {
    let pairs = expected.iter().flat_map(|(slug, conditions)| {
        conditions.iter().map(move |(condition, outcome)| (format!("{slug} {condition}"), outcome.clone()))
    });
    pairs.collect()
}

fn outcomes(store: &nbrevive_store::Store) -> BTreeMap<String, String> {
    let rows = nbrevive_store::outcomes::all(store).expect("the store can be read");
    let pairs = rows.into_iter().map(|row| {
        let verdict = row.verdict;
        let mut text = verdict.outcome.to_string();
        let why = [verdict.failure.map(|failure| failure.to_string()), verdict.failure_cause, verdict.output_reason];
        for word in why.into_iter().flatten() {
            text = format!("{text}: {word}");
        }
        (format!("{} {}", row.version, row.condition), text)
    });
    pairs.collect()
}

fn left_out(store: &nbrevive_store::Store) -> BTreeMap<String, String> {
    let rows = nbrevive_store::versions::all(store).expect("the store can be read");
    let excluded = rows.into_iter().filter_map(|row| row.exclusion.map(|reason| (row.version, reason.to_string())));
    excluded.collect()
}
