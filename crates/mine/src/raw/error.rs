//! What can go wrong with the raw answers.

use std::io;
use std::path::{Path, PathBuf};

/// The raw store could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum RawError {
    /// The system refused.
    #[error("cannot {action} {}: {source}; check the space and the rights of the raw store's folder", path.display())]
    System {
        /// What was tried.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A body is not what its name says.
    #[error("{} is damaged: its content does not have the hash of its name; remove it, and it is fetched again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
    },
}

impl RawError {
    pub(crate) fn new(action: &'static str, path: &Path, source: io::Error) -> Self {
        Self::System { action, path: path.to_owned(), source }
    }
}
