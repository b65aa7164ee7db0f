//! Tables `restorations` and `error_roots`: what was put back that a notebook missed, and where the errors that are left come from.

use nbrevive_corpus::{Executability, LeftCause, Preparation};
use nbrevive_diagnosis::roots::ErrorLink;

use crate::loops::{OfLoop, collect, each_of};
use crate::record::record;
use crate::{Store, StoreError};

record! {
    /// One thing that a turn put back.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct RestorationRow {
        /// Its place among all of the notebook, from 1.
        pub position: u32,
        /// The turn, from 1.
        pub turn: u32,
        /// Of which kind.
        pub preparation: Preparation,
        /// What: a requirement, a name with how it is bound, a file.
        pub what: String,
        /// What asked for it.
        pub because: String,
        /// Whether the turn stayed: what left fewer cells running than before was taken back.
        pub is_kept: bool,
        /// Code cells that ran after the turn, those after an error too.
        pub ran: u32,
        /// Code cells that ran before the first that did not.
        pub ran_before_error: u32,
    }
}

record! {
    /// One error of a last execution.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ErrorRootRow {
        /// Its cell, the place in the notebook from 0.
        pub cell: u32,
        /// Its class.
        pub error: String,
        /// What it stands for.
        pub executability: Executability,
        /// The cell of the error at the end of its chain; its own cell for a root.
        pub root: u32,
        /// The cell of the error that it follows from; none for a root.
        pub follows: Option<u32>,
        /// How it follows.
        pub link: Option<ErrorLink>,
        /// Whether every link of the chain is certain.
        pub is_certain: bool,
        /// Why it is left; `None` in rows of older programs.
        pub cause: Option<LeftCause>,
    }
}

/// All that was put back, by version and condition. A store that is older than the table has none.
///
/// # Errors
/// When the database refuses or holds a value that cannot be read.
pub fn put_back(store: &Store) -> Result<Vec<OfLoop<RestorationRow>>, StoreError> {
    collect(|take| each_of(store, "restorations", "condition, version, position", take))
}

/// Hands every error to `take`, by condition, version and cell.
pub(crate) fn each_root<E: From<StoreError>>(
    store: &Store,
    take: impl FnMut(OfLoop<ErrorRootRow>) -> Result<(), E>,
) -> Result<(), E> {
    each_of(store, "error_roots", "condition, version, cell", take)
}

/// Every error with its root, by condition, version and cell. A store that is older than the table has none.
///
/// # Errors
/// When the database refuses or holds a value that cannot be read.
pub fn roots(store: &Store) -> Result<Vec<OfLoop<ErrorRootRow>>, StoreError> {
    collect(|take| each_root(store, take))
}
