//! Distributions of modules that a run missed.

use jiff::Timestamp;
use nbrevive_corpus::Preparation;
use nbrevive_environment::requirement::NamedRequirement;
use nbrevive_repair::CellFeedback;

use super::{PutBack, Restorable, Restoration};
use crate::environments::of_today::{Addition, OfTodayRequest};
use crate::{LaboratoryError, Surroundings};

impl Restoration<'_> {
    /// Adds to the environment what the notebook imports and it lacks, and what the errors name beyond: a module that a library
    /// imports only when it is used stands in no import of the notebook.
    pub(super) fn modules(
        &mut self,
        next: &mut Restorable,
        roots: &[CellFeedback],
    ) -> Result<Vec<PutBack>, LaboratoryError> {
        let missed: Vec<&str> = roots.iter().filter_map(missed_module).collect();
        if missed.is_empty() {
            return Ok(Vec::new());
        }
        let named = self.named(next, &missed);
        let lock = next.environment.as_lock();
        let request =
            OfTodayRequest { lock: &lock, notebook: &next.notebook, installs: &named, beside: self.settings.beside };
        let made = self.laboratory.of_today(&request)?;
        for (addition, why) in &made.left_out {
            self.left_out.insert((addition.requirement.to_string(), why.clone()));
        }
        let added = made
            .added
            .iter()
            .map(|one| put_back(one, &named))
            .filter(|one| !self.tried.contains(one))
            .collect::<Vec<_>>();
        if !added.is_empty() {
            next.environment = made.prepared;
        }
        Ok(added)
    }

    /// The distributions of modules that errors name, where they are known and the environment lacks them.
    fn named(&self, next: &Restorable, missed: &[&str]) -> Vec<NamedRequirement> {
        let date = self.settings.date.unwrap_or_else(Timestamp::now);
        let surroundings = Surroundings::with_files(&next.notebook, self.settings.beside, date);
        let mut found: Vec<NamedRequirement> = Vec::new();
        for module in missed {
            let Some(name) = self.laboratory.distribution_of(module, &surroundings, &next.environment) else {
                continue;
            };
            // What the notebook imports itself is found with all its imports.
            let is_imported = surroundings.needs.imports.iter().any(|import| import == module);
            if !is_imported && !next.environment.packages.contains_key(name.name()) && !found.contains(&name) {
                found.push(name);
            }
        }
        found
    }
}

/// What stands before a module's name where a library says that it lacks it (pandas, SciPy, Beautiful Soup, plotly, Keras, networkx …); the
/// surest first.
const BEFORE: [&str; 7] = [
    "No module named ",
    "Missing optional dependency ",
    "the features you requested: ",
    "pip install ",
    "`Import ",
    "Install ",
    "requires ",
];

/// What stands behind it.
const BEHIND: [&str; 6] = [
    " not found, please install",
    " must be installed",
    " needs to be installed",
    " is not installed",
    " is required",
    " library is required",
];

/// Words that stand there in sentences of another kind, and would be asked for as distributions, some of which there are.
const NO_NAMES: [&str; 16] = [
    "a", "an", "at", "either", "it", "later", "library", "module", "one", "package", "python", "that", "the", "this",
    "version", "which",
];

/// The module that an error misses, as it was imported or as a library names it; whether there is one of that name is for the index to say.
pub(super) fn missed_module(error: &CellFeedback) -> Option<&str> {
    let text = error.evalue.as_str();
    let is_import = match error.ename.as_str() {
        "ImportError" | "ModuleNotFoundError" | "FeatureNotFound" => true,
        "ValueError" | "RuntimeError" | "OSError" => text.contains("pip install ") || text.contains(" not installed"),
        _ => false,
    };
    if !is_import {
        return None;
    }
    let behind = BEFORE.iter().filter_map(|words| text.split_once(words)).map(|(_, rest)| first_word(rest));
    let before = BEHIND.iter().filter_map(|words| text.split_once(words)).map(|(head, _)| last_word(head));
    behind.chain(before).find(|word| !word.is_empty() && !NO_NAMES.contains(&word.to_ascii_lowercase().as_str()))
}

/// The first word that can be a name, after the options of a command and what quotes it.
fn first_word(text: &str) -> &str {
    let word =
        text.split([' ', ';', ',', '\n']).map(|word| word.trim_matches(QUOTES)).find(|word| !word.starts_with('-'));
    let word = word.unwrap_or_default();
    word[..word.find(|letter| !is_of_name(letter)).unwrap_or(word.len())].trim_end_matches('.')
}

/// The last one.
fn last_word(text: &str) -> &str {
    let word = text.rsplit([' ', '\n']).next().unwrap_or_default().trim_matches(QUOTES);
    if word.chars().all(is_of_name) { word } else { "" }
}

const QUOTES: [char; 6] = ['\'', '"', '`', '(', ')', '.'];

fn is_of_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || ['_', '-', '.'].contains(&letter)
}

fn put_back(addition: &Addition, named: &[NamedRequirement]) -> PutBack {
    let because = match named.contains(&addition.requirement) {
        true => "an error names its module".to_owned(),
        false => addition.because.clone(),
    };
    PutBack { preparation: Preparation::Modules, what: addition.requirement.to_string(), because }
}

#[cfg(test)]
mod tests {
    use nbrevive_repair::CellFeedback;

    use super::*;

    fn missed(ename: &str, evalue: &str) -> Option<String> {
        let (ename, evalue) = (ename.to_owned(), evalue.to_owned());
        let error = CellFeedback { cell: 0, ename, evalue, traceback: String::new(), line: None };
        missed_module(&error).map(str::to_owned)
    }

    /// Texts as the libraries have them: CPython, pandas 0.25 to 2.2, SciPy 1.11, Beautiful Soup 4, plotly 5, Keras 2, xgboost 1.
    #[test]
    fn a_missed_module_is_named_in_many_ways() {
        for (ename, evalue, module) in [
            (
                "ModuleNotFoundError",
                "No module named 'sklearn.externals'; 'sklearn' is not a package",
                "sklearn.externals",
            ),
            ("ImportError", "No module named cPickle", "cPickle"),
            (
                "ImportError",
                "Missing optional dependency 'openpyxl'.  Use pip or conda to install openpyxl.",
                "openpyxl",
            ),
            ("ImportError", "`Import pyarrow` failed.  Use pip or conda to install the pyarrow package.", "pyarrow"),
            ("ImportError", "lxml not found, please install it", "lxml"),
            ("ImportError", "BeautifulSoup4 (bs4) not found, please install it", "bs4"),
            (
                "FeatureNotFound",
                "Couldn't find a tree builder with the features you requested: lxml. Do you need to install a parser library?",
                "lxml",
            ),
            ("ImportError", "Install xlrd >= 1.0.0 for Excel support", "xlrd"),
            ("ImportError", "matplotlib is required for plotting when the default backend is selected.", "matplotlib"),
            ("ImportError", "sklearn needs to be installed in order to use this module", "sklearn"),
            ("ImportError", "`load_model` requires h5py.", "h5py"),
            ("ImportError", "You must install pydot (`pip install pydot`) for `plot_model` to work.", "pydot"),
            (
                "ValueError",
                "\nImage export using the \"kaleido\" engine requires the kaleido package,\nwhich can be installed using pip:\n    $ pip install -U kaleido\n",
                "kaleido",
            ),
            ("ValueError", "Mime type rendering requires nbformat>=4.2.0 but it is not installed", "nbformat"),
        ] {
            assert_eq!(missed(ename, evalue).as_deref(), Some(module), "{evalue}");
        }
        for (ename, evalue) in [
            ("ImportError", "cannot import name 'imread' from 'scipy.misc'"),
            ("ValueError", "this estimator requires y to be passed, but the target y is None"),
            ("KeyError", "No module named 'x'"),
            ("ImportError", "This function requires that numpy be there; Python 3.8 or later is required"),
            ("ImportError", ""),
        ] {
            assert_eq!(missed(ename, evalue), None, "{evalue}");
        }
    }
}
