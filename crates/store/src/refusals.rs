//! Table `refusals`: proposals that were not executed, because they broke a rule that guards the experiment.
//!
//! Patches that a model took back when it was asked again stand with their questions; here are those that a loop refused.

use nbrevive_corpus::{Breach, Condition, FixType};
use rusqlite::{Row, Transaction, params};

use crate::loops::{OfLoop, collect, each_of};
use crate::schema::word;
use crate::{Store, StoreError};

/// One refused proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusalRow {
    /// The number that the fix would have had, from 1.
    pub number: u32,
    /// What it aimed at.
    pub fix_type: FixType,
    /// Who proposed it.
    pub provider: String,
    /// The first rule that it broke.
    pub breach: Breach,
    /// Every place where it broke a rule, in words, one a line.
    pub findings: String,
    /// Unified diff of percent cells against the version before.
    pub patch: String,
}

pub(crate) fn replace(
    transaction: &Transaction<'_>,
    version: &str,
    condition: Condition,
    rows: &[RefusalRow],
) -> Result<(), rusqlite::Error> {
    let slots = params![version, condition.as_str()];
    transaction.execute("DELETE FROM refusals WHERE version = ?1 AND condition = ?2", slots)?;
    let mut insert = transaction.prepare(
        "INSERT INTO refusals (version, condition, position, number, fix_type, provider, breach, findings, patch) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?;
    for (position, row) in (1_u32..).zip(rows) {
        insert.execute(params![
            version,
            condition.as_str(),
            position,
            row.number,
            row.fix_type.as_str(),
            row.provider,
            row.breach.as_str(),
            row.findings,
            row.patch,
        ])?;
    }
    Ok(())
}

/// Every refusal, by version and condition, in their order. A store that is older than the table has none.
///
/// # Errors
/// When the database refuses or holds a value that cannot be read.
pub fn all(store: &Store) -> Result<Vec<OfLoop<RefusalRow>>, StoreError> {
    collect(|take| each(store, take))
}

/// Hands every refusal to `take`, in the order of [`all`].
///
/// # Errors
/// As [`all`]; also what `take` gives.
pub(crate) fn each<E: From<StoreError>>(
    store: &Store,
    take: impl FnMut(OfLoop<RefusalRow>) -> Result<(), E>,
) -> Result<(), E> {
    let columns = "number, fix_type, provider, breach, findings, patch";
    each_of(store, "refusals", columns, "version, condition, position", read, take)
}

fn read(row: &Row<'_>) -> Result<RefusalRow, rusqlite::Error> {
    Ok(RefusalRow {
        number: row.get(2)?,
        fix_type: word(row, 3)?,
        provider: row.get(4)?,
        breach: word(row, 5)?,
        findings: row.get(6)?,
        patch: row.get(7)?,
    })
}
