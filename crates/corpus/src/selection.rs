//! Whether a notebook file can be studied at all (paper, section 2.1.1), and if not, why.

use std::path::Path;

use nbrevive_notebook::{Language, Notebook, ReadError};

use nbrevive_spelling::string_enum;

string_enum! {
    /// Why a version is left out of a study.
    pub enum Exclusion ("exclusion") {
        /// The study's list of exclusions names it.
        Listed => "listed",
        /// The file is not there or cannot be read.
        Unreadable => "unreadable",
        /// The file is not JSON, or not a notebook.
        NotJson => "not-json",
        /// The notebook has a format that is not understood (nbformat 1, 2, or later than 4).
        UnsupportedFormat => "unsupported-format",
        /// It is not written in Python.
        NotPython => "not-python",
        /// It has no code.
        Empty => "empty",
        /// Its competition is not known.
        UnknownCompetition => "unknown-competition",
        /// It belongs to no repository, and the study asks for a repository's environment.
        NoRepository => "no-repository",
        /// It has no target score.
        NoTarget => "no-target",
        /// Its target score is zero, to which no relative deviation exists (paper, section 2.1.1).
        ZeroTarget => "zero-target",
        /// Its source and errors have more tokens than the study's cut-off: it is no subject of modernization (paper, section 4).
        TooLong => "too-long",
    }
}

/// A notebook that can be studied, with the bytes it was read from.
#[derive(Debug, Clone)]
pub struct SelectedNotebook {
    /// The document.
    pub notebook: Notebook,
    /// Hash of the file, so that a changed notebook is executed again.
    pub hash: String,
}

/// Reads a notebook file and says whether it can be studied; a refusal has a reason and a sentence with the detail.
///
/// # Errors
/// The reason for leaving it out, and the detail.
pub fn select(path: &Path) -> Result<SelectedNotebook, (Exclusion, String)> {
    let bytes = nbrevive_files::read(path, nbrevive_notebook::LONGEST_FILE).map_err(|error| {
        let said = std::io::Error::from(error);
        (Exclusion::Unreadable, format!("cannot read {}: {said}", path.display()))
    })?;
    let reading = nbrevive_notebook::read(&bytes).map_err(|error| {
        let exclusion = match error {
            ReadError::UnsupportedVersion(..) => Exclusion::UnsupportedFormat,
            _ => Exclusion::NotJson,
        };
        (exclusion, format!("{}: {error}", path.display()))
    })?;
    let notebook = reading.notebook;
    match nbrevive_notebook::language(&notebook) {
        Language::Python => {}
        other => {
            return Err((Exclusion::NotPython, format!("{} is written in {other}", path.display())));
        }
    }
    let has_code = notebook.code_cells().any(|(_, cell)| !cell.source.trim().is_empty());
    if !has_code {
        return Err((Exclusion::Empty, format!("{} has no code", path.display())));
    }
    Ok(SelectedNotebook { notebook, hash: crate::content_hash(&bytes) })
}
