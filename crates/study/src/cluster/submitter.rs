//! Who starts tasks.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::TaskEnd;

/// A batch that is to be started.
#[derive(Debug, Clone, PartialEq)]
pub struct Submission {
    /// Its number.
    pub batch: u32,
    /// Its file.
    pub file: PathBuf,
    /// How long its jobs are expected to take, in seconds of one job at a time.
    pub expected_seconds: f64,
}

/// Where a task is, as far as who started it knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskState {
    /// It has not begun.
    Waiting,
    /// It runs.
    Running,
    /// It is over.
    Over(TaskEnd),
    /// Nothing is known but what its journal says.
    Unknown,
}

/// Why tasks cannot be started or asked for.
#[derive(Debug, thiserror::Error)]
pub enum SubmitError {
    /// A program that it takes is not there.
    #[error("`{program}` cannot be run ({source}): {what}")]
    NoProgram {
        /// The program.
        program: String,
        /// What the system said.
        source: std::io::Error,
        /// What to do.
        what: &'static str,
    },
    /// It cannot be reached now, which may pass.
    #[error("`{command}`: {said}")]
    Away {
        /// The command.
        command: String,
        /// What it said.
        said: String,
    },
    /// It refused.
    #[error("`{command}` failed: {said}")]
    Refused {
        /// The command.
        command: String,
        /// What it said.
        said: String,
    },
    /// It said something that is not understood.
    #[error("`{command}` said what is not understood: {said}")]
    NotUnderstood {
        /// The command.
        command: String,
        /// What it said.
        said: String,
    },
}

/// Starts tasks, and knows what it can of them.
pub trait Submitter {
    /// How many further batches it takes now, with so many under way.
    fn room(&self, under_way: usize) -> usize;

    /// Starts these batches; the name of each task, by which it is asked for later, also by another process.
    ///
    /// # Errors
    /// When none of them can be started.
    fn submit(&mut self, batches: &[Submission]) -> Result<Vec<String>, SubmitError>;

    /// Where the tasks of these names are, by their batches.
    ///
    /// # Errors
    /// When that cannot be asked for now.
    fn look(&mut self, tasks: &BTreeMap<u32, String>) -> Result<BTreeMap<u32, TaskState>, SubmitError>;

    /// Ends these tasks.
    ///
    /// # Errors
    /// When that cannot be asked for.
    fn cancel(&mut self, tasks: &BTreeMap<u32, String>) -> Result<(), SubmitError>;

    /// How long nothing may be heard of a task of which only its journal knows, in seconds.
    fn silence_seconds(&self) -> u64;

    /// After how many seconds a task is given up that never began and of which nothing is known, and what that is called.
    fn unbegun(&self) -> (u64, TaskEnd) {
        (self.silence_seconds(), TaskEnd::NeverBegan)
    }
}
