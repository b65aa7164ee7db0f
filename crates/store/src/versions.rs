//! Table `versions`, and the facts of a run.

use rusqlite::{Row, Transaction, params};

use crate::loops::collect;
use crate::{Store, StoreError};

/// A version as the study saw it.
#[derive(Debug, Clone, PartialEq)]
pub struct VersionRow {
    /// The version's slug.
    pub version: String,
    /// Its competition.
    pub competition: String,
    /// As its author called it.
    pub title: String,
    /// When it was submitted (RFC 3339, UTC).
    pub submitted: String,
    /// Hash of its notebook file; none when the file could not be read.
    pub notebook_hash: Option<String>,
    /// Number of code cells.
    pub code_cells: Option<u32>,
    /// Lines of code in them, blank ones left out.
    pub code_lines: Option<u32>,
    /// Its target score.
    pub target_score: Option<f64>,
    /// Why it was left out, and the detail.
    pub exclusion: Option<(String, String)>,
}

/// Stores what the study saw of its versions, in place of what it saw before.
///
/// # Errors
/// When the database refuses.
pub fn replace_all(store: &mut Store, rows: &[VersionRow]) -> Result<(), StoreError> {
    store.write(|transaction| {
        transaction.execute("DELETE FROM versions", [])?;
        rows.iter().try_for_each(|row| put(transaction, row))
    })
}

/// Stores a version that is not there.
pub(crate) fn put(transaction: &Transaction<'_>, row: &VersionRow) -> Result<(), rusqlite::Error> {
    let mut insert = transaction.prepare_cached(
        "INSERT INTO versions (version, competition, title, submitted, notebook_hash, code_cells, code_lines, \
         target_score, exclusion, exclusion_detail) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )?;
    let (reason, detail) = row.exclusion.as_ref().map(|(reason, detail)| (reason, detail)).unzip();
    insert.execute(params![
        row.version,
        row.competition,
        row.title,
        row.submitted,
        row.notebook_hash,
        row.code_cells,
        row.code_lines,
        row.target_score,
        reason,
        detail
    ])?;
    Ok(())
}

/// Every version, by slug.
///
/// # Errors
/// When the database refuses.
pub fn all(store: &Store) -> Result<Vec<VersionRow>, StoreError> {
    collect(|take| each(store, take))
}

/// Hands every version to `take`, by slug.
///
/// # Errors
/// As [`all`]; also what `take` gives.
pub(crate) fn each<E: From<StoreError>>(store: &Store, take: impl FnMut(VersionRow) -> Result<(), E>) -> Result<(), E> {
    let query = "SELECT version, competition, title, submitted, notebook_hash, code_cells, code_lines, target_score, \
                 exclusion, exclusion_detail FROM versions ORDER BY version";
    store.each(query, [], read, take)
}

fn read(row: &Row<'_>) -> Result<VersionRow, rusqlite::Error> {
    let exclusion: Option<String> = row.get(8)?;
    let detail: Option<String> = row.get(9)?;
    Ok(VersionRow {
        version: row.get(0)?,
        competition: row.get(1)?,
        title: row.get(2)?,
        submitted: row.get(3)?,
        notebook_hash: row.get(4)?,
        code_cells: row.get(5)?,
        code_lines: row.get(6)?,
        target_score: row.get(7)?,
        exclusion: exclusion.map(|reason| (reason, detail.unwrap_or_default())),
    })
}
