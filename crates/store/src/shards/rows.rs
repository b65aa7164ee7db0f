//! Which rows of a shard are taken, table by table. A transaction of the store that takes them is open.
//!
//! Both databases are read and written by themselves: to attach one to the other would have SQLite read the schema of the shard once more,
//! and plan every statement anew for each shard.

use std::collections::BTreeSet;

use rusqlite::types::{FromSql, ToSqlOutput};
use rusqlite::{CachedStatement, Row, ToSql, params};

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

/// What outcomes of a job are known by.
const JOB: &str = "version = ?1 AND condition = ?2";
/// Statements that a store keeps planned: some for each table.
const PLANNED: usize = 128;

/// The rows of a shard.
pub(super) struct Rows<'s> {
    from: &'s Store,
    to: &'s Store,
    versions: &'s BTreeSet<&'s str>,
    /// Tables of the shard that have rows.
    filled: BTreeSet<&'static str>,
    /// Version, condition and repetition of the jobs of which everything is taken.
    taken: BTreeSet<(String, String, u32)>,
}

impl<'s> Rows<'s> {
    /// Nothing of these versions is taken yet.
    pub(super) fn begin(from: &'s Store, to: &'s Store, versions: &'s BTreeSet<&'s str>) -> Result<Self, StoreError> {
        [from, to].iter().for_each(|store| store.connection.set_prepared_statement_cache_capacity(PLANNED));
        Ok(Rows { from, to, versions, filled: filled(from)?, taken: BTreeSet::new() })
    }

    /// Whether the store has an outcome of the same inputs.
    pub(super) fn is_decided(&self, job: &ShardJob) -> Result<bool, StoreError> {
        let query = "SELECT EXISTS (SELECT 1 FROM outcomes \
                     WHERE version = ?1 AND condition = ?2 AND inputs_hash = ?3 AND ?4 = 1) \
                     OR EXISTS (SELECT 1 FROM repetitions \
                     WHERE version = ?1 AND condition = ?2 AND inputs_hash = ?3 AND repetition = ?4)";
        one(self.to, query, params![job.version, job.condition.as_str(), job.inputs_hash, job.repetition])
    }

    /// What is stored of this job is to be what the shard has of it.
    pub(super) fn take(&mut self, job: &ShardJob) {
        self.taken.insert((job.version.clone(), job.condition.as_str().to_owned(), job.repetition));
    }

    /// All that there is of the versions is to be taken.
    pub(super) fn take_all(&mut self) -> Result<(), StoreError> {
        let query = "SELECT version, condition, 1 FROM outcomes WHERE version = ?1 \
                     UNION SELECT version, condition, 1 FROM left_out WHERE version = ?1 \
                     UNION SELECT version, condition, repetition FROM repetitions WHERE version = ?1";
        for version in self.versions {
            let jobs = self.from.read(|connection| {
                let mut statement = connection.prepare_cached(query)?;
                let jobs = statement.query_map([version], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
                jobs.collect::<Result<Vec<_>, _>>()
            })?;
            self.taken.extend(jobs);
        }
        Ok(())
    }

    /// Keeps the outcome of a job that has one already as its next repetition, unless that row is here under some number.
    pub(super) fn keep_as_repetition(&self, job: &ShardJob) -> Result<(), StoreError> {
        let of_job = params![job.version, job.condition.as_str()];
        let recorded = format!("SELECT (SELECT recorded_at FROM outcomes WHERE {JOB})");
        let recorded: Option<String> = one(self.from, &recorded, of_job)?;
        let Some(at) = recorded.filter(|_| job.repetition == 1) else { return Ok(()) };
        let known = format!(
            "SELECT ?3 IN (SELECT recorded_at FROM outcomes WHERE {JOB} UNION SELECT recorded_at FROM repetitions WHERE {JOB})"
        );
        if one(self.to, &known, params![job.version, job.condition.as_str(), at])? {
            return Ok(());
        }
        let next = format!("SELECT coalesce(max(repetition), 1) + 1 FROM repetitions WHERE {JOB}");
        let next: u32 = one(self.to, &next, of_job)?;
        let columns = outcomes::columns();
        let select = format!("SELECT {columns}, ?3 FROM outcomes WHERE {JOB}");
        let values = params![job.version, job.condition.as_str(), next];
        self.copy(&format!("INSERT INTO repetitions ({columns}, repetition)"), &select, values)
    }

    /// Takes the executions of the versions that are not stored yet; the paths of their notebooks.
    pub(super) fn take_executions(&self) -> Result<Vec<String>, StoreError> {
        let of = |table| columns(self.to, table);
        let (own, cells, grades) = (of("executions")?, of("cells")?, of("grades")?);
        let select =
            format!("SELECT {own}, execution, notebook_file FROM executions WHERE version = ?1 ORDER BY execution");
        let slots = slots(own.split(", ").count());
        let key = "version, code_hash, environment, settings_hash";
        let insert = format!("INSERT INTO executions ({own}) VALUES ({slots}) ON CONFLICT ({key}) DO NOTHING");
        let failed = |source| self.to.error(source);
        let mut insert = self.to.connection.prepare_cached(&insert).map_err(failed)?;
        let mut files = BTreeSet::new();
        for version in self.versions {
            self.each(&select, params![version], |row| {
                let count = insert.parameter_count();
                let is_new = put(&mut insert, row).map_err(failed)? > 0;
                if !is_new {
                    return Ok(());
                }
                let (number, stored) =
                    (row.get::<_, i64>(count).map_err(failed)?, self.to.connection.last_insert_rowid());
                let file: String = row.get(count + 1).map_err(failed)?;
                for (table, columns) in [("cells", &cells), ("grades", &grades)] {
                    let select = format!("SELECT ?2, {columns} FROM {table} WHERE execution = ?1");
                    self.copy(
                        &format!("INSERT INTO {table} (execution, {columns})"),
                        &select,
                        params![number, stored],
                    )?;
                }
                let cut = "SELECT * FROM cut_outputs WHERE notebook_file = ?1";
                self.copy("INSERT OR REPLACE INTO cut_outputs", cut, params![file])?;
                files.insert(file);
                Ok(())
            })?;
        }
        Ok(files.into_iter().collect())
    }

    /// Takes everything else of the jobs that are taken, in place of what was known of them.
    pub(super) fn take_jobs(&self) -> Result<(), StoreError> {
        for (version, condition, repetition) in &self.taken {
            if *repetition == 1 {
                OF_JOB.iter().try_for_each(|table| self.replace(table, JOB, params![version, condition]))?;
            }
            let those = "version = ?1 AND condition = ?2 AND repetition = ?3";
            let values = params![version, condition, repetition];
            OF_REPETITION.iter().try_for_each(|table| self.replace(table, those, values))?;
        }
        let versions: BTreeSet<&String> = self.taken.iter().map(|(version, ..)| version).collect();
        versions.iter().try_for_each(|version| self.replace("install_refusals", "version = ?1", params![version]))
    }

    /// Takes what belongs to no single job, and is not there.
    pub(super) fn take_shared(&self) -> Result<(), StoreError> {
        let filled = BY_KEY.iter().filter(|table| self.filled.contains(**table));
        filled.copied().try_for_each(|table| {
            self.copy(&format!("INSERT OR IGNORE INTO {table}"), &format!("SELECT * FROM {table}"), &[])
        })
    }

    /// Has the store those rows that the shard has, and no others.
    fn replace(&self, table: &str, those: &str, values: &[&dyn ToSql]) -> Result<(), StoreError> {
        let delete = format!("DELETE FROM {table} WHERE {those}");
        self.to.read(|connection| connection.prepare_cached(&delete)?.execute(values))?;
        if !self.filled.contains(table) {
            return Ok(());
        }
        self.copy(&format!("INSERT INTO {table}"), &format!("SELECT * FROM {table} WHERE {those}"), values)
    }

    /// Puts what `select` finds in the shard into the store.
    fn copy(&self, insert_into: &str, select: &str, values: &[&dyn ToSql]) -> Result<(), StoreError> {
        let failed = |source| self.to.error(source);
        let mut insert = None;
        self.each(select, values, |row| {
            let planned = match &mut insert {
                Some(planned) => planned,
                None => {
                    let text = format!("{insert_into} VALUES ({})", slots(row.as_ref().column_count()));
                    insert.insert(self.to.connection.prepare_cached(&text).map_err(failed)?)
                }
            };
            put(planned, row).map(drop).map_err(failed)
        })
    }

    /// Hands what `select` finds in the shard to `take`, one row at a time.
    fn each(
        &self,
        select: &str,
        values: &[&dyn ToSql],
        mut take: impl FnMut(&Row<'_>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let failed = |source| self.from.error(source);
        let mut statement = self.from.connection.prepare_cached(select).map_err(failed)?;
        let mut rows = statement.query(values).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            take(row)?;
        }
        Ok(())
    }
}

/// Binds the first columns of a row, as many as there are slots, and stores them; how many rows that made.
fn put(insert: &mut CachedStatement<'_>, row: &Row<'_>) -> Result<usize, rusqlite::Error> {
    for place in 0..insert.parameter_count() {
        insert.raw_bind_parameter(place + 1, ToSqlOutput::Borrowed(row.get_ref(place)?))?;
    }
    insert.raw_execute()
}

fn slots(count: usize) -> String {
    vec!["?"; count].join(", ")
}

fn one<T: FromSql>(store: &Store, query: &str, values: &[&dyn ToSql]) -> Result<T, StoreError> {
    store.read(|connection| connection.prepare_cached(query)?.query_row(values, |row| row.get(0)))
}

/// The tables of single jobs that have rows, asked in one statement.
fn filled(store: &Store) -> Result<BTreeSet<&'static str>, StoreError> {
    let tables = || [OF_JOB, OF_REPETITION, BY_KEY, &["install_refusals"]].into_iter().flatten().copied();
    let asked: Vec<String> = tables().map(|table| format!("EXISTS (SELECT 1 FROM {table})")).collect();
    store.read(|connection| {
        connection.query_row(&format!("SELECT {}", asked.join(", ")), [], |row| {
            let has = tables().enumerate().map(|(place, table)| Ok(row.get::<_, bool>(place)?.then_some(table)));
            Ok(has.collect::<Result<Vec<_>, rusqlite::Error>>()?.into_iter().flatten().collect())
        })
    })
}

/// The columns of a table but `execution`, which is another number in each store, joined by commas.
fn columns(store: &Store, table: &str) -> Result<String, StoreError> {
    let query = "SELECT name FROM pragma_table_info(?1) WHERE name <> 'execution' ORDER BY cid";
    let names = store.read(|connection| {
        let mut statement = connection.prepare_cached(query)?;
        statement.query_map([table], |row| row.get(0))?.collect::<Result<Vec<String>, _>>()
    })?;
    Ok(names.join(", "))
}
