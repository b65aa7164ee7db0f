//! What a model answers (paper, section 3.3): a plan, then one fenced block with the notebook in percent cells.
//!
//! The reader is strict: what breaks the form is an [`AnswerError`], never a guess. Parts: `block` finds the plan and the
//! block, `check` compares the cells with those that were asked for, `edits` reads the other form.

mod block;
mod check;
mod edits;

use std::collections::HashSet;

use nbrevive_notebook::percent::{self, PercentCell, PercentError, PercentKind};
use nbrevive_notebook::{CellKind, Notebook};

use check::{check_cells, check_python};
pub use edits::{EditsAnswer, read_edits};

/// The longest answer that is read, in bytes.
const LONGEST: usize = 4 << 20;

nbrevive_corpus::string_enum! {
    /// What is wrong with an answer.
    pub enum AnswerProblem ("answer problem") {
        /// It has no fenced block.
        NoBlock => "no-block",
        /// It has more than one fenced block.
        TwoBlocks => "two-blocks",
        /// Its block does not end.
        Truncated => "truncated",
        /// There is no plan before the block.
        EmptyPlan => "empty-plan",
        /// The block is not in percent cells.
        NotCells => "not-cells",
        /// Cells of the notebook are missing.
        CellsLost => "cells-lost",
        /// Code is left out by a remark such as "rest unchanged".
        Elided => "elided",
        /// One cell was asked for, and there is not one.
        NotOneCell => "not-one-cell",
        /// A changed cell is not Python 3.
        NotPython => "not-python",
        /// It is longer than any notebook.
        TooLarge => "too-large",
        /// It has no edit, and does not decline.
        NoEdits => "no-edits",
        /// A line of its edits is not of their form.
        BadEdit => "bad-edit",
        /// It edits a cell of code that is not there.
        NoSuchCell => "no-such-cell",
        /// A text that it searches for does not stand in its cell.
        SearchLost => "search-lost",
        /// A text that it searches for stands in its cell more than once.
        SearchTwice => "search-twice",
        /// Two of its edits are about the same text.
        OverlappingEdits => "overlapping-edits",
    }
}

/// Why an answer cannot be used, in words that the model is told.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnswerError {
    /// See [`AnswerProblem::NoBlock`].
    #[error("it has no fenced block")]
    NoBlock,
    /// See [`AnswerProblem::TwoBlocks`].
    #[error("it has more than one fenced block (a second one starts in line {line}); the plan may have none")]
    TwoBlocks {
        /// The line of the answer in which the second block starts, from 1.
        line: usize,
    },
    /// See [`AnswerProblem::Truncated`].
    #[error("its fenced block does not end: the answer was cut, or the closing fence is shorter than the opening one")]
    Truncated,
    /// See [`AnswerProblem::EmptyPlan`].
    #[error("it has no plan before the block")]
    EmptyPlan,
    /// See [`AnswerProblem::NotCells`].
    #[error("its block is not in percent cells: {0}")]
    NotCells(PercentError),
    /// See [`AnswerProblem::CellsLost`].
    #[error("it has {found} {kind} cells, and the notebook has {expected}: return every cell, the unchanged ones too")]
    CellsLost {
        /// `code` or `text`.
        kind: &'static str,
        /// Cells with content in the notebook.
        expected: usize,
        /// Cells in the answer.
        found: usize,
    },
    /// See [`AnswerProblem::Elided`].
    #[error("line {line} of its block (`{text}`) stands for code that is left out: write all code")]
    Elided {
        /// The line of the block, from 1.
        line: usize,
        /// The line's text, cut.
        text: String,
    },
    /// See [`AnswerProblem::NotOneCell`].
    #[error("one code cell was asked for, and its block has {found} cells")]
    NotOneCell {
        /// Cells in the block, 0 when its only cell is no code.
        found: usize,
    },
    /// See [`AnswerProblem::NotPython`].
    #[error("code cell {cell} of its block is not valid Python 3: line {line}: {message}")]
    NotPython {
        /// The cell among the code cells of the block, from 1.
        cell: usize,
        /// The line in the cell, from 1.
        line: u32,
        /// What the parser says.
        message: String,
    },
    /// See [`AnswerProblem::TooLarge`].
    #[error("it has {bytes} bytes, and at most {limit} are read")]
    TooLarge {
        /// Its length.
        bytes: usize,
        /// The limit.
        limit: usize,
    },
    /// See [`AnswerProblem::NoEdits`].
    #[error("it edits no cell; where nothing can be done, say `=== decline REASON`")]
    NoEdits,
    /// See [`AnswerProblem::BadEdit`].
    #[error("line {line} is not what it has to be there: {expected}")]
    BadEdit {
        /// The line of the answer, from 1.
        line: usize,
        /// What may stand there.
        expected: &'static str,
    },
    /// See [`AnswerProblem::NoSuchCell`].
    #[error("there is no code cell {cell}")]
    NoSuchCell {
        /// Its number, from 1.
        cell: usize,
    },
    /// See [`AnswerProblem::SearchLost`].
    #[error("a text that it searches for does not stand in cell {cell}: copy it word for word")]
    SearchLost {
        /// The cell, from 1.
        cell: usize,
    },
    /// See [`AnswerProblem::SearchTwice`].
    #[error("a text that it searches for stands in cell {cell} more than once: take more lines around it")]
    SearchTwice {
        /// The cell, from 1.
        cell: usize,
    },
    /// See [`AnswerProblem::OverlappingEdits`].
    #[error("two edits of cell {cell} are about the same text: make one of them")]
    OverlappingEdits {
        /// The cell, from 1.
        cell: usize,
    },
}

impl AnswerError {
    /// The problem as one word.
    #[must_use]
    pub const fn problem(&self) -> AnswerProblem {
        match self {
            Self::NoBlock => AnswerProblem::NoBlock,
            Self::TwoBlocks { .. } => AnswerProblem::TwoBlocks,
            Self::Truncated => AnswerProblem::Truncated,
            Self::EmptyPlan => AnswerProblem::EmptyPlan,
            Self::NotCells(_) => AnswerProblem::NotCells,
            Self::CellsLost { .. } => AnswerProblem::CellsLost,
            Self::Elided { .. } => AnswerProblem::Elided,
            Self::NotOneCell { .. } => AnswerProblem::NotOneCell,
            Self::NotPython { .. } => AnswerProblem::NotPython,
            Self::TooLarge { .. } => AnswerProblem::TooLarge,
            Self::NoEdits => AnswerProblem::NoEdits,
            Self::BadEdit { .. } => AnswerProblem::BadEdit,
            Self::NoSuchCell { .. } => AnswerProblem::NoSuchCell,
            Self::SearchLost { .. } => AnswerProblem::SearchLost,
            Self::SearchTwice { .. } => AnswerProblem::SearchTwice,
            Self::OverlappingEdits { .. } => AnswerProblem::OverlappingEdits,
        }
    }
}

/// An answer that holds to the form.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The plan.
    pub plan: String,
    /// The notebook after the patch; cells that did not change keep their outputs and metadata.
    pub notebook: Notebook,
}

/// Reads an answer to a question about `notebook`; `cell` is the one that was asked for, `None` for all of them.
///
/// # Errors
///
/// [`AnswerError`] with the first thing that is wrong.
pub fn read(answer: &str, notebook: &Notebook, cell: Option<usize>) -> Result<Answer, AnswerError> {
    if answer.len() > LONGEST {
        return Err(AnswerError::TooLarge { bytes: answer.len(), limit: LONGEST });
    }
    let block = block::find(answer)?;
    let code = without_notes(&block.code, notebook);
    let cells = percent::parse(&code).map_err(AnswerError::NotCells)?;
    check::check_elisions(&code, notebook)?;
    let patched = match cell {
        None => {
            check_cells(&cells, notebook)?;
            percent::apply(notebook, cells)
        }
        Some(index) => with_cell(notebook, index, cells)?,
    };
    check_python(&patched, notebook)?;
    Ok(Answer { plan: block.plan, notebook: patched })
}

/// The block without the notes that a prompt puts under cells, should the model have copied them. Lines of this shape that
/// are the notebook's own stay.
fn without_notes(code: &str, notebook: &Notebook) -> String {
    let lines = notebook.cells.iter().flat_map(|cell| cell.source.lines());
    let own: HashSet<&str> = lines.filter(|line| is_note(line)).collect();
    let kept: Vec<&str> = code.lines().filter(|line| !is_note(line) || own.contains(line)).collect();
    let mut text = kept.join("\n");
    text.push('\n');
    text
}

fn is_note(line: &str) -> bool {
    line == "#!" || line.starts_with("#! ")
}

/// The notebook with one cell replaced.
fn with_cell(notebook: &Notebook, index: usize, cells: Vec<PercentCell>) -> Result<Notebook, AnswerError> {
    let found = cells.len();
    let mut cells = cells.into_iter();
    let (Some(only), None) = (cells.next(), cells.next()) else { return Err(AnswerError::NotOneCell { found }) };
    let mut patched = notebook.clone();
    let Some(cell) = patched.cells.get_mut(index).filter(|_| only.kind == PercentKind::Code) else {
        return Err(AnswerError::NotOneCell { found: 0 });
    };
    if cell.source != only.source {
        cell.source = only.source;
        cell.kind = CellKind::Code { execution_count: None, outputs: Vec::new() };
    }
    Ok(patched)
}

#[cfg(test)]
mod tests;
