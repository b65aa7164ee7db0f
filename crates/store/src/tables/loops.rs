//! Table `loops`: why each modernize loop ended; and all that stands beside an outcome, as one.

use nbrevive_compare::CameBack;
use nbrevive_corpus::{Condition, LoopEnd};
use rusqlite::{Row, Statement, Transaction, params};

use crate::columns::{Column, text};
use crate::comparisons::{self, ComparisonRow};
use crate::executability::ExecutabilityRow;
use crate::fixes::FixRow;
use crate::least_patches::LeastPatchRow;
use crate::order_runs::{self, OrderRunRow};
use crate::parquet::ParquetError;
use crate::questions::QuestionRow;
use crate::record::{Keys, Record, insert, record, selected};
use crate::refusals::RefusalRow;
use crate::restorations::{ErrorRootRow, RestorationRow};
use crate::schema::word;
use crate::{Store, StoreError};

/// What stands beside an outcome: what its loop left, and how much of the notebook ran. The default is nothing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LoopRows {
    /// The fixes, in order.
    pub fixes: Vec<FixRow>,
    /// The questions to models, in order.
    pub questions: Vec<QuestionRow>,
    /// The proposals that were not executed, in order.
    pub refusals: Vec<RefusalRow>,
    /// The least patch, where it was looked for.
    pub least_patch: Option<LeastPatchRow>,
    /// Why the loop ended and who could not answer; `None` where there was no loop.
    pub end: Option<LoopEndRow>,
    /// How much ran in the last execution.
    pub executability: Option<ExecutabilityRow>,
    /// How far its outputs agree with those that were saved.
    pub comparisons: Vec<ComparisonRow>,
    /// What came of the order in which its cells ran.
    pub order_run: Option<OrderRunRow>,
    /// What was put back that the notebook missed, turn by turn.
    pub put_back: Vec<RestorationRow>,
    /// The errors of the last execution, with their roots.
    pub error_roots: Vec<ErrorRootRow>,
}

record! {
    /// How a loop ended.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct LoopEndRow {
        /// Why it stopped.
        pub loop_end: LoopEnd,
        /// Providers that could not answer, with their reasons, in order.
        pub provider_errors: Vec<String>,
        /// How much of what the author left the last execution shows; `None` in rows of older programs, and where its outputs
        /// were not kept.
        pub came_back: Option<CameBack>,
    }
}

/// A row with the loop that it belongs to.
#[derive(Debug, Clone, PartialEq)]
pub struct OfLoop<T> {
    /// The version's slug.
    pub version: String,
    /// The condition.
    pub condition: Condition,
    /// The row.
    pub row: T,
}

/// Stores what a loop leaves, in place of all that was known of it.
pub(crate) fn replace(
    transaction: &Transaction<'_>,
    version: &str,
    condition: Condition,
    rows: &LoopRows,
) -> Result<(), rusqlite::Error> {
    let of = (version, condition);
    replace_rows(transaction, "fixes", of, None, &rows.fixes)?;
    replace_rows(transaction, "questions", of, Some("position"), &rows.questions)?;
    replace_rows(transaction, "refusals", of, Some("position"), &rows.refusals)?;
    replace_rows(transaction, "least_patches", of, None, &rows.least_patch)?;
    replace_rows(transaction, "loops", of, None, &rows.end)?;
    replace_rows(transaction, "executability", of, None, &rows.executability)?;
    replace_rows(transaction, "restorations", of, None, &rows.put_back)?;
    replace_rows(transaction, "error_roots", of, None, &rows.error_roots)?;
    order_runs::replace(transaction, of, 1, rows.order_run.as_ref())?;
    comparisons::replace(transaction, of, 1, rows.order_run.as_ref(), &rows.comparisons)
}

/// Stores the rows of a loop in one table, in place of those before; with `position`, a column that counts them.
pub(crate) fn replace_rows<'r, T: Record + 'r>(
    transaction: &Transaction<'_>,
    table: &str,
    (version, condition): (&str, Condition),
    position: Option<&str>,
    rows: impl IntoIterator<Item = &'r T>,
) -> Result<(), rusqlite::Error> {
    let delete = format!("DELETE FROM {table} WHERE version = ?1 AND condition = ?2");
    transaction.execute(&delete, params![version, condition.as_str()])?;
    insert_rows(transaction, table, (version, condition), position, rows)
}

/// Stores the rows of a loop in one table of which nothing was known.
pub(crate) fn insert_rows<'r, T: Record + 'r>(
    transaction: &Transaction<'_>,
    table: &str,
    (version, condition): (&str, Condition),
    position: Option<&str>,
    rows: impl IntoIterator<Item = &'r T>,
) -> Result<(), rusqlite::Error> {
    let keys: Keys<'_> = &[("version", &version), ("condition", &condition.as_str())];
    insert(transaction, ("INSERT", table), keys, position, rows)
}

/// How every loop ended, by version and condition. A store that is older than the table has none.
///
/// # Errors
/// When the database refuses or holds a value that cannot be read.
pub fn all(store: &Store) -> Result<Vec<OfLoop<LoopEndRow>>, StoreError> {
    collect(|take| each_of(store, "loops", ORDER, take))
}

/// The order of [`all`], to which outcomes are read.
pub(crate) const ORDER: &str = "version, condition";

/// What asks for the rows of a table of loops, of which [`read`] reads each; none where the store is older than the table.
///
/// # Errors
/// When the database refuses.
pub(crate) fn statement<'s, T: Record>(
    store: &'s Store,
    table: &str,
    order: &str,
) -> Result<Statement<'s>, StoreError> {
    let query = query::<T>(store, table, order)?.unwrap_or_else(|| "SELECT NULL WHERE FALSE".to_owned());
    store.connection.prepare(&query).map_err(|source| store.error(source))
}

/// Reads a row of [`statement`].
pub(crate) fn read<T: Record>(row: &Row<'_>) -> Result<OfLoop<T>, rusqlite::Error> {
    Ok(OfLoop { version: row.get(0)?, condition: word(row, 1)?, row: T::read(row, 2)? })
}

/// Hands the rows of a table of loops to `take`, one at a time; none where the store is older than the table.
pub(crate) fn each_of<T: Record, E: From<StoreError>>(
    store: &Store,
    table: &str,
    order: &str,
    take: impl FnMut(OfLoop<T>) -> Result<(), E>,
) -> Result<(), E> {
    let Some(query) = query::<T>(store, table, order)? else { return Ok(()) };
    store.each(&query, [], read, take)
}

fn query<T: Record>(store: &Store, table: &str, order: &str) -> Result<Option<String>, StoreError> {
    let columns = store.read(|connection| selected::<T>(connection, table))?;
    Ok(columns.map(|columns| format!("SELECT version, condition, {columns} FROM {table} ORDER BY {order}")))
}

/// The columns of parquet of a table of loops, but for those that are not exported.
pub(crate) fn columns_of_loop<T: Record>(rows: &[OfLoop<T>], but: &[&str]) -> Result<Vec<Column>, ParquetError> {
    let mut columns = vec![
        text("version", rows.iter().map(|row| &row.version)),
        text("condition", rows.iter().map(|row| row.condition.as_str())),
    ];
    columns.extend(T::columns(rows.iter().map(|row| &row.row), but)?);
    Ok(columns)
}

/// All that is handed out, in memory.
pub(crate) fn collect<T>(
    each: impl FnOnce(&mut dyn FnMut(T) -> Result<(), StoreError>) -> Result<(), StoreError>,
) -> Result<Vec<T>, StoreError> {
    let mut rows = Vec::new();
    each(&mut |row| {
        rows.push(row);
        Ok(())
    })?;
    Ok(rows)
}

#[cfg(test)]
pub(crate) mod tests;
