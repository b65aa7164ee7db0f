//! Table `fingerprints`: what the results of a hash were made of.

use nbrevive_corpus::Fingerprint;
use rusqlite::{OptionalExtension, Row};

use crate::schema::{has_table, unreadable};
use crate::{Store, StoreError};

/// Stores what is not known yet; how many that were.
///
/// # Errors
/// When the database refuses.
pub fn remember<'f>(store: &mut Store, all: impl IntoIterator<Item = &'f Fingerprint>) -> Result<usize, StoreError> {
    store.write(|transaction| {
        let mut insert =
            transaction.prepare_cached("INSERT OR IGNORE INTO fingerprints (hash, fields) VALUES (?1, ?2)")?;
        all.into_iter().try_fold(0, |new, one| Ok(new + insert.execute([one.hash(), one.text()])?))
    })
}

/// What the results of this hash were made of. A store that is older than the table knows of none.
///
/// # Errors
/// When the database refuses or holds what is no fingerprint.
pub fn find(store: &Store, hash: &str) -> Result<Option<Fingerprint>, StoreError> {
    store.read(|connection| {
        if !has_table(connection, "fingerprints")? {
            return Ok(None);
        }
        let mut query = connection.prepare_cached("SELECT fields FROM fingerprints WHERE hash = ?1")?;
        let read =
            |row: &Row<'_>| Fingerprint::read(&row.get::<_, String>(0)?).map_err(|error| unreadable(row, 0, &error));
        query.query_row([hash], read).optional()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_is_found_by_its_hash_and_stored_once() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(folder.path()).unwrap();
        let (one, other) = (Fingerprint::of("a", 1), Fingerprint::of("a", 1).with("seed", 1));
        assert_eq!(remember(&mut store, [&one, &other, &one]).unwrap(), 2);
        assert_eq!(remember(&mut store, [&one]).unwrap(), 0);
        assert_eq!(find(&store, &other.hash()).unwrap(), Some(other));
        assert_eq!(find(&store, "unknown").unwrap(), None);
        store.write(|transaction| transaction.execute("UPDATE fingerprints SET fields = '[]'", [])).unwrap();
        assert!(find(&store, &one.hash()).is_err());
    }
}
