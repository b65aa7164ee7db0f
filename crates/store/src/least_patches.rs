//! Table `least_patches`: of notebooks that were brought back, the hunks without which they do not come back.

use nbrevive_corpus::Condition;
use rusqlite::{OptionalExtension, Row, Transaction, params};

use crate::loops::{OfLoop, collect, each_of};
use crate::schema::has_table;
use crate::{Store, StoreError};

/// A least patch.
#[derive(Debug, Clone, PartialEq)]
pub struct LeastPatchRow {
    /// Unified diff of percent cells against the original.
    pub patch: String,
    /// The whole patch that it was reduced from, in the same form.
    pub whole_patch: String,
    /// Hunks of the whole patch.
    pub hunks_before: u32,
    /// Hunks that are left.
    pub hunks_after: u32,
    /// Edit similarity of the notebook with this patch to the original, 0 to 1.
    pub similarity_to_original: f64,
    /// Executions that the search asked for.
    pub executions: u32,
    /// Whether no single hunk can be left out; false when the executions were used up before that was known.
    pub is_minimal: bool,
}

pub(crate) fn replace(
    transaction: &Transaction<'_>,
    version: &str,
    condition: Condition,
    row: Option<&LeastPatchRow>,
) -> Result<(), rusqlite::Error> {
    let slots = params![version, condition.as_str()];
    transaction.execute("DELETE FROM least_patches WHERE version = ?1 AND condition = ?2", slots)?;
    let Some(row) = row else { return Ok(()) };
    transaction.execute(
        "INSERT INTO least_patches (version, condition, patch, whole_patch, hunks_before, hunks_after, \
         similarity_to_original, executions, is_minimal) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        params![
            version,
            condition.as_str(),
            row.patch,
            row.whole_patch,
            row.hunks_before,
            row.hunks_after,
            row.similarity_to_original,
            row.executions,
            row.is_minimal,
        ],
    )?;
    Ok(())
}

/// Stores a least patch that was found after its outcome was stored, in place of the one before. Says whether the outcome with
/// these inputs is still there; a patch of another outcome is not kept.
///
/// # Errors
/// When the database refuses.
pub fn set(
    store: &mut Store,
    version: &str,
    condition: Condition,
    inputs_hash: &str,
    row: &LeastPatchRow,
) -> Result<bool, StoreError> {
    store.write(|transaction| {
        let query = "SELECT EXISTS (SELECT 1 FROM outcomes WHERE version = ?1 AND condition = ?2 AND inputs_hash = ?3)";
        let slots = params![version, condition.as_str(), inputs_hash];
        let is_there: bool = transaction.query_row(query, slots, |row| row.get(0))?;
        if is_there {
            replace(transaction, version, condition, Some(row))?;
        }
        Ok(is_there)
    })
}

const COLUMNS: &str = "patch, whole_patch, hunks_before, hunks_after, similarity_to_original, executions, is_minimal";

/// The least patch of one version under one condition, if it is known.
///
/// # Errors
/// When the database refuses.
pub fn find(store: &Store, version: &str, condition: Condition) -> Result<Option<LeastPatchRow>, StoreError> {
    store.read(|connection| {
        if !has_table(connection, "least_patches")? {
            return Ok(None);
        }
        let query =
            format!("SELECT version, condition, {COLUMNS} FROM least_patches WHERE version = ?1 AND condition = ?2");
        connection.query_row(&query, params![version, condition.as_str()], read).optional()
    })
}

/// Every least patch, by version and condition. A store that is older than the table has none.
///
/// # Errors
/// When the database refuses or holds a value that cannot be read.
pub fn all(store: &Store) -> Result<Vec<OfLoop<LeastPatchRow>>, StoreError> {
    collect(|take| each(store, take))
}

/// Hands every least patch to `take`, in the order of [`all`].
///
/// # Errors
/// As [`all`]; also what `take` gives.
pub(crate) fn each<E: From<StoreError>>(
    store: &Store,
    take: impl FnMut(OfLoop<LeastPatchRow>) -> Result<(), E>,
) -> Result<(), E> {
    each_of(store, "least_patches", COLUMNS, "version, condition", read, take)
}

fn read(row: &Row<'_>) -> Result<LeastPatchRow, rusqlite::Error> {
    Ok(LeastPatchRow {
        patch: row.get(2)?,
        whole_patch: row.get(3)?,
        hunks_before: row.get(4)?,
        hunks_after: row.get(5)?,
        similarity_to_original: row.get(6)?,
        executions: row.get(7)?,
        is_minimal: row.get(8)?,
    })
}
