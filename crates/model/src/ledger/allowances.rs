//! What may be spent elsewhere: it counts as spent, for the study and for the hour, until it is known what was.

use jiff::Timestamp;
use rusqlite::{Connection, params};

use super::caps::{CapKind, Caps, disputed, spent};
use super::rows::COLUMNS;
use super::{Ledger, LedgerError, LedgerRow};
use crate::{Errand, Money, TokenUsage};

/// What the caps leave for further calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CapRoom {
    /// Under the study's.
    pub study: Money,
    /// Under the hour's.
    pub hour: Money,
}

impl CapRoom {
    /// Under both.
    #[must_use]
    pub fn both(self) -> Money {
        self.study.min(self.hour)
    }

    /// What is left when so much of it is taken.
    #[must_use]
    pub fn without(self, money: Money) -> Self {
        CapRoom { study: less(self.study, money), hour: less(self.hour, money) }
    }
}

impl Ledger {
    /// What the caps leave for further calls of a study, whatever the condition; the cap of a notebook is not asked.
    ///
    /// # Errors
    /// [`LedgerError::Disputed`], [`LedgerError::Database`].
    pub fn room(&self, study: &str, caps: &Caps, at: Timestamp) -> Result<CapRoom, LedgerError> {
        let what = "cannot sum the calls";
        match self.read(what, |connection| disputed(connection, caps))? {
            Some(call) => Err(LedgerError::Disputed { call }),
            None => self.read(what, |connection| room(connection, study, caps, at)),
        }
    }

    /// Allows that much be spent elsewhere, or as much of it as the caps leave; how much that is.
    ///
    /// # Errors
    /// [`LedgerError::Database`], also where the name was used before and is not ended.
    pub fn allow(
        &self,
        name: &str,
        study: &str,
        most: Money,
        caps: &Caps,
        at: Timestamp,
    ) -> Result<Money, LedgerError> {
        self.change("cannot allow that money be spent elsewhere", |transaction| {
            let money = most.min(room(transaction, study, caps, at)?.both());
            let insert = "INSERT INTO allowance (name, study, money) VALUES (?1, ?2, ?3)";
            transaction.execute(insert, params![name, study, money.units()])?;
            Ok(Ok(money))
        })
    }

    /// Takes back what was allowed: all that was spent of it is entered. What is not there any more was taken back before.
    ///
    /// # Errors
    /// [`LedgerError::Database`].
    pub fn end_allowance(&self, name: &str) -> Result<(), LedgerError> {
        self.change("cannot take back what was allowed", |transaction| {
            transaction.execute("DELETE FROM allowance WHERE name = ?1", params![name])?;
            Ok(Ok(()))
        })
    }

    /// The names under which something is allowed, sorted.
    ///
    /// # Errors
    /// [`LedgerError::Database`].
    pub fn allowances(&self) -> Result<Vec<String>, LedgerError> {
        self.read("cannot read what is allowed", |connection| {
            let mut statement = connection.prepare("SELECT name FROM allowance ORDER BY name")?;
            statement.query_map([], |row| row.get(0))?.collect()
        })
    }

    /// Enters a call that another ledger had; one that is in this one stays as it is.
    ///
    /// # Errors
    /// [`LedgerError::Database`].
    pub fn enter(&self, row: &LedgerRow) -> Result<(), LedgerError> {
        let tokens = |of: fn(&TokenUsage) -> u64| row.usage.map(|usage| i64::try_from(of(&usage)).unwrap_or(i64::MAX));
        let slots = vec!["?"; COLUMNS.split(',').count()].join(", ");
        self.change("cannot enter a call of another ledger", |transaction| {
            // In the order of the columns.
            transaction.execute(
                &format!("INSERT INTO call ({COLUMNS}) VALUES ({slots}) ON CONFLICT (call) DO NOTHING"),
                params![
                    row.call,
                    row.study,
                    row.notebook,
                    row.fix_type,
                    row.fix_number,
                    row.re_ask,
                    row.provider,
                    row.model,
                    row.prompt,
                    row.occurrence,
                    row.max_output,
                    row.temperature,
                    row.seed,
                    row.effort,
                    row.reserved_at.as_millisecond(),
                    row.settled_at.map(Timestamp::as_millisecond),
                    row.outcome,
                    row.model_reported,
                    row.request_id,
                    row.attempts,
                    row.seconds,
                    tokens(|usage| usage.input),
                    tokens(|usage| usage.cached_input),
                    tokens(|usage| usage.cache_write),
                    tokens(|usage| usage.output),
                    tokens(|usage| usage.reasoning),
                    row.usage_source,
                    row.reserved.units(),
                    row.cost.units(),
                    row.is_paid,
                    row.is_disputed,
                ],
            )?;
            Ok(Ok(()))
        })
    }
}

fn less(money: Money, taken: Money) -> Money {
    Money::from_units(money.units().saturating_sub(taken.units()))
}

fn room(connection: &Connection, study: &str, caps: &Caps, at: Timestamp) -> Result<CapRoom, rusqlite::Error> {
    let (errand, now) = (Errand::new(study, ""), at.as_millisecond());
    let left = |of, limit: Option<Money>| match limit {
        Some(limit) => Ok::<_, rusqlite::Error>(less(limit, spent(connection, of, &errand, now)?)),
        None => Ok(Money::MOST),
    };
    Ok(CapRoom { study: left(CapKind::Study, caps.study)?, hour: left(CapKind::Hour, caps.hour)? })
}
