//! Why a run on other machines is followed no further, or a shard of it not merged.

use std::path::PathBuf;

use nbrevive_files::FileError;
use nbrevive_model::AccountError;
use nbrevive_store::StoreError;
use nbrevive_store::shards::ShardError;

use crate::cluster::batch_file::BatchError;
use crate::cluster::parcel::ParcelError;
use crate::cluster::submitter::SubmitError;
use crate::cluster::task_end::TaskEnd;

/// Why following stopped before the end.
#[derive(Debug, thiserror::Error)]
pub enum FollowError {
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The shared folder cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file of the run cannot be written.
    #[error("cannot write {path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Tasks cannot be started.
    #[error(transparent)]
    Submit(#[from] SubmitError),
    /// What jobs start from cannot be packed.
    #[error("cannot pack what jobs start from: {0}")]
    Seed(#[source] ParcelError),
    /// What tasks may spend, or have spent, cannot be kept.
    #[error(transparent)]
    Account(#[from] AccountError),
    /// No task can run as things are.
    #[error("no task of this run can do its work: the last one {}{why}", end.told())]
    SetUp {
        /// How they end.
        end: TaskEnd,
        /// What the last one said, as the end of a sentence.
        why: String,
    },
}

/// Why a shard is not merged.
pub(super) enum MergeError {
    /// It is none that could be.
    Refused(Box<dyn std::error::Error>),
    /// Nothing can be merged now.
    Stopped(FollowError),
}

impl From<ShardError> for MergeError {
    fn from(error: ShardError) -> Self {
        match error {
            ShardError::Store(error) => MergeError::Stopped(error.into()),
            other => MergeError::Refused(other.into()),
        }
    }
}

impl From<ParcelError> for MergeError {
    fn from(error: ParcelError) -> Self {
        match error {
            ParcelError::Cut { .. } | ParcelError::Foreign { .. } => MergeError::Refused(error.into()),
            ParcelError::Store(error) => MergeError::Stopped(error.into()),
            ParcelError::File(error) => MergeError::Stopped(error.into()),
            ParcelError::Io { path, source } => MergeError::Stopped(FollowError::Io { path, source }),
        }
    }
}

impl From<BatchError> for MergeError {
    fn from(error: BatchError) -> Self {
        MergeError::Refused(error.into())
    }
}
