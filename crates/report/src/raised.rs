//! What notebooks raised in executions of ours, as crashes: from `errors.parquet`.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use nbrevive_corpus::Condition;
use nbrevive_diagnosis::crash::{CrashText, RootCause, root_cause_of};
use rayon::prelude::*;

use crate::frame::{ColumnRule, Frame, FrameError, Kind, extra, required};

/// An error that a cell raised in the first run of a version as it is, without fixes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstRunError {
    /// Slug of the version.
    pub version: String,
    /// Under which it ran.
    pub condition: Condition,
    /// The cell, as index into all cells.
    pub cell: u32,
    /// Class of the exception.
    pub ename: String,
    /// First line of its message; empty in data without texts.
    pub evalue: String,
    /// The traceback without colours; empty in data without texts.
    pub traceback: String,
}

const COLUMNS: &[ColumnRule] = &[
    required("version", Kind::Text),
    required("condition", Kind::Text),
    required("fix_number", Kind::Count),
    required("repetition", Kind::Count),
    extra("cell", Kind::Count),
    required("class", Kind::Text),
    extra("message", Kind::Text),
    extra("traceback", Kind::Text),
];

/// Reads the errors in the folder of an export, by condition, version and cell; none where it has no such file.
///
/// # Errors
/// When the file cannot be used.
pub fn raised_errors(folder: &Path) -> Result<Vec<FirstRunError>, FrameError> {
    let path = folder.join("errors.parquet");
    let mut rows = Vec::new();
    if !path.is_file() {
        return Ok(rows);
    }
    Frame::each(&path, COLUMNS, |frame| {
        let conditions = frame.words::<Condition>("condition")?;
        let (fixes, repetitions) = (frame.counts("fix_number")?, frame.counts("repetition")?);
        let cells = frame.extra_counts("cell")?;
        let first: Vec<usize> = (0..frame.height()).filter(|&row| fixes[row] == 0 && repetitions[row] == 1).collect();
        let texts = |name: &str| frame.texts_at(name, &first).map(Vec::into_iter);
        let (mut versions, mut classes) = (texts("version")?, texts("class")?);
        let (mut messages, mut tracebacks) = (texts("message")?, texts("traceback")?);
        rows.extend(first.iter().map(|&row| FirstRunError {
            version: versions.next().unwrap_or_default(),
            condition: conditions[row],
            cell: cells[row].unwrap_or(0),
            ename: classes.next().unwrap_or_default(),
            evalue: messages.next().unwrap_or_default(),
            traceback: tracebacks.next().unwrap_or_default(),
        }));
        Ok(())
    })?;
    rows.sort_by(|one, other| {
        (one.condition, &one.version, one.cell).cmp(&(other.condition, &other.version, other.cell))
    });
    Ok(rows)
}

impl FirstRunError {
    /// What the classifier sees.
    #[must_use]
    pub fn crash(&self) -> CrashText<'_> {
        let Self { ename, evalue, traceback, .. } = self;
        CrashText { platform: "", ename, evalue, traceback }
    }
}

/// The root cause of what each version raised first, by condition; none where the data have no texts, as a name alone tells too little.
pub(crate) fn first_causes(folder: &Path) -> Result<Vec<(Condition, RootCause)>, FrameError> {
    let mut errors = raised_errors(folder)?;
    errors.dedup_by(|next, first| (next.condition, &next.version) == (first.condition, &first.version));
    if errors.iter().all(|error| error.evalue.is_empty() && error.traceback.is_empty()) {
        return Ok(Vec::new());
    }
    // Notebooks raise the same under several conditions, and many the same as others.
    let distinct: HashSet<CrashText<'_>> = errors.iter().map(FirstRunError::crash).collect();
    let causes: HashMap<CrashText<'_>, RootCause> =
        distinct.into_par_iter().map(|crash| (crash, root_cause_of(crash).label)).collect();
    Ok(errors.iter().map(|error| (error.condition, causes[&error.crash()])).collect())
}

#[cfg(test)]
mod tests {
    use nbrevive_diagnosis::crash::classify;
    use polars::prelude::{Column, DataType, FrozenCategories};

    use super::*;
    use crate::testing::write;

    #[test]
    fn the_released_run_has_its_errors_and_one_without_texts_has_names_alone() {
        let folder = |path: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
        let errors = raised_errors(&folder("data")).unwrap();
        assert!(errors.len() > 10 && errors.iter().all(|error| !error.ename.is_empty() && !error.traceback.is_empty()));
        let mut first = errors;
        first.dedup_by(|next, first| (next.condition, &next.version) == (first.condition, &first.version));
        let causes: Vec<_> =
            first.iter().map(|error| (error.condition, classify(error.crash()).root_cause.label)).collect();
        assert_eq!(first_causes(&folder("data")).unwrap(), causes);
        let names_alone = raised_errors(&folder("study/containers/data")).unwrap();
        assert!(!names_alone.is_empty() && names_alone.iter().all(|error| error.traceback.is_empty()));
        assert!(first_causes(&folder("study/containers/data")).unwrap().is_empty());
        assert!(raised_errors(&folder("docs")).unwrap().is_empty());
    }

    #[test]
    fn of_many_rows_those_of_first_runs_keep_their_texts() {
        let folder = tempfile::tempdir().unwrap();
        let texts = |name: &str, values: [Option<&str>; 4]| Column::new(name.into(), values);
        let counts = |name: &str, values: [u32; 4]| Column::new(name.into(), values);
        let columns = |message: Column| {
            vec![
                texts("version", ["b", "b", "a", "a"].map(Some)),
                texts("condition", [Some("baseline"); 4]),
                counts("fix_number", [0, 1, 0, 0]),
                counts("repetition", [1, 1, 2, 1]),
                texts("class", ["KeyError", "TypeError", "OSError", "NameError"].map(Some)),
                message,
                texts("traceback", [Some("at b"), Some("later"), Some("again"), None]),
            ]
        };
        let messages = texts("message", [Some("'k'"), None, None, Some("name 'a'")]);
        let coded = DataType::from_frozen_categories(FrozenCategories::new(["name 'a'", "'k'"]).unwrap());
        for message in [messages.cast(&coded).unwrap(), messages] {
            write(&folder.path().join("errors.parquet"), columns(message));
            let read = raised_errors(folder.path()).unwrap();
            let told: Vec<[&str; 4]> = read
                .iter()
                .map(|error| [&error.version, &error.ename, &error.evalue, &error.traceback].map(String::as_str))
                .collect();
            assert_eq!(told, [["a", "NameError", "name 'a'", ""], ["b", "KeyError", "'k'", "at b"]]);
        }
    }
}
