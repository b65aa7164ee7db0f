//! What notebooks raised in executions of ours, as crashes: from `errors.parquet`.

use std::path::Path;

use nbrevive_corpus::Condition;
use nbrevive_diagnosis::crash::{CrashText, RootCause, classify};
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
        let (classes, messages, tracebacks) =
            (frame.texts("class")?, frame.extra_texts("message")?, frame.extra_texts("traceback")?);
        let texts = classes.into_iter().zip(messages.into_iter().zip(tracebacks));
        for (row, (version, (ename, (evalue, traceback)))) in frame.texts("version")?.into_iter().zip(texts).enumerate()
        {
            if fixes[row] == 0 && repetitions[row] == 1 {
                let (condition, cell) = (conditions[row], cells[row].unwrap_or(0));
                let (evalue, traceback) = (evalue.unwrap_or_default(), traceback.unwrap_or_default());
                rows.push(FirstRunError { version, condition, cell, ename, evalue, traceback });
            }
        }
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
    Ok(errors.par_iter().map(|error| (error.condition, classify(error.crash()).root_cause.label)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_released_run_has_its_errors_and_one_without_texts_has_names_alone() {
        let folder = |path: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
        let errors = raised_errors(&folder("data")).unwrap();
        assert!(errors.len() > 10 && errors.iter().all(|error| !error.ename.is_empty() && !error.traceback.is_empty()));
        let mut versions: Vec<_> = errors.iter().map(|error| (error.condition, error.version.clone())).collect();
        versions.dedup();
        assert_eq!(first_causes(&folder("data")).unwrap().len(), versions.len());
        let names_alone = raised_errors(&folder("study/containers/data")).unwrap();
        assert!(!names_alone.is_empty() && names_alone.iter().all(|error| error.traceback.is_empty()));
        assert!(first_causes(&folder("study/containers/data")).unwrap().is_empty());
        assert!(raised_errors(&folder("docs")).unwrap().is_empty());
    }
}
