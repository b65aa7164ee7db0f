//! The index of a day that a study names.

use std::path::{Path, PathBuf};

use nbrevive_capsule::LISTING;
use nbrevive_corpus::content_hash;
use nbrevive_files::FileError;

/// Longest list of a snapshot, in bytes.
const LONGEST_LIST: u64 = 256 << 20;

/// The snapshot that a study names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StudySnapshot {
    /// Its folder.
    pub folder: PathBuf,
    /// The hash of its list, which has that of each of its files: another snapshot has another.
    pub hash: String,
}

impl StudySnapshot {
    /// The snapshot in a folder; whether the folder is what its list says is seen when it is used.
    ///
    /// # Errors
    /// When the folder has no list.
    pub fn find(folder: &Path) -> Result<Self, FileError> {
        let list = nbrevive_files::read(&folder.join(LISTING), LONGEST_LIST)?;
        Ok(Self { folder: folder.to_owned(), hash: content_hash(&list) })
    }
}
