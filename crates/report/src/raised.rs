//! What notebooks raised in executions of ours, as crashes: from `errors.parquet`.

use std::path::Path;

use nbrevive_corpus::Condition;
use nbrevive_diagnosis::crash::{CrashText, RootCause, root_causes};

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
    /// Why, as the classifier says; none in data before 2.6.0 without texts.
    pub root_cause: Option<RootCause>,
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
    extra("root_cause", Kind::Text),
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
        let mut causes = causes_at(frame, &first)?.into_iter();
        rows.extend(first.iter().map(|&row| FirstRunError {
            version: versions.next().unwrap_or_default(),
            condition: conditions[row],
            cell: cells[row].unwrap_or(0),
            ename: classes.next().unwrap_or_default(),
            evalue: messages.next().unwrap_or_default(),
            traceback: tracebacks.next().unwrap_or_default(),
            root_cause: causes.next().flatten(),
        }));
        Ok(())
    })?;
    rows.sort_by(|one, other| {
        (one.condition, &one.version, one.cell).cmp(&(other.condition, &other.version, other.cell))
    });
    Ok(rows)
}

/// What a version raised first under a condition, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FirstCause {
    /// Under which it ran.
    pub(crate) condition: Condition,
    /// Class of the exception.
    pub(crate) ename: String,
    /// Why it was raised.
    pub(crate) cause: RootCause,
}

/// What each version raised first, by condition; none where data before 2.6.0 have no texts, as a name alone tells too little.
pub(crate) fn first_causes(folder: &Path) -> Result<Vec<FirstCause>, FrameError> {
    let mut errors = raised_errors(folder)?;
    errors.dedup_by(|next, first| (next.condition, &next.version) == (first.condition, &first.version));
    let first = errors.into_iter();
    Ok(first
        .filter_map(|FirstRunError { condition, ename, root_cause, .. }| {
            Some(FirstCause { condition, ename, cause: root_cause? })
        })
        .collect())
}

/// Why the errors in these rows of `errors.parquet` were raised: as the data say, or, where they are older, as their texts tell.
pub(crate) fn causes_at(frame: &Frame, rows: &[usize]) -> Result<Vec<Option<RootCause>>, FrameError> {
    if frame.has("root_cause") {
        let causes = frame.optional_words("root_cause")?;
        return Ok(rows.iter().map(|row| causes[*row]).collect());
    }
    if !frame.has("traceback") {
        return Ok(vec![None; rows.len()]);
    }
    let texts = |name: &str| frame.texts_at(name, rows);
    let (classes, messages, tracebacks) = (texts("class")?, texts("message")?, texts("traceback")?);
    let crashes: Vec<CrashText<'_>> = { classes.iter().zip(&messages).zip(&tracebacks) }
        .map(|((ename, evalue), traceback)| CrashText { platform: "", ename, evalue, traceback })
        .collect();
    Ok(root_causes(&crashes).into_iter().map(Some).collect())
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
        assert!(errors.iter().all(|error| error.root_cause.is_some()));
        let names_alone = raised_errors(&folder("study/containers/data")).unwrap();
        assert!(!names_alone.is_empty() && names_alone.iter().all(|error| error.traceback.is_empty()));
        assert!(raised_errors(&folder("docs")).unwrap().is_empty());
    }

    #[test]
    fn causes_are_read_or_told_by_texts_and_never_by_a_name_alone() {
        let folder = tempfile::tempdir().unwrap();
        let texts = |name: &str, value: &str| Column::new(name.into(), [value, value]);
        let (evalue, traceback) = ("No module named 'fbprophet'", "ModuleNotFoundError: No module named 'fbprophet'");
        let base = vec![
            texts("version", "a"),
            texts("condition", "baseline"),
            Column::new("fix_number".into(), [0_u32, 0]),
            Column::new("repetition".into(), [1_u32, 1]),
            Column::new("cell".into(), [1_u32, 2]),
            texts("class", "ModuleNotFoundError"),
        ];
        let with = |more: Vec<Column>| {
            write(&folder.path().join("errors.parquet"), [base.clone(), more].concat());
            first_causes(folder.path()).unwrap().into_iter().map(|first| first.cause).collect::<Vec<_>>()
        };
        assert!(with(vec![]).is_empty());
        let told =
            classify(CrashText { platform: "", ename: "ModuleNotFoundError", evalue, traceback }).root_cause.label;
        assert_eq!(with(vec![texts("message", evalue), texts("traceback", traceback)]), [told]);
        assert_eq!(with(vec![Column::new("root_cause".into(), ["INTENT", "DATA"])]), [RootCause::Intentional]);
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
