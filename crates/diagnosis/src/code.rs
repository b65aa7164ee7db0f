//! What a notebook's code says of whether it can run, found without running it (Fig. 2a of the paper on executability).
//!
//! The paper's static step leaves out what cannot be read, has no code or is no Python 3, and finds what does not compile. Names that are
//! missing it looks for once they have raised an error; here they are found before.

mod finding;

use nbrevive_notebook::{Language, Notebook, ReadError, language, python_version_hint, read_code};
use nbrevive_pysource::dialect::Major;
use nbrevive_pysource::names::{CellState, NotebookNames, missing_names, names};
use nbrevive_spelling::string_enum;
use serde::Serialize;

pub use finding::{Certainty, CodeFinding, FoundKind};

string_enum! {
    /// What becomes of a notebook by its code alone, in the order in which it is asked for.
    pub enum CodeCategory ("category of code") {
        /// No notebook can be read from it.
        Unreadable => "unreadable",
        /// Its code is in another language.
        OtherLanguage => "other-language",
        /// It has no code cell.
        NoCode => "no-code",
        /// It has code cells, and nothing in them.
        Empty => "empty",
        /// It is Python 2.
        Python2 => "python-2",
        /// A cell is not indented as Python wants it.
        Indentation => "indentation",
        /// A cell is no Python 3.
        Syntax => "syntax",
        /// Run from the top, a cell looks up a name that no cell before has defined: a later one does.
        DefinedLater => "defined-later",
        /// Run from the top, a cell looks up a name that no cell has defined when it runs, nor any later one.
        Undefined => "undefined",
        /// Nothing of the above was found.
        Clear => "clear",
    }
}

impl CodeCategory {
    /// Whether the paper leaves such notebooks out of every share.
    #[must_use]
    pub fn is_left_out(self) -> bool {
        matches!(self, Self::Unreadable | Self::OtherLanguage | Self::NoCode | Self::Empty | Self::Python2)
    }
}

/// What is found in a notebook's code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CodeDiagnosis {
    /// The one word for it: the first that holds of [`CodeCategory::ALL`], of missing names the first that is certain.
    pub category: CodeCategory,
    /// Why it is unreadable, or the language that it is in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Code cells, empty ones included.
    pub code_cells: usize,
    /// Major and minor of the Python that saved it, where the metadata say: a pair in JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub saved_by: Option<(u32, u32)>,
    /// Everything that was found: what does not compile first, then missing names in the order in which they are looked up.
    pub findings: Vec<CodeFinding>,
}

impl CodeDiagnosis {
    /// Diagnoses the bytes of a notebook. Never fails: what is no notebook is [`CodeCategory::Unreadable`].
    ///
    /// ```
    /// use nbrevive_diagnosis::code::{CodeCategory, CodeDiagnosis};
    /// let notebook = br#"{"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": [
    ///     {"cell_type": "code", "source": "x + 1"}, {"cell_type": "code", "source": "x = 1"}]}"#;
    /// let found = CodeDiagnosis::of_bytes(notebook);
    /// assert_eq!(found.category, CodeCategory::DefinedLater);
    /// assert_eq!(found.findings[0].to_string(), "`x` is looked up before code cell 2, line 1, defines it");
    /// ```
    #[must_use]
    pub fn of_bytes(bytes: &[u8]) -> Self {
        match read_code(bytes) {
            Ok(notebook) => Self::of_notebook(&notebook),
            Err(error) => Self::unreadable(&error),
        }
    }

    /// Diagnoses a notebook that was read.
    #[must_use]
    pub fn of_notebook(notebook: &Notebook) -> Self {
        let sources = notebook.code_sources();
        let found = |category| Self {
            category,
            why: None,
            code_cells: sources.len(),
            saved_by: python_version_hint(notebook).map(|version| (version.major, version.minor)),
            findings: Vec::new(),
        };
        match language(notebook) {
            Language::Python => {}
            other => return Self { why: Some(other.to_string()), ..found(CodeCategory::OtherLanguage) },
        }
        if sources.is_empty() {
            return found(CodeCategory::NoCode);
        }
        if sources.iter().all(|source| source.trim().is_empty()) {
            return found(CodeCategory::Empty);
        }
        let names = names(&sources);
        let findings = findings(&names);
        Self { findings, ..found(CodeCategory::Clear) }.categorised(&names)
    }

    fn unreadable(error: &ReadError) -> Self {
        Self {
            category: CodeCategory::Unreadable,
            why: Some(error.to_string()),
            code_cells: 0,
            saved_by: None,
            findings: Vec::new(),
        }
    }

    /// The finding that the category is named after.
    #[must_use]
    pub fn surest(&self) -> Option<&CodeFinding> {
        self.findings.iter().find(|found| found.certainty == Certainty::Sure)
    }

    fn categorised(mut self, names: &NotebookNames) -> Self {
        self.category = match self.surest().map(|found| &found.kind) {
            _ if names.dialect.major == Major::Two => CodeCategory::Python2,
            Some(FoundKind::Indentation { .. }) => CodeCategory::Indentation,
            Some(FoundKind::Syntax { .. } | FoundKind::Python2 { .. }) => CodeCategory::Syntax,
            Some(FoundKind::DefinedLater { .. }) => CodeCategory::DefinedLater,
            Some(FoundKind::Undefined { .. }) => CodeCategory::Undefined,
            None => CodeCategory::Clear,
        };
        self
    }
}

/// Everything that was found: in cells that cannot be read, and of names.
fn findings(names: &NotebookNames) -> Vec<CodeFinding> {
    let unread = names.cells.iter().enumerate().filter_map(|(cell, found)| {
        let (line, kind) = match &found.state {
            CellState::Python | CellState::Opaque { .. } => return None,
            CellState::Python2 { line, why } => (*line, FoundKind::Python2 { why: why.clone() }),
            CellState::Broken { line, why, is_indentation: true } => {
                (*line, FoundKind::Indentation { why: why.clone() })
            }
            CellState::Broken { line, why, .. } => (*line, FoundKind::Syntax { why: why.clone() }),
        };
        Some(CodeFinding { cell, line, certainty: Certainty::Sure, called_by: None, kind })
    });
    let order: Vec<usize> = (0..names.cells.len()).collect();
    let missing = missing_names(names, &order);
    unread.chain(missing.into_iter().map(CodeFinding::of_missing)).collect()
}

#[cfg(test)]
mod tests;
