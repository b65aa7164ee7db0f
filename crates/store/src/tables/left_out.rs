//! Table `left_out`: versions that one condition leaves out, and why.
//!
//! A version has either an outcome under a condition or a row here, never both. (Versions that no condition studies have their
//! reason in table `versions`.)

use nbrevive_corpus::{Condition, Exclusion};
use rusqlite::{Transaction, params};

use crate::loops::{self, LoopRows};
use crate::record::{every, insert, of_condition, record};
use crate::{Store, StoreError};

record! {
    /// Why one condition leaves a version out.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct LeftOutRow {
        /// The version's slug.
        pub version: String,
        /// The condition.
        pub condition: Condition,
        /// Why.
        pub reason: Exclusion,
        /// The reason in words.
        pub detail: String,
    }
}

/// Stores that a version is left out, in place of the outcome that it may have had, with its fixes and dialogues.
///
/// # Errors
/// When the database refuses.
pub fn set(store: &mut Store, row: &LeftOutRow) -> Result<(), StoreError> {
    store.write(|transaction| {
        loops::replace(transaction, &row.version, row.condition, &LoopRows::default())?;
        transaction.execute(
            "DELETE FROM outcomes WHERE version = ?1 AND condition = ?2",
            params![row.version, row.condition.as_str()],
        )?;
        put(transaction, row)
    })
}

/// Stores the row alone.
pub(crate) fn put(transaction: &Transaction<'_>, row: &LeftOutRow) -> Result<(), rusqlite::Error> {
    insert(transaction, ("INSERT OR REPLACE", "left_out"), &[], None, [row])
}

/// Forgets that a version is left out.
///
/// # Errors
/// When the database refuses.
pub fn remove(store: &mut Store, version: &str, condition: Condition) -> Result<(), StoreError> {
    store.write(|transaction| {
        let slots = params![version, condition.as_str()];
        transaction.execute("DELETE FROM left_out WHERE version = ?1 AND condition = ?2", slots)?;
        Ok(())
    })
}

/// Why a version is left out, if it is.
///
/// # Errors
/// When the database refuses or holds a word that is not known.
pub fn find(store: &Store, version: &str, condition: Condition) -> Result<Option<LeftOutRow>, StoreError> {
    store.read(|connection| of_condition(connection, "left_out", version, condition))
}

/// Every row, by condition and version.
///
/// # Errors
/// When the database refuses or holds a word that is not known.
pub fn all(store: &Store) -> Result<Vec<LeftOutRow>, StoreError> {
    store.read(|connection| every(connection, "left_out", "condition, version"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_replaced_and_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(folder.path()).unwrap();
        let row = |detail: &str| LeftOutRow {
            version: "a".to_owned(),
            condition: Condition::MODERNIZE,
            reason: Exclusion::TooLong,
            detail: detail.to_owned(),
        };
        set(&mut store, &row("20000 tokens")).unwrap();
        set(&mut store, &row("30000 tokens")).unwrap();
        assert_eq!(all(&store).unwrap(), [row("30000 tokens")]);
        assert_eq!(find(&store, "a", Condition::MODERNIZE).unwrap(), Some(row("30000 tokens")));
        assert_eq!(find(&store, "a", Condition::BASELINE).unwrap(), None);
        remove(&mut store, "a", Condition::MODERNIZE).unwrap();
        assert_eq!(all(&store).unwrap(), []);
    }
}
