//! Table `outcomes`: which jobs are done, and what came out.

use nbrevive_corpus::{Condition, Verdict};
use rusqlite::{OptionalExtension, Row, Statement, Transaction, params};

use crate::loops::{self, LoopRows};
use crate::record::{Keys, Record as _, insert, record};
use crate::schema::word;
use crate::{Store, StoreError};

record! {
    /// What came out of one version under one condition.
    #[derive(Debug, Clone, PartialEq)]
    pub struct OutcomeRow {
        /// The version's slug.
        pub version: String,
        /// The condition.
        pub condition: Condition,
        /// Hash of everything that the outcome depends on; another one makes the outcome out of date.
        pub inputs_hash: String,
        /// The outcome with what led to it.
        pub verdict in "verdict_json": Verdict,
        /// The target score.
        pub target_score: Option<f64>,
        /// The environment's name, where there was one.
        pub environment: Option<String>,
        /// Number of fixes that were applied.
        pub fixes: u32,
        /// Wall-clock seconds of the cells of the last execution.
        pub seconds: f64,
        /// Why it ended so, in words.
        pub reason: String,
        /// Revision of this program.
        pub tool_revision: String,
        /// Seed of Python's string hashing.
        pub seed: u32,
        /// When it was stored (RFC 3339, UTC).
        pub recorded_at: String,
    }
}

impl OutcomeRow {
    /// What came out, where nothing is known beside it: no target, no environment, no time.
    #[must_use]
    pub fn new(version: &str, condition: Condition, inputs_hash: &str, verdict: Verdict) -> Self {
        OutcomeRow {
            version: version.to_owned(),
            condition,
            inputs_hash: inputs_hash.to_owned(),
            verdict,
            target_score: None,
            environment: None,
            fixes: 0,
            seconds: 0.0,
            reason: String::new(),
            tool_revision: String::new(),
            seed: 0,
            recorded_at: String::new(),
        }
    }
}

/// Stores an outcome with what its loop left in one transaction, in place of what was known before.
///
/// # Errors
/// When the database refuses.
pub fn set(store: &mut Store, row: &OutcomeRow, rows: &LoopRows) -> Result<(), StoreError> {
    store.write(|transaction| {
        loops::replace(transaction, &row.version, row.condition, rows)?;
        put(transaction, row)
    })
}

/// Stores the outcome alone.
pub(crate) fn put(transaction: &Transaction<'_>, row: &OutcomeRow) -> Result<(), rusqlite::Error> {
    let word: Keys<'_> = &[("outcome", &row.verdict.outcome.as_str())];
    insert(transaction, ("INSERT OR REPLACE", "outcomes"), word, None, [row])
}

/// The columns of a row, for a query.
pub(crate) fn columns() -> String {
    OutcomeRow::COLUMNS.join(", ")
}

/// The outcome of one version under one condition, whatever its inputs were.
///
/// # Errors
/// When the database refuses or holds a value that cannot be read.
pub fn find(store: &Store, version: &str, condition: Condition) -> Result<Option<OutcomeRow>, StoreError> {
    store.read(|connection| {
        let query = format!("SELECT {} FROM outcomes WHERE version = ?1 AND condition = ?2", columns());
        connection.query_row(&query, params![version, condition.as_str()], read).optional()
    })
}

/// Every outcome, by condition and version.
///
/// # Errors
/// When the database refuses or holds a value that cannot be read.
pub fn all(store: &Store) -> Result<Vec<OutcomeRow>, StoreError> {
    loops::collect(|take| each(store, take))
}

/// Hands every outcome to `take`, in the order of [`all`].
///
/// # Errors
/// As [`all`]; also what `take` gives.
pub(crate) fn each<E: From<StoreError>>(
    store: &Store,
    mut take: impl FnMut(OutcomeRow) -> Result<(), E>,
) -> Result<(), E> {
    let query = format!("SELECT {} FROM outcomes WHERE condition = ?1 ORDER BY version", columns());
    conditions(store)?.iter().try_for_each(|condition| store.each(&query, [condition.as_str()], read, &mut take))
}

/// The conditions that have outcomes, in the order that the vocabulary gives them, which the database does not know.
///
/// # Errors
/// As [`all`].
pub(crate) fn conditions(store: &Store) -> Result<Vec<Condition>, StoreError> {
    store.read(|connection| {
        let mut statement = connection.prepare("SELECT DISTINCT condition FROM outcomes")?;
        let mut found = statement.query_map([], |row| word(row, 0))?.collect::<Result<Vec<Condition>, _>>()?;
        found.sort();
        Ok(found)
    })
}

/// Hands the outcomes of each version to `take`, by the spelling of their conditions, which is how the database has them.
///
/// # Errors
/// As [`all`]; also what `take` gives.
pub(crate) fn of_versions<E: From<StoreError>>(
    store: &Store,
    take: impl FnMut(Vec<OutcomeRow>) -> Result<(), E>,
) -> Result<(), E> {
    let query = format!("SELECT {} FROM outcomes ORDER BY version, condition", columns());
    store.each_group(&query, read, |one, next| one.version == next.version, take)
}

/// Which versions have an outcome under which conditions, asked one after the other.
pub(crate) struct Known<'store> {
    store: &'store Store,
    statement: Statement<'store>,
}

impl<'store> Known<'store> {
    /// Begins to ask.
    ///
    /// # Errors
    /// When the database refuses.
    pub(crate) fn of(store: &'store Store) -> Result<Self, StoreError> {
        let query = "SELECT EXISTS (SELECT 1 FROM outcomes WHERE version = ?1 AND condition = ?2)";
        let statement = store.connection.prepare(query).map_err(|source| store.error(source))?;
        Ok(Known { store, statement })
    }

    /// Whether there is one.
    ///
    /// # Errors
    /// When the database refuses.
    pub(crate) fn has(&mut self, version: &str, condition: Condition) -> Result<bool, StoreError> {
        let found = self.statement.query_row(params![version, condition.as_str()], |row| row.get(0));
        found.map_err(|source| self.store.error(source))
    }
}

/// Forgets the outcome of one version under one condition, with what its loop left.
///
/// # Errors
/// When the database refuses.
pub fn remove(store: &mut Store, version: &str, condition: Condition) -> Result<(), StoreError> {
    store.write(|transaction| {
        loops::replace(transaction, version, condition, &LoopRows::default())?;
        transaction.execute(
            "DELETE FROM outcomes WHERE version = ?1 AND condition = ?2",
            params![version, condition.as_str()],
        )?;
        Ok(())
    })
}

/// An outcome that is known by another hash from now on.
#[derive(Debug, Clone)]
pub struct Renamed {
    /// The version's slug.
    pub version: String,
    /// The condition.
    pub condition: Condition,
    /// Which run of the condition it is, from 1.
    pub repetition: u32,
    /// The hash by which it was known.
    pub before: String,
    /// The hash of the same inputs now.
    pub now: String,
}

/// Gives outcomes and their repetitions the hash by which the same inputs are known now; those of other inputs keep theirs.
///
/// # Errors
/// When the database refuses.
pub fn rename(store: &mut Store, all: impl IntoIterator<Item = Renamed>) -> Result<(), StoreError> {
    store.write(|transaction| {
        let mut first = transaction.prepare(
            "UPDATE outcomes SET inputs_hash = ?4 WHERE version = ?1 AND condition = ?2 AND inputs_hash = ?3",
        )?;
        let mut further = transaction.prepare(
            "UPDATE repetitions SET inputs_hash = ?4 \
             WHERE version = ?1 AND condition = ?2 AND inputs_hash = ?3 AND repetition = ?5",
        )?;
        for Renamed { version, condition, repetition, before, now } in all {
            let condition = condition.as_str();
            match repetition {
                1 => first.execute(params![version, condition, before, now])?,
                _ => further.execute(params![version, condition, before, now, repetition])?,
            };
        }
        Ok(())
    })
}

/// A row of [`columns`].
pub(crate) fn read(row: &Row<'_>) -> Result<OutcomeRow, rusqlite::Error> {
    OutcomeRow::read(row, 0)
}
