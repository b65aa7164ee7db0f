//! Why errors are left, told from the notebook that has them.

use std::collections::BTreeMap;

use nbrevive_corpus::{LeftCause, LeftError};
use nbrevive_diagnosis::crash::{missing_name, saved_errors};
use nbrevive_notebook::Notebook;
use nbrevive_pysource::names::{CellNames, NameAct, names};
use nbrevive_repair::CellFeedback;

/// Words by which code reads files.
const READERS: &[&str] = &["read_", "open(", "load", "imread", "File("];

/// The cause of each error of a run, in their order. `notebook` has the outputs that its author saved.
#[must_use]
pub fn left_causes(notebook: &Notebook, errors: &[CellFeedback]) -> Vec<LeftCause> {
    let sources = notebook.code_sources();
    let reads_files = sources.iter().any(|source| READERS.iter().any(|word| source.contains(word)));
    let saved: BTreeMap<usize, String> =
        saved_errors(notebook).into_iter().map(|error| (error.cell, error.ename)).collect();
    // Names are looked up only where one is missed.
    let misses = |error: &CellFeedback| missing_name(&error.ename, &error.evalue);
    let cells = if errors.iter().any(|error| misses(error).is_some()) { names(&sources).cells } else { Vec::new() };
    let cause = |error: &CellFeedback| {
        let name = misses(error);
        LeftCause::of(&LeftError {
            ename: &error.ename,
            evalue: &error.evalue,
            saved: saved.get(&error.cell).map(String::as_str),
            reads_files,
            is_bound: name.is_some_and(|name| cells.iter().any(|cell| binds(cell, &name))),
        })
    };
    errors.iter().map(cause).collect()
}

/// Whether a cell gives a name a value, or could not be read.
fn binds(cell: &CellNames, name: &str) -> bool {
    let bind =
        |event: &nbrevive_pysource::names::NameEvent| matches!(event.act, NameAct::Bind(_)) && event.name == name;
    cell.acts.events.iter().any(bind)
}
