//! Table `loops`: why each modernize loop ended; and all that a loop leaves beside its outcome, as one.

use nbrevive_corpus::{Condition, LoopEnd};
use rusqlite::{Connection, Row, Statement, Transaction, params};

use crate::fixes::{self, FixRow};
use crate::least_patches::{self, LeastPatchRow};
use crate::questions::{self, QuestionRow};
use crate::refusals::{self, RefusalRow};
use crate::schema::{has_table, json, texts, word};
use crate::{Store, StoreError};

/// What a loop leaves beside its outcome. The default is that of a condition without a loop: nothing.
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
}

/// How a loop ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoopEndRow {
    /// Why it stopped.
    pub loop_end: LoopEnd,
    /// Providers that could not answer, with their reasons, in order.
    pub provider_errors: Vec<String>,
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
    fixes::replace(transaction, version, condition, &rows.fixes)?;
    questions::replace(transaction, version, condition, &rows.questions)?;
    refusals::replace(transaction, version, condition, &rows.refusals)?;
    least_patches::replace(transaction, version, condition, rows.least_patch.as_ref())?;
    let slots = params![version, condition.as_str()];
    transaction.execute("DELETE FROM loops WHERE version = ?1 AND condition = ?2", slots)?;
    rows.end.as_ref().map_or(Ok(()), |end| insert_end(transaction, version, condition, end))
}

/// Stores how a loop ended of which nothing was known.
pub(crate) fn insert_end(
    transaction: &Transaction<'_>,
    version: &str,
    condition: Condition,
    end: &LoopEndRow,
) -> Result<(), rusqlite::Error> {
    let insert = "INSERT INTO loops (version, condition, loop_end, provider_errors) VALUES (?1, ?2, ?3, ?4)";
    let mut insert = transaction.prepare_cached(insert)?;
    insert.execute(params![version, condition.as_str(), end.loop_end.as_str(), json(&end.provider_errors)?])?;
    Ok(())
}

/// How every loop ended, by version and condition. A store that is older than the table has none.
///
/// # Errors
/// When the database refuses or holds a value that cannot be read.
pub fn all(store: &Store) -> Result<Vec<OfLoop<LoopEndRow>>, StoreError> {
    store.read(|connection| statement_on(connection)?.query_map([], read_end)?.collect())
}

/// What asks how every loop ended, in the order of [`all`]; [`read_end`] reads each row.
///
/// # Errors
/// When the database refuses.
pub(crate) fn statement(store: &Store) -> Result<Statement<'_>, StoreError> {
    statement_on(&store.connection).map_err(|source| store.error(source))
}

fn statement_on(connection: &Connection) -> Result<Statement<'_>, rusqlite::Error> {
    connection.prepare(if has_table(connection, "loops")? {
        "SELECT version, condition, loop_end, provider_errors FROM loops ORDER BY version, condition"
    } else {
        "SELECT NULL, NULL, NULL, NULL WHERE FALSE"
    })
}

/// Reads a row of [`statement`].
pub(crate) fn read_end(row: &Row<'_>) -> Result<OfLoop<LoopEndRow>, rusqlite::Error> {
    let end = LoopEndRow { loop_end: word(row, 2)?, provider_errors: texts(row, 3)? };
    Ok(OfLoop { version: row.get(0)?, condition: word(row, 1)?, row: end })
}

/// Hands the rows of a table of loops to `take`, one at a time; none where the store is older than the table. `read` finds the
/// `columns` from the third on.
pub(crate) fn each_of<T, E: From<StoreError>>(
    store: &Store,
    table: &str,
    columns: &str,
    order: &str,
    read: impl Fn(&Row<'_>) -> Result<T, rusqlite::Error>,
    take: impl FnMut(OfLoop<T>) -> Result<(), E>,
) -> Result<(), E> {
    if !store.read(|connection| has_table(connection, table))? {
        return Ok(());
    }
    let query = format!("SELECT version, condition, {columns} FROM {table} ORDER BY {order}");
    let of_loop = |row: &Row<'_>| Ok(OfLoop { version: row.get(0)?, condition: word(row, 1)?, row: read(row)? });
    store.each(&query, [], of_loop, take)
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
