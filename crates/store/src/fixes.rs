//! Table `fixes`.

use nbrevive_corpus::{Condition, FixType, FlowState, Level};
use rusqlite::{Connection, Row, Statement, Transaction, params};

use crate::schema::{has_column, optional_word, word};
use crate::{Store, StoreError};

/// One fix of a modernize loop.
#[derive(Debug, Clone, PartialEq)]
pub struct FixRow {
    /// Its place in the loop, from 1.
    pub number: u32,
    /// What it aimed at.
    pub fix_type: FixType,
    /// Who proposed it.
    pub provider: String,
    /// The rules that it applied, joined by commas.
    pub rules: String,
    /// The plan in words.
    pub plan: String,
    /// The change as a unified diff of percent cells.
    pub patch: String,
    /// Edit similarity to the code before it, 0 to 1.
    pub similarity_to_previous: f64,
    /// Edit similarity to the original code, 0 to 1.
    pub similarity_to_original: f64,
    /// The state in which it left the notebook.
    pub led_to: FlowState,
    /// The finer cause when that run failed.
    pub led_to_failure_cause: Option<String>,
    /// `file` or `cell`: how much of the notebook a model was asked about; `None` for a provider that asks none.
    pub level: Option<Level>,
    /// The version of the templates that the model was asked with: a hash of their text.
    pub template: Option<String>,
    /// Seconds from the question to the proposal.
    pub seconds: f64,
    /// The score of the execution after it, where there is one.
    pub score: Option<f64>,
    /// What was executed: a hash of the code without comments and layout. With [`FixRow::state_failure`] a state of the loop.
    pub state_code: String,
    /// How it failed: a hash over errors, ending and score.
    pub state_failure: String,
}

pub(crate) fn replace(
    transaction: &Transaction<'_>,
    version: &str,
    condition: Condition,
    fixes: &[FixRow],
) -> Result<(), rusqlite::Error> {
    transaction
        .execute("DELETE FROM fixes WHERE version = ?1 AND condition = ?2", params![version, condition.as_str()])?;
    insert(transaction, version, condition, fixes)
}

/// Stores the fixes of a loop that had none.
pub(crate) fn insert(
    transaction: &Transaction<'_>,
    version: &str,
    condition: Condition,
    fixes: &[FixRow],
) -> Result<(), rusqlite::Error> {
    let mut insert = transaction.prepare_cached(
        "INSERT INTO fixes (version, condition, number, fix_type, provider, rules, plan, patch, similarity_to_previous, \
         similarity_to_original, led_to, led_to_failure_cause, level, template, seconds, score, state_code, state_failure) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)",
    )?;
    for fix in fixes {
        insert.execute(params![
            version,
            condition.as_str(),
            fix.number,
            fix.fix_type.as_str(),
            fix.provider,
            fix.rules,
            fix.plan,
            fix.patch,
            fix.similarity_to_previous,
            fix.similarity_to_original,
            fix.led_to.as_str(),
            fix.led_to_failure_cause,
            fix.level.map(Level::as_str),
            fix.template,
            fix.seconds,
            fix.score,
            fix.state_code,
            fix.state_failure,
        ])?;
    }
    Ok(())
}

/// A fix with the version and condition that it belongs to.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredFix {
    /// The version's slug.
    pub version: String,
    /// The condition.
    pub condition: Condition,
    /// Its place in the loop, from 1.
    pub number: u32,
    /// What it aimed at.
    pub fix_type: FixType,
    /// The state in which it left the notebook.
    pub led_to: FlowState,
    /// Who proposed it.
    pub provider: String,
    /// The rules that it applied.
    pub rules: String,
    /// The change as a unified diff.
    pub patch: String,
    /// Edit similarity to the code before it.
    pub similarity_to_previous: f64,
    /// Edit similarity to the original code.
    pub similarity_to_original: f64,
    /// The finer cause when that run failed.
    pub led_to_failure_cause: Option<String>,
    /// See [`FixRow::level`].
    pub level: Option<Level>,
    /// See [`FixRow::template`].
    pub template: Option<String>,
    /// See [`FixRow::seconds`]; unknown for rows of older programs.
    pub seconds: Option<f64>,
    /// See [`FixRow::score`].
    pub score: Option<f64>,
    /// See [`FixRow::state_code`]; unknown for rows of older programs.
    pub state_code: Option<String>,
    /// See [`FixRow::state_failure`]; unknown for rows of older programs.
    pub state_failure: Option<String>,
}

/// Every fix, by version, condition and number.
///
/// # Errors
/// When the database refuses or holds a value that cannot be read.
pub fn all(store: &Store) -> Result<Vec<StoredFix>, StoreError> {
    store.read(|connection| statement_on(connection)?.query_map([], read)?.collect())
}

/// What asks for every fix, in the order of [`all`], of which [`read`] reads each.
///
/// # Errors
/// When the database refuses.
pub(crate) fn statement(store: &Store) -> Result<Statement<'_>, StoreError> {
    statement_on(&store.connection).map_err(|source| store.error(source))
}

fn statement_on(connection: &Connection) -> Result<Statement<'_>, rusqlite::Error> {
    // A store that is opened for reading only is not migrated, and may be older than these columns.
    let newer = if has_column(connection, "fixes", "level")? {
        "level, template, seconds, score, state_code, state_failure"
    } else {
        "NULL, NULL, NULL, NULL, NULL, NULL"
    };
    connection.prepare(&format!(
        "SELECT version, condition, number, fix_type, provider, rules, patch, similarity_to_previous, \
         similarity_to_original, led_to, led_to_failure_cause, {newer} FROM fixes ORDER BY version, condition, number"
    ))
}

/// Reads a row of [`statement`].
pub(crate) fn read(row: &Row<'_>) -> Result<StoredFix, rusqlite::Error> {
    Ok(StoredFix {
        version: row.get(0)?,
        condition: word(row, 1)?,
        number: row.get(2)?,
        fix_type: word(row, 3)?,
        provider: row.get(4)?,
        rules: row.get(5)?,
        patch: row.get(6)?,
        similarity_to_previous: row.get(7)?,
        similarity_to_original: row.get(8)?,
        led_to: word(row, 9)?,
        led_to_failure_cause: row.get(10)?,
        level: optional_word(row, 11)?,
        template: row.get(12)?,
        seconds: row.get(13)?,
        score: row.get(14)?,
        state_code: row.get(15)?,
        state_failure: row.get(16)?,
    })
}
