//! What an error's own words tell of what is not there.

use nbrevive_notebook::CellFeedback;

use crate::crash::{CrashText, RootCause, missing_key, missing_name, root_causes};

/// What one error misses.
pub(super) struct Told<'a> {
    /// The name that is not defined.
    pub(super) name: Option<String>,
    /// The key or column.
    pub(super) key: Option<&'a str>,
    /// The path of the file.
    pub(super) file: Option<&'a str>,
    /// The attribute that an object does not have.
    pub(super) attribute: Option<&'a str>,
    /// The module and the attribute, dotted, where the object is a module.
    pub(super) submodule: Option<String>,
    /// Whether it misses what only a fitted model has.
    pub(super) is_of_fit: bool,
    error: &'a CellFeedback,
}

impl<'a> Told<'a> {
    pub(super) fn by(error: &'a CellFeedback) -> Self {
        let (ename, evalue) = (error.ename.as_str(), error.evalue.as_str());
        let attribute = (ename == "AttributeError").then(|| quoted_pair(evalue)).flatten();
        let is_fitted = |name: &str| name.len() > 1 && name.ends_with('_') && !name.starts_with('_');
        Told {
            attribute: attribute.map(|(_, attribute)| attribute),
            name: missing_name(ename, evalue).filter(|_| ename == "NameError"),
            key: missing_key(ename, evalue),
            file: missed_file(ename, evalue),
            submodule: attribute
                .filter(|_| evalue.starts_with("module "))
                .map(|(module, attribute)| format!("{module}.{attribute}")),
            is_of_fit: ename == "NotFittedError" || attribute.is_some_and(|(_, attribute)| is_fitted(attribute)),
            error,
        }
    }

    /// Whether the same thing is missed as by an error above: one module, one file, one name, one resource; or what is missed lies in the
    /// module that is missed there.
    pub(super) fn misses_as(&self, above: &CellFeedback) -> bool {
        let one = self.error;
        let is_same = (&above.ename, &above.evalue) == (&one.ename, &one.evalue) && !one.evalue.is_empty();
        let is_of_module = |module: &String| above.evalue.contains(&format!("No module named '{module}'"));
        is_same && (is_missing(&one.ename) || one.ename == "LookupError")
            || self.submodule.as_ref().is_some_and(is_of_module)
    }

    /// Whether the values that the failing line reads may be why. What is not there, and what a library took away, is not there whatever the
    /// values are.
    pub(super) fn may_be_of_values(&self) -> bool {
        let CellFeedback { ename, evalue, traceback, .. } = self.error;
        let is_taken_away = || {
            let crash = CrashText { platform: "", ename, evalue, traceback };
            root_causes(&[crash]).contains(&RootCause::Library)
        };
        !is_missing(ename) && !evalue.contains("got an unexpected keyword argument") && !is_taken_away()
    }
}

/// Errors that say what is not there.
fn is_missing(ename: &str) -> bool {
    matches!(ename, "NameError" | "ModuleNotFoundError" | "FileNotFoundError" | "ImportError")
}

/// The two words in quotes of `'Pipeline' object has no attribute 'coef_'`.
fn quoted_pair(evalue: &str) -> Option<(&str, &str)> {
    let mut parts = evalue.split('\'');
    let (first, second) = (parts.nth(1)?, parts.nth(1)?);
    (evalue.contains(" has no attribute ")).then_some((first, second))
}

/// The path that is not there.
fn missed_file<'text>(ename: &str, evalue: &'text str) -> Option<&'text str> {
    let told = matches!(ename, "FileNotFoundError" | "IOError" | "OSError").then_some(evalue)?;
    match told.split_once('\'') {
        Some((_, rest)) => rest.split('\'').next(),
        None => told.split_whitespace().find(|word| word.contains('.')),
    }
}
