//! `nbrevive crashes label`: a page on which a person labels crashes.

use std::collections::{BTreeMap, BTreeSet};

use nbrevive_diagnosis::crash::SheetRow;
use nbrevive_notebook::Notebook;
use nbrevive_report::{LabelCase, label_page};
use nbrevive_shown::shown;

use super::agree::read_labels;
use super::labels::{column, crashed_cell, named};
use super::sheet;
use crate::Outcome;
use crate::arguments::CrashesLabelArguments;
use crate::commands::setting::file_failure;
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// Writes the page. A notebook that is not there is told, and its crashes stand without it.
pub(crate) fn label(arguments: &CrashesLabelArguments) -> Outcome {
    let rows = sheet(&arguments.csv)?;
    let mut ids = BTreeSet::new();
    if let Some(twice) = rows.iter().find(|row| !ids.insert(&row.id)) {
        // Labels are told apart by the id alone.
        let message = shown!("{}: two crashes have the id {}", arguments.csv.display(), &twice.id);
        return Err(Failure { exit: Exit::BadInput, message });
    }
    let earlier = arguments.review.as_deref().map(read_labels).transpose()?;
    let mut notebooks: BTreeMap<&str, Option<Notebook>> = BTreeMap::new();
    for row in &rows {
        let name = column(row, "notebook");
        notebooks.entry(name).or_insert_with(|| named(&arguments.notebooks, name));
    }
    let place = |row: &SheetRow| match column(row, "notebook") {
        "" => String::new(),
        name => format!("in cell {} of {name}", column(row, "cell")),
    };
    let places: Vec<String> = rows.iter().map(place).collect();
    let cases: Vec<LabelCase<'_>> = rows
        .iter()
        .zip(&places)
        .map(|(row, place)| {
            let SheetRow { id, ename, evalue, traceback, .. } = row;
            let notebook = notebooks[column(row, "notebook")].as_ref().map(|notebook| (notebook, crashed_cell(row)));
            LabelCase { id, place, ename, evalue, traceback, notebook }
        })
        .collect();
    let page = label_page(&arguments.rater, &cases, earlier.as_ref());
    nbrevive_files::write_beside_inputs(&arguments.out, page.as_bytes(), &[&arguments.csv])
        .map_err(|error| file_failure(&error))?;
    let without = cases.iter().filter(|case| case.notebook.is_none()).count();
    printer::note(&shown!(
        "{} crashes to label, {} of them without their notebook: open {} in a browser",
        cases.len(),
        without,
        arguments.out.display()
    ));
    Ok(Exit::Success)
}
