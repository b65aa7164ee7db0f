//! What nbdime says of the same pairs: `tests/outputs/verdicts.py` asked it once.

use std::collections::BTreeMap;

use nbrevive_compare::is_unchanged_for_nbdime;
use nbrevive_notebook::{Notebook, write};
use serde_json::{Value, json};

use super::{Pair, pairs};

/// For each pair: whether nbdime's diff of the outputs is empty, and whether its strict comparison calls the cell unchanged.
fn verdicts() -> BTreeMap<String, (bool, bool)> {
    serde_json::from_str(include_str!("../../outputs/verdicts.json")).expect("verdicts are JSON")
}

/// Leaves the pairs where `tests/outputs/verdicts.py` reads them, one JSON object a line.
#[test]
fn nbdime_has_been_asked_about_every_pair() {
    let known = verdicts();
    let (names, lines): (Vec<String>, Vec<String>) =
        pairs().into_iter().map(|pair| (pair.name.clone(), line(pair))).unzip();
    let place = concat!(env!("CARGO_TARGET_TMPDIR"), "/pairs.jsonl");
    std::fs::write(place, lines.concat()).expect("the pairs are written");
    let is_asked = names.iter().all(|name| known.contains_key(name)) && known.len() == names.len();
    assert!(is_asked, "run tests/outputs/verdicts.py on {place}");
}

fn line(pair: Pair) -> String {
    let file = |cell| -> Value { serde_json::from_str(&write(&Notebook::from_cells(vec![cell]))).expect("JSON") };
    format!("{}\n", json!({ "name": pair.name, "saved": file(pair.saved), "new": file(pair.new) }))
}

#[test]
fn the_reading_of_nbdime_is_nbdime() {
    let known = verdicts();
    for pair in pairs() {
        let ours = is_unchanged_for_nbdime(pair.saved.outputs(), pair.new.outputs());
        assert_eq!(ours, known[&pair.name].1, "{}", pair.name);
    }
}

/// Ours merges streams and looks at stderr apart; all else that is exact is so for nbdime, and the other way round.
#[test]
fn exact_is_what_nbdime_has_no_difference_for() {
    let known = verdicts();
    for pair in pairs() {
        let is_ours_alone = ["another warning", "a stream in two pieces"].iter().any(|kind| pair.name.ends_with(kind));
        let exact = pair.expected == nbrevive_compare::Agreement::Exact;
        assert!(is_ours_alone || exact == known[&pair.name].0, "{}", pair.name);
    }
}
