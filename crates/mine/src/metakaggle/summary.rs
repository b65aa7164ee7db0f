//! What a run over the dump went through, and what it left out, by reason.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use super::scan::{BadRows, Scanned};
use super::tables::DumpTable;
use crate::content::LocalTrouble;

nbrevive_corpus::string_enum! {
    /// Why rows were left out. Only public content is in the dump, so that many references lead nowhere.
    pub enum DroppedRows ("reason for dropping") {
        /// A version whose notebook is not in the dump, or was itself dropped.
        VersionWithoutNotebook => "version-without-notebook",
        /// A notebook whose author is not in the dump, or has no name.
        NotebookWithoutAuthor => "notebook-without-author",
        /// A notebook whose name is no plain name.
        NotebookName => "notebook-name",
        /// A competition whose name is no plain name.
        CompetitionName => "competition-name",
        /// A version of the plan's competitions that `KernelVersions` does not hold.
        SourceWithoutVersion => "source-without-version",
        /// A score of a version that `KernelVersions` does not hold.
        ScoreWithoutVersion => "score-without-version",
        /// A version whose number an earlier row has.
        DuplicateVersion => "duplicate-version",
        /// A version of a notebook that was taken down.
        TakenDown => "taken-down",
    }
}

/// What a run went through.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct DumpSummary {
    /// Rows read, by table.
    pub rows: BTreeMap<DumpTable, u64>,
    /// Rows that cannot be read, by table.
    pub bad: BTreeMap<DumpTable, BadRows>,
    /// Rows that were left out, by reason.
    pub dropped: BTreeMap<DroppedRows, u64>,
    /// Versions that were given.
    pub versions: u64,
    /// Whether the receiver stopped the run.
    pub stopped: bool,
    /// Sources of code that could not be taken.
    #[serde(skip)]
    pub troubles: Vec<LocalTrouble>,
}

/// A summary that grows. A table that is read twice counts once.
#[derive(Debug, Default)]
pub(super) struct Tally(pub(super) DumpSummary);

impl Tally {
    pub(super) fn scanned(&mut self, table: DumpTable, scanned: Scanned) {
        tracing::debug!(%table, rows = scanned.rows, bad = scanned.bad.count, "read a table of the dump");
        self.0.rows.entry(table).or_insert(scanned.rows);
        // The reading that asks for more columns finds more.
        if scanned.bad.count > self.0.bad.get(&table).map_or(0, |bad| bad.count) {
            self.0.bad.insert(table, scanned.bad);
        }
    }

    pub(super) fn drop(&mut self, why: DroppedRows, count: u64) {
        if count > 0 {
            *self.0.dropped.entry(why).or_default() += count;
        }
    }
}

impl fmt::Display for DumpSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} versions given", self.versions)?;
        for (table, rows) in &self.rows {
            writeln!(f, "{table}: {rows} rows read")?;
        }
        for (why, count) in &self.dropped {
            writeln!(f, "left out, {why}: {count}")?;
        }
        for (table, bad) in &self.bad {
            writeln!(f, "{table}: {} rows cannot be read", bad.count)?;
            for row in &bad.first {
                writeln!(f, "  {table}.csv:{}: {}", row.line, row.why)?;
            }
        }
        for trouble in &self.troubles {
            writeln!(f, "{trouble}")?;
        }
        Ok(())
    }
}
