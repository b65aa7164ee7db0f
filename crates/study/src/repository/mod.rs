//! Whether the notebooks of a repository still give the outputs that they show (seed 003, section 3).
//!
//! Each notebook runs in its own folder of a fresh copy of the repository, past its errors, in the one environment of the repository.
//! What it shows then is compared with what it showed, cell by cell.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use nbrevive_compare::{Agreement, ComparedNotebook, OutputComparer};
use nbrevive_corpus::{Repository, RunEnd};
use nbrevive_environment::declared::{RepositoryDeclarations, RepositoryTree};
use nbrevive_environment::inferred::InferredNames;
use nbrevive_environment::repository::{RepositoryRequest, RepositoryStrategy};
use nbrevive_files::{FileError, Folder};
use nbrevive_notebook::Notebook;
use nbrevive_repair::CellFeedback;

use crate::environments::of_repository::OfRepository;
use crate::{KagglePlace, Laboratory, LaboratoryError, Manner, Prepared};

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
        let tree = RepositoryTree::walk(Folder::open(folder)?)?;
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let files = Repository { name, url: None, commit: None, files: folder.to_owned() };
        let (declared, inferred) = (RepositoryDeclarations::read(&tree), InferredNames::read(&tree));
        Ok(Self { declared, inferred, tree, files })
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
        let (declared, inferred) = (&self.declared, &self.inferred);
        laboratory.of_repository(&RepositoryRequest { declared, inferred, strategy, date, python: None })
    }

    /// Runs one of its notebooks, by its path in the repository, and compares what it shows.
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
        if saved.code_cells().next().is_none() {
            return Ok(NotebookCheck::Unread("it has no code".to_owned()));
        }
        let starts_in = Path::new(path).parent().map(PathBuf::from).unwrap_or_default();
        let place = KagglePlace::of_repository(&self.files, &starts_in);
        let mut attempt = laboratory.attempt(&saved, environment, &place, None, Manner::default())?;
        attempt.take_disturbance()?;
        // Its owner may want the outputs, and not where they were made.
        let mut new = attempt.execution.notebook;
        new.metadata.remove("nbrevive");
        Ok(match OutputComparer::default().notebooks(&saved, &new) {
            Ok(compared) => {
                NotebookCheck::Ran(Box::new(CheckedRun { compared, end: attempt.end, errors: attempt.errors, new }))
            }
            Err(other) => NotebookCheck::Unread(other.to_string()),
        })
    }

    fn notebook(&self, path: &str) -> Result<Notebook, String> {
        let bytes = self.tree.read(path, LONGEST_NOTEBOOK).map_err(|error| error.to_string())?;
        nbrevive_notebook::read(&bytes).map(|read| read.notebook).map_err(|error| error.to_string())
    }
}

/// What came of a notebook.
#[derive(Debug)]
pub enum NotebookCheck {
    /// It did not run: what is no notebook, or has no code.
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
    /// What its cells raised.
    pub errors: Vec<CellFeedback>,
    /// The notebook as it was executed.
    pub new: Notebook,
}

impl CheckedRun {
    /// Whether it ran to its end without an error.
    #[must_use]
    pub fn is_error_free(&self) -> bool {
        self.errors.is_empty() && self.end == RunEnd::Completed
    }

    /// Whether it ran without an error, and every cell that can be compared shows what it showed.
    #[must_use]
    pub fn holds_at(&self, level: Agreement) -> bool {
        let share = self.compared.score_at(level);
        self.is_error_free() && share.cells == share.of
    }
}
