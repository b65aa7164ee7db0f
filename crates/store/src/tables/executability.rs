//! Table `executability`: how much of each notebook ran in the last execution of each outcome.

use nbrevive_corpus::{Executability, RunEnd};

use crate::executions::{CellErrorRow, CellRow, CellStatus, ExecutionRow};
use crate::loops::{OfLoop, collect, each_of};
use crate::record::record;
use crate::{Store, StoreError};

record! {
    /// How much of a notebook ran.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ExecutabilityRow {
        /// What stopped it, by its first error.
        pub executability: Executability,
        /// Code cells that hold anything to run.
        pub code_cells: u32,
        /// How many of them ran without an error before the first one that did not: as far as a run comes that stops there.
        pub ran_before_error: u32,
        /// How many of them ran without an error, those after an error too.
        pub ran: u32,
        /// How many raised.
        pub error_cells: u32,
        /// The cell with the first error, its place in the notebook from 0.
        pub first_error_cell: Option<u32>,
        /// Class of that error.
        pub first_error: Option<String>,
    }
}

impl ExecutabilityRow {
    /// The judge: how much ran in an execution.
    #[must_use]
    pub fn of(row: &ExecutionRow) -> Self {
        Self::of_cells(&row.end, &row.cells)
    }

    /// The same of an execution that ended so, by its code cells.
    #[must_use]
    pub fn of_cells(end: &RunEnd, cells: &[CellRow]) -> Self {
        let cells = || cells.iter().filter(|cell| cell.status != CellStatus::Skipped);
        let count = |cells: usize| u32::try_from(cells).unwrap_or(u32::MAX);
        let is_ok = |cell: &&CellRow| cell.status == CellStatus::Ok;
        let raised: Vec<(u32, &CellErrorRow)> =
            cells().filter_map(|cell| Some((cell.cell, cell.error.as_ref()?))).collect();
        let first = raised.first().map(|(_, error)| (error.ename.as_str(), error.evalue.as_str()));
        ExecutabilityRow {
            executability: Executability::of(end, first),
            code_cells: count(cells().count()),
            ran_before_error: count(cells().take_while(is_ok).count()),
            ran: count(cells().filter(is_ok).count()),
            error_cells: count(raised.len()),
            first_error_cell: raised.first().map(|(cell, _)| *cell),
            first_error: raised.first().map(|(_, error)| error.ename.clone()),
        }
    }

    /// That of a notebook with so many code cells of which none ran.
    #[must_use]
    pub fn without_run(executability: Executability, code_cells: u32) -> Self {
        ExecutabilityRow {
            executability,
            code_cells,
            ran_before_error: 0,
            ran: 0,
            error_cells: 0,
            first_error_cell: None,
            first_error: None,
        }
    }
}

/// Every row, by version and condition. A store that is older than the table has none.
///
/// # Errors
/// When the database refuses or holds a value that cannot be read.
pub fn all(store: &Store) -> Result<Vec<OfLoop<ExecutabilityRow>>, StoreError> {
    collect(|take| each_of(store, "executability", "version, condition", take))
}
