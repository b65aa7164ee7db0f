//! The labels of a sheet's rows: by the error alone, or with the notebook that the row names.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use nbrevive_diagnosis::crash::{CrashLabels, SavedError, SheetRow, classify, explain, saved_errors};
use nbrevive_notebook::Notebook;
use rayon::prelude::*;

use crate::commands::explain::read_notebook;
use crate::printer;

/// The labels of each row, in order. With a folder of notebooks what the cells around a crash show counts as well.
pub(super) fn labels_of(rows: &[SheetRow], notebooks: Option<&Path>) -> Vec<CrashLabels> {
    let Some(folder) = notebooks else { return rows.par_iter().map(|row| classify(row.crash())).collect() };
    // One notebook after the other, for all of them may not fit into memory.
    let mut by_notebook: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (place, row) in rows.iter().enumerate() {
        by_notebook.entry(column(row, "notebook")).or_default().push(place);
    }
    let of_notebook = |(name, places): (&str, Vec<usize>)| {
        let notebook = named(folder, name);
        let errors = notebook.as_ref().map(saved_errors).unwrap_or_default();
        let labels = |place: usize| (place, in_notebook(&rows[place], notebook.as_ref(), &errors));
        places.into_iter().map(labels).collect::<Vec<_>>()
    };
    let mut labels: Vec<(usize, CrashLabels)> = by_notebook.into_par_iter().flat_map_iter(of_notebook).collect();
    labels.sort_by_key(|(place, _)| *place);
    labels.into_iter().map(|(_, labels)| labels).collect()
}

/// The labels of a row by the error that its cell saved; by the row alone where the notebook has no such error.
fn in_notebook(row: &SheetRow, notebook: Option<&Notebook>, errors: &[SavedError]) -> CrashLabels {
    let cell = crashed_cell(row);
    let error = errors.iter().find(|error| Some(error.cell) == cell && error.ename == row.ename);
    match (notebook, error) {
        (Some(notebook), Some(error)) => explain(notebook, error, &row.platform).labels,
        _ => classify(row.crash()),
    }
}

/// A column of a row, empty where the sheet has none.
pub(super) fn column<'row>(row: &'row SheetRow, name: &str) -> &'row str {
    row.others.get(name).map_or("", |text| text.trim())
}

/// The cell that a row names, as index into all cells.
pub(super) fn crashed_cell(row: &SheetRow) -> Option<usize> {
    column(row, "cell").parse::<usize>().ok().and_then(|cell| cell.checked_sub(1))
}

/// The notebook of a name: below the folder, or else where the name leads from here, as `find` writes it. One that is not there is told.
pub(super) fn named(folder: &Path, name: &str) -> Option<Notebook> {
    if name.is_empty() {
        return None;
    }
    let (below, here) = (folder.join(name), PathBuf::from(name));
    let path = if !below.exists() && here.exists() { here } else { below };
    read_notebook(&path).map_err(|failure| printer::note(&failure.message)).ok()
}
