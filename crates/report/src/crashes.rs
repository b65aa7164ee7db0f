//! Crashes as tables and figures (Wang et al., Tables 1 to 6, Figures 3 to 7, and the findings): from rows, without parquet.

mod changes;
mod clusters;
mod crosstab;
mod figures;
mod findings;
mod found;
mod pairs;
mod printed;
mod scheme;
mod word_tables;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use nbrevive_diagnosis::crash::{BugKind, ExceptionType, Label, NotebookIssue, RootCause, Stage};

use crate::error::ReportError;
use crate::figures::figure_products;
use crate::output::Rendered;
use crate::output::{Product, input_files};
use crate::tables::Table;
use clusters::ClusterTable;
use crosstab::{Crosstab, Shares};
use findings::{FindingTable, TakeawayTable};
use pairs::PairTable;
use printed::PrintedShares;
use scheme::SchemeTable;

pub use changes::render_changes;
pub use found::{FoundNotebooks, render_found};

/// A crash with its labels, as words: those of the scheme, or whatever else a labeller wrote.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CrashRow {
    /// What crashes are compared by: the platform that published the notebook, or what else the sheet says.
    pub group: String,
    /// The cluster of its value.
    pub cluster: usize,
    /// The name of its exception, as it was saved.
    pub ename: String,
    /// Why it crashed.
    pub root_cause: String,
    /// Its refined exception type.
    pub exception_type: String,
    /// Whether it is a bug in code of machine learning.
    pub ml_bug: String,
    /// Its stage of the pipeline.
    pub stage: String,
    /// What of notebooks made it, where that is known.
    pub issue: Option<NotebookIssue>,
    /// Why it is no crash, and stands in no table but that of what is left out; empty for a crash.
    pub excluded: String,
}

/// Writes all tables and figures of crashes below `out`; `published` is what a paper prints of the same, and `inputs` are files that are
/// not replaced.
///
/// # Errors
/// When the published numbers cannot be used, or a file cannot be written.
pub fn render_crashes(
    rows: &[CrashRow],
    published: Option<&Path>,
    out: &Path,
    inputs: &[PathBuf],
) -> Result<Rendered, ReportError> {
    let printed = published.map(PrintedShares::read).transpose()?.unwrap_or_default();
    let tables = tables(rows, &printed);
    let mut products: Vec<Product> = tables.iter().flat_map(|table| table.products()).collect();
    products.extend(figure_products(&figures::of(&analysed(rows)))?);
    let inputs = [inputs, &published.map(|path| input_files(path, None)).unwrap_or_default()].concat();
    let files = products.iter().map(|product| product.write(out, &inputs)).collect::<Result<_, _>>()?;
    let text: Vec<String> = tables.iter().map(|table| table.grid().plain()).collect();
    Ok(Rendered { files, text: text.join("\n") })
}

/// What is analysed: all but what is no crash.
fn analysed(rows: &[CrashRow]) -> Vec<CrashRow> {
    rows.iter().filter(|row| row.excluded.is_empty()).cloned().collect()
}

type Field = fn(&CrashRow) -> &str;

/// Of two groups as they are, not parted by anything.
const ALL: Field = |_| "all";
const GROUP: Field = |row| &row.group;
const TYPE: Field = |row| &row.exception_type;
const CAUSE: Field = |row| &row.root_cause;
const BUG: Field = |row| bug_word(&row.ml_bug);
const STAGE: Field = |row| &row.stage;
/// Whether it is analysed, or why not.
const LEFT_OUT: Field = |row| if row.excluded.is_empty() { "analysed" } else { &row.excluded };

/// Sheets say `True`; people read what it is that is true.
fn bug_word(word: &str) -> &str {
    match BugKind::of(word) {
        Some(BugKind::Ml) => "ML bug",
        Some(BugKind::Python) => "Python bug",
        None => word,
    }
}

fn tables(rows: &[CrashRow], printed: &PrintedShares) -> Vec<Box<dyn Table>> {
    let everything: Vec<&CrashRow> = rows.iter().collect();
    let rows = &analysed(rows)[..];
    let all: Vec<&CrashRow> = rows.iter().collect();
    let staged: Vec<&CrashRow> = rows.iter().filter(|row| row.stage != Stage::Outside.code()).collect();
    let cross = |rows: &[&CrashRow], name, down: (&'static str, Field), across: (&'static str, Field), shares| {
        Crosstab::count(name, rows, down, across, shares)
    };
    let by_group = |rows, name, head, field| cross(rows, name, (head, field), ("Crashes of", GROUP), Shares::OfColumn);
    let by = |name, down, across| cross(&all, name, down, across, Shares::OfRow);
    let pair = |name, down, across| PairTable::count(name, rows, down, across);
    let findings = FindingTable::count(&all, printed);
    let takeaways = findings.as_ref().map(|findings| TakeawayTable::count(findings, printed));
    let of_words = [word_tables::related_work(&all, printed), word_tables::alike_values(printed)];
    let mut tables: Vec<Box<dyn Table>> = vec![
        Box::new(by_group(&everything, "left-out", "Analysis", LEFT_OUT)),
        Box::new(ClusterTable::count(rows, printed)),
        Box::new(by_group(&all, "names", "Name", |row| found::name_word(&row.ename)).beside(printed, "names")),
        Box::new(by_group(&all, "exception-types", "Exception type", TYPE).beside(printed, "figure3a")),
        Box::new(by_group(&all, "root-causes", "Root cause", CAUSE).beside(printed, "figure3b")),
        Box::new(by("causes-by-type", ("Exception type", TYPE), ("Root cause", CAUSE))),
        Box::new(pair("types-and-group", ("Crashes", ALL), ("Exception type", TYPE))),
        Box::new(pair("causes-and-group", ("Crashes", ALL), ("Root cause", CAUSE))),
        Box::new(pair("causes-by-type-and-group", ("Exception type", TYPE), ("Root cause", CAUSE))),
        Box::new(by_group(&all, "bugs", "Kind", BUG).beside(printed, "bugs")),
        Box::new(
            cross(&all, "causes-by-bug", ("Root cause", CAUSE), ("Kind", BUG), Shares::OfColumn)
                .beside(printed, "figure5"),
        ),
        Box::new(pair("causes-by-bug-and-group", ("Kind", BUG), ("Root cause", CAUSE))),
        Box::new(by_group(&all, "stages", "Stage", STAGE).beside(printed, "figure6a")),
        Box::new(by_group(&staged, "stages-of-the-pipeline", "Stage", STAGE)),
        Box::new(pair("stages-and-group", ("Crashes", ALL), ("Stage", STAGE))),
        Box::new(pair("bugs-by-stage-and-group", ("Stage", STAGE), ("Kind", BUG))),
        Box::new(by("causes-by-stage", ("Stage", STAGE), ("Root cause", CAUSE))),
    ];
    tables.push(Box::new(SchemeTable::count(&all)));
    tables.extend(of_words.into_iter().flatten().map(boxed));
    tables.extend(findings.map(boxed));
    tables.extend(takeaways.map(boxed));
    tables
}

fn boxed(table: impl Table + 'static) -> Box<dyn Table> {
    Box::new(table)
}

/// The words of a field in the scheme's order, then those outside of it by how frequent they are. Of a list without an order of its own,
/// as exception types, the most frequent comes first.
fn words<'rows>(rows: &[&'rows CrashRow], field: Field) -> Vec<&'rows str> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    rows.iter().for_each(|row| *counts.entry(field(row)).or_default() += 1);
    let mut words: Vec<&str> = counts.keys().copied().collect();
    words.sort_by_key(|word| (place(word), std::cmp::Reverse(counts[word])));
    words
}

/// The place of a word in an ordered dimension; those of no such dimension, and exception types, follow.
fn place(word: &str) -> usize {
    fn of<L: Label>(word: &str) -> Option<usize> {
        L::ALL.iter().position(|label| label.code() == word)
    }
    of::<RootCause>(word).or_else(|| of::<Stage>(word)).unwrap_or(match ExceptionType::of(word) {
        Some(_) => RootCause::ALL.len(),
        None => RootCause::ALL.len() + 1,
    })
}

/// The groups in the order in which they come.
fn groups<'rows>(rows: &[&'rows CrashRow]) -> Vec<&'rows str> {
    let mut groups = Vec::new();
    for row in rows {
        if !groups.contains(&row.group.as_str()) {
            groups.push(row.group.as_str());
        }
    }
    groups
}
