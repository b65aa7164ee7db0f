//! How a task ended, by type. None of it is a notebook's outcome.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How a task ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TaskEnd {
    /// It carried out its batch.
    Done,
    /// It was asked to stop, and handed in what it had.
    Stopped,
    /// The scheduler put it back into the queue.
    Requeued,
    /// The scheduler gave its place to others.
    Preempted,
    /// It took longer than the scheduler allowed.
    TimedOut,
    /// Its machine went away.
    NodeGone,
    /// The scheduler ended it for want of memory.
    OutOfMemory,
    /// Somebody cancelled it.
    Cancelled,
    /// It ended without a word.
    Died,
    /// Nothing was heard of it for long.
    Silent,
    /// The program never began.
    NeverBegan,
    /// Its machine does not see the shared folder.
    NotShared,
    /// Its machine has another version of the program.
    OtherVersion,
    /// Its machine sees another study, or other data, than the one that was planned.
    OtherStudy,
    /// Its machine lacks what notebooks run in.
    NoSandbox,
    /// There was no room on a disk of its machine.
    DiskFull,
    /// Something else of ours went wrong there.
    Failed,
}

impl TaskEnd {
    /// Every end, in the order of their declaration.
    pub const ALL: &'static [TaskEnd] = &[
        TaskEnd::Done,
        TaskEnd::Stopped,
        TaskEnd::Requeued,
        TaskEnd::Preempted,
        TaskEnd::TimedOut,
        TaskEnd::NodeGone,
        TaskEnd::OutOfMemory,
        TaskEnd::Cancelled,
        TaskEnd::Died,
        TaskEnd::Silent,
        TaskEnd::NeverBegan,
        TaskEnd::NotShared,
        TaskEnd::OtherVersion,
        TaskEnd::OtherStudy,
        TaskEnd::NoSandbox,
        TaskEnd::DiskFull,
        TaskEnd::Failed,
    ];

    /// The sentence that messages use, as what the task did.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            TaskEnd::Done => "is done",
            TaskEnd::Stopped => "was asked to stop, and handed in what it had",
            TaskEnd::Requeued => "was put back into the queue",
            TaskEnd::Preempted => "was preempted",
            TaskEnd::TimedOut => "took longer than the scheduler allowed",
            TaskEnd::NodeGone => "lost its node",
            TaskEnd::OutOfMemory => "was ended by the scheduler for want of memory",
            TaskEnd::Cancelled => "was cancelled",
            TaskEnd::Died => "died",
            TaskEnd::Silent => "was not heard of for too long",
            TaskEnd::NeverBegan => "never began: does the template start the program, and is it installed there?",
            TaskEnd::NotShared => {
                "does not see the shared folder on its node: choose one that all nodes see with --shared"
            }
            TaskEnd::OtherVersion => "has another version of nbrevive on its node: let all nodes use the same one",
            TaskEnd::OtherStudy => "sees another study or other data on its node than the one that was planned",
            TaskEnd::NoSandbox => "has no sandbox on its node: `nbrevive doctor` there says what is missing",
            TaskEnd::DiskFull => "had no room left on a disk of its node",
            TaskEnd::Failed => "failed",
        }
    }

    /// Whether a job that was alone in the task may have caused this.
    #[must_use]
    pub const fn may_be_the_jobs(self) -> bool {
        matches!(self, TaskEnd::Died | TaskEnd::OutOfMemory)
    }

    /// Whether every further task would end so, too.
    #[must_use]
    pub const fn is_of_the_set_up(self) -> bool {
        matches!(
            self,
            TaskEnd::NeverBegan | TaskEnd::NotShared | TaskEnd::OtherVersion | TaskEnd::OtherStudy | TaskEnd::NoSandbox
        )
    }
}

impl fmt::Display for TaskEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
