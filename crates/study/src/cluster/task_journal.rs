//! What a task says while it runs: who carries it out, which jobs it has begun and ended, that it lives.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, SystemTime};

use nbrevive_files::{FileError, unpoisoned};
use serde::{Deserialize, Serialize};

use crate::TaskEnd;
use crate::cluster::line_file::{LineFile, lines};

/// How often a task says that it lives, in seconds.
pub const HEARTBEAT_SECONDS: u64 = 20;

/// One line of a journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum TaskNote {
    /// The program has begun on this machine.
    Begun {
        /// The machine's name.
        node: String,
        /// Number of the process there.
        process: u32,
    },
    /// The job at this place of the batch has begun.
    Started(usize),
    /// It is decided, or given up.
    Ended(usize),
    /// The task lives.
    Alive,
    /// It is over, by its own word.
    Over(TaskEnd, String),
}

/// The journal of a task, as it writes it.
#[derive(Debug)]
pub struct TaskJournal(Mutex<LineFile>);

impl TaskJournal {
    /// Begins a journal.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn begin(path: &Path, node: &str) -> std::io::Result<Self> {
        let journal = TaskJournal(Mutex::new(LineFile::open(path)?));
        journal.note(&TaskNote::Begun { node: node.to_owned(), process: std::process::id() });
        Ok(journal)
    }

    /// How far the clock of this machine is off from that of the shared folder, which has just put its time on the journal.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn clock_is_off(&self) -> std::io::Result<Duration> {
        Ok(apart(unpoisoned(self.0.lock()).written_at()?, SystemTime::now()))
    }

    /// Adds a line. What cannot be written is lost: a journal decides nothing of what is stored.
    pub fn note(&self, note: &TaskNote) {
        let mut file = unpoisoned(self.0.lock());
        if let Err(error) = file.add(note) {
            tracing::warn!("cannot write the journal of this task: {error}");
        }
    }
}

fn apart(one: SystemTime, other: SystemTime) -> Duration {
    one.duration_since(other).unwrap_or_else(|earlier| earlier.duration())
}

/// What a journal says so far.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TaskSoFar {
    /// The machine, once the program has begun there.
    pub node: Option<String>,
    /// Jobs that have begun and not ended, by their place in the batch.
    pub running: BTreeSet<usize>,
    /// How many lines there are.
    pub lines: usize,
    /// How it ended, by its own word, and in words.
    pub over: Option<(TaskEnd, String)>,
}

impl TaskSoFar {
    /// Reads a journal; one that is not there says nothing.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        let notes: Vec<TaskNote> = lines(path)?;
        let mut so_far = TaskSoFar { lines: notes.len(), ..TaskSoFar::default() };
        for note in notes {
            match note {
                TaskNote::Begun { node, .. } => {
                    so_far.node = Some(node);
                    so_far.running.clear();
                    so_far.over = None;
                }
                TaskNote::Started(place) => drop(so_far.running.insert(place)),
                TaskNote::Ended(place) => drop(so_far.running.remove(&place)),
                TaskNote::Alive => {}
                TaskNote::Over(end, why) => so_far.over = Some((end, why)),
            }
        }
        Ok(so_far)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_off_whether_it_goes_before_or_after() {
        let folder = tempfile::tempdir().unwrap();
        let journal = TaskJournal::begin(&folder.path().join("1"), "n1").unwrap();
        assert!(journal.clock_is_off().unwrap() < Duration::from_secs(60));
        let (now, hour) = (SystemTime::now(), Duration::from_secs(3600));
        assert_eq!([apart(now, now + hour), apart(now, now - hour), apart(now, now)], [hour, hour, Duration::ZERO]);
    }

    #[test]
    fn a_journal_says_what_was_running_when_its_task_died() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("1.a");
        assert_eq!(TaskSoFar::read(&path).unwrap(), TaskSoFar::default());
        let journal = TaskJournal::begin(&path, "n1").unwrap();
        for note in [TaskNote::Started(0), TaskNote::Started(1), TaskNote::Alive, TaskNote::Ended(0)] {
            journal.note(&note);
        }
        let so_far = TaskSoFar::read(&path).unwrap();
        assert_eq!((so_far.node.as_deref(), so_far.running, so_far.over), (Some("n1"), BTreeSet::from([1]), None));
        journal.note(&TaskNote::Over(TaskEnd::DiskFull, "full".to_owned()));
        assert_eq!(TaskSoFar::read(&path).unwrap().over, Some((TaskEnd::DiskFull, "full".to_owned())));
        drop(TaskJournal::begin(&path, "n2").unwrap());
        let again = TaskSoFar::read(&path).unwrap();
        assert_eq!((again.node.as_deref(), again.running.len(), again.over), (Some("n2"), 0, None));
    }
}
