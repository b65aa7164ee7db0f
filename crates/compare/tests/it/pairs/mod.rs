//! Real outputs (`tests/outputs/make.py`), each changed once by a rule of a known kind.

mod change;
mod nbdime;

use nbrevive_compare::{Agreement, OutputComparer};
use nbrevive_notebook::{Cell, Output, read};
use serde_json::{Value, json};

use change::{Change, changes};

/// A saved cell, the same cell changed, and what must come of comparing them.
pub(crate) struct Pair {
    pub(crate) name: String,
    pub(crate) saved: Cell,
    pub(crate) new: Cell,
    pub(crate) expected: Agreement,
}

/// The real outputs by the name of their cell.
fn cells() -> Vec<(String, Cell)> {
    let lines = include_str!("../../outputs/outputs.jsonl").lines();
    lines
        .map(|line| {
            let line: Value = serde_json::from_str(line).expect("a line is JSON");
            let file = json!({ "nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [line["cell"]] });
            let mut notebook = read(file.to_string().as_bytes()).expect("a notebook").notebook;
            (line["name"].as_str().expect("a name").to_owned(), notebook.cells.remove(0))
        })
        .collect()
}

/// Every output that a change applies to, changed by it.
pub(crate) fn pairs() -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (name, saved) in cells() {
        for Change { kind, expected, change } in changes() {
            let mut new = saved.clone();
            if change(&name, outputs(&mut new)) {
                assert_ne!(saved, new, "{name}: {kind} changes nothing");
                pairs.push(Pair { name: format!("{name}: {kind}"), saved: saved.clone(), new, expected: *expected });
            }
        }
    }
    pairs
}

fn outputs(cell: &mut Cell) -> &mut Vec<Output> {
    match &mut cell.kind {
        nbrevive_notebook::CellKind::Code { outputs, .. } => outputs,
        _ => panic!("cells of code alone"),
    }
}

fn has_picture(cell: &Cell) -> bool {
    cell.outputs().iter().any(|output| matches!(output, Output::DisplayData { data, .. } | Output::ExecuteResult { data, .. } if data.keys().any(|mime| mime.starts_with("image/"))))
}

#[test]
fn all_pairs_are_classed_right() {
    let pairs = pairs();
    assert!(pairs.len() >= 200, "only {} pairs", pairs.len());
    let mut wrong = Vec::new();
    for pair in &pairs {
        // The other way round nothing or an error would be saved; and pictures take their time.
        let is_one_way =
            pair.name.ends_with("nothing shown") || pair.name.ends_with("an error") || has_picture(&pair.saved);
        for (one, other) in
            [(&pair.saved, &pair.new), (&pair.new, &pair.saved)].into_iter().take(2 - usize::from(is_one_way))
        {
            let compared = OutputComparer::default().cells(one, other);
            if compared.agreement != Ok(pair.expected) {
                let difference = compared.difference.map(|difference| difference.to_string());
                wrong.push(format!(
                    "{}: {:?} and not {:?}, {difference:?}",
                    pair.name, compared.agreement, pair.expected
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), pairs.len(), wrong.join("\n"));
}

#[test]
fn every_level_has_its_pairs() {
    let pairs = pairs();
    for level in Agreement::ALL.iter().copied() {
        let count = pairs.iter().filter(|pair| pair.expected == level).count();
        assert!(count >= 4, "{count} pairs are {}", level.as_str());
    }
}
