//! Why a history, or the metadata of a file, could not be had.

use std::path::PathBuf;
use std::sync::Arc;

use super::address::NoAddress;
use super::client::RequestError;
use super::snapshot::SnapshotError;
use crate::home::HomeError;

/// A history, or the metadata of a file, could not be had.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// The text cannot be the name of a distribution.
    #[error("{0:?} cannot be the name of a distribution")]
    Name(String),
    /// Nothing names an index.
    #[error(transparent)]
    NoAddress(#[from] NoAddress),
    /// The index could not be reached and nothing is kept.
    #[error("package index unreachable for {name}, and no history of it is kept")]
    Unreachable {
        /// The distribution.
        name: String,
        /// The last request.
        #[source]
        source: RequestError,
    },
    /// Offline, and nothing is kept.
    #[error("no history of {name} is kept, and the index may not be asked (offline)")]
    Offline {
        /// The distribution.
        name: String,
    },
    /// The index lists files without upload dates (HTML alone, or JSON before PEP 700).
    #[error(
        "{address} gives no upload dates for {name}: the date rule needs an index with the JSON API or PEP 700; set NBREVIVE_INDEX_URL to one"
    )]
    HistoryUnavailable {
        /// The distribution.
        name: String,
        /// The index.
        address: String,
    },
    /// The answer is neither JSON of the expected form nor a page that lists files, or is that of another name.
    #[error("{address} gave an unreadable answer for {name}: {what}")]
    Malformed {
        /// The distribution.
        name: String,
        /// The index.
        address: String,
        /// What is wrong.
        what: String,
    },
    /// Offline, and the metadata of that file is not kept.
    #[error("no metadata of {file} is kept, and the index may not be asked (offline)")]
    OfflineFile {
        /// The file's name.
        file: String,
    },
    /// A file could not be fetched.
    #[error("cannot fetch {file}, which is not kept")]
    FileUnreachable {
        /// The file's name.
        file: String,
        /// The last request.
        #[source]
        source: RequestError,
    },
    /// The index lists a file that it has no more.
    #[error("the index lists {file}, but has it no more; ask again for the history of its distribution")]
    FileGone {
        /// The file's name.
        file: String,
    },
    /// A file is too long to be fetched whole, and the index gives no parts of it.
    #[error("{file} is too long to be fetched whole, and the index gives no parts of it")]
    NoParts {
        /// The file's name.
        file: String,
    },
    /// A source archive is longer than what is fetched to be built.
    #[error("{file} is longer than {mib} MiB, which is the most that is fetched to be built")]
    LongArchive {
        /// The file's name.
        file: String,
        /// The most, in MiB.
        mib: u64,
    },
    /// A file is not what the index says it is.
    #[error("{file} has the SHA-256 {found}, and the index says {listed}: it was changed or damaged on its way")]
    WrongDigest {
        /// The file's name.
        file: String,
        /// The digest that the index lists.
        listed: String,
        /// The digest of what came.
        found: String,
    },
    /// The snapshot that stands for the index knows nothing of it, not even that there is none.
    #[error("the snapshot {} knows nothing of {what}: export it again with a plan that asks for it", path.display())]
    NotInSnapshot {
        /// The distribution or file.
        what: String,
        /// The snapshot.
        path: PathBuf,
    },
    /// The snapshot could not be read.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// The cache could not be written.
    #[error(transparent)]
    Home(#[from] HomeError),
    /// The connection could not be set up, as told before.
    #[error("{0}")]
    Connection(Arc<IndexError>),
}
