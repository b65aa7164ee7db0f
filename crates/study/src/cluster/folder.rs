//! The folder that all machines of a run see.

use std::path::{Path, PathBuf};

use nbrevive_corpus::content_hash;
use nbrevive_files::{FileError, FileErrorKind, Folder};
use nbrevive_store::shards::SecondOutcome;
use serde::{Deserialize, Serialize};

use crate::{BatchManner, SlurmSettings};

/// The longest file about a run that is read, in bytes.
const LONGEST: u64 = 1 << 20;
/// What the mark of a batch says of which all jobs are merged.
const MERGED: &str = "merged\n";
/// What the folder has, each for one kind of file.
const PARTS: [&str; 8] = ["batches", "seeds", "accounts", "tasks", "shards", "refused", "cancelled", "output"];

/// Which run a folder is of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClusterRun {
    /// Its name, which no other run has.
    pub run: String,
    /// The program that began it.
    pub program: String,
    /// How its jobs are done, and of which study.
    pub manner: BatchManner,
    /// Who starts tasks, and how: the words that `study attach` goes on with.
    pub submit: SubmitSettings,
    /// How large its tasks are.
    pub tasks: TaskSizes,
    /// What becomes of an outcome that is there already, when another task hands one in.
    #[serde(default)]
    pub second: SecondOutcome,
}

/// How jobs are dealt out to tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaskSizes {
    /// Tasks that are expected to run at a time.
    pub nodes: usize,
    /// Minutes that a task is to take at least, 1 where it says 0.
    pub minutes: u32,
}

impl TaskSizes {
    /// What a task is to take at least, in seconds.
    #[must_use]
    pub fn shortest(self) -> f64 {
        f64::from(self.minutes.max(1)) * 60.0
    }
}

/// Who starts the tasks of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", tag = "by")]
pub enum SubmitSettings {
    /// A command for each batch.
    Command {
        /// The command, with `{batch}` for the file of a batch.
        submit: String,
        /// Most of them at a time.
        max_jobs: usize,
        /// After so many seconds without a word a task is given up.
        silence_seconds: u64,
    },
    /// Slurm.
    Slurm(SlurmSettings),
}

/// The folder, open.
#[derive(Debug, Clone)]
pub struct ClusterFolder {
    path: PathBuf,
    /// The run that it is of.
    pub run: ClusterRun,
}

/// Why a folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ClusterFolderError {
    /// A file in it cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// It is of another study.
    #[error("{path} is of the study {theirs}, and not of {ours}: choose another folder with --shared")]
    OtherStudy {
        /// The folder.
        path: PathBuf,
        /// The file of its study.
        theirs: PathBuf,
        /// That of the study at hand.
        ours: PathBuf,
    },
    /// Another version of the program began the run.
    #[error(
        "the run in {path} was begun by nbrevive {theirs}, and this is {ours}: go on with that one, or begin anew with another --shared"
    )]
    OtherProgram {
        /// The folder.
        path: PathBuf,
        /// Its program.
        theirs: String,
        /// This one.
        ours: String,
    },
    /// What says which run it is cannot be understood.
    #[error("{path} does not say which run it is of ({why}): choose another folder with --shared")]
    Unknown {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// There is no run in it.
    #[error("there is no run in {path}: `nbrevive study run --on …` begins one")]
    NoRun {
        /// The folder.
        path: PathBuf,
    },
}

impl ClusterFolder {
    /// Makes the folder, or opens that of the same study.
    ///
    /// # Errors
    /// See [`ClusterFolderError`].
    pub fn make(
        path: &Path,
        program: &str,
        manner: &BatchManner,
        submit: &SubmitSettings,
        (tasks, second): (TaskSizes, SecondOutcome),
    ) -> Result<Self, ClusterFolderError> {
        for part in PARTS {
            nbrevive_files::make_folder(&path.join(part))?;
        }
        let run = match Self::open(path, program) {
            Ok(known) if known.run.manner.study != manner.study => {
                let (theirs, ours) = (known.run.manner.study, manner.study.clone());
                return Err(ClusterFolderError::OtherStudy { path: path.to_owned(), theirs, ours });
            }
            Ok(known) => known.run.run,
            Err(ClusterFolderError::NoRun { .. }) => new_name(path),
            Err(error) => return Err(error),
        };
        let (program, manner, submit) = (program.to_owned(), manner.clone(), submit.clone());
        let run = ClusterRun { run, program, manner, submit, tasks, second };
        let folder = ClusterFolder { path: path.to_owned(), run };
        let text = serde_json::to_string_pretty(&folder.run).map_err(|error| folder.unknown(&error))?;
        nbrevive_files::write(&folder.path.join("run.json"), text)?;
        Ok(folder)
    }

    /// Opens the folder of a run.
    ///
    /// # Errors
    /// See [`ClusterFolderError`].
    pub fn open(path: &Path, program: &str) -> Result<Self, ClusterFolderError> {
        let file = path.join("run.json");
        let text = match nbrevive_files::read(&file, LONGEST) {
            Ok(text) => text,
            Err(error) if error.is_not_found() => return Err(ClusterFolderError::NoRun { path: path.to_owned() }),
            Err(error) => return Err(error.into()),
        };
        let run: ClusterRun = serde_json::from_slice(&text)
            .map_err(|error| ClusterFolderError::Unknown { path: file, why: error.to_string() })?;
        if run.program != program {
            let (theirs, ours) = (run.program, program.to_owned());
            return Err(ClusterFolderError::OtherProgram { path: path.to_owned(), theirs, ours });
        }
        Ok(ClusterFolder { path: path.to_owned(), run })
    }

    fn unknown(&self, error: &serde_json::Error) -> ClusterFolderError {
        ClusterFolderError::Unknown { path: self.path.join("run.json"), why: error.to_string() }
    }

    /// One of its parts.
    #[must_use]
    pub fn part(&self, part: &str) -> PathBuf {
        self.path.join(part)
    }

    /// The folder itself.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file of a batch.
    #[must_use]
    pub fn batch(&self, number: u32) -> PathBuf {
        self.path.join("batches").join(format!("{number}.json"))
    }

    /// The names of the regular files in one of its parts, sorted, but for those that are being written.
    ///
    /// # Errors
    /// When it cannot be listed.
    pub fn names(&self, part: &str) -> Result<Vec<String>, FileError> {
        let entries = Folder::open(&self.path.join(part))?.entries()?;
        let files = entries.into_iter().filter(|entry| entry.kind == FileErrorKind::File);
        let mut names: Vec<String> = files.filter_map(|entry| entry.name.into_string().ok()).collect();
        names.retain(|name| !name.starts_with('.'));
        names.sort();
        Ok(names)
    }
}

impl ClusterFolder {
    /// Leaves a mark for the task of a batch: it is to stop, and to hand in what it has.
    ///
    /// # Errors
    /// When the system refuses.
    pub(crate) fn mark_cancelled(&self, batch: u32) -> Result<(), FileError> {
        nbrevive_files::write(&cancelled_mark(&self.path, &batch.to_string()), "")
    }

    /// Leaves a mark for another start of a task, by a scheduler that forgot its end: it is to stop, and to hand in nothing, since all of it is
    /// merged; unless what a second one hands in is to be kept.
    ///
    /// # Errors
    /// When the system refuses.
    pub(crate) fn mark_merged(&self, batch: u32) -> Result<(), FileError> {
        match self.run.second {
            SecondOutcome::Dropped => nbrevive_files::write(&cancelled_mark(&self.path, &batch.to_string()), MERGED),
            SecondOutcome::KeptAsRepetition => Ok(()),
        }
    }

    /// The same for every batch that is marked: no job is left.
    ///
    /// # Errors
    /// When the system refuses.
    pub(crate) fn mark_all_merged(&self) -> Result<(), FileError> {
        let batches = self.names("cancelled")?.into_iter().filter_map(|name| name.parse().ok());
        batches.into_iter().try_for_each(|batch| self.mark_merged(batch))
    }

    /// Removes what killed tasks and followers have half written. To be called when no batch is under way.
    ///
    /// # Errors
    /// When a part cannot be listed.
    pub(crate) fn sweep(&self) -> Result<(), FileError> {
        for part in PARTS.map(|part| self.part(part)) {
            for entry in Folder::open(&part)?.entries()? {
                let name = entry.name.to_string_lossy();
                if entry.kind == FileErrorKind::File && name.starts_with('.') && name.ends_with(".partial") {
                    // A task that does not know yet that it was cancelled may just have finished it.
                    if let Err(error) = nbrevive_files::remove(&part.join(&entry.name)) {
                        tracing::debug!(%error, "not removed");
                    }
                }
            }
        }
        Ok(())
    }

    /// Moves a shard that is refused out of the way, so that a person can look at it.
    ///
    /// # Errors
    /// When the system refuses.
    pub(crate) fn set_aside(&self, name: &str) -> std::io::Result<()> {
        std::fs::rename(self.path.join("shards").join(name), self.path.join("refused").join(name))
    }
}

/// Whether all jobs of a batch, by its number, are marked as merged.
#[must_use]
pub fn is_merged(shared: &Path, batch: &str) -> bool {
    nbrevive_files::read_text(&cancelled_mark(shared, batch), 1 << 10).is_ok_and(|text| text == MERGED)
}

/// Where a batch, by its number, is marked as cancelled.
#[must_use]
pub fn cancelled_mark(shared: &Path, batch: &str) -> PathBuf {
    shared.join("cancelled").join(batch)
}

/// A name for a run: of where, when and by whom it was begun.
fn new_name(path: &Path) -> String {
    let told = format!("{} {} {}", path.display(), jiff::Timestamp::now(), std::process::id());
    content_hash(told.as_bytes())
}
