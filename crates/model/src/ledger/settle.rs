//! Settling a call once its cost is known.

use std::collections::BTreeSet;

use jiff::Timestamp;
use rusqlite::{named_params, params};

use super::{Ledger, LedgerError};
use crate::{DialogueRecord, Ending, Money, TokenUsage, UsageSource};

/// How a call ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Settlement {
    /// Now.
    pub at: Timestamp,
    /// `answered`, or the name of the failure.
    pub outcome: String,
    /// What it cost; `None` when that is not known: the worst case stays. More than was reserved is disputed.
    pub cost: Option<Money>,
    /// Whether the cost was cut to the worst case before, because the provider reported more.
    pub is_disputed: bool,
    /// The tokens, as far as they are known.
    pub usage: Option<(TokenUsage, UsageSource)>,
    /// The model, as it names itself.
    pub model_reported: Option<String>,
    /// The provider's name for the request.
    pub request_id: Option<String>,
    /// Requests that were sent.
    pub attempts: u32,
    /// Seconds from the first request to the end.
    pub seconds: f64,
}

impl Settlement {
    /// That of a call that was recorded, now.
    pub(crate) fn of(record: &DialogueRecord) -> Self {
        let (model_reported, request_id) = match &record.ending {
            Ending::Answer { model, request_id, .. } => (model.clone(), request_id.clone()),
            Ending::Failure(_) => (None, None),
        };
        Settlement {
            at: Timestamp::now(),
            outcome: record.outcome().to_owned(),
            cost: (!record.is_worst_case).then_some(record.cost),
            is_disputed: record.is_disputed,
            usage: record.usage.map(|usage| (usage, record.usage_source)),
            model_reported,
            request_id,
            attempts: record.attempts,
            seconds: record.seconds,
        }
    }
}

impl Ledger {
    /// Settles a call that is reserved. Says whether it was: a call is settled once, and what others settled stays.
    ///
    /// # Errors
    /// [`LedgerError::Database`].
    pub fn settle(&self, call: &str, settlement: &Settlement) -> Result<bool, LedgerError> {
        let (usage, source) = match settlement.usage {
            Some((usage, source)) => (Some(usage), Some(source.name())),
            None => (None, None),
        };
        let tokens = |of: fn(&TokenUsage) -> u64| usage.map(|usage| i64::try_from(of(&usage)).unwrap_or(i64::MAX));
        self.change("cannot settle a call", |transaction| {
            // Nothing is reserved for replays, which are not paid.
            let changed = transaction.execute(
                "UPDATE call SET
                     settled_at = :at, outcome = :outcome, model_reported = :model, request_id = :request,
                     attempts = :attempts, seconds = :seconds, input = :input, cached_input = :cached_input,
                     cache_write = :cache_write, output = :output, reasoning = :reasoning, usage_source = :source,
                     is_disputed = :disputed OR (is_paid AND coalesce(:cost > reserved, 0)),
                     cost = CASE WHEN is_paid THEN min(coalesce(:cost, reserved), reserved) ELSE coalesce(:cost, 0) END
                 WHERE call = :call AND outcome = 'reserved'",
                named_params! {
                    ":call": call,
                    ":at": settlement.at.as_millisecond(),
                    ":outcome": settlement.outcome,
                    ":model": settlement.model_reported,
                    ":request": settlement.request_id,
                    ":attempts": settlement.attempts,
                    ":seconds": settlement.seconds,
                    ":input": tokens(|usage| usage.input),
                    ":cached_input": tokens(|usage| usage.cached_input),
                    ":cache_write": tokens(|usage| usage.cache_write),
                    ":output": tokens(|usage| usage.output),
                    ":reasoning": tokens(|usage| usage.reasoning),
                    ":source": source,
                    ":disputed": settlement.is_disputed,
                    ":cost": settlement.cost.map(Money::units),
                },
            )?;
            Ok(Ok(changed > 0))
        })
    }

    /// Takes the names of notebooks out: their calls keep their cost, under a name that only says which belong together.
    ///
    /// # Errors
    /// [`LedgerError::Database`].
    pub(crate) fn forget(&self, notebooks: &BTreeSet<String>) -> Result<(), LedgerError> {
        self.change("cannot take notebooks out", |transaction| {
            let mut find = transaction.prepare("SELECT study, min(id) FROM call WHERE notebook = ?1 GROUP BY study")?;
            let mut rename = transaction.prepare("UPDATE call SET notebook = ?1 WHERE study = ?2 AND notebook = ?3")?;
            for notebook in notebooks {
                let found = find.query_map([notebook], |row| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?)))?;
                for (study, first) in found.collect::<Result<Vec<_>, _>>()? {
                    rename.execute(params![format!("removed-{first}"), study, notebook])?;
                }
            }
            Ok(Ok(()))
        })
    }
}
