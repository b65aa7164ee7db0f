//! Reading the ledger: its rows, and the means of Table 5.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use jiff::Timestamp;
use rusqlite::types::FromSql;
use rusqlite::{Connection, OptionalExtension as _, params};
use serde::{Deserialize, Serialize};

use super::{Ledger, LedgerError};
use crate::{Money, ReadOnly, TokenUsage};

/// One call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LedgerRow {
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
    pub usage: Option<TokenUsage>,
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
    /// The rows of a file that is only read, in the order in which they were reserved: none where there is no file, or one in which
    /// nothing was entered yet. A run may write to it meanwhile.
    ///
    /// # Errors
    /// [`LedgerError::Database`] and [`LedgerError::Newer`].
    pub fn rows_of(path: &Path) -> Result<Vec<LedgerRow>, LedgerError> {
        if !path.is_file() {
            return Ok(Vec::new());
        }
        let failed =
            |source| LedgerError::Database { path: path.to_owned(), what: "cannot read the calls".to_owned(), source };
        let connection = ReadOnly::open(path, super::BUSY).map_err(failed)?;
        match super::version(&connection, path)? {
            0 => Ok(Vec::new()),
            _ => select(&connection, None).map_err(failed),
        }
    }

    /// The rows of a study, or of all studies, in the order in which they were reserved.
    ///
    /// # Errors
    /// [`LedgerError::Database`].
    pub fn rows(&self, study: Option<&str>) -> Result<Vec<LedgerRow>, LedgerError> {
        self.read("cannot read the calls", |connection| select(connection, study))
    }

    /// The rows of a notebook in one study and condition, in the order in which they were reserved.
    ///
    /// # Errors
    /// [`LedgerError::Database`].
    pub fn rows_of_notebook(&self, study: &str, notebook: &str) -> Result<Vec<LedgerRow>, LedgerError> {
        self.read("cannot read the calls of a notebook", |connection| {
            let query = format!("SELECT {COLUMNS} FROM call WHERE study = ?1 AND notebook = ?2 ORDER BY id");
            let mut statement = connection.prepare(&query)?;
            statement.query_map(params![study, notebook], row)?.collect()
        })
    }

    /// The row of a call.
    ///
    /// # Errors
    /// [`LedgerError::Database`].
    pub fn row(&self, call: &str) -> Result<Option<LedgerRow>, LedgerError> {
        self.read("cannot read a call", |connection| {
            connection.query_row(&format!("SELECT {COLUMNS} FROM call WHERE call = ?1"), params![call], row).optional()
        })
    }

    /// The names of the calls that are not settled: under way, or lost when a program was killed.
    ///
    /// # Errors
    /// [`LedgerError::Database`].
    pub fn unsettled(&self) -> Result<Vec<String>, LedgerError> {
        self.read("cannot read the calls", |connection| {
            let mut statement =
                connection.prepare("SELECT call FROM call INDEXED BY call_unsettled WHERE outcome = 'reserved'")?;
            let names = statement.query_map([], |row| row.get(0))?;
            names.collect()
        })
    }

    /// What a study has spent and reserved.
    ///
    /// # Errors
    /// [`LedgerError::Database`].
    pub fn spent(&self, study: &str) -> Result<Money, LedgerError> {
        self.read("cannot sum the calls", |connection| {
            let sum = "SELECT coalesce(sum(cost), 0) FROM spent WHERE study = ?1";
            connection.query_row(sum, params![study], |row| row.get(0).map(Money::from_units))
        })
    }
}

/// The columns in the order in which [`row`] takes them: by place, since looking names up takes most of the time of a large
/// ledger.
pub(super) const COLUMNS: &str =
    "call, study, notebook, fix_type, fix_number, re_ask, provider, model, prompt, occurrence, max_output,
    temperature, seed, effort, reserved_at, settled_at, outcome, model_reported, request_id, attempts, seconds,
    input, cached_input, cache_write, output, reasoning, usage_source, reserved, cost, is_paid, is_disputed";

fn select(connection: &Connection, study: Option<&str>) -> Result<Vec<LedgerRow>, rusqlite::Error> {
    let query = format!("SELECT {COLUMNS} FROM call WHERE ?1 IS NULL OR study = ?1 ORDER BY id");
    let mut statement = connection.prepare(&query)?;
    let rows = statement.query_map(params![study], row)?;
    rows.collect()
}

/// The columns of a row, one after the other.
struct Columns<'a> {
    row: &'a rusqlite::Row<'a>,
    at: usize,
}

impl Columns<'_> {
    fn next<T: FromSql>(&mut self) -> Result<T, rusqlite::Error> {
        self.at += 1;
        self.row.get(self.at - 1)
    }

    fn number(&mut self) -> Result<u32, rusqlite::Error> {
        self.next::<i64>().map(|number| u32::try_from(number).unwrap_or(u32::MAX))
    }

    fn time(&mut self) -> Result<Option<Timestamp>, rusqlite::Error> {
        self.next::<Option<i64>>().map(|at| at.and_then(|at| Timestamp::from_millisecond(at).ok()))
    }

    fn money(&mut self) -> Result<Money, rusqlite::Error> {
        self.next().map(Money::from_units)
    }

    /// The tokens, unless none are known.
    fn usage(&mut self) -> Result<Option<TokenUsage>, rusqlite::Error> {
        let tokens: [Option<i64>; 5] = [self.next()?, self.next()?, self.next()?, self.next()?, self.next()?];
        let [input, cached_input, cache_write, output, reasoning] =
            tokens.map(|tokens| tokens.and_then(|tokens| u64::try_from(tokens).ok()).unwrap_or_default());
        Ok(tokens[0].map(|_| TokenUsage { input, cached_input, cache_write, output, reasoning }))
    }
}

fn row(row: &rusqlite::Row<'_>) -> Result<LedgerRow, rusqlite::Error> {
    let mut columns = Columns { row, at: 0 };
    // The fields are evaluated in the order in which they are written: that of the columns.
    Ok(LedgerRow {
        call: columns.next()?,
        study: columns.next()?,
        notebook: columns.next()?,
        fix_type: columns.next()?,
        fix_number: columns.number()?,
        re_ask: columns.number()?,
        provider: columns.next()?,
        model: columns.next()?,
        prompt: columns.next()?,
        occurrence: columns.number()?,
        max_output: columns.number()?,
        temperature: columns.next()?,
        seed: columns.next()?,
        effort: columns.next()?,
        reserved_at: columns.time()?.unwrap_or(Timestamp::UNIX_EPOCH),
        settled_at: columns.time()?,
        outcome: columns.next()?,
        model_reported: columns.next()?,
        request_id: columns.next()?,
        attempts: columns.next::<Option<i64>>()?.and_then(|number| u32::try_from(number).ok()),
        seconds: columns.next()?,
        usage: columns.usage()?,
        usage_source: columns.next()?,
        reserved: columns.money()?,
        cost: columns.money()?,
        is_paid: columns.next()?,
        is_disputed: columns.next()?,
    })
}

#[derive(Default)]
struct Sums {
    members: BTreeSet<(String, String, u32)>,
    cost: Money,
    usage: TokenUsage,
}

impl Sums {
    fn add(&mut self, member: (String, String, u32), row: &LedgerRow) {
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
    pub fn of(rows: &[LedgerRow]) -> Self {
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
