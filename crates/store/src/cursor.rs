//! Rows of loops in the order of their versions and conditions, taken while outcomes pass in the same order.

use rusqlite::{Row, Rows, Statement};

use crate::loops::OfLoop;
use crate::{Store, StoreError};

/// A row that belongs to a version under a condition.
pub(crate) trait Keyed {
    /// The version and the spelling of the condition: what a database sorts them by.
    fn key(&self) -> (&str, &str);
}

impl<T> Keyed for OfLoop<T> {
    fn key(&self) -> (&str, &str) {
        (&self.version, self.condition.as_str())
    }
}

/// What reads a row.
type Read<T> = fn(&Row<'_>) -> Result<T, rusqlite::Error>;

/// The rows of a query that is sorted by version and condition.
pub(crate) struct Cursor<'store, T> {
    store: &'store Store,
    rows: Rows<'store>,
    read: Read<T>,
    next: Option<T>,
}

impl<'store, T: Keyed> Cursor<'store, T> {
    /// Begins at the first row.
    ///
    /// # Errors
    /// When the database refuses or holds a value that cannot be read.
    pub(crate) fn begin(
        store: &'store Store,
        statement: &'store mut Statement<'_>,
        read: Read<T>,
    ) -> Result<Self, StoreError> {
        let rows = statement.query([]).map_err(|source| store.error(source))?;
        let mut cursor = Cursor { store, rows, read, next: None };
        cursor.advance()?;
        Ok(cursor)
    }

    /// The rows of a version under a condition, which come after those that were asked for before; what stands between is passed over.
    ///
    /// # Errors
    /// As [`Cursor::begin`].
    pub(crate) fn of(&mut self, version: &str, condition: &str) -> Result<Vec<T>, StoreError> {
        let mut found = Vec::new();
        while let Some(next) = self.next.take_if(|next| next.key() <= (version, condition)) {
            if next.key() == (version, condition) {
                found.push(next);
            }
            self.advance()?;
        }
        Ok(found)
    }

    fn advance(&mut self) -> Result<(), StoreError> {
        let read = self.read;
        let next = self.rows.next().and_then(|row| row.map(read).transpose());
        self.next = next.map_err(|source| self.store.error(source))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Named(String, String, i64);

    impl Keyed for Named {
        fn key(&self) -> (&str, &str) {
            (&self.0, &self.1)
        }
    }

    #[test]
    fn each_key_gets_its_own_rows_and_those_between_are_passed_over() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path()).unwrap();
        let query = "SELECT * FROM (VALUES ('a', 'x', 1), ('a', 'x', 2), ('a', 'y', 3), ('b', 'x', 4), ('c', 'x', 5))";
        let mut statement = store.connection.prepare(query).unwrap();
        let read = |row: &Row<'_>| Ok(Named(row.get(0)?, row.get(1)?, row.get(2)?));
        let mut cursor = Cursor::begin(&store, &mut statement, read).unwrap();
        let mut numbers = |version: &str, condition: &str| {
            cursor.of(version, condition).unwrap().iter().map(|row| row.2).collect::<Vec<_>>()
        };
        assert!(numbers("a", "w").is_empty());
        assert_eq!(numbers("a", "x"), [1, 2]);
        assert!(numbers("a", "z").is_empty());
        assert_eq!(numbers("c", "x"), [5]);
        assert!(numbers("d", "x").is_empty());
    }
}
