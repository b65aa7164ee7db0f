//! Why an index cannot be taken along, or served.

use std::path::PathBuf;

use nbrevive_capsule::CapsuleError;
use nbrevive_environment::index::IndexError;
use nbrevive_files::FileError;

/// Why an index cannot be taken along, or served.
#[derive(Debug, thiserror::Error)]
pub enum MirrorError {
    /// Something else lies where it should be made.
    #[error("{} is not empty: name a new folder, or add to a snapshot with `snapshot add`", .0.display())]
    NotEmpty(PathBuf),
    /// The folder is a capsule of something else.
    #[error("{} is no snapshot of an index: {why}", path.display())]
    Other {
        /// The folder.
        path: PathBuf,
        /// What its list says instead.
        why: String,
    },
    /// The index has no such version, or nothing of it that installs there.
    #[error("the index has nothing of {name} {version} that the lock's Python can install here")]
    Missing {
        /// The distribution.
        name: String,
        /// The version.
        version: String,
    },
    /// The release was taken back.
    #[error("{name} {version} was yanked by its authors: take another version, or leave --deny yanked out")]
    Yanked {
        /// The distribution.
        name: String,
        /// The version.
        version: String,
    },
    /// A wheel says nothing of itself.
    #[error("{file} is no wheel: {why}")]
    NoWheel {
        /// The file.
        file: String,
        /// What is wrong.
        why: String,
    },
    /// It cannot be served.
    #[error("cannot serve on {address}: {source}")]
    Serve {
        /// Host and port.
        address: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// The index did not give what was asked.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The folder is not what its list says, or cannot be listed.
    #[error(transparent)]
    Capsule(#[from] CapsuleError),
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
}
