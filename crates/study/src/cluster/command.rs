//! Tasks that a command of the user starts: for PBS, LSF, GNU parallel, a cloud's batch service.

use std::collections::BTreeMap;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};

use crate::TaskEnd;
use crate::cluster::submitter::{Submission, SubmitError, Submitter, TaskState};

/// What stands for the file of a batch in the user's command.
pub const BATCH_PLACE: &str = "{batch}";

/// Starts a command for each batch, which may return at once or when the task is over.
#[derive(Debug)]
pub struct CommandSubmitter {
    template: String,
    max_jobs: usize,
    silence_seconds: u64,
    children: BTreeMap<u32, Child>,
}

impl CommandSubmitter {
    /// Of a command with [`BATCH_PLACE`] in it, at most `max_jobs` tasks at a time.
    #[must_use]
    pub fn new(template: &str, max_jobs: usize, silence_seconds: u64) -> Self {
        let (template, max_jobs) = (template.to_owned(), max_jobs.max(1));
        CommandSubmitter { template, max_jobs, silence_seconds, children: BTreeMap::new() }
    }
}

/// A path as one word of a shell.
fn quoted(path: &str) -> String {
    format!("'{}'", path.replace('\'', "'\\''"))
}

impl Submitter for CommandSubmitter {
    fn room(&self, under_way: usize) -> usize {
        self.max_jobs.saturating_sub(under_way)
    }

    fn submit(&mut self, batches: &[Submission]) -> Result<Vec<String>, SubmitError> {
        let mut started = Vec::new();
        for batch in batches {
            let text = self.template.replace(BATCH_PLACE, &quoted(&batch.file.to_string_lossy()));
            let mut command = Command::new("sh");
            // A group of its own: Ctrl-C ends the follower, and not what it follows.
            command.args(["-c", &text]).stdin(Stdio::null()).stdout(Stdio::null()).process_group(0);
            let child = command.spawn().map_err(|source| SubmitError::NoProgram {
                program: "sh".to_owned(),
                source,
                what: "a shell starts the command of --submit",
            })?;
            started.push(child.id().to_string());
            self.children.insert(batch.batch, child);
        }
        Ok(started)
    }

    fn look(&mut self, tasks: &BTreeMap<u32, String>) -> Result<BTreeMap<u32, TaskState>, SubmitError> {
        let mut states = BTreeMap::new();
        for batch in tasks.keys() {
            let state = match self.children.get_mut(batch).map(Child::try_wait) {
                Some(Ok(Some(status))) if !status.success() => TaskState::Over(TaskEnd::Died),
                Some(Ok(None)) => TaskState::Running,
                // It is over, or somebody else started it: only the journal knows.
                _ => TaskState::Unknown,
            };
            states.insert(*batch, state);
        }
        self.children.retain(|batch, _| states.get(batch) == Some(&TaskState::Running));
        Ok(states)
    }

    fn cancel(&mut self, _: &BTreeMap<u32, String>) -> Result<(), SubmitError> {
        // Who cancels is seldom who started them, and the number of a process may be another one's by now: they find their mark.
        Ok(())
    }

    fn silence_seconds(&self) -> u64 {
        self.silence_seconds
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn the_file_is_one_word_of_the_command_and_its_failure_is_an_end() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("it's one; touch no.json");
        std::fs::write(&file, "x").unwrap();
        let mut submitter = CommandSubmitter::new("test -s {batch} && exit 3", 5, 60);
        assert_eq!((submitter.room(3), submitter.room(7)), (2, 0));
        let names = submitter.submit(&[Submission { batch: 4, file, expected_seconds: 1.0 }]).unwrap();
        let tasks = BTreeMap::from([(4, names[0].clone()), (5, "1".to_owned())]);
        let begun = Instant::now();
        let states = loop {
            let states = submitter.look(&tasks).unwrap();
            if states[&4] != TaskState::Running || begun.elapsed() > Duration::from_secs(20) {
                break states;
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        assert_eq!(states, BTreeMap::from([(4, TaskState::Over(TaskEnd::Died)), (5, TaskState::Unknown)]));
    }
}
