//! A new store filled at once: rows by the million in one transaction, of versions of which nothing was known.

use rusqlite::{Transaction, TransactionBehavior};

use crate::error::failed;
use crate::executions::{self, ExecutionRow};
use crate::fixes::FixRow;
use crate::left_out::{self, LeftOutRow};
use crate::loops::{LoopEndRow, insert_rows};
use crate::outcomes::{self, OutcomeRow};
use crate::versions::{self, VersionRow};
use crate::{Store, StoreError};

/// One transaction; what was put into it is gone unless it is [finished](Filling::finish).
pub struct Filling<'store> {
    transaction: Transaction<'store>,
    folder: &'store std::path::Path,
}

impl Store {
    /// Begins to fill this store.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn fill(&mut self) -> Result<Filling<'_>, StoreError> {
        let folder = &self.folder;
        let begun = self.connection.transaction_with_behavior(TransactionBehavior::Immediate);
        Ok(Filling { transaction: begun.map_err(|source| failed(folder, source))?, folder })
    }
}

impl Filling<'_> {
    /// Adds a version.
    ///
    /// # Errors
    /// When the database refuses, as it does a version that is there; this holds for all that is added.
    pub fn version(&self, row: &VersionRow) -> Result<(), StoreError> {
        self.told(versions::put(&self.transaction, [row]))
    }

    /// Adds an outcome without a loop.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn outcome(&self, row: &OutcomeRow) -> Result<(), StoreError> {
        self.told(outcomes::put(&self.transaction, row))
    }

    /// Adds the loop of an outcome: its fixes and its end.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn repairs(&self, of: &OutcomeRow, fixes: &[FixRow], end: &LoopEndRow) -> Result<(), StoreError> {
        let slot = (of.version.as_str(), of.condition);
        let inserted = insert_rows(&self.transaction, "fixes", slot, None, fixes);
        self.told(inserted.and_then(|()| insert_rows(&self.transaction, "loops", slot, None, [end])))
    }

    /// Adds an execution with its cells.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn execution(&self, row: &ExecutionRow) -> Result<(), StoreError> {
        self.told(executions::put(&self.transaction, row))
    }

    /// Adds that a condition leaves a version out.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn left_out(&self, row: &LeftOutRow) -> Result<(), StoreError> {
        self.told(left_out::put(&self.transaction, row))
    }

    /// Makes all of it part of the store.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn finish(self) -> Result<(), StoreError> {
        let folder = self.folder;
        self.transaction.commit().map_err(|source| failed(folder, source))
    }

    fn told(&self, done: Result<(), rusqlite::Error>) -> Result<(), StoreError> {
        done.map_err(|source| failed(self.folder, source))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_finished_is_not_there() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = Store::open(dir.path()).unwrap();
        let row = VersionRow {
            version: "a".to_owned(),
            competition: Some("c".to_owned()),
            repository: None,
            title: "t".to_owned(),
            submitted: "2020-01-01T00:00:00Z".to_owned(),
            notebook_hash: None,
            code_cells: Some(1),
            code_lines: None,
            markdown_cells: None,
            largest_count: None,
            target_score: Some(0.5),
            exclusion: None,
            exclusion_detail: None,
        };
        let filling = store.fill().unwrap();
        filling.version(&row).unwrap();
        drop(filling);
        assert_eq!(versions::all(&store).unwrap(), []);
        let filling = store.fill().unwrap();
        filling.version(&row).unwrap();
        assert!(matches!(filling.version(&row), Err(StoreError::Sqlite { .. })));
        filling.finish().unwrap();
        assert_eq!(versions::all(&store).unwrap(), [row]);
    }
}
