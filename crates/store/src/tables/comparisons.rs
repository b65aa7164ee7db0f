//! Table `comparisons`: how far what each code cell shows agrees with what it showed before.

use nbrevive_compare::{Agreement, DifferenceKind, Incomparable};
use nbrevive_corpus::Condition;
use rusqlite::{Transaction, params};

use crate::loops::{OfLoop, collect, each_of, insert_rows};
use crate::order_runs::OrderRunRow;
use crate::record::record;
use crate::schema::json;
use crate::{Store, StoreError};

record! {
    /// A code cell of an execution beside itself: as it was saved, or, of a later repetition, as the first one of its order left it.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ComparisonRow {
        /// Which repetition of the condition, from 1. The first of each order is compared with what was saved, a later one with that.
        pub repetition: u32,
        /// Its place in the notebook, from 0.
        pub cell: u32,
        /// The strictest level at which its outputs agree.
        pub agreement: Option<Agreement>,
        /// Why they are not compared.
        pub incomparable: Option<Incomparable>,
        /// Whether it counts in the paper's score (containers, section 3.2).
        pub unchanged_for_nbdime: bool,
        /// How far stderr agrees, warnings among it; none where neither wrote any.
        pub stderr_agreement: Option<Agreement>,
        /// What kept it from the next stricter level.
        pub difference: Option<DifferenceKind>,
        /// Where that stands among its outputs.
        pub place: Option<String>,
        /// What was there.
        pub saved: Option<String>,
        /// What is there now.
        pub new: Option<String>,
        /// What in its code could make runs differ, without what was seeded.
        pub chance_signs: Vec<String>,
        /// The six of the paper on containers (section 4.2), as they are written.
        pub paper_signs: Vec<String>,
    }
}

/// Stores the rows of a repetition in place of those before, and of those of later times that the same order ran, since these are compared
/// with it.
pub(crate) fn replace(
    transaction: &Transaction<'_>,
    (version, condition): (&str, Condition),
    repetition: u32,
    order_run: Option<&OrderRunRow>,
    rows: &[ComparisonRow],
) -> Result<(), rusqlite::Error> {
    // Of programs of before there is no order: all ran as the cells stand.
    let order = order_run.map(|run| json(&run.cells)).transpose()?;
    transaction.execute(
        "DELETE FROM comparisons WHERE version = ?1 AND condition = ?2 AND (repetition = ?3 OR repetition > ?3 AND (?4 IS NULL OR \
         repetition IN (SELECT repetition FROM order_runs WHERE version = ?1 AND condition = ?2 AND cells = ?4)))",
        params![version, condition.as_str(), repetition, order],
    )?;
    insert_rows(transaction, "comparisons", (version, condition), None, rows)
}

/// Hands every row to `take`, by condition, version, repetition and cell. A store that is older than the table has none.
pub(crate) fn each<E: From<StoreError>>(
    store: &Store,
    take: impl FnMut(OfLoop<ComparisonRow>) -> Result<(), E>,
) -> Result<(), E> {
    each_of(store, "comparisons", "condition, version, repetition, cell", take)
}

/// Every row, by condition, version, repetition and cell.
///
/// # Errors
/// When the database refuses or holds a value that cannot be read.
pub fn all(store: &Store) -> Result<Vec<OfLoop<ComparisonRow>>, StoreError> {
    collect(|take| each(store, take))
}
