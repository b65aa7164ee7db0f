//! Table `versions`: the versions of the last run.

use nbrevive_corpus::Exclusion;

use rusqlite::Transaction;

use crate::loops::collect;
use crate::record::{Record as _, insert, record, replace_table, selected};
use crate::{Store, StoreError};

record! {
    /// A version as the study saw it.
    #[derive(Debug, Clone, PartialEq)]
    pub struct VersionRow {
        /// The version's slug.
        pub version: String,
        /// Its competition, where it belongs to one.
        pub competition: Option<String>,
        /// Its repository, where it belongs to one.
        pub repository: Option<String>,
        /// As its author called it.
        pub title: String,
        /// When it was submitted, or last changed (RFC 3339, UTC).
        pub submitted: String,
        /// Hash of its notebook file; none when the file could not be read.
        pub notebook_hash: Option<String>,
        /// Number of code cells.
        pub code_cells: Option<u32>,
        /// Lines of code in them, blank ones left out.
        pub code_lines: Option<u32>,
        /// Number of cells of text.
        pub markdown_cells: Option<u32>,
        /// The largest execution count that a code cell was saved with.
        pub largest_count: Option<u32>,
        /// Its target score.
        pub target_score: Option<f64>,
        /// Why it was left out.
        pub exclusion: Option<Exclusion>,
        /// The reason in words.
        pub exclusion_detail: Option<String>,
    }
}

/// Stores what the study saw of its versions, in place of what it saw before.
///
/// # Errors
/// When the database refuses.
pub fn replace_all(store: &mut Store, rows: &[VersionRow]) -> Result<(), StoreError> {
    store.write(|transaction| replace_table(transaction, "versions", rows))
}

/// Stores versions that are not there.
pub(crate) fn put<'r>(
    transaction: &Transaction<'_>,
    rows: impl IntoIterator<Item = &'r VersionRow>,
) -> Result<(), rusqlite::Error> {
    insert(transaction, ("INSERT", "versions"), &[], None, rows)
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
    let columns = store.read(|connection| selected::<VersionRow>(connection, "versions"))?;
    let query = format!("SELECT {} FROM versions ORDER BY version", columns.unwrap_or_default());
    store.each(&query, [], |row| VersionRow::read(row, 0), take)
}
