//! Table `install_refusals`: pieces of a notebook's install lines that were not carried out, and why.

use rusqlite::Row;

use crate::record::{Record, insert, record};
use crate::schema::has_table;
use crate::{Store, StoreError};

/// The reason of all these rows, as tables spell it.
pub const REASON: &str = "install-line-refused";

record! {
    /// A piece of an install line that was not carried out.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct InstallRefusalRow {
        /// Number of the cell, from 0.
        pub cell: u32,
        /// The piece as written.
        pub piece: String,
        /// What it is that makes it refused, in one word.
        pub why: String,
    }
}

/// Stores what is refused of a version, in place of what was; whether that differs.
///
/// # Errors
/// When the database refuses.
pub fn set(store: &mut Store, version: &str, rows: &[InstallRefusalRow]) -> Result<bool, StoreError> {
    let before = store.read(|connection| {
        let query = "SELECT version, cell, piece, why FROM install_refusals WHERE version = ?1 ORDER BY position";
        let mut statement = connection.prepare_cached(query)?;
        let found = statement.query_map([version], read)?;
        found.collect::<Result<Vec<_>, _>>()
    })?;
    if before.iter().map(|(_, row)| row).eq(rows) {
        return Ok(false);
    }
    store.write(|transaction| {
        transaction.execute("DELETE FROM install_refusals WHERE version = ?1", [version])?;
        insert(transaction, ("INSERT", "install_refusals"), &[("version", &version)], Some("position"), rows)
    })?;
    Ok(true)
}

/// Every row with its version, by version, in their order. A store that is older than the table has none.
///
/// # Errors
/// When the database refuses.
pub fn all(store: &Store) -> Result<Vec<(String, InstallRefusalRow)>, StoreError> {
    store.read(|connection| {
        if !has_table(connection, "install_refusals")? {
            return Ok(Vec::new());
        }
        let query = "SELECT version, cell, piece, why FROM install_refusals ORDER BY version, position";
        let mut statement = connection.prepare(query)?;
        let rows = statement.query_map([], read)?;
        rows.collect()
    })
}

fn read(row: &Row<'_>) -> Result<(String, InstallRefusalRow), rusqlite::Error> {
    Ok((row.get(0)?, InstallRefusalRow::read(row, 1)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_refused_of_a_version_is_replaced_and_told_once() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(folder.path()).unwrap();
        let row = |piece: &str| InstallRefusalRow { cell: 2, piece: piece.to_owned(), why: "location".to_owned() };
        assert!(!set(&mut store, "a", &[]).unwrap());
        assert!(set(&mut store, "a", &[row("http://h"), row("/x")]).unwrap());
        assert!(!set(&mut store, "a", &[row("http://h"), row("/x")]).unwrap());
        assert!(set(&mut store, "a", &[row("/x")]).unwrap());
        assert_eq!(all(&store).unwrap(), [("a".to_owned(), row("/x"))]);
        assert!(set(&mut store, "a", &[]).unwrap() && all(&store).unwrap().is_empty());
    }
}
