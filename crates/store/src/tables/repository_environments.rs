//! Table `repository_environments`: the one environment that all notebooks of a repository run in under a condition.

use nbrevive_corpus::Condition;

use crate::record::{every, insert, record};
use crate::{Store, StoreError};

record! {
    /// The environment of a repository, and what it was made from.
    #[derive(Debug, Clone, PartialEq)]
    pub struct RepositoryEnvironmentRow {
        /// The repository's name.
        pub repository: String,
        /// The condition.
        pub condition: Condition,
        /// The environment, built or not.
        pub environment: String,
        /// Version of its Python.
        pub python: String,
        /// Class of the failure, where it could not be built.
        pub failure_class: Option<String>,
        /// Files that declare something, in their order.
        pub declaring_files: Vec<String>,
        /// Distributions that they ask for.
        pub declared: u32,
        /// How many of these with one exact version.
        pub declared_exactly: u32,
        /// How many could not be had as they are declared, and gave way; `None` of before that was counted.
        pub loosened: Option<u32>,
        /// Modules that notebooks and modules import, without those of Python and of the repository itself.
        pub inferred: u32,
        /// Declarations that could not be read, or are not carried out.
        pub unread: u32,
        /// Imports of which no distribution is known.
        pub unresolved: u32,
        /// Wall clock of planning and building, in seconds; little where it was there already.
        pub seconds: f64,
    }
}

/// Stores a row in place of the one before.
///
/// # Errors
/// When the database refuses.
pub fn set(store: &mut Store, row: &RepositoryEnvironmentRow) -> Result<(), StoreError> {
    store.write(|transaction| insert(transaction, ("INSERT OR REPLACE", "repository_environments"), &[], None, [row]))
}

/// Every row, by condition and repository. A store that is older than the table has none.
///
/// # Errors
/// When the database refuses or holds a value that cannot be read.
pub fn all(store: &Store) -> Result<Vec<RepositoryEnvironmentRow>, StoreError> {
    store.read(|connection| every(connection, "repository_environments", "condition, repository"))
}
