//! The rule for copies: a notebook's first version is an unchanged copy when the notebook was copied
//! from another and no line was inserted, changed or deleted since.

use super::scan::{BadField, Row};

/// The column with the version before, which for a first version is the one that was copied.
pub(super) const PARENT: &str = "ParentScriptVersionId";
/// The columns with changes since the copy.
pub(super) const LINES: [&str; 3] = ["LinesInsertedFromFork", "LinesChangedFromFork", "LinesDeletedFromFork"];

/// Whether a version is an unchanged copy. The columns are those of [`PARENT`] and [`LINES`]; `is_fork` is whether `Kernels`
/// names a parent. `None` where the dump does not tell the number of the version or of the lines.
pub(super) fn is_unchanged<const N: usize>(
    row: &Row<'_, N>,
    columns: [usize; 4],
    number: Option<u32>,
    is_fork: bool,
) -> Result<Option<bool>, BadField> {
    let has_parent = row.whole(columns[0])?.is_some();
    let mut lines = [None; 3];
    for (line, column) in lines.iter_mut().zip(&columns[1..]) {
        *line = row.whole(*column)?;
    }
    Ok(match number {
        None if is_fork => None,
        Some(1) if is_fork || has_parent => changes(lines),
        _ => Some(false),
    })
}

fn changes(lines: [Option<u64>; 3]) -> Option<bool> {
    match lines {
        [Some(0), Some(0), Some(0)] => Some(true),
        _ if lines.iter().flatten().any(|count| *count > 0) => Some(false),
        _ => None,
    }
}
