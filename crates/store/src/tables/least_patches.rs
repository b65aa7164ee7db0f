//! Table `least_patches`: of notebooks that were brought back, the hunks without which they do not come back.

use nbrevive_corpus::Condition;
use rusqlite::params;

use crate::loops::{OfLoop, collect, each_of, replace_rows};
use crate::record::{of_condition, record};
use crate::{Store, StoreError};

record! {
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
            replace_rows(transaction, "least_patches", (version, condition), None, [row])?;
        }
        Ok(is_there)
    })
}

/// The least patch of one version under one condition, if it is known.
///
/// # Errors
/// When the database refuses.
pub fn find(store: &Store, version: &str, condition: Condition) -> Result<Option<LeastPatchRow>, StoreError> {
    store.read(|connection| of_condition(connection, "least_patches", version, condition))
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
    each_of(store, "least_patches", "version, condition", take)
}
