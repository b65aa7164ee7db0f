//! What was done of a run on other machines, from which another process goes on.

use std::collections::BTreeMap;
use std::path::PathBuf;

use nbrevive_files::FileError;
use nbrevive_store::shards::ShardJob;
use serde::{Deserialize, Serialize};

use crate::cluster::folder::ClusterFolder;
use crate::cluster::line_file::lines;
use crate::cluster::task_end::TaskEnd;

/// One line of what was done, from which another process goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum FollowNote {
    /// A batch was sent, and its task has this name.
    Sent(u32, String),
    /// It is over.
    Over(u32, TaskEnd),
    /// A job died alone in its task.
    Death(ShardJob),
}

pub(super) fn log_of(folder: &ClusterFolder) -> PathBuf {
    folder.path().join("followed")
}

/// Where a run stood when nobody followed it any more.
#[derive(Default)]
pub(super) struct FollowedSoFar {
    /// The tasks that were sent and are not known to be over, by batch.
    pub(super) tasks: BTreeMap<u32, String>,
    /// How often jobs died.
    pub(super) deaths: BTreeMap<ShardJob, u32>,
    /// The last number of a batch.
    pub(super) last: u32,
    /// Whether a task has handed something in.
    pub(super) has_merged: bool,
}

impl FollowedSoFar {
    pub(super) fn read(folder: &ClusterFolder) -> Result<Self, FileError> {
        let mut so_far = Self::default();
        for note in lines(&log_of(folder))? {
            match note {
                FollowNote::Sent(batch, task) => {
                    so_far.last = so_far.last.max(batch);
                    so_far.tasks.insert(batch, task);
                }
                FollowNote::Over(batch, end) => {
                    so_far.tasks.remove(&batch);
                    so_far.has_merged |= matches!(end, TaskEnd::Done | TaskEnd::Stopped);
                }
                FollowNote::Death(job) => *so_far.deaths.entry(job).or_default() += 1,
            }
        }
        Ok(so_far)
    }
}
