//! Plans against readings that share nothing with the crate: `paper.py` for the strategy `paper`, the pips of the
//! past (`dated.py`) for `dated`. Both tables are planned offline, from committed snapshots of real histories.
//!
//! | file | purpose |
//! |---|---|
//! | `paper.csv`, `paper.snapshot.zst` | 200 cases of section 2.2.1, and the histories that they are read from |
//! | `dated.csv`, `dated.snapshot.zst` | 60 resolutions of pips of the date, and what plans need to know for them |
//! | `dated_differences.csv` | each direct dependency in which the plan differs from the pip, and why |
//! | `real_notebooks.csv` | 40 notebooks for `scripts/prove-real-notebooks` |
//! | `*.py` | how the tables were made |
//!
//! `NBREVIVE_ORACLE_RECORD=1` has the cases of `dated` planned from the configured index, and records the snapshot.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod dated;
mod paper;

use std::fs;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use nbrevive_environment::plan::PlanError;
use nbrevive_environment::{
    EnvironmentPlan, Home, Index, Interpreter, Interpreters, Needs, PlanRequest, Strategy, plan,
};

/// A file of this folder.
fn beside(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/oracle").join(name)
}

/// The rows of a table without its head; no field of ours holds a comma or a quote.
fn rows<const COLUMNS: usize>(name: &str) -> Vec<[String; COLUMNS]> {
    let text = fs::read_to_string(beside(name)).unwrap();
    let read = |line: &str| -> [String; COLUMNS] {
        let fields: Vec<String> = line.splitn(COLUMNS, ',').map(str::to_owned).collect();
        fields.try_into().unwrap_or_else(|fields| panic!("{name}: {fields:?} has not {COLUMNS} fields"))
    };
    text.lines().skip(1).map(read).collect()
}

/// A date (the start of its day, UTC) or an instant.
fn instant(text: &str) -> Timestamp {
    let whole = if text.contains('T') { text.to_owned() } else { format!("{text}T00:00:00Z") };
    whole.parse().unwrap()
}

/// A machine with that interpreter alone, with the glibc of the tables.
fn machine(version: &str) -> Interpreters {
    let interpreter = Interpreter {
        path: "python".into(),
        version: version.parse().unwrap(),
        prefix: "prefix".into(),
        machine: "x86_64".into(),
        glibc: Some((2, 36)),
        wide_unicode: true,
    };
    Interpreters::fixed(&Home::at("no-home"), vec![interpreter])
}

/// Plans requirements for a date and an interpreter.
fn planned(
    requirements: &str,
    date: &str,
    python: &str,
    strategy: Strategy,
    index: &Index,
) -> Result<EnvironmentPlan, PlanError> {
    let interpreters = machine(python);
    let minor = interpreters.all()[0].minor();
    let pins = requirements.split_whitespace().map(str::to_owned).collect();
    let needs = Needs { major: minor.major, pins, ..Needs::default() };
    let request = PlanRequest { python: Some(minor), ..PlanRequest::new(&needs, instant(date), strategy) };
    plan(&request, index, &interpreters)
}
