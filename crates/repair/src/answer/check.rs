//! Compares the cells of an answer with those that were asked for.

use std::collections::HashSet;

use nbrevive_notebook::percent::{PercentCell, PercentKind};
use nbrevive_notebook::{Cell, Notebook};
use nbrevive_pysource::parse::parse;

use super::AnswerError;

/// The longest piece of a line that a message shows, in characters.
const LONGEST_QUOTE: usize = 80;

/// Words that stand for code in a comment with dots.
const ELIDED_WITH_DOTS: &[&str] = &[
    "unchanged",
    "rest of",
    "same as",
    "as before",
    "existing code",
    "existing cell",
    "remain",
    "omitted",
    "previous code",
    "other cells",
    "keep the",
    "keep all",
];
/// Comments that stand for code by themselves.
const ELIDED_ALONE: &[&str] =
    &["unchanged", "no change", "no changes", "same as before", "same as above", "rest unchanged", "cell unchanged"];

/// Every cell with content must have come back, code and text each.
pub(super) fn check_cells(cells: &[PercentCell], notebook: &Notebook) -> Result<(), AnswerError> {
    let has_content = |cell: &&Cell| !cell.source.trim().is_empty();
    for (kind, is_code) in [("code", true), ("text", false)] {
        let expected = notebook.cells.iter().filter(has_content).filter(|cell| cell.is_code() == is_code).count();
        let found = cells.iter().filter(|cell| (cell.kind == PercentKind::Code) == is_code).count();
        if found < expected {
            return Err(AnswerError::CellsLost { kind, expected, found });
        }
    }
    Ok(())
}

/// No comment may stand for code that is left out. Lines that the notebook has itself are the author's.
pub(super) fn check_elisions(code: &str, notebook: &Notebook) -> Result<(), AnswerError> {
    let own: HashSet<&str> = notebook.cells.iter().flat_map(|cell| cell.source.lines()).map(str::trim).collect();
    let elided = |(_, line): &(usize, &str)| stands_for_code(line.trim()) && !own.contains(line.trim());
    match code.lines().enumerate().find(elided) {
        Some((index, line)) => Err(AnswerError::Elided {
            line: index + 1,
            text: line.trim().chars().take(LONGEST_QUOTE).filter(|c| *c != '`').collect(),
        }),
        None => Ok(()),
    }
}

fn stands_for_code(line: &str) -> bool {
    if line == "..." {
        return true;
    }
    let Some(comment) = line.strip_prefix('#') else { return false };
    let comment = comment.trim().to_lowercase();
    let has_dots = comment.contains("...") || comment.contains('…');
    let words = comment.trim_matches(|c: char| !c.is_alphanumeric());
    ELIDED_ALONE.contains(&words) || (has_dots && ELIDED_WITH_DOTS.iter().any(|word| comment.contains(word)))
}

/// Every code cell that the answer changed must be Python 3 (or IPython); those of before are as they are.
pub(super) fn check_python(patched: &Notebook, notebook: &Notebook) -> Result<(), AnswerError> {
    let before: HashSet<&str> = notebook.code_cells().map(|(_, cell)| cell.source.as_str()).collect();
    for (number, (_, cell)) in patched.code_cells().enumerate() {
        if before.contains(cell.source.as_str()) {
            continue;
        }
        let parsed = parse(&cell.source);
        if let Some(problem) = parsed.errors().first() {
            return Err(AnswerError::NotPython {
                cell: number + 1,
                line: parsed.line(problem.range.start()),
                message: problem.message.clone(),
            });
        }
    }
    Ok(())
}
