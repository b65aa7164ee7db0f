//! The errors that a notebook keeps in its outputs.

use nbrevive_notebook::{CellKind, Notebook, Output};
use serde::Serialize;

use super::evidence::{CrashText, saved_value};
use super::traceback::{Traceback, plain};

/// One saved error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SavedError {
    /// The cell, as index into all cells of the notebook.
    pub cell: usize,
    /// The counter in the cell's prompt; `None` where it was cleared.
    pub execution_count: Option<u64>,
    /// The exception's name, as it stands there.
    pub ename: String,
    /// Its value; where it said nothing (`ignored`, `null`), the one that the traceback ends with.
    pub evalue: String,
    /// The traceback without colours.
    pub traceback: String,
    /// The line of the notebook that failed, where the traceback shows it.
    pub line: Option<String>,
    /// Whether the value says nothing, and the traceback does not tell it either.
    pub says_nothing: bool,
}

impl SavedError {
    /// What the classifier sees; `platform` may be empty.
    #[must_use]
    pub fn crash<'text>(&'text self, platform: &'text str) -> CrashText<'text> {
        let Self { ename, evalue, traceback, .. } = self;
        CrashText { platform, ename, evalue, traceback }
    }
}

/// Every error in the outputs of code cells, in their order.
#[must_use]
pub fn saved_errors(notebook: &Notebook) -> Vec<SavedError> {
    let mut found = Vec::new();
    for (index, cell) in notebook.cells.iter().enumerate() {
        let CellKind::Code { execution_count, outputs } = &cell.kind else { continue };
        for output in outputs {
            if let Output::Error { ename, evalue, traceback } = output {
                found.push(of_output(index, *execution_count, (ename, evalue), &traceback.join("\n")));
            }
        }
    }
    found
}

fn of_output(cell: usize, execution_count: Option<u64>, (ename, evalue): (&str, &str), traceback: &str) -> SavedError {
    let traceback = plain(traceback).into_owned();
    let nothing = is_nothing(evalue);
    let told = if nothing { saved_value(ename, "", &traceback).into_owned() } else { evalue.to_owned() };
    let line = Traceback::read(&traceback).own_line().map(str::to_owned);
    let says_nothing = nothing && (told.is_empty() || is_nothing(&told));
    SavedError { cell, execution_count, ename: ename.to_owned(), evalue: told, line, says_nothing, traceback }
}

/// Values that front ends put in the place of one that they did not keep (section 3.2).
fn is_nothing(value: &str) -> bool {
    ["ignored", "null"].contains(&value.trim())
}

#[cfg(test)]
mod tests {
    use nbrevive_notebook::Cell;

    use super::*;

    fn notebook(value: &str, traceback: &[&str]) -> Notebook {
        let mut cell = Cell::code("1/0");
        let traceback = traceback.iter().map(|part| (*part).to_owned()).collect();
        let error = Output::Error { ename: "ZeroDivisionError".to_owned(), evalue: value.to_owned(), traceback };
        cell.kind = CellKind::Code { execution_count: Some(3), outputs: vec![error] };
        Notebook::from_cells(vec![Cell::markdown("# a"), cell])
    }

    #[test]
    fn a_value_that_says_nothing_is_filled_from_the_traceback() {
        let parts = [
            "\u{1b}[0;31mZeroDivisionError\u{1b}[0m  Traceback",
            "Cell In[3], line 1\n----> 1 1/0",
            "ZeroDivisionError: division by zero",
        ];
        let [error] = &saved_errors(&notebook("ignored", &parts))[..] else { panic!("one error") };
        assert_eq!((error.cell, error.execution_count), (1, Some(3)));
        assert_eq!(
            (error.evalue.as_str(), error.line.as_deref(), error.says_nothing),
            ("division by zero", Some("1/0"), false)
        );
        assert!(saved_errors(&notebook("null", &[]))[0].says_nothing);
        assert!(saved_errors(&notebook("null", &["ZeroDivisionError: null"]))[0].says_nothing);
        assert_eq!(saved_errors(&notebook("x", &[]))[0].evalue, "x");
    }
}
