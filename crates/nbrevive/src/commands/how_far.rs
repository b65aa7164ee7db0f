//! How far a notebook came, as people read it: how many of its cells ran, and where each error comes from.

use nbrevive_diagnosis::roots::{ErrorRoot, error_roots};
use nbrevive_notebook::{Notebook, first_line};
use nbrevive_shown::{Shown, shown};
use nbrevive_store::executability::ExecutabilityRow;
use nbrevive_study::HowFar;
use serde::Serialize;

/// How much of a notebook ran (degree of executability: paper on executability, section III).
#[derive(Debug, Serialize)]
pub(crate) struct Degree {
    /// What stopped it, by its first error.
    category: &'static str,
    /// Code cells that hold anything to run.
    code_cells: u32,
    /// How many ran before the first error.
    prefix: u32,
    /// How many ran, those after an error too.
    tolerant: u32,
    /// Cells of every kind: the paper once divides by these.
    cells: usize,
}

impl Degree {
    pub(crate) fn of(row: &ExecutabilityRow, notebook: &Notebook) -> Self {
        Degree {
            category: row.executability.as_str(),
            code_cells: row.code_cells,
            prefix: row.ran_before_error,
            tolerant: row.ran,
            cells: notebook.cells.len(),
        }
    }
}

/// One error with where it comes from, cells counted among the code cells from 0.
#[derive(Debug, Serialize)]
pub(crate) struct TracedError {
    ename: String,
    evalue: String,
    line: Option<u32>,
    #[serde(flatten)]
    root: ErrorRoot,
}

/// The errors of a run with their roots.
pub(crate) fn traced(notebook: &Notebook, far: &HowFar) -> Vec<TracedError> {
    let roots = error_roots(notebook, &far.errors);
    let both = far.errors.iter().zip(roots);
    both.map(|(error, root)| TracedError {
        ename: error.ename.clone(),
        evalue: error.evalue.clone(),
        line: error.line,
        root,
    })
    .collect()
}

/// `4 of 10 code cells run, 2 of them before the first error (module-not-found)`.
pub(crate) fn degree_line(row: &ExecutabilityRow) -> Shown {
    let why = row.executability.as_str();
    if row.ran == row.code_cells {
        return shown!("all {} code cells run", row.code_cells);
    }
    shown!(
        "{} of {} code cells run, {} before the first that does not ({})",
        row.ran,
        row.code_cells,
        row.ran_before_error,
        why
    )
}

/// A line for each error; what follows from another one stands below it, further in.
pub(crate) fn error_tree(errors: &[TracedError]) -> Shown {
    let mut text = Shown::default();
    for error in errors.iter().filter(|error| error.root.is_root()) {
        branch(&mut text, errors, error, 1);
    }
    text
}

fn branch(text: &mut Shown, errors: &[TracedError], error: &TracedError, depth: usize) {
    let link = match error.root.follows {
        Some((_, link)) if link.is_certain() => shown!(" (follows: {})", link.as_str()),
        Some((_, link)) => shown!(" (follows, it may be: {})", link.as_str()),
        None => Shown::default(),
    };
    let line = error.line.map(|line| shown!(", line {}", line)).unwrap_or_default();
    let message = first_line(&error.evalue);
    // Chains as long as a notebook exist: the eye needs no more than so many steps.
    let indent = "    ".repeat(depth.min(8));
    text.push_line(&shown!(
        "{}code cell {}{}: {}: {}{}",
        indent,
        error.root.cell + 1,
        line,
        error.ename,
        message,
        link
    ));
    for below in errors.iter().filter(|below| below.root.follows.is_some_and(|(above, _)| above == error.root.cell)) {
        branch(text, errors, below, depth + 1);
    }
}
