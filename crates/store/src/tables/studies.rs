//! Table `facts`: what the last run was made with, a row a fact; as a whole the only row of `study.parquet`.

use std::fmt::Display;
use std::str::FromStr;

use nbrevive_corpus::Judge;
use rusqlite::types::Type;
use rusqlite::{OptionalExtension, params};

use crate::{Store, StoreError};

/// Facts by their names: the row, how it is stored, and how it is read.
macro_rules! facts {
    ($($(#[$doc:meta])* $name:ident: $kind:ty $(= $before:expr)?,)*) => {
        /// What the tables of a study rest on.
        #[derive(Debug, Clone, PartialEq)]
        pub struct StudyRow {
            $($(#[$doc])* pub $name: $kind,)*
        }

        impl StudyRow {
            fn facts(&self) -> Vec<(&'static str, String)> {
                vec![$((stringify!($name), self.$name.to_string())),*]
            }

            fn read(store: &Store) -> Result<Self, StoreError> {
                Ok(Self { $($name: value(store, stringify!($name), [$($before)?].first().copied())?),* })
            }
        }
    };
}

facts! {
    /// Its name.
    study: String,
    /// Its name as people read it.
    title: String,
    /// Name of the contemporary environment.
    baseline_environment: String,
    /// Python version of that environment.
    baseline_python: String,
    /// Its main packages with versions, as text.
    baseline_packages: String,
    /// Version and revision of the program.
    tool_revision: String,
    /// Processors, memory and system, as text.
    machine: String,
    /// Wall clock for a whole notebook, in seconds.
    time_limit_seconds: f64,
    /// What is asked of executions; runs of before had no other than scores.
    judge: Judge = "score",
    /// The largest deviation that counts as reproducible, as a fraction.
    tau: f64,
    /// The largest number of fixes for one version.
    max_fixes: u32,
}

/// Stores the facts of a run, in place of the ones before.
///
/// # Errors
/// When the database refuses.
pub fn set(store: &mut Store, row: &StudyRow) -> Result<(), StoreError> {
    store.write(|transaction| {
        let mut insert = transaction.prepare("INSERT OR REPLACE INTO facts (name, value) VALUES (?1, ?2)")?;
        row.facts().iter().try_for_each(|(name, value)| insert.execute(params![name, value]).map(drop))
    })
}

/// The facts of the last run; none where nothing ran.
///
/// # Errors
/// When the database refuses, or a fact is missing or cannot be read.
pub fn last(store: &Store) -> Result<Option<StudyRow>, StoreError> {
    text(store, "study")?.map(|_| StudyRow::read(store)).transpose()
}

fn text(store: &Store, name: &str) -> Result<Option<String>, StoreError> {
    let query = "SELECT value FROM facts WHERE name = ?1";
    store.read(|connection| connection.query_row(query, [name], |row| row.get(0)).optional())
}

/// A fact, or what stands for it where it is missing.
fn value<T>(store: &Store, name: &str, before: Option<&str>) -> Result<T, StoreError>
where
    T: FromStr<Err: Display>,
{
    let again = "run `nbrevive study run`, which stores it";
    let found = text(store, name)?.or_else(|| before.map(str::to_owned));
    let found = found.ok_or_else(|| unreadable(store, format!("the fact `{name}` is missing: {again}")))?;
    found.parse().map_err(|error| unreadable(store, format!("the fact `{name}` holds `{found}`: {error}; {again}")))
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
            (
                "UPDATE facts SET value = 'much' WHERE name = 'tau'",
                "the fact `tau` holds `much`: invalid float literal",
            ),
            ("DELETE FROM facts WHERE name = 'title'", "the fact `title` is missing"),
        ] {
            store.write(|transaction| transaction.execute(change, [])).unwrap();
            let error = last(&store).unwrap_err().to_string();
            assert!(error.contains(told), "{error}");
        }
    }
}
