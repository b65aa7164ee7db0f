//! The scheme of labels (Table 5), and how many of our crashes have each.

use nbrevive_diagnosis::crash::{BugKind, ExceptionType, Label, RootCause, Stage, meaning};
use serde_json::{Value, json};

use super::{CrashRow, Field};
use crate::labelling::stage_meaning;
use crate::output::csv_text;
use crate::tables::{Cell, Grid, Table};

/// Every label of every dimension.
pub(super) struct SchemeTable {
    lines: Vec<Line>,
}

struct Line {
    dimension: &'static str,
    label: &'static str,
    meaning: String,
    crashes: Cell,
}

impl SchemeTable {
    pub(super) fn count(rows: &[&CrashRow]) -> Self {
        let bug = |kind| match kind {
            BugKind::Ml => "code of libraries of machine learning, or with their objects".to_owned(),
            BugKind::Python => "general Python code".to_owned(),
        };
        let lines = [
            of::<ExceptionType>(rows, "exception type", |row| &row.exception_type, |_| String::new()),
            of::<RootCause>(rows, "root cause", |row| &row.root_cause, |cause| meaning(cause).to_owned()),
            of::<BugKind>(rows, "ML or Python bug", |row| &row.ml_bug, bug),
            of::<Stage>(rows, "stage of the pipeline", |row| &row.stage, |stage| stage_meaning(stage).to_owned()),
        ];
        SchemeTable { lines: lines.into_iter().flatten().collect() }
    }
}

fn of<L: Label>(rows: &[&CrashRow], dimension: &'static str, field: Field, meaning: impl Fn(L) -> String) -> Vec<Line> {
    let line = |label: &L| {
        let count = rows.iter().filter(|row| L::of(field(row)) == Some(*label)).count();
        let crashes = Cell::new(count as u64, rows.len() as u64);
        Line { dimension, label: label.code(), meaning: meaning(*label), crashes }
    };
    L::ALL.iter().map(line).collect()
}

impl Table for SchemeTable {
    fn name(&self) -> String {
        "labels".to_owned()
    }

    fn grid(&self) -> Grid {
        let row = |line: &Line| {
            let Line { dimension, label, meaning, crashes } = line;
            let words = [(*dimension).to_owned(), (*label).to_owned(), meaning.clone()];
            words.into_iter().chain([crashes.count_text(), crashes.share_text(), crashes.interval_text()]).collect()
        };
        let header = ["Dimension", "Label", "Meaning", "Crashes", "Share", "95 % interval"];
        Grid {
            title: "The scheme of labels, and our crashes by label".to_owned(),
            header: header.map(str::to_owned).into(),
            word_columns: 3,
            rows: self.lines.iter().map(row).collect(),
            notes: vec![
                "Table 5 of the paper; it names some of its twenty exception types, and we the others. Words outside of the scheme are not \
                 counted here."
                    .to_owned(),
            ],
        }
    }

    fn csv(&self) -> String {
        let header = ["dimension", "label", "meaning"].into_iter().chain(Cell::CSV_FIELDS).map(str::to_owned);
        let line = |line: &Line| {
            let words = [line.dimension.to_owned(), line.label.to_owned(), line.meaning.clone()];
            words.into_iter().chain(line.crashes.csv()).collect()
        };
        csv_text(std::iter::once(header.collect()).chain(self.lines.iter().map(line)))
    }

    fn json(&self) -> Value {
        let row = |line: &Line| {
            let Line { dimension, label, meaning, crashes } = line;
            json!({ "dimension": dimension, "label": label, "meaning": meaning, "crashes": crashes.json() })
        };
        let rows: Vec<Value> = self.lines.iter().map(row).collect();
        json!({ "table": self.name(), "title": self.grid().title, "rows": rows })
    }
}
