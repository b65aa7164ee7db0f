//! Why one cell of a notebook crashed, for a person: the cause, what shows it, and what to do.

use nbrevive_notebook::{Language, Notebook, first_line, language};
use nbrevive_pysource::parse::parse;
use serde::Serialize;

use super::classify::{CrashLabel, CrashLabels, IS_NO_PYTHON};
use super::context::{Absence, MissingDefinition, MissingThing, missing_definition};
use super::evidence::Evidence;
use super::label::RootCause;
use super::lesson::announced;
use super::model::MODELS;
use super::saved::SavedError;

/// An explanation in three sentences.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explanation {
    /// The crashed cell, as index into all cells.
    pub cell: usize,
    /// The exception's name.
    pub ename: String,
    /// Its value, as saved.
    pub evalue: String,
    /// The labels; with the notebook at hand the root cause may be another than the error alone tells.
    pub labels: CrashLabels,
    /// What is missing, and where it is defined.
    pub missing: Option<MissingDefinition>,
    /// Why, in words.
    pub cause: String,
    /// What shows it.
    pub evidence: String,
    /// What to do.
    pub advice: String,
}

/// How sure a definition elsewhere in the notebook is.
const BY_DEFINITION: f32 = 0.9;

/// What to do about a notebook in another language.
const OF_OTHERS: &str = "nothing that nbrevive does: it reads and runs Python";

/// Names that Databricks, `pyspark` and IPython put into a notebook.
const OF_PLATFORMS: [&str; 6] = ["sc", "spark", "sqlContext", "dbutils", "display", "get_ipython"];

/// How sure it is that no cell defines a name.
const BY_ABSENCE: f32 = 0.8;

/// Explains a saved error; `platform` is `kaggle`, `github` or empty. Of a notebook in another language than Python nothing is guessed.
#[must_use]
pub fn explain(notebook: &Notebook, error: &SavedError, platform: &str) -> Explanation {
    let language = language(notebook);
    let is_python = language == Language::Python;
    let lesson = is_python.then(|| announced(notebook, error)).flatten();
    let mut labels = CrashLabels::by(&MODELS, &Evidence::of(error.crash(platform)).with_sign(lesson));
    let missing = is_python.then(|| missing_definition(notebook, error)).flatten();
    if !is_python {
        let reason = format!("the notebook is in {language}");
        labels.root_cause = CrashLabel { label: RootCause::Unknown, confidence: BY_DEFINITION, reason };
    } else if labels.root_cause.label == RootCause::Unknown && is_unreadable_still(notebook, error) {
        let reason = "the cell is no Python as it stands".to_owned();
        labels.root_cause = CrashLabel { label: RootCause::Implementation, confidence: BY_DEFINITION, reason };
    } else if let Some(cause) = missing.as_ref().and_then(|missing| by_context(missing, &labels, error.cell)) {
        labels.root_cause = cause;
    }
    let told = missing.as_ref().and_then(|missing| told(missing, error.cell));
    let evidence = told.unwrap_or_else(|| evidence(error, &labels));
    Explanation {
        cell: error.cell,
        ename: error.ename.clone(),
        evalue: error.evalue.clone(),
        cause: format!("{}: {}", meaning(labels.root_cause.label), labels.root_cause.reason),
        evidence,
        advice: if is_python { advice(error, labels.root_cause.label, missing.as_ref()) } else { OF_OTHERS.to_owned() },
        labels,
        missing,
    }
}

/// Whether the code that Python could not read still stands in the cell: people mend such cells without running them again.
fn is_unreadable_still(notebook: &Notebook, error: &SavedError) -> bool {
    IS_NO_PYTHON.contains(&error.ename.as_str())
        && notebook.cells.get(error.cell).is_some_and(|cell| !parse(&cell.source).errors().is_empty())
}

/// The cause that the notebook's cells prove. An intended error stays one, and a column that no cell makes is data's.
fn by_context(missing: &MissingDefinition, labels: &CrashLabels, crashed: usize) -> Option<CrashLabel<RootCause>> {
    if labels.root_cause.label == RootCause::Intentional {
        return None;
    }
    let labelled = |label, confidence, reason: &str| Some(CrashLabel { label, confidence, reason: reason.to_owned() });
    match (missing.defined.map(|(_, _, absence)| absence), missing.taken, &missing.what) {
        (Some(Absence::Failed), ..) => labelled(
            RootCause::Notebook,
            BY_DEFINITION,
            "the cell that gives it had failed before (previous cell error)",
        ),
        (Some(Absence::RanLater | Absence::NeverRan), ..) => {
            labelled(RootCause::Notebook, BY_DEFINITION, "the cell that gives it had not run before (execution order)")
        }
        (_, Some((cell, _)), _) if cell > crashed => labelled(
            RootCause::Notebook,
            BY_DEFINITION,
            "a cell further down had taken it away before (execution order)",
        ),
        (_, Some(_), MissingThing::Name(_)) => {
            labelled(RootCause::Implementation, BY_DEFINITION, "the code deletes the name before it uses it")
        }
        // A column that was there before may have been taken away by data as well, and a model may have been made anew.
        (_, _, MissingThing::Key(_) | MissingThing::Fit(_)) => None,
        (Some(Absence::RanBefore), _, MissingThing::Name(_)) => labelled(
            RootCause::Notebook,
            BY_DEFINITION,
            "what the cell defined that has it was gone again: the kernel was started anew (execution order)",
        ),
        (Some(Absence::Branch), ..) => {
            labelled(RootCause::Implementation, BY_ABSENCE, "the cell that defines the name does so in one branch only")
        }
        (Some(Absence::Below), ..) => {
            labelled(RootCause::Implementation, BY_DEFINITION, "the cell itself defines the name only further down")
        }
        // Python itself had it.
        (None, _, MissingThing::Name(_)) if labels.root_cause.label == RootCause::Library => None,
        (None, _, MissingThing::Name(name)) if OF_PLATFORMS.contains(&name.as_str()) => labelled(
            RootCause::Environment,
            BY_ABSENCE,
            "no cell defines the name: the platform of the author gave it, and this is another one",
        ),
        (None, _, MissingThing::Name(_)) => {
            labelled(RootCause::Implementation, BY_ABSENCE, "no cell of the notebook defines the name")
        }
    }
}

/// What the notebook's cells show.
fn told(missing: &MissingDefinition, crashed: usize) -> Option<String> {
    let (defines, what) = match &missing.what {
        MissingThing::Name(name) => ("defines", format!("`{name}`")),
        MissingThing::Key(key) => ("defines", format!("the column or key `{key}`")),
        MissingThing::Fit(name) => ("fits", format!("`{name}`")),
    };
    if let (None | Some((_, _, Absence::RanBefore)), Some((cell, line))) = (missing.defined, missing.taken) {
        let when = if cell == crashed { "itself, as it does when it runs twice" } else { "and had run before" };
        return Some(format!("cell {} takes {what} away in line {line}, {when}", cell + 1));
    }
    let (cell, line, absence) = match (missing.defined, &missing.nearly) {
        (Some(defined), _) => defined,
        (None, Some(nearly)) => return Some(format!("no cell defines {what}, and one defines `{nearly}`")),
        (None, None) if matches!(missing.what, MissingThing::Name(_)) => {
            return Some(format!("no cell defines {what}"));
        }
        (None, None) => return None,
    };
    let why = match absence {
        Absence::Failed => "raised an error itself",
        Absence::RanLater => "ran later, by its count",
        Absence::NeverRan => "has no count: it had not run",
        Absence::RanBefore => "has a lower count: it ran in an earlier session, or what it defined is gone",
        Absence::Branch => "had run, but not that line: it stands in a branch, a loop or a `try`",
        Absence::Below => "fails above it",
    };
    Some(format!("cell {} {defines} {what} in line {line}, and {why}", cell + 1))
}

/// The line that failed, the library that refused it, and the versions that ran.
fn evidence(error: &SavedError, labels: &CrashLabels) -> String {
    let line = error.line.as_deref().map_or_else(String::new, |line| format!("`{line}` "));
    let by = labels.library.as_deref().map_or_else(String::new, |library| format!(" ({library})"));
    let ran_in = labels.ran_in.as_deref().map_or_else(String::new, |versions| format!(", in {versions}"));
    let value = first_line(&error.evalue).trim();
    format!("{line}raises {}{}{value}{by}{ran_in}", error.ename, if value.is_empty() { "" } else { ": " })
}

/// What a cause means.
#[must_use]
pub fn meaning(cause: RootCause) -> &'static str {
    match cause {
        RootCause::Data => "the data is not as the code expects it",
        RootCause::Api => "an API is used wrongly",
        RootCause::Notebook => "cells ran in another order, or an earlier one had failed",
        RootCause::Implementation => "the code's own logic is wrong",
        RootCause::Library => "a library changed",
        RootCause::Environment => "a module, a file or a setting is missing",
        RootCause::Intentional => "the error is meant",
        RootCause::Resources => "memory, disk or time ran out",
        RootCause::Unknown => "the cause cannot be told",
    }
}

/// What to do about a cause, with the command that does it; `NOTEBOOK` stands for the file.
fn advice(error: &SavedError, cause: RootCause, missing: Option<&MissingDefinition>) -> String {
    let is_nearly = missing.is_some_and(|missing| missing.nearly.is_some());
    let is_name = missing.is_some_and(|missing| matches!(missing.what, MissingThing::Name(_)));
    let advice = match cause {
        RootCause::Notebook => return of_order(error, missing),
        RootCause::Library => {
            "carry the code over to today's libraries: `nbrevive modernize NOTEBOOK`; or run it in those of its date: `nbrevive plan NOTEBOOK --date DATE --try`"
        }
        RootCause::Environment if misses_file_or_module(error) => {
            "put back what it misses, a module or a file that is made up: `nbrevive restore NOTEBOOK`; files that you have go in with `nbrevive execute NOTEBOOK --data FOLDER`"
        }
        RootCause::Environment if is_name => "run it where the name is given, or define it before the cell",
        RootCause::Environment => "see what it needs: `nbrevive plan NOTEBOOK --date DATE`",
        RootCause::Resources => {
            "give it more: `nbrevive execute NOTEBOOK --memory MIB --time-limit SECONDS`, or less data"
        }
        RootCause::Implementation | RootCause::Data if is_nearly => "write the name as it is defined",
        RootCause::Implementation if is_name => "define the name, or import it, before the cell",
        RootCause::Implementation => "correct the line; nothing outside of the notebook will",
        RootCause::Data => "look at the data that the line gets: its columns, kinds and shape",
        RootCause::Api => "look up what the function takes, and correct the call",
        RootCause::Intentional => "nothing",
        RootCause::Unknown => "run it again to see whether the error stays: `nbrevive execute NOTEBOOK`",
    };
    advice.to_owned()
}

/// What to do where cells ran in another order: as the cell stands that defines what is missing.
fn of_order(error: &SavedError, missing: Option<&MissingDefinition>) -> String {
    match missing.and_then(|missing| missing.defined) {
        Some((cell, _, Absence::Failed)) => {
            format!("mend cell {} first: `nbrevive explain NOTEBOOK --cell {0}`", cell + 1)
        }
        // From the top it would fail again.
        Some((cell, ..)) if cell > error.cell => {
            "see in which orders its cells can run: `nbrevive order NOTEBOOK`".to_owned()
        }
        _ => "run all cells in the order of the file: `nbrevive execute NOTEBOOK`".to_owned(),
    }
}

fn misses_file_or_module(error: &SavedError) -> bool {
    ["FileNotFoundError", "ModuleNotFoundError"].contains(&error.ename.as_str())
        || ["No module named", "No such file"].iter().any(|words| error.evalue.contains(words))
}
