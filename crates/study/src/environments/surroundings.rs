//! What a notebook's own text says of the environment that it was written for.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use nbrevive_environment::Needs;
use nbrevive_environment::plan::unrequired;
use nbrevive_notebook::{Notebook, python_major_hint, python_version_hint};
use nbrevive_pysource::dialect::Major;
use nbrevive_pysource::imports::{How, Import};
use nbrevive_pysource::survey::{Survey, survey};
use nbrevive_pysource::unasked::unasked;

use crate::environments::files_beside::Beside;
use crate::environments::installs::requirements;

/// What the backport condition goes by: the notebook's needs and its date.
#[derive(Debug, Clone)]
pub struct Surroundings {
    /// Imports, dialect and the notebook's own pins.
    pub needs: Needs,
    /// The imports that a trial tries: module, dotted, and the names taken from it.
    pub trial: Vec<(String, Vec<String>)>,
    /// When it was submitted.
    pub submitted: Timestamp,
}

impl Surroundings {
    /// Reads a notebook that stands alone, as those of a study do.
    #[must_use]
    pub fn of(notebook: &Notebook, submitted: Timestamp) -> Self {
        Self::with_files(notebook, &Beside::default(), submitted)
    }

    /// Reads a notebook with the files beside it: local modules, requirements files.
    #[must_use]
    pub fn with_files(notebook: &Notebook, beside: &Beside, submitted: Timestamp) -> Self {
        let survey = survey(&notebook.code_sources());
        Self::of_survey(&survey, notebook, beside, submitted)
    }

    /// As [`Surroundings::with_files`], for one who has the survey of the notebook's code already.
    #[must_use]
    pub fn of_survey(survey: &Survey, notebook: &Notebook, beside: &Beside, submitted: Timestamp) -> Self {
        let major = major(survey, notebook);
        let mut pins = requirements(&survey.install_lines);
        pins.extend(beside.requirements(&survey.install_lines));
        // conda installs the interpreter like a package.
        let (pythons, pins): (Vec<String>, Vec<String>) = pins.into_iter().partition(|pin| is_python(pin));
        // One that cannot be read says nothing, and hides who saved the notebook all the same.
        let installed = pythons.iter().rev().find_map(|pin| pin.split_once("==")).map(|(_, pin)| pin.parse().ok());
        let ran = beside.run_files(&survey.run_files);
        let imports: Vec<Import> =
            survey.imports.iter().chain(ran.iter().flat_map(|one| &one.imports)).cloned().collect();
        let mut local: Vec<String> = survey.written_modules.clone();
        local.extend(beside.modules(&survey.extra_paths));
        let modules: BTreeSet<String> = imports.iter().map(written).collect();
        let needed: BTreeSet<String> = imports.iter().filter(|import| !is_optional(import.how)).map(written).collect();
        let needs = Needs {
            optional: modules.difference(&needed).cloned().collect(),
            imports: modules.into_iter().collect(),
            major,
            minimum_minor: survey.dialect.minimum_minor,
            pins,
            interpreter_hint: installed.unwrap_or_else(|| python_version_hint(notebook)),
            unasked: unrequired(
                &unasked(&notebook.code_sources()),
                imports.iter().map(|import| import.module.as_str()),
                submitted,
            ),
            local,
        };
        Surroundings { needs, trial: trial(&imports), submitted }
    }
}

/// 2 or 3: by the code; where both can run it, or where it does not contradict a file that Python 2 saved, by the file.
fn major(survey: &Survey, notebook: &Notebook) -> u32 {
    let dialect = &survey.dialect;
    let says_three = dialect.why.iter().any(|marker| marker.sign.is_strong() && marker.sign.major() == Major::Three);
    match python_major_hint(notebook) {
        Some(hint) if dialect.why.is_empty() || (hint == 2 && !says_three) => hint,
        _ => dialect.major.number(),
    }
}

/// Whether a requirement names the interpreter.
fn is_python(pin: &str) -> bool {
    let end = pin.find(|letter: char| !(letter.is_ascii_alphanumeric() || "-_.".contains(letter))).unwrap_or(pin.len());
    pin[..end].eq_ignore_ascii_case("python")
}

/// A module as it is imported, relative ones with their dots.
fn written(import: &Import) -> String {
    format!("{}{}", ".".repeat(import.level as usize), import.module)
}

/// Whether the notebook can do without an import of that kind.
const fn is_optional(how: How) -> bool {
    matches!(how, How::TryExcept { .. } | How::FunctionLevel)
}

/// The absolute imports that have to work, with the names taken from each module, in the order of the notebook.
fn trial(imports: &[Import]) -> Vec<(String, Vec<String>)> {
    let mut tried: Vec<(String, Vec<String>)> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for import in imports.iter().filter(|import| import.level == 0 && !is_optional(import.how)) {
        let place = *places.entry(&import.module).or_insert_with(|| {
            tried.push((import.module.clone(), Vec::new()));
            tried.len() - 1
        });
        let names = &mut tried[place].1;
        let new: Vec<String> =
            import.names.iter().filter(|name| *name != "*" && !names.contains(name)).cloned().collect();
        names.extend(new);
    }
    tried
}
