//! Table `order_runs`: what came of each run of the cells in an order.

use nbrevive_compare::Agreement;
use nbrevive_corpus::{Condition, Executability};
use rusqlite::{Transaction, params};

use crate::comparisons::ComparisonRow;
use crate::executability::ExecutabilityRow;
use crate::loops::{OfLoop, each_of, insert_rows};
use crate::record::record;
use crate::{Store, StoreError};

record! {
    /// One run of a notebook in one order of its cells.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct OrderRunRow {
        /// Which repetition of the condition, from 1.
        pub repetition: u32,
        /// Which run of this order it is, from 1. The first is compared with what was saved, a later one with the first.
        pub time: u32,
        /// The code cells as they ran, by their places among these from 0; none where they ran as they stand.
        pub cells: Vec<String>,
        /// What stopped it, by its first error.
        pub executability: Executability,
        /// Code cells that hold anything to run.
        pub code_cells: u32,
        /// How many of them ran without an error.
        pub ran: u32,
        /// Cells that can be compared; none where outputs were not kept, or there was no run.
        pub comparable: Option<u32>,
        /// How many of them agree exactly.
        pub exact: u32,
        /// How many agree but for what no run has twice.
        pub normalized: u32,
        /// How many show the same values.
        pub value: u32,
        /// How many show the same values and pictures.
        pub picture: u32,
        /// Code cells that leave or show something else when they run twice in a row; none where the debugger was not asked, or could not tell.
        pub unrepeatable: Option<u32>,
        /// The first cell at which two runs part, or one from what was saved, by its place in the notebook from 0.
        pub suspicious_cell: Option<u32>,
        /// Its line, from 1.
        pub suspicious_line: Option<u32>,
        /// Whether it parts from what was saved, two runs being the same.
        pub is_beside_saved: Option<bool>,
        /// Whether that cell can be repeated.
        pub is_suspicious_repeatable: Option<bool>,
    }
}

impl OrderRunRow {
    /// That of a repetition which ran an order for the `time`th time, by what ran and what it showed.
    #[must_use]
    pub fn of(
        (repetition, time): (u32, u32),
        order: &[usize],
        run: &ExecutabilityRow,
        compared: Option<&[ComparisonRow]>,
    ) -> Self {
        let count = |rows: usize| u32::try_from(rows).unwrap_or(u32::MAX);
        let found = || compared.unwrap_or_default().iter().filter_map(|row| row.agreement);
        let at = |level| count(found().filter(|found| found.holds_at(level)).count());
        OrderRunRow {
            repetition,
            time,
            cells: order.iter().map(usize::to_string).collect(),
            executability: run.executability,
            code_cells: run.code_cells,
            ran: run.ran,
            comparable: compared.map(|_| count(found().count())),
            exact: at(Agreement::Exact),
            normalized: at(Agreement::Normalized),
            value: at(Agreement::Value),
            picture: at(Agreement::Picture),
            unrepeatable: None,
            suspicious_cell: None,
            suspicious_line: None,
            is_beside_saved: None,
            is_suspicious_repeatable: None,
        }
    }
}

/// Stores the row of a repetition in place of the one before.
pub(crate) fn replace(
    transaction: &Transaction<'_>,
    (version, condition): (&str, Condition),
    repetition: u32,
    row: Option<&OrderRunRow>,
) -> Result<(), rusqlite::Error> {
    let delete = "DELETE FROM order_runs WHERE version = ?1 AND condition = ?2 AND repetition = ?3";
    transaction.execute(delete, params![version, condition.as_str(), repetition])?;
    insert_rows(transaction, "order_runs", (version, condition), None, row)
}

/// Hands every row to `take`, by condition, version and repetition. A store that is older than the table has none.
pub(crate) fn each<E: From<StoreError>>(
    store: &Store,
    take: impl FnMut(OfLoop<OrderRunRow>) -> Result<(), E>,
) -> Result<(), E> {
    each_of(store, "order_runs", "condition, version, repetition", take)
}
