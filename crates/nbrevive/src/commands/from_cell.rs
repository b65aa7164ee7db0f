//! `execute --from-cell`: a run that goes on at a cell. What names stand for cannot be kept when a program ends, so that the cells before run
//! again, untold (a replay); that they are the same cells, and show the same, is held against the run before.

use std::path::Path;

use nbrevive_files::{make_folder, write};
use nbrevive_notebook::{Notebook, read};
use nbrevive_shown::{Shown, shown};
use nbrevive_study::compared_cells;

use crate::commands::setting::file_failure;
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// The executed notebook in a folder of states.
const EXECUTED: &str = "executed.ipynb";

/// What is kept of a run before, for one that goes on at a cell.
#[derive(Debug)]
pub(crate) struct KeptState {
    /// The cells before that one, with what they showed.
    before: Notebook,
}

impl KeptState {
    /// Reads what is kept in a folder, for a notebook and an environment, to go on at a cell from 1.
    ///
    /// # Errors
    /// Where nothing is kept, there is no such cell, or the state is one of other cells or of another environment.
    pub(crate) fn open(folder: &Path, from: usize, notebook: &Notebook, environment: &str) -> Result<Self, Failure> {
        let bad = |message: Shown| Failure { exit: Exit::BadInput, message };
        if from == 0 || from > notebook.cells.len() {
            return Err(bad(shown!("there is no cell {}: the notebook has {}", from, notebook.cells.len())));
        }
        let path = folder.join(EXECUTED);
        let bytes = nbrevive_files::read(&path, nbrevive_notebook::LONGEST_FILE).map_err(|error| {
            let Failure { message, .. } = file_failure(&error);
            bad(shown!("no state is kept in {} ({}): run without --from-cell first", folder.display(), message))
        })?;
        let kept = read(&bytes).map_err(|error| bad(shown!("{}: {}", path.display(), Shown::error(&error))))?.notebook;
        let of = kept.metadata.get("nbrevive").and_then(|told| told.get("environment")).and_then(|word| word.as_str());
        if of != Some(environment) {
            let of = of.unwrap_or("none");
            return Err(bad(shown!("the state is one of environment {}, and this run has {}", of, environment)));
        }
        let before = first(notebook, from - 1);
        let is_other = |place: &usize| {
            let there = kept.cells.get(*place).map(|cell| (cell.is_code(), cell.source.as_str()));
            there != before.cells.get(*place).map(|cell| (cell.is_code(), cell.source.as_str()))
        };
        if let Some(place) = (0..before.cells.len()).find(is_other) {
            let number = place + 1;
            return Err(bad(shown!("cell {} is another one than in the state: go on there, or run all", number)));
        }
        Ok(Self { before: first(&kept, from - 1) })
    }

    /// The place of the first cell that is told of, from 0.
    pub(crate) fn from(&self) -> usize {
        self.before.cells.len()
    }

    /// Says what the cells before show otherwise than in the run before, and how long they took again.
    ///
    /// # Errors
    /// Where what ran is another notebook.
    pub(crate) fn tell(&self, now: &Notebook, seconds: f64) -> Result<(), Failure> {
        let (_, differing) = compared_cells(&self.before, &first(now, self.from()))
            .map_err(|error| Failure::new(Exit::Other, &error))?;
        for (cell, how) in &differing {
            printer::note(&shown!("replayed cell {} is not as in the state: {}", cell + 1, how));
        }
        let (cells, same) = (self.from(), differing.is_empty());
        let word = if same { "as in the state" } else { "not all as in the state" };
        printer::note(&shown!("replayed {} cells in {:.2} s, {}", cells, seconds, word));
        Ok(())
    }
}

/// Keeps what a run that goes on at a cell needs of this one.
///
/// # Errors
/// When the folder cannot be written.
pub(crate) fn keep_state(folder: &Path, executed: &Notebook) -> Result<(), Failure> {
    let kept = make_folder(folder).and_then(|()| write(&folder.join(EXECUTED), nbrevive_notebook::write(executed)));
    kept.map_err(|error| Failure::new(Exit::CannotWrite, &error))
}

/// The first cells of a notebook.
fn first(notebook: &Notebook, cells: usize) -> Notebook {
    Notebook { cells: notebook.cells.iter().take(cells).cloned().collect(), ..notebook.clone() }
}

#[cfg(test)]
mod tests {
    use nbrevive_notebook::Cell;
    use serde_json::json;

    use super::*;

    fn notebook(cells: [&str; 3], environment: &str) -> Notebook {
        let mut notebook = Notebook::from_cells(cells.map(Cell::code).into());
        notebook.metadata.insert("nbrevive".to_owned(), json!({ "environment": environment }));
        notebook
    }

    #[test]
    fn a_state_is_one_of_the_same_cells_and_environment() {
        let folder = tempfile::tempdir().unwrap();
        let open = |from, cells, environment: &str| {
            let opened = KeptState::open(folder.path(), from, &notebook(cells, "-"), environment);
            opened.map(|kept| kept.from()).map_err(|failure| failure.message.as_str().to_owned())
        };
        assert!(open(2, ["a", "b", "c"], "e").unwrap_err().contains("run without --from-cell first"));
        keep_state(folder.path(), &notebook(["a", "b", "c"], "e")).unwrap();
        assert_eq!(open(3, ["a", "b", "another c"], "e"), Ok(2));
        assert_eq!(open(1, ["x", "b", "c"], "e"), Ok(0));
        assert_eq!(open(4, ["a", "b", "c"], "e"), Err("there is no cell 4: the notebook has 3".to_owned()));
        assert!(open(3, ["a", "another b", "c"], "e").unwrap_err().starts_with("cell 2 is another one"));
        assert!(open(3, ["a", "b", "c"], "f").unwrap_err().contains("environment e, and this run has f"));
    }
}
