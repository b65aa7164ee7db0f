//! How much of each notebook ran: rows of `executability.parquet`.

use std::path::Path;

use nbrevive_corpus::{Condition, Executability};

use crate::frame::{ColumnRule, Frame, FrameError, Kind, extra, optional, required};

/// How much of a version ran under a condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ExecutabilityRow {
    /// Slug of the version.
    pub(crate) version: String,
    pub(crate) condition: Condition,
    /// What stopped it.
    pub(crate) executability: Executability,
    /// Code cells that hold anything to run.
    pub(crate) code_cells: u32,
    /// Those before the first that did not end without an error.
    pub(crate) ran_before_error: u32,
    /// Those that ended without an error.
    pub(crate) ran: u32,
    /// Class of the first error.
    pub(crate) first_error: Option<String>,
    /// Its cell among those of every kind, from 0.
    pub(crate) first_error_cell: Option<u32>,
}

const COLUMNS: &[ColumnRule] = &[
    required("version", Kind::Text),
    required("condition", Kind::Text),
    required("executability", Kind::Text),
    required("code_cells", Kind::Count),
    required("ran_before_error", Kind::Count),
    required("ran", Kind::Count),
    optional("first_error", Kind::Text),
    extra("first_error_cell", Kind::Count),
];

/// Reads the file in `folder`, by condition; data of before have none.
pub(crate) fn read(folder: &Path) -> Result<Vec<ExecutabilityRow>, FrameError> {
    let path = folder.join("executability.parquet");
    let mut rows = Vec::new();
    if !path.is_file() {
        return Ok(rows);
    }
    Frame::each(&path, COLUMNS, |frame| {
        let (conditions, words) = (frame.words::<Condition>("condition")?, frame.words("executability")?);
        let (cells, before, ran) =
            (frame.counts("code_cells")?, frame.counts("ran_before_error")?, frame.counts("ran")?);
        let first_errors = frame.optional_texts("first_error")?;
        let places = frame.extra_counts("first_error_cell")?;
        for (row, (version, first_error)) in frame.texts("version")?.into_iter().zip(first_errors).enumerate() {
            if before[row] > ran[row] || ran[row] > cells[row] {
                let (before, ran, cells) = (before[row], ran[row], cells[row]);
                let why =
                    format!("{before} cells ran before an error, {ran} in all, of {cells}: each is at most the next");
                return Err(frame.content_error(why));
            }
            rows.push(ExecutabilityRow {
                version,
                condition: conditions[row],
                executability: words[row],
                code_cells: cells[row],
                ran_before_error: before[row],
                ran: ran[row],
                first_error,
                first_error_cell: places[row],
            });
        }
        Ok(())
    })?;
    rows.sort_by(|one: &ExecutabilityRow, other| (one.condition, &one.version).cmp(&(other.condition, &other.version)));
    Ok(rows)
}
