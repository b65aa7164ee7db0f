//! The paper's filters, in its order (section 3.2), and how many notebooks and crashes each one leaves.

use nbrevive_notebook::{Language, Notebook, language};
use nbrevive_pysource::parse::parse;
use serde::Serialize;

use super::library::{ImportedNames, is_ml_library};
use super::saved::{SavedError, saved_errors};

/// A filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CrashFilter {
    /// The notebook is in Python; the paper guesses it from the text, we take the metadata's word.
    Python,
    /// It has an error among its outputs.
    Crashed,
    /// All its code is Python 3, magics aside.
    Parses,
    /// It imports one of the 24 libraries.
    MachineLearning,
    /// It has another error than `KeyboardInterrupt`.
    NotOnlyStopped,
    /// It has an error whose value says something.
    SaysSomething,
}

impl CrashFilter {
    /// All, in the order in which they act.
    pub const ALL: [Self; 6] =
        [Self::Python, Self::Crashed, Self::Parses, Self::MachineLearning, Self::NotOnlyStopped, Self::SaysSomething];

    /// What it keeps, in words.
    #[must_use]
    pub fn keeps(self) -> &'static str {
        match self {
            Self::Python => "in Python",
            Self::Crashed => "with a saved error",
            Self::Parses => "whose code is Python 3",
            Self::MachineLearning => "that import a library of machine learning",
            Self::NotOnlyStopped => "with another error than KeyboardInterrupt",
            Self::SaysSomething => "with an error whose value says something",
        }
    }
}

/// Notebooks and crashes that were looked at, and that each filter left.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CrashFunnel {
    /// Notebooks that were looked at.
    pub notebooks: usize,
    /// Notebooks and their crashes behind each filter, in the order of [`CrashFilter::ALL`].
    pub left: [(usize, usize); 6],
}

impl CrashFunnel {
    /// Puts one notebook through the filters, and returns the crashes that are left of it.
    pub fn take(&mut self, notebook: &Notebook) -> Vec<SavedError> {
        self.notebooks += 1;
        let mut errors = saved_errors(notebook);
        for (filter, left) in CrashFilter::ALL.into_iter().zip(&mut self.left) {
            if !passes(filter, notebook, &mut errors) {
                return Vec::new();
            }
            left.0 += 1;
            left.1 += errors.len();
        }
        errors
    }
}

fn passes(filter: CrashFilter, notebook: &Notebook, errors: &mut Vec<SavedError>) -> bool {
    match filter {
        CrashFilter::Python => language(notebook) == Language::Python,
        CrashFilter::Crashed => !errors.is_empty(),
        CrashFilter::Parses => notebook.code_sources().iter().all(|source| parse(source).errors().is_empty()),
        CrashFilter::MachineLearning => {
            let names = ImportedNames::of(&notebook.code_sources());
            names.modules().into_iter().any(is_ml_library)
        }
        // The notebook goes, and with one that stays the interrupts as well: the population has none.
        CrashFilter::NotOnlyStopped => {
            errors.retain(|error| error.ename != "KeyboardInterrupt");
            !errors.is_empty()
        }
        CrashFilter::SaysSomething => {
            errors.retain(|error| !error.says_nothing);
            !errors.is_empty()
        }
    }
}

#[cfg(test)]
mod tests {
    use nbrevive_notebook::{Cell, CellKind, Output};

    use super::*;

    fn notebook(code: &str, names: &[&str]) -> Notebook {
        let mut cell = Cell::code(code);
        let error = |name: &&str| Output::Error {
            ename: (*name).to_owned(),
            evalue: "null".to_owned(),
            traceback: vec![format!("{name}: x")],
        };
        cell.kind = CellKind::Code { execution_count: None, outputs: names.iter().map(error).collect() };
        Notebook::from_cells(vec![cell])
    }

    #[test]
    fn each_filter_counts_what_it_leaves() {
        let mut funnel = CrashFunnel::default();
        let mut other = notebook("x <- 1", &["simpleError"]);
        other.metadata.insert("kernelspec".to_owned(), serde_json::json!({"name": "ir"}));
        let kept = [
            funnel.take(&other),
            funnel.take(&notebook("import numpy", &[])),
            funnel.take(&notebook("import numpy\nprint 1", &["KeyError"])),
            funnel.take(&notebook("import json", &["KeyError"])),
            funnel.take(&notebook("import numpy", &["KeyboardInterrupt"])),
            funnel.take(&notebook("%pip install x\nimport torch.nn as nn", &["KeyError", "KeyboardInterrupt"])),
        ];
        assert_eq!(kept.map(|errors| errors.len()), [0, 0, 0, 0, 0, 1]);
        assert_eq!((funnel.notebooks, funnel.left), (6, [(5, 5), (4, 5), (3, 4), (2, 3), (1, 1), (1, 1)]));
    }
}
