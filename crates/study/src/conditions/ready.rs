//! What runs under a condition, and in which environment, by its recipe.

use std::sync::Arc;

use nbrevive_notebook::{Cell, CellKind, Notebook};

use crate::Job;
use crate::conditions::Runner;
use crate::laboratory::{LaboratoryError, Prepared};
use nbrevive_corpus::{CellOrder, EnvironmentKind, Surrounding};

/// Code and environment of a job.
pub(crate) struct Ready {
    /// The code that runs: without install lines, its cells in the order of the recipe.
    pub(crate) notebook: Notebook,
    /// What it runs in.
    pub(crate) environment: Arc<Prepared>,
    /// What is to be said of the environment, as the end of a sentence.
    pub(crate) note: String,
}

impl Runner<'_> {
    /// Code and environment of a job.
    ///
    /// # Errors
    /// [`LaboratoryError::Unbuildable`] where there is no environment of its date; else what is ours to mend.
    pub(crate) fn ready(&self, job: &Job) -> Result<Ready, LaboratoryError> {
        let (environment, notebook, note) = match job.recipe.environment {
            Surrounding::Declared | Surrounding::Inferred | Surrounding::InferredOfDate => {
                let (environment, note) = self.environment_or_bare(job)?;
                (environment, self.installs(job)?.notebook, note)
            }
            Surrounding::Date => {
                let of_date = self.environment_of_date(job)?;
                let notebook = self.installs(job)?.notebook;
                self.remember(EnvironmentKind::Plan, &of_date.prepared, &of_date.plan.requirements_text())?;
                let note = format!("; Python {}", of_date.prepared.python);
                (Arc::new(of_date.prepared), notebook, note)
            }
            Surrounding::Lock => {
                let installs = self.installs(job)?;
                let (environment, note) = self.today(job, &installs)?;
                (environment, installs.notebook, note)
            }
        };
        Ok(Ready { notebook: ordered(notebook, job.recipe.cells), environment, note })
    }

    /// Makes the environment of a job, which then lies in the cache; the study's own is there already.
    pub(crate) fn build_ahead(&self, job: &Job) -> Result<(), LaboratoryError> {
        match job.recipe.environment {
            Surrounding::Lock => Ok(()),
            Surrounding::Date => self.environment_of_date(job).map(drop),
            Surrounding::Declared | Surrounding::Inferred | Surrounding::InferredOfDate => {
                self.environment_of_repository(job).map(drop)
            }
        }
    }
}

/// The notebook with its code cells in another order; text stays where it is.
fn ordered(notebook: Notebook, order: CellOrder) -> Notebook {
    match order {
        CellOrder::Document => notebook,
        CellOrder::Counter => by_counter(notebook),
    }
}

/// Code cells by the counter that they were saved with, those without one last; equal ones as they stand.
fn by_counter(mut notebook: Notebook) -> Notebook {
    const fn counter(cell: &Cell) -> Option<u64> {
        match cell.kind {
            CellKind::Code { execution_count, .. } => Some(match execution_count {
                Some(count) => count,
                None => u64::MAX,
            }),
            CellKind::Markdown { .. } | CellKind::Raw { .. } => None,
        }
    }
    let places: Vec<usize> =
        (0..notebook.cells.len()).filter(|place| counter(&notebook.cells[*place]).is_some()).collect();
    let mut code: Vec<Cell> = places.iter().map(|place| notebook.cells[*place].clone()).collect();
    code.sort_by_key(counter);
    for (place, cell) in places.into_iter().zip(code) {
        notebook.cells[place] = cell;
    }
    notebook
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(source: &str, count: Option<u64>) -> Cell {
        let kind = CellKind::Code { execution_count: count, outputs: Vec::new() };
        Cell { kind, ..Cell::code(source) }
    }

    #[test]
    fn cells_run_by_their_counter_and_texts_stay_where_they_are() {
        let text = Cell { kind: CellKind::Markdown { attachments: None }, ..Cell::code("text") };
        let cells =
            vec![cell("c", Some(7)), cell("d", None), text, cell("a", Some(2)), cell("b", Some(7)), cell("e", None)];
        let notebook = Notebook::from_cells(cells);
        let sources =
            |notebook: &Notebook| notebook.cells.iter().map(|cell| cell.source.clone()).collect::<Vec<_>>().join(" ");
        assert_eq!(sources(&ordered(notebook.clone(), CellOrder::Counter)), "a c text b d e");
        assert_eq!(sources(&ordered(notebook, CellOrder::Document)), "c d text a b e");
    }
}
