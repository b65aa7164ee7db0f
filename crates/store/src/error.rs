//! Why a store cannot be used.

use std::path::{Path, PathBuf};

use nbrevive_model::ForgetError;
use rusqlite::ErrorCode;

/// Why a store cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The folder or a file in it cannot be created, read or written.
    #[error("cannot access {path}: {source}; choose a folder that you may write with --store")]
    Io {
        /// The folder or file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// What lies in the place of the database is not ours.
    #[error(
        "{path} {why}, so it is not opened, and stays as it is: choose another folder with --store, or move that away"
    )]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// Another run is writing to it.
    #[error(
        "store {path} is in use by process {holder}: wait until that run ends, or choose another folder with --store"
    )]
    InUse {
        /// The store.
        path: PathBuf,
        /// The process that holds it, as it wrote into the lock file.
        holder: String,
    },
    /// The disk is full.
    #[error("the disk that holds store {path} is full: free some space and run again; what is stored stays")]
    DiskFull {
        /// The store.
        path: PathBuf,
    },
    /// The store was written by a newer version of this program.
    #[error(
        "store {path} has migration `{migration}`, which this version does not know: use the version that wrote it"
    )]
    Newer {
        /// The store.
        path: PathBuf,
        /// The unknown migration.
        migration: String,
    },
    /// A migration failed.
    #[error("error running migration `{migration}` on store {path}: {source}")]
    Migration {
        /// The store.
        path: PathBuf,
        /// Its name.
        migration: &'static str,
        /// What SQLite said.
        source: rusqlite::Error,
    },
    /// The dialogues beside it cannot be changed.
    #[error(transparent)]
    Dialogues(#[from] Box<ForgetError>),
    /// SQLite refused a statement.
    #[error("store {path}: {source}")]
    Sqlite {
        /// The store.
        path: PathBuf,
        /// What SQLite said.
        source: rusqlite::Error,
    },
}

/// What SQLite refused in the store at `folder`: what is the disk's doing is told from what is the database's.
pub(crate) fn failed(folder: &Path, source: rusqlite::Error) -> StoreError {
    let path = folder.to_owned();
    match source.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => StoreError::DiskFull { path },
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::SystemIoFailure) => {
            StoreError::Io { path, source: std::io::Error::other(source) }
        }
        _ => StoreError::Sqlite { path, source },
    }
}
