//! How large versions are, and how many of their cells raised at baseline: from `versions.parquet` and `executions.parquet`.

use std::path::Path;

use foldhash::HashMap;
use nbrevive_corpus::Condition;

use crate::frame::{ColumnRule, Frame, FrameError, Kind, extra, optional, required};

/// What is known of one version's code before anything was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Size {
    /// Code cells.
    pub(crate) cells: Option<u32>,
    /// Cells of text.
    pub(crate) text_cells: Option<u32>,
    /// The largest execution count that a code cell was saved with.
    pub(crate) largest_count: Option<u32>,
    /// Lines of code that are not blank.
    pub(crate) lines: Option<u32>,
    /// Cells that raised at baseline.
    pub(crate) errors: Option<u32>,
}

impl Size {
    /// Cells of text for one of code; none where either is not known, or there is no code.
    pub(crate) fn text_ratio(&self) -> Option<f64> {
        let code = self.cells.filter(|cells| *cells > 0)?;
        Some(f64::from(self.text_cells?) / f64::from(code))
    }
}

/// Sizes by version.
pub(crate) type Sizes = HashMap<String, Size>;

const VERSIONS: &[ColumnRule] = &[
    required("version", Kind::Text),
    optional("code_cells", Kind::Count),
    optional("code_lines", Kind::Count),
    extra("markdown_cells", Kind::Count),
    extra("largest_count", Kind::Count),
];

const EXECUTIONS: &[ColumnRule] = &[
    required("version", Kind::Text),
    required("condition", Kind::Text),
    required("repetition", Kind::Count),
    required("error_cells", Kind::Count),
];

/// Reads what there is; a file that is not there leaves its columns unknown.
pub(crate) fn read(folder: &Path, baseline: Condition) -> Result<Sizes, FrameError> {
    let mut sizes = Sizes::default();
    let (versions, executions) = (folder.join("versions.parquet"), folder.join("executions.parquet"));
    if versions.is_file() {
        Frame::each(&versions, VERSIONS, |frame| {
            let (cells, lines) = (frame.optional_counts("code_cells")?, frame.optional_counts("code_lines")?);
            let (texts, largest) = (frame.extra_counts("markdown_cells")?, frame.extra_counts("largest_count")?);
            for (row, version) in frame.texts("version")?.into_iter().enumerate() {
                let size = Size {
                    cells: cells[row],
                    text_cells: texts[row],
                    largest_count: largest[row],
                    lines: lines[row],
                    errors: None,
                };
                sizes.insert(version, size);
            }
            Ok(())
        })?;
    }
    if executions.is_file() {
        Frame::each(&executions, EXECUTIONS, |frame| {
            let conditions: Vec<Condition> = frame.words("condition")?;
            let (repetitions, errors) = (frame.counts("repetition")?, frame.counts("error_cells")?);
            let versions = frame.coded("version")?;
            let is_wanted = |row: &usize| conditions[*row] == baseline && repetitions[*row] == 1;
            for row in (0..frame.height()).filter(is_wanted) {
                let version = versions.word(row).unwrap_or_default();
                if let Some(size) = sizes.get_mut(version) {
                    size.errors = Some(errors[row]);
                } else {
                    sizes.insert(version.to_owned(), Size { errors: Some(errors[row]), ..Size::default() });
                }
            }
            Ok(())
        })?;
    }
    Ok(sizes)
}
