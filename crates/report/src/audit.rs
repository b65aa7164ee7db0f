//! Arithmetic invariants over tables: rows add up, parts make wholes, shares fit their counts, and one number is the same
//! wherever it stands.
//!
//! Parts:
//! - `number`: all values that a printed number may stand for;
//! - `values`: numbers by name, from published files or from our tables and figures;
//! - `check`: what should hold between them, as data: beside the published numbers, and for our own in `audit/own.toml`, of studies that ask
//!   for no scores in `audit/shares.toml`, of studies of crashes in `audit/crashes.toml`;
//! - `fitting`: printed p-values, held against every table of counts that rounds to the printed shares.

mod check;
mod fitting;
mod number;
mod values;

#[cfg(test)]
mod tests;

pub(crate) use check::known;
pub(crate) use number::Bounds;
pub(crate) use values::Values;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use nbrevive_corpus::{PublishedError, PublishedFiles};
use nbrevive_files::{FileError, Folder};
use serde::de::DeserializeOwned;

use check::Check;
use fitting::PrintedTest;
use values::Place;

/// The longest table of ours that is read.
const LONGEST: u64 = 4 << 20;

/// Why an audit cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    /// A file cannot be read.
    #[error("cannot read {path}: {source}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The published numbers cannot be used.
    #[error(transparent)]
    Published(#[from] PublishedError),
    /// A file is not what it should be.
    #[error("{path} cannot be audited: {message}")]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
}

/// What an audit found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Audit {
    /// How many numbers there are.
    pub numbers: usize,
    /// The names of those that no invariant touches, so that no audit can vouch for them.
    pub unchecked: Vec<String>,
    /// How many invariants were checked.
    pub checks: usize,
    /// A sentence for each that does not hold, in the order of the checks.
    pub findings: Vec<String>,
    /// A sentence for each printed p-value that some table of counts gives which rounds to the printed shares.
    pub p_values: Vec<String>,
}

/// What should hold between the numbers of our own tables and figures.
const OWN_CHECKS: &str = include_str!("audit/own.toml");
/// The same for a study that asks for no scores.
const SHARE_CHECKS: &str = include_str!("audit/shares.toml");
/// The same for a study of crashes.
const CRASH_CHECKS: &str = include_str!("audit/crashes.toml");

/// Audits published numbers, a folder or file, by the checks that they declare.
///
/// # Errors
/// When a file cannot be read, a number is none, or a check names what is not there.
pub fn audit_published(path: &Path) -> Result<Audit, AuditError> {
    let numbers: toml::Table = PublishedFiles::read(path)?.parse()?;
    let audited = published(&numbers).and_then(|(values, checks)| {
        let tests: Vec<PrintedTest> = declared(&numbers, "test")?;
        audit(&values, &checks, &tests)
    });
    audited.map_err(|message| AuditError::Invalid { path: path.to_owned(), message })
}

/// Audits the tables and figures below `folder`, as [`render`](crate::render) writes them.
///
/// # Errors
/// When a table is no JSON or lacks a number; of a study that asks for scores, when Tables 1 to 5, the fixes by provider, the headline, the
/// summary or Figure 3 or 6 is missing; of a study of crashes, when one of the tables by group is.
pub fn audit_tables(folder: &Path) -> Result<Audit, AuditError> {
    let (values, checks) = own(folder)?;
    audit(&values, &checks, &[]).map_err(|message| AuditError::Invalid { path: folder.join("tables"), message })
}

fn published(numbers: &toml::Table) -> Result<(Values, Vec<Check>), String> {
    let mut values = Values::default();
    values.add_published(numbers)?;
    Ok((values, declared(numbers, "check")?))
}

fn own(folder: &Path) -> Result<(Values, Vec<Check>), AuditError> {
    let names = shares(&folder.join("tables"))?;
    let mut values = Values::default();
    if !names.is_empty() {
        for name in names {
            values.add_shares(&name, &json(&folder.join("tables").join(format!("{name}.json")))?);
        }
        return Ok((values, part_of_program(SHARE_CHECKS)));
    }
    if folder.join("tables/left-out.json").is_file() {
        for name in ["left-out", "exception-types", "root-causes", "bugs", "stages", "names"] {
            values.add_crosstab(name, &json(&folder.join("tables").join(format!("{name}.json")))?);
        }
        return Ok((values, part_of_program(CRASH_CHECKS)));
    }
    let tables = ["table1", "table2", "table3", "table4", "table5", "fixes-by-provider", "headline", "summary"];
    let files = tables.map(|name| ("tables", name)).into_iter().chain([("figures", "figure3"), ("figures", "figure6")]);
    for (kind, name) in files {
        values.add_json(name, &json(&folder.join(kind).join(format!("{name}.json")))?);
    }
    Ok((values, part_of_program(OWN_CHECKS)))
}

/// The names of all tables, where they are of a study that asks for no scores, which each of them says; none of other studies.
fn shares(tables: &Path) -> Result<Vec<String>, AuditError> {
    let one = tables.join("executability.json");
    if !one.is_file() || json(&one)?.pointer("/study/judge").is_none() {
        return Ok(Vec::new());
    }
    let unreadable = |source: FileError| AuditError::Unreadable { path: tables.to_owned(), source: source.into() };
    let entries = Folder::open(tables).and_then(|folder| folder.entries()).map_err(unreadable)?;
    let names = entries.iter().filter_map(|entry| entry.name.to_str()?.strip_suffix(".json").map(str::to_owned));
    Ok(names.collect())
}

fn json(path: &Path) -> Result<serde_json::Value, AuditError> {
    let invalid = |error: serde_json::Error| AuditError::Invalid { path: path.to_owned(), message: error.to_string() };
    serde_json::from_str(&text(path)?).map_err(invalid)
}

fn part_of_program(checks: &str) -> Vec<Check> {
    let checks = toml::from_str(checks).expect("it is part of the program");
    declared(&checks, "check").expect("it is part of the program")
}

fn text(path: &Path) -> Result<String, AuditError> {
    nbrevive_files::read_text(path, LONGEST)
        .map_err(|error| AuditError::Unreadable { path: path.to_owned(), source: error.into() })
}

fn declared<T: DeserializeOwned>(file: &toml::Table, kind: &str) -> Result<Vec<T>, String> {
    let all = file.get(kind).cloned().unwrap_or_else(|| toml::Value::Array(Vec::new()));
    all.try_into().map_err(|error| error.to_string())
}

fn audit(values: &Values, checks: &[Check], tests: &[PrintedTest]) -> Result<Audit, String> {
    let mut findings: Vec<String> = values.all().filter_map(|(name, places)| disagreement(name, places)).collect();
    let mut touched: BTreeSet<String> = BTreeSet::new();
    let mut count = 0;
    for (name, places) in values.all().filter(|(_, places)| places.len() > 1) {
        count += places.len() - 1;
        touched.insert(name.to_owned());
    }
    for check in checks {
        let checked = check.run(values)?;
        count += checked.count;
        touched.extend(checked.names);
        findings.extend(checked.findings);
    }
    let mut p_values = Vec::new();
    for test in tests {
        let fitted = test.run(values)?;
        count += 1;
        touched.extend(fitted.names);
        if fitted.is_possible { &mut p_values } else { &mut findings }.push(fitted.sentence);
    }
    let names = values.all().filter(|(_, places)| !places.is_empty()).map(|(name, _)| name);
    let unchecked = names.filter(|name| !touched.contains(*name)).map(str::to_owned).collect();
    let numbers = values.all().map(|(_, places)| places.len()).sum();
    Ok(Audit { numbers, unchecked, checks: count, findings, p_values })
}

/// The sentence about a number that is not the same wherever it stands; each value with the sections that print it.
fn disagreement(name: &str, places: &[Place]) -> Option<String> {
    let agree = |a: &Place, b: &Place| a.bounds.and(b.bounds).is_some();
    let first = places.first()?;
    places.iter().find(|place| !agree(first, place))?;
    let mut told: Vec<(&str, Vec<&str>)> = Vec::new();
    for place in places {
        match told.iter_mut().find(|(text, _)| *text == place.text) {
            Some((_, sections)) if sections.contains(&place.section.as_str()) => {}
            Some((_, sections)) => sections.push(&place.section),
            None => told.push((&place.text, vec![&place.section])),
        }
    }
    let told: Vec<String> = told.iter().map(|(text, sections)| format!("{text} in {}", sections.join(", "))).collect();
    Some(format!("`{name}` is {}", told.join(", but ")))
}
