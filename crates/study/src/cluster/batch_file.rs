//! What a task is given to do: a file of JSON in the shared folder.

use std::collections::BTreeSet;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use nbrevive_corpus::Condition;
use nbrevive_files::FileError;
use nbrevive_store::shards::ShardJob;
use serde::{Deserialize, Serialize};

/// The format that is written, and the only one that is read.
const FORMAT: u32 = 1;
/// The longest file that is read, in bytes.
const LONGEST: u64 = 16 << 20;
/// Most jobs of a batch.
const MOST_JOBS: usize = 100_000;

/// How `study run` was asked for, as far as tasks have to do the same.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BatchManner {
    /// The study's file, as an absolute path.
    pub study: PathBuf,
    /// The conditions that were asked for; none for all of the study.
    #[serde(default)]
    pub conditions: Vec<Condition>,
    /// How often each runs, where that was said.
    #[serde(default)]
    pub repeat: Option<NonZeroU32>,
    /// What slugs of its versions have in them, where not all were asked for.
    #[serde(default)]
    pub only: Option<String>,
    /// The list of versions that are left out, where the study's own is not taken.
    #[serde(default)]
    pub exclude: Option<PathBuf>,
    /// Who is asked for repairs, as the command line had it: whoever reads command lines knows what stands in it.
    #[serde(default)]
    pub model: serde_json::Value,
    /// Jobs at a time in a task, at least 1.
    pub jobs: usize,
    /// Whether the package index is not asked.
    #[serde(default)]
    pub offline: bool,
    /// The sandbox, where one was named.
    #[serde(default)]
    pub sandbox: Option<String>,
    /// Its image, where one was named.
    #[serde(default)]
    pub image: Option<String>,
    /// Whether notebooks may run without a sandbox.
    #[serde(default)]
    pub trusted: bool,
    /// Whether each execution gets a GPU, where the study does not say so itself.
    #[serde(default)]
    pub gpus: bool,
}

/// Jobs that run one after the other in one task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BatchFile {
    /// Version of this format.
    format: u32,
    /// The name of the run, which no other one has.
    pub run: String,
    /// Its number in the run, from 1.
    pub number: u32,
    /// The program that wrote it, which has to be the one that carries it out.
    pub program: String,
    /// How jobs are done.
    pub manner: BatchManner,
    /// The parcel with what is stored of these versions already, by its name in `seeds`.
    #[serde(default)]
    pub seed: Option<String>,
    /// How long all of it is expected to take, in seconds of one job at a time.
    pub expected_seconds: f64,
    /// The jobs, in the order of the study.
    pub jobs: Vec<ShardJob>,
}

/// Why a batch cannot be carried out.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// The file cannot be read.
    #[error("cannot read the batch: {0}; is the folder shared with this machine?")]
    Unreadable(#[source] FileError),
    /// It is no batch.
    #[error("{path} is no batch ({why}): batches are written by `nbrevive study run --on`")]
    NoBatch {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// Another program wrote it.
    #[error("{path} was written by nbrevive {theirs}, and this is {ours}: let all machines use the same one")]
    OtherProgram {
        /// The file.
        path: PathBuf,
        /// Its program.
        theirs: String,
        /// This one.
        ours: String,
    },
}

impl BatchFile {
    /// A batch of the present format.
    #[must_use]
    pub fn new(run: &str, number: u32, program: &str, manner: &BatchManner, jobs: Vec<ShardJob>) -> Self {
        let (run, program, manner) = (run.to_owned(), program.to_owned(), manner.clone());
        BatchFile { format: FORMAT, run, number, program, manner, seed: None, expected_seconds: 0.0, jobs }
    }

    /// Reads a batch for the program `ours`.
    ///
    /// # Errors
    /// See [`BatchError`].
    pub fn read(path: &Path, ours: &str) -> Result<Self, BatchError> {
        let text = nbrevive_files::read(path, LONGEST).map_err(BatchError::Unreadable)?;
        let no_batch = |why: String| BatchError::NoBatch { path: path.to_owned(), why };
        let batch: BatchFile = serde_json::from_slice(&text).map_err(|error| no_batch(error.to_string()))?;
        if batch.format != FORMAT {
            return Err(no_batch(format!("its format is {}, and {FORMAT} is known", batch.format)));
        }
        if batch.program != ours {
            let (theirs, ours) = (batch.program, ours.to_owned());
            return Err(BatchError::OtherProgram { path: path.to_owned(), theirs, ours });
        }
        batch.check().map_err(no_batch)?;
        Ok(batch)
    }

    fn check(&self) -> Result<(), String> {
        let different: BTreeSet<_> =
            self.jobs.iter().map(|job| (&job.version, job.condition, job.repetition)).collect();
        match self.jobs.len() {
            0 => Err("it has no jobs".to_owned()),
            count if count > MOST_JOBS => Err(format!("it has {count} jobs, of which {MOST_JOBS} are the most")),
            count if count != different.len() => Err("a job is in it twice".to_owned()),
            _ if self.jobs.iter().any(|job| job.repetition == 0) => Err("repetitions count from 1".to_owned()),
            _ if self.manner.jobs == 0 => Err("`jobs` has to be at least 1".to_owned()),
            _ => Ok(()),
        }
    }

    /// The text that [`BatchFile::read`] reads.
    ///
    /// # Errors
    /// When a name in it is no text.
    pub fn text(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn job(version: &str) -> ShardJob {
        let (condition, inputs_hash) = (Condition::BASELINE, "inputs".to_owned());
        ShardJob { version: version.to_owned(), condition, repetition: 1, inputs_hash }
    }

    fn read(text: &str) -> Result<BatchFile, BatchError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("1.json");
        std::fs::write(&path, text).unwrap();
        BatchFile::read(&path, "me")
    }

    #[test]
    fn what_is_written_is_read_and_nothing_else() {
        let manner = BatchManner { jobs: 2, ..BatchManner::default() };
        let batch = BatchFile::new("run", 1, "me", &manner, vec![job("a"), job("b")]);
        let text = batch.text().unwrap();
        assert_eq!(read(&text).unwrap(), batch);
        assert!(matches!(read(&text.replace("\"me\"", "\"you\"")), Err(BatchError::OtherProgram { .. })));
        for (from, to, why) in [
            ("\"format\":1", "\"format\":2", "format is 2"),
            ("\"version\":\"b\"", "\"version\":\"a\"", "twice"),
            ("\"jobs\":2", "\"jobs\":0", "at least 1"),
            ("\"repetition\":1", "\"repetition\":0", "from 1"),
            ("\"number\":1", "\"number\":-1", "-1"),
            ("\"run\"", "\"walk\"", "walk"),
            ("]}", "]", "EOF"),
        ] {
            let error = read(&text.replace(from, to)).unwrap_err().to_string();
            assert!(error.contains("1.json") && error.contains(why), "{error}");
        }
        let none = BatchFile::new("run", 1, "me", &manner, Vec::new()).text().unwrap();
        assert!(read(&none).unwrap_err().to_string().contains("no jobs"));
        assert!(BatchFile::read(Path::new("not-there.json"), "me").unwrap_err().to_string().contains("shared"));
    }
}
