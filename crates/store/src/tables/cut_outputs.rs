//! Table `cut_outputs`: executed notebooks that were stored without their outputs, and why.

use std::collections::BTreeMap;

use rusqlite::params;

use crate::schema::has_table;
use crate::{Store, StoreError};

/// Stores why a notebook of a version has no outputs, or that it has them.
///
/// # Errors
/// When the database refuses.
pub fn set(store: &mut Store, version: &str, notebook_file: &str, note: Option<&str>) -> Result<(), StoreError> {
    store.write(|transaction| {
        transaction.execute("DELETE FROM cut_outputs WHERE notebook_file = ?1", [notebook_file])?;
        if let Some(note) = note {
            transaction.execute(
                "INSERT INTO cut_outputs (notebook_file, version, note) VALUES (?1, ?2, ?3)",
                params![notebook_file, version, note],
            )?;
        }
        Ok(())
    })
}

/// Every note, by the notebook's file below the store's folder.
///
/// # Errors
/// When the database refuses.
pub fn all(store: &Store) -> Result<BTreeMap<String, String>, StoreError> {
    store.read(|connection| {
        if !has_table(connection, "cut_outputs")? {
            return Ok(BTreeMap::new());
        }
        let mut statement = connection.prepare("SELECT notebook_file, note FROM cut_outputs")?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        rows.collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_stays_until_the_outputs_are_back() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(folder.path()).unwrap();
        set(&mut store, "a", "executed/a.ipynb", Some("too much")).unwrap();
        set(&mut store, "a", "executed/a.ipynb", Some("far too much")).unwrap();
        let note = ("executed/a.ipynb".to_owned(), "far too much".to_owned());
        assert_eq!(all(&store).unwrap(), BTreeMap::from([note]));
        set(&mut store, "a", "executed/a.ipynb", None).unwrap();
        assert_eq!(all(&store).unwrap(), BTreeMap::new());
    }
}
