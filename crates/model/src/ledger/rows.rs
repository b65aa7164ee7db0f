//! Reading the ledger: its rows, and the means of Table 5.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use rusqlite::params;
use serde::Serialize;

use super::{Ledger, LedgerError};
use crate::{Money, Usage};

/// One call.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The call's name.
    pub call: String,
    /// The study and condition.
    pub study: String,
    /// The notebook's version.
    pub notebook: String,
    /// The fix type; empty for calls that are for no fix.
    pub fix_type: String,
    /// The number of the fix.
    pub fix_number: u32,
    /// The number of the re-ask, 0 for the question itself.
    pub re_ask: u32,
    /// The provider.
    pub provider: String,
    /// The model that was asked.
    pub model: String,
    /// Hash of the prompt.
    pub prompt: String,
    /// How often the asker asked it before in its run.
    pub occurrence: u32,
    /// Most tokens of the answer.
    pub max_output: u32,
    /// The prompt's temperature, if it has one.
    pub temperature: Option<f64>,
    /// The prompt's seed, if it has one.
    pub seed: Option<i64>,
    /// The prompt's effort of reasoning, if it has one.
    pub effort: Option<String>,
    /// When it was reserved.
    pub reserved_at: Timestamp,
    /// When it was settled; `None` for a call that is under way, or whose program was killed.
    pub settled_at: Option<Timestamp>,
    /// `reserved`, `answered`, or the name of a failure.
    pub outcome: String,
    /// The model, as it names itself.
    pub model_reported: Option<String>,
    /// The provider's name for the request.
    pub request_id: Option<String>,
    /// Requests that were sent for it.
    pub attempts: Option<u32>,
    /// Seconds from the first request to the end.
    pub seconds: Option<f64>,
    /// The tokens, as far as they are known.
    pub usage: Option<Usage>,
    /// `reported` or `counted`.
    pub usage_source: Option<String>,
    /// The worst case.
    pub reserved: Money,
    /// What counts.
    pub cost: Money,
    /// Whether it counts against the caps.
    pub is_paid: bool,
    /// Whether the provider reported more than it was allowed to use.
    pub is_disputed: bool,
}

/// Means over notebooks or fixes.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Averages {
    /// Notebooks or fixes.
    pub count: usize,
    /// USD.
    pub cost: f64,
    /// Input tokens that were not in the cache.
    pub input: f64,
    /// Input tokens from the cache.
    pub cached_input: f64,
    /// Output tokens.
    pub output: f64,
}

/// The paper's Table 5: mean cost and tokens per notebook and per fix.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Costs {
    /// Per notebook that any call was made for.
    pub per_notebook: Averages,
    /// Per fix (re-asks belong to their fix), by fix type.
    pub per_fix: BTreeMap<String, Averages>,
}

impl Ledger {
    /// The rows of a study, or of all studies, in the order in which they were reserved.
    ///
    /// # Errors
    /// [`LedgerError::Database`].
    pub fn rows(&self, study: Option<&str>) -> Result<Vec<Row>, LedgerError> {
        self.read("cannot read the calls", |connection| {
            let mut statement = connection.prepare("SELECT * FROM call WHERE ?1 IS NULL OR study = ?1 ORDER BY id")?;
            let rows = statement.query_map(params![study], row)?;
            rows.collect()
        })
    }

    /// What a study has spent and reserved.
    ///
    /// # Errors
    /// [`LedgerError::Database`].
    pub fn spent(&self, study: &str) -> Result<Money, LedgerError> {
        self.read("cannot sum the calls", |connection| {
            let sum = "SELECT coalesce(sum(cost), 0) FROM call WHERE study = ?1 AND is_paid";
            connection.query_row(sum, params![study], |row| row.get(0).map(Money::from_units))
        })
    }
}

fn row(row: &rusqlite::Row<'_>) -> Result<Row, rusqlite::Error> {
    let time = |at: i64| Timestamp::from_millisecond(at).unwrap_or(Timestamp::UNIX_EPOCH);
    let number = |name: &str| row.get::<_, i64>(name).map(|number| u32::try_from(number).unwrap_or(u32::MAX));
    let tokens =
        |name: &str| row.get::<_, Option<i64>>(name).map(|tokens| tokens.map_or(0, |tokens| tokens.max(0) as u64));
    let money = |name: &str| row.get::<_, i64>(name).map(Money::from_units);
    let has_usage = row.get::<_, Option<i64>>("input")?.is_some();
    let usage = Usage {
        input: tokens("input")?,
        cached_input: tokens("cached_input")?,
        cache_write: tokens("cache_write")?,
        output: tokens("output")?,
        reasoning: tokens("reasoning")?,
    };
    Ok(Row {
        call: row.get("call")?,
        study: row.get("study")?,
        notebook: row.get("notebook")?,
        fix_type: row.get("fix_type")?,
        fix_number: number("fix_number")?,
        re_ask: number("re_ask")?,
        provider: row.get("provider")?,
        model: row.get("model")?,
        prompt: row.get("prompt")?,
        occurrence: number("occurrence")?,
        max_output: number("max_output")?,
        temperature: row.get("temperature")?,
        seed: row.get("seed")?,
        effort: row.get("effort")?,
        reserved_at: time(row.get("reserved_at")?),
        settled_at: row.get::<_, Option<i64>>("settled_at")?.map(time),
        outcome: row.get("outcome")?,
        model_reported: row.get("model_reported")?,
        request_id: row.get("request_id")?,
        attempts: row.get::<_, Option<i64>>("attempts")?.and_then(|number| u32::try_from(number).ok()),
        seconds: row.get("seconds")?,
        usage: has_usage.then_some(usage),
        usage_source: row.get("usage_source")?,
        reserved: money("reserved")?,
        cost: money("cost")?,
        is_paid: row.get("is_paid")?,
        is_disputed: row.get("is_disputed")?,
    })
}

#[derive(Default)]
struct Sums {
    members: BTreeSet<(String, String, u32)>,
    cost: Money,
    usage: Usage,
}

impl Sums {
    fn add(&mut self, member: (String, String, u32), row: &Row) {
        self.members.insert(member);
        self.cost = self.cost + row.cost;
        let usage = row.usage.unwrap_or_default();
        self.usage.input += usage.input;
        self.usage.cached_input += usage.cached_input;
        self.usage.output += usage.output;
    }

    fn averages(&self) -> Averages {
        let count = self.members.len();
        let mean = |sum: f64| if count == 0 { 0.0 } else { sum / count as f64 };
        Averages {
            count,
            cost: mean(self.cost.dollars()),
            input: mean(self.usage.input.saturating_sub(self.usage.cached_input) as f64),
            cached_input: mean(self.usage.cached_input as f64),
            output: mean(self.usage.output as f64),
        }
    }
}

impl Costs {
    /// The means of rows, which may be of several studies.
    #[must_use]
    pub fn of(rows: &[Row]) -> Self {
        let mut notebooks = Sums::default();
        let mut fixes: BTreeMap<String, Sums> = BTreeMap::new();
        for row in rows {
            notebooks.add((row.study.clone(), row.notebook.clone(), 0), row);
            if !row.fix_type.is_empty() {
                let fix = (row.study.clone(), row.notebook.clone(), row.fix_number);
                fixes.entry(row.fix_type.clone()).or_default().add(fix, row);
            }
        }
        let per_fix = fixes.into_iter().map(|(fix_type, sums)| (fix_type, sums.averages())).collect();
        Self { per_notebook: notebooks.averages(), per_fix }
    }
}
