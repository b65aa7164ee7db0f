//! When the tools are asked, and what happens where they are missing; with the real ones: `crates/nbrevive/tests/it/tools.rs`.

use std::cell::Cell;
use std::collections::BTreeMap;

use nbrevive_notebook::{Cell as NotebookCell, Notebook};

use super::*;

fn notebook(cells: &[&str]) -> Notebook {
    Notebook::from_cells(cells.iter().map(|source| NotebookCell::code(*source)).collect())
}

fn error(cell: usize, ename: &str, evalue: &str) -> CellFeedback {
    CellFeedback { cell, ename: ename.to_owned(), evalue: evalue.to_owned(), traceback: String::new(), line: None }
}

/// What the tools say of a notebook with these errors.
fn told(
    tools: &mut Tools<'_>,
    notebook: &Notebook,
    errors: Vec<CellFeedback>,
) -> Result<Option<Proposal>, ProviderError> {
    let packages = BTreeMap::new();
    let feedback = Feedback::of_errors(notebook, errors, &packages);
    tools.propose(&feedback)
}

#[test]
fn tools_that_are_missing_are_asked_for_once_and_said_once() {
    let asked = Cell::new(0);
    let mut tools = Tools::new(Box::new(|| -> Result<Stack, String> {
        asked.set(asked.get() + 1);
        Err("no index answers".to_owned())
    }));
    let old = notebook(&["print 'a'"]);
    let errors = || vec![error(0, "SyntaxError", "Missing parentheses in call to 'print'")];
    let first = told(&mut tools, &old, errors()).unwrap_err();
    assert_eq!(first.to_string(), "provider `tools` is left out: no index answers");
    assert_eq!(first.end(), None);
    assert!(told(&mut tools, &old, errors()).unwrap().is_none());
    assert_eq!(asked.get(), 1);
}

#[test]
fn without_an_error_of_theirs_the_tools_are_not_asked_for() {
    let mut tools = Tools::new(Box::new(|| -> Result<Stack, String> { unreachable!("nothing is to be done") }));
    let sound = notebook(&["x = 1", "print 'a'"]);
    for errors in [
        Vec::new(),
        vec![error(0, "SyntaxError", "raised by exec in a cell that is sound")],
        vec![error(0, "AttributeError", "module 'pandas' has no attribute 'Panel'")],
        vec![error(0, "ModuleNotFoundError", "No module named 'numpydoc'")],
    ] {
        assert!(told(&mut tools, &sound, errors).unwrap().is_none());
    }
}

#[test]
fn what_the_tools_made_is_taken_where_python_reads_it() {
    let before = notebook(&["%time\nprint 'a'", "print 'b'", "x = 1\n", "y = np.row_stack(a)\n"]);
    let masked = |cell: usize| Masked::of(cell, &before.cells[cell].source).unwrap();
    let (fissix, ruff) = ([masked(0), masked(1)], [masked(2), masked(3)]);
    let done = Done {
        fissix: vec![Some("nbrevive_hidden_0_\nprint('a')".to_owned()), Some("print 'c'".to_owned())],
        ruff: vec![None, Some("y = np.vstack(a)\n".to_owned())],
    };
    let proposal = proposal(&before, (&fissix, &ruff), &done).unwrap();
    let sources: Vec<&str> = proposal.notebook.cells.iter().map(|cell| cell.source.as_str()).collect();
    assert_eq!(sources, ["%time\nprint('a')", "print 'b'", "x = 1\n", "y = np.vstack(a)\n"]);
    let applied: Vec<(&str, usize, u32)> =
        proposal.applied.iter().map(|one| (one.rule.as_str(), one.cell, one.line)).collect();
    assert_eq!(applied, [("fissix", 0, 2), ("ruff-numpy", 3, 1)]);
    assert!(proposal.plan.starts_with("- fissix (1 cell): python 3.0"), "{}", proposal.plan);
}
