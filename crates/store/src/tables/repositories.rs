//! Table `repositories`: what the versions of the last run belong to that belong to no competition.

use crate::record::{every, record, replace_table};
use crate::{Store, StoreError};

record! {
    /// A repository as the study saw it.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct RepositoryRow {
        /// Its name.
        pub repository: String,
        /// Where it is published.
        pub url: Option<String>,
        /// The commit of its files.
        pub revision: Option<String>,
        /// Its stars when it was looked at.
        pub stars: Option<u32>,
        /// Its licence as SPDX names it.
        pub licence: Option<String>,
        /// Whether it is a fork of another one.
        pub is_fork: Option<bool>,
        /// Whether its owner closed it.
        pub is_archived: Option<bool>,
        /// Hash of the names and contents of its files.
        pub content_hash: String,
    }
}

/// Stores the repositories of a run, in place of the ones before.
///
/// # Errors
/// When the database refuses.
pub fn replace_all(store: &mut Store, rows: &[RepositoryRow]) -> Result<(), StoreError> {
    store.write(|transaction| replace_table(transaction, "repositories", rows))
}

/// Every repository, by name. A store that is older than the table has none.
///
/// # Errors
/// When the database refuses.
pub fn all(store: &Store) -> Result<Vec<RepositoryRow>, StoreError> {
    store.read(|connection| every(connection, "repositories", "repository"))
}
