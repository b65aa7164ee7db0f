//! Table `grades`: what the grader said of each execution.

use rusqlite::{Row, Transaction, params};

use crate::schema::has_table;
use crate::{Store, StoreError};

/// What the grader said of an execution: a row of the judge `score`.
#[derive(Debug, Clone, PartialEq)]
pub struct GradeRow {
    /// The score, or the kind of the reason why there is none.
    pub result: Result<f64, String>,
    /// The reason in words.
    pub detail: Option<String>,
}

impl GradeRow {
    /// What stands in the three columns of [`Joined`] from `at` on; none where nothing was graded.
    pub(crate) fn read(row: &Row<'_>, at: usize) -> Result<Option<Self>, rusqlite::Error> {
        let (score, reason): (Option<f64>, Option<String>) = (row.get(at)?, row.get(at + 1)?);
        let Some(result) = score.map(Ok).or(reason.map(Err)) else { return Ok(None) };
        Ok(Some(GradeRow { result, detail: row.get(at + 2)? }))
    }

    /// Stores it under the number of its execution.
    pub(crate) fn put(&self, transaction: &Transaction<'_>, execution: i64) -> Result<(), rusqlite::Error> {
        let mut insert = transaction
            .prepare_cached("INSERT INTO grades (execution, score, reason, detail) VALUES (?1, ?2, ?3, ?4)")?;
        insert.execute(params![execution, self.result.as_ref().ok(), self.result.as_ref().err(), self.detail])?;
        Ok(())
    }
}

/// Executions with their grades, for a query.
pub(crate) struct Joined {
    /// The tables, joined.
    pub(crate) tables: &'static str,
    /// Columns of score, reason and detail.
    pub(crate) columns: [&'static str; 3],
}

impl Joined {
    /// A store that is opened for reading only is not migrated, and may have grades in the rows of executions still.
    pub(crate) fn of(store: &Store) -> Result<Self, StoreError> {
        let has_grades = store.read(|connection| has_table(connection, "grades"))?;
        Ok(if has_grades {
            Joined { tables: "executions LEFT JOIN grades USING (execution)", columns: ["score", "reason", "detail"] }
        } else {
            Joined { tables: "executions", columns: ["score", "output_reason", "output_detail"] }
        })
    }
}
