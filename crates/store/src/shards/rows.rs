//! Which rows of a shard are taken, table by table. The shard is attached as `shard`, and a transaction is open.

use std::collections::BTreeSet;

use rusqlite::{Connection, params};

use crate::outcomes;
use crate::shards::ShardJob;
use crate::{Store, StoreError};

/// Tables of a version under a condition, whose rows belong to its first repetition, and are replaced as one.
pub(super) const OF_JOB: &[&str] = &[
    "outcomes",
    "left_out",
    "fixes",
    "questions",
    "refusals",
    "least_patches",
    "loops",
    "executability",
    "restorations",
    "error_roots",
];
/// Tables with the number of a repetition beside both.
pub(super) const OF_REPETITION: &[&str] = &["repetitions", "comparisons", "order_runs"];
/// Tables of which what is there stays.
pub(super) const BY_KEY: &[&str] = &["environments", "fingerprints", "repository_environments"];
/// Tables that are merged row by row, and those of one version.
#[cfg(test)]
pub(super) const OTHERS: &[&str] = &["executions", "cells", "grades", "cut_outputs", "install_refusals"];
/// Tables of the study itself, which no part of it writes.
#[cfg(test)]
pub(super) const NOT_TAKEN: &[&str] = &[
    "migrations",
    "versions",
    "competitions",
    "conditions",
    "facts",
    "repositories",
    "mined",
    "listed",
    "wanted",
    "selections",
    "funnel_steps",
    "corpora",
];

/// What makes two executions the same, of the tables `m` and `s`.
const SAME: &str = "m.version = s.version AND m.code_hash = s.code_hash AND m.environment = s.environment \
                    AND m.settings_hash = s.settings_hash";

/// The rows of a shard.
pub(super) struct Rows<'s> {
    store: &'s Store,
}

impl<'s> Rows<'s> {
    /// Nothing of these versions is taken yet.
    pub(super) fn begin(store: &'s Store, versions: &BTreeSet<&str>) -> Result<Self, StoreError> {
        let rows = Rows { store };
        rows.run(|connection| {
            connection.execute_batch(
                "CREATE TEMP TABLE IF NOT EXISTS taken (version, condition, repetition, PRIMARY KEY (version, condition, repetition)) \
                     WITHOUT ROWID;
                 CREATE TEMP TABLE IF NOT EXISTS looked_at (version PRIMARY KEY) WITHOUT ROWID;
                 CREATE TEMP TABLE IF NOT EXISTS fresh (execution INTEGER PRIMARY KEY, stored INTEGER);
                 DELETE FROM temp.taken; DELETE FROM temp.looked_at; DELETE FROM temp.fresh;",
            )?;
            let mut insert = connection.prepare_cached("INSERT INTO temp.looked_at VALUES (?1)")?;
            versions.iter().try_for_each(|version| insert.execute([version]).map(drop))
        })?;
        Ok(rows)
    }

    /// Whether the store has an outcome of the same inputs.
    pub(super) fn is_decided(&self, job: &ShardJob) -> Result<bool, StoreError> {
        let query = "SELECT EXISTS (SELECT 1 FROM main.outcomes \
                     WHERE version = ?1 AND condition = ?2 AND inputs_hash = ?3 AND ?4 = 1) \
                     OR EXISTS (SELECT 1 FROM main.repetitions \
                     WHERE version = ?1 AND condition = ?2 AND inputs_hash = ?3 AND repetition = ?4)";
        let values = params![job.version, job.condition.as_str(), job.inputs_hash, job.repetition];
        self.run(|connection| connection.prepare_cached(query)?.query_row(values, |row| row.get(0)))
    }

    /// What is stored of this job is to be what the shard has of it.
    pub(super) fn take(&self, job: &ShardJob) -> Result<(), StoreError> {
        let insert = "INSERT OR IGNORE INTO temp.taken VALUES (?1, ?2, ?3)";
        let values = params![job.version, job.condition.as_str(), job.repetition];
        self.run(|connection| connection.prepare_cached(insert)?.execute(values).map(drop))
    }

    /// All that there is of the versions is to be taken.
    pub(super) fn take_all(&self) -> Result<(), StoreError> {
        self.run(|connection| {
            connection.execute_batch(
                "INSERT INTO temp.taken SELECT version, condition, 1 FROM shard.outcomes WHERE version IN temp.looked_at
                     UNION SELECT version, condition, 1 FROM shard.left_out WHERE version IN temp.looked_at
                     UNION SELECT version, condition, repetition FROM shard.repetitions WHERE version IN temp.looked_at",
            )
        })
    }

    /// Keeps the outcome of a job that has one already as its next repetition, unless that row is here under some number.
    pub(super) fn keep_as_repetition(&self, job: &ShardJob) -> Result<(), StoreError> {
        let of_job = "version = ?1 AND condition = ?2";
        if job.repetition > 1 {
            return Ok(());
        }
        let columns = outcomes::columns();
        let insert = format!(
            "INSERT INTO main.repetitions ({columns}, repetition) SELECT {columns}, \
             (SELECT coalesce(max(repetition), 1) + 1 FROM main.repetitions WHERE {of_job}) \
             FROM shard.outcomes WHERE {of_job} AND recorded_at NOT IN ( \
             SELECT recorded_at FROM main.outcomes WHERE {of_job} \
             UNION SELECT recorded_at FROM main.repetitions WHERE {of_job})"
        );
        let values = params![job.version, job.condition.as_str()];
        self.run(|connection| connection.prepare_cached(&insert)?.execute(values).map(drop))
    }

    /// Takes the executions of the versions that are not stored yet; the paths of their notebooks.
    pub(super) fn take_executions(&self) -> Result<Vec<String>, StoreError> {
        self.run(|connection| {
            let of = |table| columns(connection, table);
            let (own, cells, grades) = (of("executions")?, of("cells")?, of("grades")?);
            connection.execute_batch(&format!(
                "INSERT INTO temp.fresh SELECT s.execution, NULL FROM shard.executions AS s WHERE s.version IN temp.looked_at \
                     AND NOT EXISTS (SELECT 1 FROM main.executions AS m WHERE {SAME});
                 INSERT INTO main.executions ({own}) SELECT {own} FROM shard.executions \
                     WHERE execution IN (SELECT execution FROM temp.fresh) ORDER BY execution;
                 UPDATE temp.fresh SET stored = (SELECT m.execution FROM main.executions AS m, shard.executions AS s \
                     WHERE s.execution = fresh.execution AND {SAME});
                 INSERT INTO main.cells (execution, {cells}) SELECT f.stored, {cells} FROM temp.fresh AS f \
                     JOIN shard.cells AS c ON c.execution = f.execution;
                 INSERT INTO main.grades (execution, {grades}) SELECT f.stored, {grades} FROM temp.fresh AS f \
                     JOIN shard.grades AS g ON g.execution = f.execution;
                 INSERT OR REPLACE INTO main.cut_outputs SELECT * FROM shard.cut_outputs WHERE notebook_file IN \
                     (SELECT notebook_file FROM shard.executions JOIN temp.fresh USING (execution));"
            ))?;
            let query = "SELECT DISTINCT notebook_file FROM shard.executions JOIN temp.fresh USING (execution)";
            let mut statement = connection.prepare_cached(query)?;
            statement.query_map([], |row| row.get(0))?.collect()
        })
    }

    /// Takes everything else of the jobs that are taken, in place of what was known of them.
    pub(super) fn take_jobs(&self) -> Result<(), StoreError> {
        self.run(|connection| {
            let replace = |table: &str, those: &str| {
                connection.execute_batch(&format!(
                    "DELETE FROM main.{table} WHERE {those}; INSERT INTO main.{table} SELECT * FROM shard.{table} WHERE {those};"
                ))
            };
            let first = "(version, condition) IN (SELECT version, condition FROM temp.taken WHERE repetition = 1)";
            OF_JOB.iter().try_for_each(|table| replace(table, first))?;
            let of_repetition = "(version, condition, repetition) IN (SELECT * FROM temp.taken)";
            OF_REPETITION.iter().try_for_each(|table| replace(table, of_repetition))?;
            replace("install_refusals", "version IN (SELECT version FROM temp.taken)")
        })
    }

    /// Takes what belongs to no single job, and is not there.
    pub(super) fn take_shared(&self) -> Result<(), StoreError> {
        self.run(|connection| {
            BY_KEY.iter().try_for_each(|table| {
                connection.execute_batch(&format!("INSERT OR IGNORE INTO main.{table} SELECT * FROM shard.{table};"))
            })
        })
    }

    fn run<T>(&self, query: impl FnOnce(&Connection) -> Result<T, rusqlite::Error>) -> Result<T, StoreError> {
        self.store.read(query)
    }
}

/// The columns of a table but `execution`, which is another number in each store, joined by commas.
fn columns(connection: &Connection, table: &str) -> Result<String, rusqlite::Error> {
    let mut statement = connection
        .prepare_cached("SELECT name FROM pragma_table_info(?1, 'main') WHERE name <> 'execution' ORDER BY cid")?;
    let names = statement.query_map([table], |row| row.get(0))?.collect::<Result<Vec<String>, _>>()?;
    Ok(names.join(", "))
}
