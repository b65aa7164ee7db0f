//! Caps, and the reservation that is made before a call.

use std::fmt;

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, OptionalExtension, named_params, params};

use super::{Ledger, LedgerError};
use crate::{Errand, ModelPrompt, Money};

/// Milliseconds of an hour.
const HOUR: i64 = 3_600_000;

/// Milliseconds after which a call that is not settled is taken for lost. Calls take ten minutes at most unless told
/// otherwise; those that take longer are counted as before, and nobody waits for them.
const IN_FLIGHT: i64 = 15 * 60_000;

/// How much may be spent. `None`, the default, is no cap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Caps {
    /// For one notebook of a study under one condition.
    pub notebook: Option<Money>,
    /// For a study, all its conditions together.
    pub study: Option<Money>,
    /// For any hour, by all studies of the ledger.
    pub hour: Option<Money>,
    /// Whether calls are made although a provider has reported more tokens than it was allowed to use. Default no.
    pub allow_disputed: bool,
}

/// Which cap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CapKind {
    /// The notebook's.
    Notebook,
    /// The study's.
    Study,
    /// The hour's.
    Hour,
}

impl fmt::Display for CapKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Notebook => "this notebook",
            Self::Study => "this study",
            Self::Hour => "this hour",
        })
    }
}

/// A call that is to be made.
#[derive(Debug, Clone, Copy)]
pub struct CallOrder<'a> {
    /// The call's name: new for each.
    pub call: &'a str,
    /// On whose behalf.
    pub errand: &'a Errand,
    /// What is asked.
    pub prompt: &'a ModelPrompt,
    /// How often the asker asked it before in this run.
    pub occurrence: u32,
    /// The provider's name.
    pub provider: &'a str,
    /// The most that it can cost.
    pub worst: Money,
    /// Whether it counts against the caps.
    pub is_paid: bool,
    /// Now.
    pub at: Timestamp,
}

impl Ledger {
    /// Reserves the worst case of a call, unless that could pass a cap.
    ///
    /// # Errors
    /// [`LedgerError::Cap`], [`LedgerError::Disputed`], [`LedgerError::Database`].
    pub fn reserve(&self, order: &CallOrder<'_>, caps: &Caps) -> Result<(), LedgerError> {
        self.change("cannot reserve a call", |transaction| {
            if order.is_paid
                && let Some(refusal) = refusal(transaction, order, caps)?
            {
                return Ok(Err(refusal));
            }
            insert(transaction, order)?;
            Ok(Ok(()))
        })
    }
}

impl Ledger {
    /// Enters a call that was made and recorded when this ledger was not there; one that is in it stays as it is.
    pub(crate) fn adopt(&self, order: &CallOrder<'_>) -> Result<(), LedgerError> {
        self.change("cannot enter a recorded call", |transaction| {
            let known = "SELECT 1 FROM call WHERE call = ?1";
            if transaction.query_row(known, params![order.call], |_| Ok(())).optional()?.is_none() {
                insert(transaction, order)?;
            }
            Ok(Ok(()))
        })
    }
}

/// Why a call is not allowed, if it is not.
fn refusal(
    connection: &Connection,
    order: &CallOrder<'_>,
    caps: &Caps,
) -> Result<Option<LedgerError>, rusqlite::Error> {
    if let Some(call) = disputed(connection, caps)? {
        return Ok(Some(LedgerError::Disputed { call }));
    }
    let now = order.at.as_millisecond();
    for (of, limit) in [(CapKind::Notebook, caps.notebook), (CapKind::Study, caps.study), (CapKind::Hour, caps.hour)] {
        let Some(limit) = limit else { continue };
        let spent = spent(connection, of, order.errand, now)?;
        if spent + order.worst > limit {
            let free_at = match of {
                CapKind::Hour => free_at(connection, limit, order.worst, now)?,
                CapKind::Notebook | CapKind::Study => {
                    settled_at(connection, of, order.errand, (limit, spent, order.worst), now)?
                }
            };
            return Ok(Some(LedgerError::Cap { of, limit, spent, worst: order.worst, free_at }));
        }
    }
    Ok(None)
}

/// A call whose bill is disputed, where that keeps further ones from being made.
pub(super) fn disputed(connection: &Connection, caps: &Caps) -> Result<Option<String>, rusqlite::Error> {
    if caps.allow_disputed {
        return Ok(None);
    }
    // The index is named, lest SQLite walks all rows for their order.
    let disputed = "SELECT call FROM call INDEXED BY call_disputed WHERE is_disputed AND is_paid LIMIT 1";
    connection.query_row(disputed, [], |row| row.get(0)).optional()
}

/// The rows of a study under whatever condition: its name is `?1`, or that and a slash stand before the condition.
const OF_FAMILY: &str = "(study = ?1 OR substr(study, 1, length(?1) + 1) = ?1 || '/')";

/// All that may be spent elsewhere now: when, nobody knows before it is back.
const ALLOWED: &str = "(SELECT coalesce(sum(money), 0) FROM allowance)";

/// What counts against a cap. A time in the future, from a clock that went wrong, counts for the hour too.
pub(super) fn spent(connection: &Connection, of: CapKind, errand: &Errand, now: i64) -> Result<Money, rusqlite::Error> {
    let sum = |row: &rusqlite::Row<'_>| row.get::<_, i64>(0).map(Money::from_units);
    match of {
        CapKind::Notebook => connection.query_row(
            "SELECT coalesce(sum(cost), 0) FROM call WHERE study = ?1 AND notebook = ?2 AND is_paid",
            params![errand.study, errand.notebook],
            sum,
        ),
        CapKind::Study => connection.query_row(
            &format!("SELECT coalesce(sum(cost), 0) FROM spent WHERE {OF_FAMILY}"),
            params![errand.family()],
            sum,
        ),
        CapKind::Hour => connection.query_row(
            &format!("SELECT coalesce(sum(cost), 0) + {ALLOWED} FROM call WHERE reserved_at > ?1 AND is_paid"),
            params![now.saturating_sub(HOUR)],
            sum,
        ),
    }
}

/// When so much of the last hour is over that the call fits under the cap.
fn free_at(
    connection: &Connection,
    limit: Money,
    worst: Money,
    now: i64,
) -> Result<Option<Timestamp>, rusqlite::Error> {
    let allowed = connection.query_row(&format!("SELECT {ALLOWED}"), [], |row| row.get(0).map(Money::from_units))?;
    let worst = allowed + worst;
    let mut statement = connection.prepare(
        "SELECT reserved_at, sum(cost) OVER (ORDER BY reserved_at DESC, id DESC) FROM call
         WHERE reserved_at > ?1 AND is_paid ORDER BY reserved_at DESC, id DESC",
    )?;
    let mut rows = statement.query(params![now.saturating_sub(HOUR)])?;
    while let Some(row) = rows.next()? {
        let (at, newer): (i64, i64) = (row.get(0)?, row.get(1)?);
        if Money::from_units(newer) + worst > limit {
            // This row, and those before it, have to be an hour old.
            let over = Timestamp::from_millisecond(at).and_then(|at| at.checked_add(SignedDuration::from_hours(1)));
            return Ok(over.ok().filter(|_| worst <= limit));
        }
    }
    Ok(None)
}

/// When the calls that are under way are over, if there is room once they cost nothing: room may come at any time before.
fn settled_at(
    connection: &Connection,
    of: CapKind,
    errand: &Errand,
    (limit, spent, worst): (Money, Money, Money),
    now: i64,
) -> Result<Option<Timestamp>, rusqlite::Error> {
    let notebook = (of == CapKind::Notebook).then_some(&errand.notebook);
    let study = if notebook.is_some() { &errand.study } else { errand.family() };
    let (in_flight, last): (i64, Option<i64>) = connection.query_row(
        &format!(
            "SELECT coalesce(sum(cost), 0), max(reserved_at) FROM call INDEXED BY call_unsettled
             WHERE CASE WHEN ?2 IS NULL THEN {OF_FAMILY} ELSE study = ?1 AND notebook = ?2 END
             AND is_paid AND outcome = 'reserved' AND reserved_at > ?3"
        ),
        params![study, notebook, now.saturating_sub(IN_FLIGHT)],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    let rest = Money::from_units(spent.units().saturating_sub(in_flight));
    let over = last.and_then(|last| Timestamp::from_millisecond(last.saturating_add(IN_FLIGHT)).ok());
    Ok(over.filter(|_| rest + worst <= limit))
}

fn insert(connection: &Connection, order: &CallOrder<'_>) -> Result<(), rusqlite::Error> {
    let CallOrder { errand, prompt, .. } = order;
    connection.execute(
        "INSERT INTO call (call, study, notebook, fix_type, fix_number, re_ask, provider, model, prompt, occurrence,
                           max_output, temperature, seed, effort, reserved_at, outcome, reserved, cost, is_paid)
         VALUES (:call, :study, :notebook, :fix_type, :fix_number, :re_ask, :provider, :model, :prompt, :occurrence,
                 :max_output, :temperature, :seed, :effort, :at, 'reserved', :worst, :worst, :is_paid)",
        named_params! {
            ":call": order.call,
            ":study": errand.study,
            ":notebook": errand.notebook,
            ":fix_type": errand.fix_type,
            ":fix_number": errand.fix_number,
            ":re_ask": errand.re_ask,
            ":provider": order.provider,
            ":model": prompt.model,
            ":prompt": prompt.hash().as_str(),
            ":occurrence": order.occurrence,
            ":max_output": prompt.max_output_tokens,
            ":temperature": prompt.temperature,
            ":seed": prompt.seed,
            ":effort": prompt.effort,
            ":at": order.at.as_millisecond(),
            ":worst": order.worst.units(),
            ":is_paid": order.is_paid,
        },
    )?;
    Ok(())
}
