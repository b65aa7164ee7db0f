//! What a run tells of a cell that failed.

use serde::{Deserialize, Serialize};

/// The error of one cell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellFeedback {
    /// Index in [`Notebook::cells`](crate::Notebook::cells), counted from 0 over cells of every kind.
    pub cell: usize,
    /// The exception's class, such as `AttributeError`; empty where a limit or the kernel's end stopped the cell.
    pub ename: String,
    /// The exception's message.
    pub evalue: String,
    /// The traceback as the kernel sent it; colour codes may be inside.
    pub traceback: String,
    /// The line of the cell that raised, counted from 1, where known.
    pub line: Option<u32>,
}

/// The first line of what an error says, which stands where there is room for one; empty where it says nothing.
#[must_use]
pub fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}
