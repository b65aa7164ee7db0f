//! Whether the notebooks of a repository still give the outputs that they show (paper on containers, section 3).
//!
//! Each notebook runs in its own folder of a fresh copy of the repository, past its errors, in the one environment of the repository.
//! What it shows then is compared with what it showed, cell by cell.

mod brought;
mod downloads;
mod installed;
mod pointers;

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use nbrevive_compare::{Agreement, ComparedNotebook, OutputComparer};
use nbrevive_corpus::{HostTold, Repository, RunEnd};
use nbrevive_environment::container::{ContainerSettings, ContainerTexts, NoContainer};
use nbrevive_environment::declared::{RepositoryDeclarations, RepositoryTree};
use nbrevive_environment::inferred::InferredNames;
use nbrevive_environment::repository::{LastRun, RepositoryRequest, RepositoryStrategy};
use nbrevive_execute::{CellRecord, CellStatus};
use nbrevive_files::{FileError, Folder};
use nbrevive_notebook::{Language, Notebook, language};
use nbrevive_repair::CellFeedback;

use crate::environments::of_repository::OfRepository;
use crate::{KagglePlace, Laboratory, LaboratoryError, Manner, Prepared, Withheld};
pub use brought::{BringError, BroughtRepository};
pub use downloads::MissedDownload;
pub use installed::CheckedInstalls;

/// Longest notebook that is read, in bytes.
const LONGEST_NOTEBOOK: u64 = 100 << 20;

/// A repository that was looked through.
#[derive(Debug)]
pub struct SurveyedRepository {
    /// Its files.
    pub tree: RepositoryTree,
    /// What it declares.
    pub declared: RepositoryDeclarations,
    /// What its notebooks and modules import.
    pub inferred: InferredNames,
    files: Repository,
}

impl SurveyedRepository {
    /// Looks through a folder.
    ///
    /// # Errors
    /// When the folder cannot be listed.
    pub fn read(folder: &Path) -> Result<Self, FileError> {
        let name = folder.canonicalize().unwrap_or_default();
        let name = name.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Self::of(Repository { name, url: None, commit: None, host: HostTold::default(), files: folder.to_owned() })
    }

    fn of(files: Repository) -> Result<Self, FileError> {
        let tree = RepositoryTree::walk(Folder::open(&files.files)?)?;
        let (declared, inferred) = (RepositoryDeclarations::read(&tree), InferredNames::read(&tree));
        Ok(Self { declared, inferred, tree, files })
    }

    /// Its name, for people.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.files.name
    }

    /// Plans and builds its environment.
    ///
    /// # Errors
    /// As [`Laboratory::of_repository`].
    pub fn environment(
        &self,
        laboratory: &Laboratory,
        strategy: RepositoryStrategy,
        date: Timestamp,
    ) -> Result<OfRepository, LaboratoryError> {
        laboratory.of_repository(&self.request(strategy, date))
    }

    /// The day by which its notebooks ran last, as far as what they and its declarations tell, and its last commit at the most.
    ///
    /// # Errors
    /// When the index cannot tell of versions that it declares.
    pub fn last_run(&self, laboratory: &Laboratory, committed: Timestamp) -> Result<LastRun, LaboratoryError> {
        Ok(LastRun::of(&self.inferred, &self.declared, &laboratory.index, committed)?)
    }

    /// The texts from which a container with its environment is built elsewhere.
    ///
    /// # Errors
    /// As [`Laboratory::of_repository`]; [`NoContainer`] within for settings that cannot be written.
    pub fn container_texts(
        &self,
        laboratory: &Laboratory,
        strategy: RepositoryStrategy,
        date: Timestamp,
        settings: &ContainerSettings,
    ) -> Result<Result<ContainerTexts, NoContainer>, LaboratoryError> {
        laboratory.container_of_repository(&self.request(strategy, date), settings)
    }

    fn request(&self, strategy: RepositoryStrategy, date: Timestamp) -> RepositoryRequest<'_> {
        let (declared, inferred) = (&self.declared, &self.inferred);
        RepositoryRequest::new(declared, inferred, strategy, date)
    }

    /// Files that its notebooks do not find in their copies of it: links, and what is no file.
    #[must_use]
    pub fn withheld(&self) -> Vec<Withheld> {
        KagglePlace::of_repository(&self.files, Path::new("")).withheld
    }

    /// Files that stand for data which git-lfs would bring, by their paths: notebooks find a note where they look for data.
    #[must_use]
    pub fn pointers(&self) -> Vec<String> {
        pointers::pointers(&self.tree)
    }

    /// Runs one of its notebooks, by its path in the repository, and compares what it shows. What its install lines name is installed
    /// before, on top of the environment.
    ///
    /// # Errors
    /// When it could not be tried; what is wrong with the notebook is [`NotebookCheck::Unread`].
    pub fn check(
        &self,
        laboratory: &Laboratory,
        environment: &Prepared,
        path: &str,
    ) -> Result<NotebookCheck, LaboratoryError> {
        let saved = match self.notebook(path) {
            Ok(saved) => saved,
            Err(why) => return Ok(NotebookCheck::Unread(why)),
        };
        match language(&saved) {
            Language::Python => {}
            other => return Ok(NotebookCheck::Unread(format!("its language is {other}, and only Python is run"))),
        }
        if saved.code_cells().next().is_none() {
            return Ok(NotebookCheck::Unread("it has no code".to_owned()));
        }
        let starts_in = Path::new(path).parent().map(PathBuf::from).unwrap_or_default();
        let (runs, installs, extended) = self.installed(laboratory, environment, &saved, &starts_in)?;
        let place = KagglePlace::of_repository(&self.files, &starts_in);
        let environment = extended.as_ref().unwrap_or(environment);
        let mut attempt = laboratory.attempt(&runs, environment, &place, None, Manner::default())?;
        attempt.take_disturbance()?;
        // Its owner may want the outputs, and not where they were made.
        let mut new = attempt.execution.notebook;
        new.metadata.remove("nbrevive");
        let comparer = OutputComparer::default();
        let compared = match comparer.notebooks(&saved, &new) {
            Ok(compared) => compared,
            Err(other) => return Ok(NotebookCheck::Unread(other.to_string())),
        };
        // Nor the comments that stood in the place of install lines.
        for (was, cell) in saved.cells.iter().zip(&mut new.cells) {
            cell.source.clone_from(&was.source);
        }
        let is_saved = |error: &CellFeedback| {
            let outputs = |notebook: &Notebook| notebook.cells.get(error.cell).map(|cell| cell.outputs().to_vec());
            outputs(&saved).zip(outputs(&new)).and_then(|(old, now)| comparer.same_error(&old, &now)) == Some(true)
        };
        let (saved_errors, errors): (Vec<_>, Vec<_>) = attempt.errors.into_iter().partition(is_saved);
        let missed = errors.first().and_then(|error| downloads::missed(&saved, error));
        let (end, seconds) = (attempt.end, attempt.execution.seconds);
        let broke_off = |cell: &&CellRecord| matches!(cell.status, CellStatus::Timeout | CellStatus::Died);
        let ended_in = attempt.execution.cells.iter().find(broke_off).map(|cell| cell.index);
        Ok(NotebookCheck::Ran(Box::new(CheckedRun {
            compared,
            end,
            ended_in,
            errors,
            saved_errors,
            missed,
            installs,
            seconds,
            saved,
            new,
        })))
    }

    fn notebook(&self, path: &str) -> Result<Notebook, String> {
        let bytes = self.tree.read(path, LONGEST_NOTEBOOK).map_err(|error| error.to_string())?;
        nbrevive_notebook::read(&bytes).map(|read| read.notebook).map_err(|error| error.to_string())
    }
}

/// What came of a notebook.
#[derive(Debug)]
pub enum NotebookCheck {
    /// It did not run: what is no notebook, is in another language, or has no code.
    Unread(String),
    /// It ran, to whatever end.
    Ran(Box<CheckedRun>),
}

/// One execution, compared with what was saved.
#[derive(Debug)]
pub struct CheckedRun {
    /// Cell by cell.
    pub compared: ComparedNotebook,
    /// How it ended.
    pub end: RunEnd,
    /// The cell that ran when a limit or the kernel's death ended it, by its index among all.
    pub ended_in: Option<usize>,
    /// What its cells raised and was not saved.
    pub errors: Vec<CellFeedback>,
    /// What they raised as it was saved: the same exception in the same cell.
    pub saved_errors: Vec<CellFeedback>,
    /// What would have brought the data for want of which the first of `errors` was raised, where that is how it looks.
    pub missed: Option<MissedDownload>,
    /// What came of its install lines.
    pub installs: CheckedInstalls,
    /// Time of its cells together.
    pub seconds: f64,
    /// The notebook as it was saved.
    pub saved: Notebook,
    /// The notebook as it was executed.
    pub new: Notebook,
}

impl CheckedRun {
    /// Whether it ran to its end, and raised nothing but what was saved as its error.
    #[must_use]
    pub fn is_error_free(&self) -> bool {
        self.errors.is_empty() && self.end == RunEnd::Completed
    }

    /// Whether it ran so, and every cell that can be compared shows what it showed.
    #[must_use]
    pub fn holds_at(&self, level: Agreement) -> bool {
        let share = self.compared.score_at(level);
        self.is_error_free() && share.cells == share.of
    }
}
