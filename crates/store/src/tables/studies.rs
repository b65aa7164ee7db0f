//! Table `facts`: what the last run was made with, a row a fact; as a whole the only row of `study.parquet`.

use std::fmt::Display;
use std::str::FromStr;

use nbrevive_corpus::{Judge, UnknownWord};
use rusqlite::types::Type;
use rusqlite::{OptionalExtension, params};

use crate::{Store, StoreError};

/// What the tables of a study rest on.
#[derive(Debug, Clone, PartialEq)]
pub struct StudyRow {
    /// Its name.
    pub study: String,
    /// Its name as people read it.
    pub title: String,
    /// Name of the contemporary environment.
    pub baseline_environment: String,
    /// Python version of that environment.
    pub baseline_python: String,
    /// Its main packages with versions, as text.
    pub baseline_packages: String,
    /// Version and revision of the program.
    pub tool_revision: String,
    /// Processors, memory and system, as text.
    pub machine: String,
    /// Wall clock for a whole notebook, in seconds.
    pub time_limit_seconds: f64,
    /// What is asked of executions.
    pub judge: Judge,
    /// The largest deviation that counts as reproducible, as a fraction.
    pub tau: f64,
    /// The largest number of fixes for one version.
    pub max_fixes: u32,
}

/// Stores the facts of a run, in place of the ones before.
///
/// # Errors
/// When the database refuses.
pub fn set(store: &mut Store, row: &StudyRow) -> Result<(), StoreError> {
    let facts: [(&str, &dyn Display); 11] = [
        ("study", &row.study),
        ("title", &row.title),
        ("baseline_environment", &row.baseline_environment),
        ("baseline_python", &row.baseline_python),
        ("baseline_packages", &row.baseline_packages),
        ("tool_revision", &row.tool_revision),
        ("machine", &row.machine),
        ("time_limit_seconds", &row.time_limit_seconds),
        ("judge", &row.judge),
        ("tau", &row.tau),
        ("max_fixes", &row.max_fixes),
    ];
    store.write(|transaction| {
        let mut insert = transaction.prepare("INSERT OR REPLACE INTO facts (name, value) VALUES (?1, ?2)")?;
        facts.iter().try_for_each(|(name, value)| insert.execute(params![name, value.to_string()]).map(drop))
    })
}

/// The facts of the last run; none where nothing ran.
///
/// # Errors
/// When the database refuses, or a fact is missing or cannot be read.
pub fn last(store: &Store) -> Result<Option<StudyRow>, StoreError> {
    let text = |name: &str| -> Result<Option<String>, StoreError> {
        let query = "SELECT value FROM facts WHERE name = ?1";
        store.read(|connection| connection.query_row(query, [name], |row| row.get(0)).optional())
    };
    let needed = |name: &str| {
        let missing = || format!("the fact `{name}` is missing: run `nbrevive study run`, which stores it");
        text(name)?.ok_or_else(|| unreadable(store, missing()))
    };
    let Some(study) = text("study")? else { return Ok(None) };
    Ok(Some(StudyRow {
        study,
        title: needed("title")?,
        baseline_environment: needed("baseline_environment")?,
        baseline_python: needed("baseline_python")?,
        baseline_packages: needed("baseline_packages")?,
        tool_revision: needed("tool_revision")?,
        machine: needed("machine")?,
        time_limit_seconds: number(store, "time_limit_seconds", &needed("time_limit_seconds")?)?,
        // Runs of before had no other.
        judge: text("judge")?.map_or(Ok(Judge::Score), |word| {
            word.parse().map_err(|error: UnknownWord| unreadable(store, error.to_string()))
        })?,
        tau: number(store, "tau", &needed("tau")?)?,
        max_fixes: number(store, "max_fixes", &needed("max_fixes")?)?,
    }))
}

fn number<T: FromStr>(store: &Store, name: &str, text: &str) -> Result<T, StoreError> {
    text.parse().map_err(|_| {
        unreadable(
            store,
            format!("the fact `{name}` holds `{text}`, expected a number: run `nbrevive study run`, which stores it"),
        )
    })
}

fn unreadable(store: &Store, what: String) -> StoreError {
    store.error(rusqlite::Error::FromSqlConversionFailure(0, Type::Text, what.into()))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Facts of a run that never was.
    pub(crate) fn study_row() -> StudyRow {
        let text = |word: &str| word.to_owned();
        StudyRow {
            study: text("s"),
            title: text("S"),
            baseline_environment: text("e"),
            baseline_python: text("3.12.3"),
            baseline_packages: text(""),
            tool_revision: text("t"),
            machine: text("m"),
            time_limit_seconds: 600.5,
            judge: Judge::Score,
            tau: 0.1,
            max_fixes: 16,
        }
    }

    #[test]
    fn facts_come_back_as_they_were_and_what_is_none_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(folder.path()).unwrap();
        assert_eq!(last(&store).unwrap(), None);
        set(&mut store, &study_row()).unwrap();
        assert_eq!(last(&store).unwrap(), Some(study_row()));
        for (change, told) in [
            ("UPDATE facts SET value = 'much' WHERE name = 'tau'", "the fact `tau` holds `much`, expected a number"),
            ("DELETE FROM facts WHERE name = 'title'", "the fact `title` is missing"),
        ] {
            store.write(|transaction| transaction.execute(change, [])).unwrap();
            let error = last(&store).unwrap_err().to_string();
            assert!(error.contains(told), "{error}");
        }
    }
}
