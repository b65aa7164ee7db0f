//! Tables `executions`, `cells` and `environments`.

use std::iter::once;

use nbrevive_corpus::{Condition, EnvironmentKind, RunEnd};
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, OptionalExtension, Row, ToSql, Transaction, params};

use crate::grades::{GradeRow, Joined};
use crate::loops::collect;
use crate::outcomes::OutcomeRow;
use crate::record::{self, Record, record};
use crate::{Store, StoreError};

pub use nbrevive_execute::CellStatus;

/// What makes an execution the same as another: run again, it would only repeat it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct ExecutionKey {
    /// The version's slug.
    pub version: String,
    /// Hash of the code that ran.
    pub code_hash: String,
    /// The environment's name.
    pub environment: String,
    /// Hash of limits, seed and data, and of the number of the repetition from the second on.
    pub settings_hash: String,
}

/// One cell of an execution.
#[derive(Debug, Clone, PartialEq)]
pub struct CellRow {
    /// Index in the notebook, from 0.
    pub cell: u32,
    /// What became of it.
    pub status: CellStatus,
    /// Wall-clock seconds; none when it did not run.
    pub seconds: Option<f64>,
    /// What it raised.
    pub error: Option<CellErrorRow>,
}

/// What a cell raised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellErrorRow {
    /// The exception's name.
    pub ename: String,
    /// Its message.
    pub evalue: String,
    /// The traceback as text without colours.
    pub traceback: String,
    /// The line of the cell that raised, from 1.
    pub line: Option<u32>,
}

record! {
    /// What an execution took.
    #[derive(Debug, Clone, Copy, Default, PartialEq)]
    pub struct ExecutionCost {
        /// Wall-clock seconds of the cells alone.
        pub seconds: f64,
        /// Seconds until the kernel answered.
        pub startup_seconds: f64,
        /// CPU seconds of the sandbox, where they could be read.
        pub cpu_seconds: Option<f64>,
        /// Peak memory of the sandbox in bytes, where it could be read.
        pub peak_memory_bytes: Option<u64>,
        /// Seconds in which it kept its GPU busy; `None` where it had none or the driver did not tell.
        pub gpu_busy_seconds: Option<f64>,
        /// Peak of the GPU's memory in bytes, likewise.
        pub gpu_peak_memory_bytes: Option<u64>,
    }
}

record! {
    /// One run of some code in some environment, whole.
    #[derive(Debug, Clone, PartialEq)]
    pub struct ExecutionRow {
        /// The condition under which it ran first.
        pub condition: Condition,
        /// How many fixes the code had had.
        pub fix_number: u32,
        /// Which run of an A/A series it belongs to, from 1.
        pub repetition: u32,
        /// When it started (RFC 3339, UTC).
        pub started_at: String,
        /// Revision of this program.
        pub tool_revision: String,
        /// Seed of Python's string hashing.
        pub seed: u32,
        /// How it ended.
        pub end in "end_json": RunEnd,
        /// How many cells raised.
        pub error_cells: u32,
        /// The executed notebook, below the store's folder.
        pub notebook_file: String,
        ;
        /// Its natural key.
        pub key: ExecutionKey = ExecutionKey::default(),
        /// What it took.
        pub spent: ExecutionCost = ExecutionCost::default(),
        /// What the grader said of it, where there is one.
        pub grade: Option<GradeRow> = None,
        /// Its cells that hold code.
        pub cells: Vec<CellRow> = Vec::new(),
    }
}

impl ExecutionRow {
    /// A first run without a fix, of which nothing is known but its key and its end.
    #[must_use]
    pub fn new(key: ExecutionKey, condition: Condition, end: RunEnd) -> Self {
        ExecutionRow {
            condition,
            fix_number: 0,
            repetition: 1,
            started_at: String::new(),
            tool_revision: String::new(),
            seed: 0,
            end,
            error_cells: 0,
            notebook_file: String::new(),
            key,
            spent: ExecutionCost::default(),
            grade: None,
            cells: Vec::new(),
        }
    }
}

/// One environment that was built, or that could not be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnvironmentRow {
    /// Its name: the hash of its content.
    pub environment: String,
    /// `lock` or `plan`.
    pub kind: EnvironmentKind,
    /// The interpreter's full version.
    pub python: String,
    /// What was asked for, one requirement a line.
    pub requirements: String,
    /// What was installed, one `name==version` a line.
    pub lock: Option<String>,
    /// The class of the failed build, and the last lines of its output.
    pub failure: Option<(String, String)>,
}

/// Stores an execution with its cells in one transaction.
///
/// # Errors
/// When the database refuses.
pub fn insert(store: &mut Store, row: &ExecutionRow) -> Result<(), StoreError> {
    store.write(|transaction| put(transaction, row))
}

record! { ExecutionKey { version: "version", code_hash: "code_hash", environment: "environment", settings_hash: "settings_hash", } }

record! { CellRow {
    cell: "cell",
    status: "status",
    seconds: "seconds",
    ; error = None
} }

record! { EnvironmentRow {
    environment: "environment",
    kind: "kind",
    python: "python",
    requirements: "requirements",
    lock: "lock",
    ; failure = None
} }

record! { CellErrorRow { ename: "ename", evalue: "evalue", traceback: "traceback", line: "line", } }

/// Stores an execution with its cells.
pub(crate) fn put(transaction: &Transaction<'_>, row: &ExecutionRow) -> Result<(), rusqlite::Error> {
    let (key, spent) = (row.key.values()?, row.spent.values()?);
    let beside: Vec<(&str, &dyn ToSql)> = named::<ExecutionKey>(&key).chain(named::<ExecutionCost>(&spent)).collect();
    record::insert(transaction, ("INSERT OR REPLACE", "executions"), &beside, None, [row])?;
    let execution = transaction.last_insert_rowid();
    if let Some(grade) = &row.grade {
        grade.put(transaction, execution)?;
    }
    for cell in &row.cells {
        let values = cell.error.as_ref().map_or(Ok(vec![]), Record::values)?;
        let keys: Vec<_> =
            once(("execution", &execution as &dyn ToSql)).chain(named::<CellErrorRow>(&values)).collect();
        record::insert(transaction, ("INSERT", "cells"), &keys, None, [cell])?;
    }
    Ok(())
}

/// Values of a record with the names of their columns.
fn named<'v, T: Record>(values: &'v [ToSqlOutput<'v>]) -> impl Iterator<Item = (&'static str, &'v dyn ToSql)> {
    T::COLUMNS.iter().zip(values).map(|(name, value)| (*name, value as &dyn ToSql))
}

/// The execution under this key, if it ran before.
///
/// # Errors
/// When the database refuses or holds a value that cannot be read.
pub fn find(store: &Store, key: &ExecutionKey) -> Result<Option<ExecutionRow>, StoreError> {
    let which = "WHERE version = ?1 AND code_hash = ?2 AND environment = ?3 AND settings_hash = ?4";
    one(store, which, params![key.version, key.code_hash, key.environment, key.settings_hash])
}

/// The execution that an outcome came of: of its version in its environment the one that took as long, after the most fixes.
///
/// # Errors
/// When the database refuses or holds a value that cannot be read.
pub fn of_outcome(store: &Store, outcome: &OutcomeRow) -> Result<Option<ExecutionRow>, StoreError> {
    let Some(environment) = &outcome.environment else { return Ok(None) };
    let which = "WHERE version = ?1 AND environment = ?2 AND seconds = ?3 ORDER BY fix_number DESC LIMIT 1";
    one(store, which, params![outcome.version, environment, outcome.seconds])
}

fn one(store: &Store, which: &str, values: &[&dyn ToSql]) -> Result<Option<ExecutionRow>, StoreError> {
    let query = query(store, which)?;
    store.read(|connection| {
        let Some((execution, mut row)) = connection.query_row(&query, values, numbered).optional()? else {
            return Ok(None);
        };
        row.cells = cells_of(connection, execution)?;
        Ok(Some(row))
    })
}

/// Gives an execution that is known by the settings `before` those of `key`; whether there was one.
///
/// # Errors
/// When the database refuses.
pub fn rename(store: &mut Store, key: &ExecutionKey, before: &str) -> Result<bool, StoreError> {
    let update = "UPDATE executions SET settings_hash = ?4 \
                  WHERE version = ?1 AND code_hash = ?2 AND environment = ?3 AND settings_hash = ?5";
    let values = params![key.version, key.code_hash, key.environment, key.settings_hash, before];
    store.write(|transaction| Ok(transaction.execute(update, values)? > 0))
}

/// The tracebacks of the cells that raised when this code ran in this environment, in order: of the last such execution, whatever its
/// settings were. `None` when there was none.
///
/// # Errors
/// When the database refuses.
pub fn errors_of(
    store: &Store,
    version: &str,
    code_hash: &str,
    environment: &str,
) -> Result<Option<Vec<String>>, StoreError> {
    store.read(|connection| {
        let query = "SELECT MAX(execution) FROM executions WHERE version = ?1 AND code_hash = ?2 AND environment = ?3";
        let execution: Option<i64> =
            connection.query_row(query, params![version, code_hash, environment], |row| row.get(0))?;
        let Some(execution) = execution else { return Ok(None) };
        let cells = cells_of(connection, execution)?;
        Ok(Some(cells.into_iter().filter_map(|cell| cell.error).map(|error| error.traceback).collect()))
    })
}

/// Asks for executions as [`numbered`] reads them.
fn query(store: &Store, which: &str) -> Result<String, StoreError> {
    let (own, spent) = (selected::<ExecutionRow>(store)?, selected::<ExecutionCost>(store)?);
    let Joined { tables, columns: [score, reason, detail] } = Joined::of(store)?;
    let key = ExecutionKey::COLUMNS.join(", ");
    Ok(format!("SELECT execution, {key}, {own}, {spent}, {score}, {reason}, {detail} FROM {tables} {which}"))
}

/// The columns of a record that stand in the table of executions.
pub(crate) fn selected<T: Record>(store: &Store) -> Result<String, StoreError> {
    let own = store.read(|connection| record::selected::<T>(connection, "executions"))?.unwrap_or_default();
    // A store that is opened for reading only is not migrated, and may be older than this column.
    Ok(own.replace("NULL AS repetition", "1"))
}

/// An execution without its cells, and its number.
fn numbered(row: &Row<'_>) -> Result<(i64, ExecutionRow), rusqlite::Error> {
    let own = 1 + ExecutionKey::COLUMNS.len();
    let spent = own + ExecutionRow::COLUMNS.len();
    let read = ExecutionRow {
        key: ExecutionKey::read(row, 1)?,
        spent: ExecutionCost::read(row, spent)?,
        grade: GradeRow::read(row, spent + ExecutionCost::COLUMNS.len())?,
        ..ExecutionRow::read(row, own)?
    };
    Ok((row.get(0)?, read))
}

fn cells_of(connection: &Connection, execution: i64) -> Result<Vec<CellRow>, rusqlite::Error> {
    let (own, of_error) = (CellRow::COLUMNS.join(", "), CellErrorRow::COLUMNS.join(", "));
    let query = format!("SELECT {own}, {of_error} FROM cells WHERE execution = ?1 ORDER BY cell");
    let mut statement = connection.prepare_cached(&query)?;
    let rows = statement.query_map([execution], |row| {
        let at = CellRow::COLUMNS.len();
        let raised = row.get_ref(at)? != ValueRef::Null;
        let error = raised.then(|| CellErrorRow::read(row, at)).transpose()?;
        Ok(CellRow { error, ..CellRow::read(row, 0)? })
    })?;
    rows.collect()
}

/// Every execution with its cells, by version, condition, fix and environment.
///
/// # Errors
/// When the database refuses or holds a value that cannot be read.
pub fn all(store: &Store) -> Result<Vec<ExecutionRow>, StoreError> {
    let query = query(store, "ORDER BY version, condition, fix_number, environment, code_hash, settings_hash")?;
    collect(|take| {
        store.each(&query, [], numbered, |(execution, mut row): (i64, ExecutionRow)| {
            row.cells = store.read(|connection| cells_of(connection, execution))?;
            take(row)
        })
    })
}

/// Every environment, by name.
///
/// # Errors
/// When the database refuses.
pub fn environments(store: &Store) -> Result<Vec<EnvironmentRow>, StoreError> {
    let own = EnvironmentRow::COLUMNS.join(", ");
    let query = format!("SELECT {own}, failure_class, failure_tail FROM environments ORDER BY environment");
    store.read(|connection| {
        let mut statement = connection.prepare(&query)?;
        let rows = statement.query_map([], |row| {
            let at = EnvironmentRow::COLUMNS.len();
            let (class, tail): (Option<String>, Option<String>) = (row.get(at)?, row.get(at + 1)?);
            let failure = class.map(|class| (class, tail.unwrap_or_default()));
            Ok(EnvironmentRow { failure, ..EnvironmentRow::read(row, 0)? })
        })?;
        rows.collect()
    })
}

/// Stores an environment, in place of what was known of it.
///
/// # Errors
/// When the database refuses.
pub fn set_environment(store: &mut Store, row: &EnvironmentRow) -> Result<(), StoreError> {
    let (class, tail) = row.failure.clone().unzip();
    let keys: [(&str, &dyn ToSql); 2] = [("failure_class", &class), ("failure_tail", &tail)];
    store.write(|transaction| record::insert(transaction, ("INSERT OR REPLACE", "environments"), &keys, None, [row]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row() -> ExecutionRow {
        let key = ExecutionKey {
            version: "a".to_owned(),
            code_hash: "c".to_owned(),
            environment: "e".to_owned(),
            settings_hash: "s".to_owned(),
        };
        let error = CellErrorRow {
            ename: "ValueError".to_owned(),
            evalue: "no".to_owned(),
            traceback: "…".to_owned(),
            line: Some(3),
        };
        ExecutionRow {
            started_at: "2026-01-01T00:00:00Z".to_owned(),
            tool_revision: "test".to_owned(),
            error_cells: 1,
            grade: Some(GradeRow { result: Err("missing".to_owned()), detail: Some("no submission.csv".to_owned()) }),
            spent: ExecutionCost {
                seconds: 1.25,
                startup_seconds: 0.5,
                peak_memory_bytes: Some(1 << 40),
                ..ExecutionCost::default()
            },
            notebook_file: "executed/a.ipynb".to_owned(),
            cells: vec![
                CellRow { cell: 0, status: CellStatus::Ok, seconds: Some(1.0), error: None },
                CellRow { cell: 2, status: CellStatus::Error, seconds: Some(0.25), error: Some(error) },
            ],
            ..ExecutionRow::new(key, Condition::BASELINE, RunEnd::NotSaved("out-of-memory".to_owned()))
        }
    }

    #[test]
    fn what_is_stored_comes_back() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = Store::open(dir.path()).unwrap();
        let row = row();
        assert_eq!(find(&store, &row.key).unwrap(), None);
        insert(&mut store, &row).unwrap();
        assert_eq!(find(&store, &row.key).unwrap(), Some(row.clone()));
        let again = ExecutionRow { grade: Some(GradeRow { result: Ok(0.5), detail: None }), ..row };
        insert(&mut store, &again).unwrap();
        assert_eq!(all(&store).unwrap(), [again]);
        let grades = "SELECT COUNT(*) FROM grades";
        assert_eq!(store.read(|connection| connection.query_row(grades, [], |row| row.get::<_, u32>(0))).unwrap(), 1);
    }

    #[test]
    fn an_execution_gets_the_settings_by_which_it_is_known_now() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = Store::open(dir.path()).unwrap();
        insert(&mut store, &row()).unwrap();
        let key = ExecutionKey { settings_hash: "t".to_owned(), ..row().key };
        assert!(!rename(&mut store, &key, "another").unwrap());
        assert!(rename(&mut store, &key, "s").unwrap());
        assert_eq!(find(&store, &key).unwrap(), Some(ExecutionRow { key, ..row() }));
        assert_eq!(find(&store, &row().key).unwrap(), None);
    }

    #[test]
    fn storing_again_replaces_and_counts_nothing_twice() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = Store::open(dir.path()).unwrap();
        insert(&mut store, &row()).unwrap();
        insert(&mut store, &row()).unwrap();
        let count = |table: &str| -> i64 {
            store.connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
        };
        assert_eq!((count("executions"), count("cells")), (1, 2));
    }
}
