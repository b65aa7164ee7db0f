//! From the errors of a run that goes on past them to their roots.
//!
//! A cell that fails leaves the work of its rest undone, and cells below fail for that alone. The paper on executability counts the first
//! error of a run; here each error is followed to the one that it came from. What is certain and what is only likely are kept apart.

mod cells;
mod told;
mod written;

use nbrevive_notebook::{CellFeedback, Notebook};
use nbrevive_spelling::string_enum;
use serde::Serialize;

use cells::Cells;

/// Raised whenever the same errors come to have other roots.
pub const ROOTS_VERSION: u32 = 2;

string_enum! {
    /// How an error follows from the failure of a cell above.
    pub enum ErrorLink ("link of an error") {
        /// The name that is missed would have been bound there.
        Name => "name",
        /// The column or key that is missed would have been added there.
        Column => "column",
        /// The file that is missed would have been written there.
        File => "file",
        /// The model would have been fitted there.
        Fit => "fit",
        /// The same thing is missed as there: one module, one file, one name.
        Same => "same",
        /// A name that the failing line reads would have been given another value there, or may have been bound by a star or a script, which may
        /// be why: likely, not certain.
        Value => "value",
    }
}

impl ErrorLink {
    /// Whether the error would not have come, or not so, had the other cell run to its end.
    #[must_use]
    pub const fn is_certain(self) -> bool {
        match self {
            ErrorLink::Name | ErrorLink::Column | ErrorLink::File | ErrorLink::Fit | ErrorLink::Same => true,
            ErrorLink::Value => false,
        }
    }
}

/// Where an error comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ErrorRoot {
    /// The failed cell's place among the code cells, from 0.
    pub cell: usize,
    /// The failed cell that it follows from, always one above, and how; `None` for a root.
    pub follows: Option<(usize, ErrorLink)>,
    /// The end of the chain: the cell itself for a root.
    pub root: usize,
    /// Whether every link of the chain is certain.
    pub is_certain: bool,
}

impl ErrorRoot {
    /// Whether it follows from no other.
    #[must_use]
    pub const fn is_root(&self) -> bool {
        self.follows.is_none()
    }
}

/// The root of each failed cell of a notebook, in the order given, which has to be that of the run from the top.
///
/// A name that a failed cell binds counts as unbound by it, whichever line failed: a name that
/// was bound before the failure raises no `NameError` below. What a library took away follows from no value that is not there.
///
/// ```
/// use nbrevive_diagnosis::roots::error_roots;
/// use nbrevive_notebook::{Cell, CellFeedback, Notebook};
/// let failed = |cell, ename: &str, evalue: &str| CellFeedback {
///     cell,
///     ename: ename.into(),
///     evalue: evalue.into(),
///     traceback: String::new(),
///     line: Some(1),
/// };
/// let notebook = Notebook::from_cells(vec![Cell::code("df = pd.read_csv('a.csv')"), Cell::code("df.head()")]);
/// let failures = [failed(0, "FileNotFoundError", "a.csv"), failed(1, "NameError", "name 'df' is not defined")];
/// let roots = error_roots(&notebook, &failures);
/// assert_eq!((roots[1].root, roots[1].is_certain), (0, true));
/// ```
#[must_use]
pub fn error_roots(notebook: &Notebook, failed: &[CellFeedback]) -> Vec<ErrorRoot> {
    let cells = Cells::of(notebook, failed);
    let mut roots: Vec<ErrorRoot> = Vec::with_capacity(failed.len());
    for (at, one) in failed.iter().enumerate() {
        let cell = cells.place(one);
        let root = match cells.follows(one, &failed[..at]) {
            None => ErrorRoot { cell, follows: None, root: cell, is_certain: true },
            Some((above, link)) => ErrorRoot {
                cell,
                follows: Some((roots[above].cell, link)),
                root: roots[above].root,
                is_certain: link.is_certain() && roots[above].is_certain,
            },
        };
        roots.push(root);
    }
    roots
}

#[cfg(test)]
mod tests;
