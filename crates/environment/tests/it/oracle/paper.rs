//! The strategy `paper` chooses what an independent reading of section 2.2.1 chooses.

use std::fs::File;
use std::io::{BufRead, BufReader};

use nbrevive_environment::index::IndexEntry;
use nbrevive_environment::versions::normalise;
use nbrevive_environment::{Index, Strategy};

use super::{beside, planned, rows};

/// The distributions of the snapshot, which is one line of JSON each.
fn entries() -> Vec<IndexEntry> {
    let file = File::open(beside("paper.snapshot.zst")).unwrap();
    let lines = BufReader::new(zstd::Decoder::new(file).unwrap()).lines();
    lines.map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect()
}

#[test]
fn two_hundred_choices_are_those_of_the_paper() {
    let index = Index::fixed(entries());
    let rows = rows::<5>("paper.csv");
    assert_eq!(rows.len(), 200);
    let mut differences = Vec::new();
    for [name, date, python, expected, reason] in rows {
        let plan = planned(&name, &date, &python, Strategy::Paper, &index).unwrap();
        let line = plan.line(&normalise(&name)).unwrap();
        let chosen = line.version.as_ref().map_or_else(|| "nothing".to_owned(), ToString::to_string);
        if (chosen.as_str(), line.reason.as_str()) != (expected.as_str(), reason.as_str()) {
            let said = format!("{chosen} ({})", line.reason.as_str());
            differences.push(format!("{name} at {date} on {python}: {said}, the paper says {expected} ({reason})"));
        }
    }
    assert!(differences.is_empty(), "{} differ:\n{}", differences.len(), differences.join("\n"));
}
