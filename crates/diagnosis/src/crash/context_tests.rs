use nbrevive_notebook::{Cell, CellKind, Notebook, Output};

use super::super::explain::{Explanation, explain};
use super::super::label::RootCause;
use super::super::saved::saved_errors;
use super::*;

/// Count, source, name and value of an error.
type TestCell = (Option<u64>, &'static str, Option<(&'static str, &'static str)>);

fn notebook(cells: &[TestCell]) -> Notebook {
    let cell = |(count, source, error): &TestCell| {
        let mut cell = Cell::code(*source);
        let outputs = error.iter().map(|(ename, evalue)| {
            let line = source.lines().last().unwrap_or("");
            let traceback = vec![format!("Cell In[1], line 1\n----> 1 {line}"), format!("{ename}: {evalue}")];
            Output::Error { ename: (*ename).to_owned(), evalue: (*evalue).to_owned(), traceback }
        });
        cell.kind = CellKind::Code { execution_count: *count, outputs: outputs.collect() };
        cell
    };
    Notebook::from_cells(cells.iter().map(cell).collect())
}

fn last(notebook: &Notebook) -> Explanation {
    explain(notebook, saved_errors(notebook).last().unwrap(), "")
}

const X_MISSING: Option<(&str, &str)> = Some(("NameError", "name 'xs' is not defined"));

#[test]
fn a_name_of_a_cell_that_ran_later_failed_or_never_ran_is_the_notebooks() {
    for (cells, expected) in [
        (vec![(Some(5), "xs = 1", None), (Some(3), "print(xs)", X_MISSING)], Absence::RanLater),
        (vec![(Some(3), "print(xs)", X_MISSING), (None, "xs = 1", None)], Absence::NeverRan),
        (vec![(Some(2), "xs = 1", None), (Some(3), "print(xs)", X_MISSING)], Absence::RanBefore),
    ] {
        let notebook = notebook(&cells);
        let found = missing_definition(&notebook, &saved_errors(&notebook)[0]).unwrap();
        assert_eq!(found.defined.unwrap().2, expected);
        assert_eq!(last(&notebook).labels.root_cause.label, RootCause::Notebook);
    }
    let failed = notebook(&[(Some(1), "xs = f()", Some(("TypeError", "a"))), (Some(2), "print(xs)", X_MISSING)]);
    let explanation = last(&failed);
    assert_eq!(explanation.missing.unwrap().defined, Some((0, 1, Absence::Failed)));
    assert!(explanation.evidence.contains("cell 1"), "{}", explanation.evidence);
}

#[test]
fn a_name_that_no_cell_defines_is_an_error_of_the_code() {
    let nowhere = notebook(&[(Some(1), "def f():\n    xs = 1", None), (Some(2), "print(xs)", X_MISSING)]);
    let explanation = last(&nowhere);
    assert_eq!(explanation.labels.root_cause.label, RootCause::Implementation);
    assert_eq!(explanation.missing.unwrap().defined, None);
    let slip = notebook(&[
        (Some(1), "random_search = 1", None),
        (Some(2), "random_serch", Some(("NameError", "name 'random_serch' is not defined"))),
    ]);
    assert_eq!(last(&slip).missing.unwrap().nearly.as_deref(), Some("random_search"));
}

#[test]
fn where_an_import_of_everything_may_define_it_nothing_is_said() {
    let starred = notebook(&[(Some(1), "from lib import *", None), (Some(2), "print(xs)", X_MISSING)]);
    assert_eq!(missing_definition(&starred, &saved_errors(&starred)[0]), None);
}

#[test]
fn columns_count_as_names() {
    let key = Some(("KeyError", "'Age2'"));
    let later = notebook(&[(Some(4), "df['Age2'] = df['Age'] ** 2", None), (Some(3), "df['Age2']", key)]);
    let explanation = last(&later);
    assert_eq!(explanation.labels.root_cause.label, RootCause::Notebook);
    assert_eq!(explanation.missing.unwrap().defined, Some((0, 1, Absence::RanLater)));
    let nowhere = notebook(&[(Some(4), "df = 1", None), (Some(5), "df['Age2']", key)]);
    assert_eq!(last(&nowhere).labels.root_cause.label, RootCause::Data);
}
