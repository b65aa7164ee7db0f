//! `nbrevive crashes label`: a page on which a person labels crashes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use nbrevive_diagnosis::crash::SheetRow;
use nbrevive_notebook::Notebook;
use nbrevive_report::{LabelCase, label_page};
use nbrevive_shown::shown;

use super::agree::read_labels;
use super::sheet;
use crate::Outcome;
use crate::arguments::CrashesLabelArguments;
use crate::commands::explain::read_notebook;
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
    let column = |row: usize, name: &str| rows[row].others.get(name).map_or("", |text| text.trim());
    let mut notebooks: BTreeMap<&str, Option<Notebook>> = BTreeMap::new();
    for row in 0..rows.len() {
        let name = column(row, "notebook");
        notebooks.entry(name).or_insert_with(|| notebook(&arguments.notebooks, name));
    }
    let places: Vec<String> = (0..rows.len())
        .map(|row| match column(row, "notebook") {
            "" => String::new(),
            name => format!("in cell {} of {name}", column(row, "cell")),
        })
        .collect();
    let cases: Vec<LabelCase<'_>> = (0..rows.len())
        .map(|row| {
            let SheetRow { id, ename, evalue, traceback, .. } = &rows[row];
            let cell = column(row, "cell").parse::<usize>().ok().and_then(|cell| cell.checked_sub(1));
            let notebook = notebooks[column(row, "notebook")].as_ref().map(|notebook| (notebook, cell));
            LabelCase { id, place: &places[row], ename, evalue, traceback, notebook }
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

fn notebook(folder: &Path, name: &str) -> Option<Notebook> {
    if name.is_empty() {
        return None;
    }
    match read_notebook(&folder.join(name)) {
        Ok(notebook) => Some(notebook),
        Err(failure) => {
            printer::note(&failure.message);
            None
        }
    }
}
