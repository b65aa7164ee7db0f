//! One file that somebody has in hand: a notebook or a script, with the files beside it.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use nbrevive_files::FileError;
use nbrevive_notebook::{Cell, Language, Notebook, ReadError, language, read_code};
use nbrevive_pysource::script::{decode, script_cells};
use nbrevive_pysource::survey::{Survey, survey};

use crate::Surroundings;
use crate::environments::files_beside::Beside;

/// A notebook or script, read.
#[derive(Debug, Clone)]
pub struct SourceText {
    /// The file.
    pub path: PathBuf,
    /// Its code cells; a script is cut at its cell marks.
    pub notebook: Notebook,
    /// What its code says.
    pub survey: Survey,
}

/// A file that cannot be read as a notebook or script in Python.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// It cannot be read at all.
    #[error(transparent)]
    File(FileError),
    /// It is no notebook.
    #[error("{path} is no notebook that can be read")]
    Notebook {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        #[source]
        source: ReadError,
    },
    /// Its code is in another language.
    #[error("{path} is written in {language}, not in Python")]
    Language {
        /// The file.
        path: PathBuf,
        /// The language.
        language: Language,
    },
}

impl SourceText {
    /// Whether a file's name is that of a notebook or script.
    #[must_use]
    pub fn is_source(path: &Path) -> bool {
        path.extension().is_some_and(|ending| ending == "ipynb" || ending == "py")
    }

    /// Reads a file: `.py` as a script, everything else as a notebook.
    ///
    /// # Errors
    /// [`SourceError`], which names the file and what is wrong.
    pub fn read(path: &Path) -> Result<Self, SourceError> {
        let notebook = Self::read_notebook(path)?;
        let survey = survey(&notebook.code_sources());
        Ok(Self { path: path.to_owned(), notebook, survey })
    }

    /// The code cells of a file alone, as [`SourceText::read`] reads them.
    ///
    /// # Errors
    /// As [`SourceText::read`].
    pub fn read_notebook(path: &Path) -> Result<Notebook, SourceError> {
        let content = nbrevive_files::read(path, nbrevive_notebook::LONGEST_FILE).map_err(SourceError::File)?;
        if path.extension().is_some_and(|ending| ending == "py") {
            let text = decode(&content);
            let cells = script_cells(&text).into_iter().map(|cell| Cell::code(cell.source));
            return Ok(Notebook::from_cells(cells.collect()));
        }
        let notebook = read_code(&content).map_err(|source| SourceError::Notebook { path: path.to_owned(), source })?;
        match language(&notebook) {
            Language::Python => Ok(notebook),
            language => Err(SourceError::Language { path: path.to_owned(), language }),
        }
    }

    /// What a plan for that date goes by.
    #[must_use]
    pub fn surroundings(&self, date: Timestamp) -> Surroundings {
        let folder =
            self.path.parent().map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
        let beside = folder.map_or_else(Beside::default, Beside::of);
        Surroundings::of_survey(&self.survey, &self.notebook, &beside, date)
    }
}
