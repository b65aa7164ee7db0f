//! Tables `mined`, `listed` and `wanted`: what the sources told, each in its own words.
//!
//! A row is known by what it is about and by its source, so that telling it again changes nothing: a run that was killed and
//! repeated leaves the rows of one that was not. [`merged`] puts the views of all sources together.

mod identity;
mod merge;
#[cfg(test)]
pub(crate) mod tests;

use nbrevive_mine::records::{
    HostedRecord, MinedRecord, MiningSource, NameError, NotebookKey, Origin, RepositoryRecord, Slug, VersionRecord,
};
use rusqlite::{Connection, Transaction, params};
use serde_json::Value;

pub use merge::{MergedVersion, merged};

use crate::schema::unreadable;
use crate::{Store, StoreError};

nbrevive_corpus::string_enum! {
    /// What a row of `mined` is about.
    pub enum RowKind ("kind of row") {
        /// A competition.
        Competition => "competition",
        /// A row of a leaderboard.
        Leaderboard => "leaderboard",
        /// A notebook.
        Notebook => "notebook",
        /// A version of a notebook.
        Version => "version",
        /// A repository.
        Repository => "repository",
        /// A repository on a host, whether it could be had or not.
        Hosted => "hosted",
    }
}

/// Something that a source told.
#[derive(Debug, Clone, PartialEq)]
pub enum Told {
    /// A record.
    Record(MinedRecord),
    /// A competition has a notebook.
    Listed {
        /// The competition.
        competition: Slug,
        /// The notebook.
        notebook: NotebookKey,
        /// Who says so.
        source: MiningSource,
    },
}

/// A notebook of a list that somebody handed on.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct WantedRow {
    /// `owner/slug`.
    pub notebook: String,
    /// The version's number; `None` is the current one.
    pub version: Option<u32>,
    /// The competition that it was mined for, as the list says.
    pub competition: Option<String>,
}

impl RowKind {
    fn of(record: &MinedRecord) -> Self {
        match record {
            MinedRecord::Competition(_) => Self::Competition,
            MinedRecord::Leaderboard(_) => Self::Leaderboard,
            MinedRecord::Notebook(_) => Self::Notebook,
            MinedRecord::Version(_) => Self::Version,
            MinedRecord::Repository(_) => Self::Repository,
            MinedRecord::Hosted(_) => Self::Hosted,
        }
    }
}

/// The key of a record among those of its kind.
fn key(record: &MinedRecord) -> String {
    match record {
        MinedRecord::Competition(competition) => competition.slug.to_string(),
        MinedRecord::Leaderboard(row) => match row.team_id {
            Some(team) => format!("{}#{team}", row.competition),
            None => format!("{}={}", row.competition, row.team),
        },
        MinedRecord::Notebook(notebook) => notebook.key.to_string(),
        MinedRecord::Version(version) => version.natural_key(),
        MinedRecord::Repository(repository) => repository.name.as_str().to_owned(),
        // The host does not tell names apart by case.
        MinedRecord::Hosted(hosted) => hosted.asked.to_ascii_lowercase(),
    }
}

fn origin(record: &MinedRecord) -> &Origin {
    match record {
        MinedRecord::Competition(competition) => &competition.origin,
        MinedRecord::Leaderboard(row) => &row.origin,
        MinedRecord::Notebook(notebook) => &notebook.origin,
        MinedRecord::Version(version) => &version.origin,
        MinedRecord::Repository(repository) => &repository.origin,
        MinedRecord::Hosted(hosted) => &hosted.origin,
    }
}

/// Stores what was told, in place of what the same sources told of the same things before; all of it or nothing.
///
/// # Errors
/// When the database refuses.
pub fn put(store: &mut Store, told: &[Told]) -> Result<(), StoreError> {
    store.write(|transaction| insert(transaction, told))
}

/// Stores everything that one source has to tell, in place of all that it told before; all of it or nothing.
///
/// # Errors
/// When the database refuses.
pub fn replace(store: &mut Store, source: MiningSource, told: &[Told]) -> Result<(), StoreError> {
    store.write(|transaction| {
        transaction.execute("DELETE FROM mined WHERE source = ?1", [source.as_str()])?;
        transaction.execute("DELETE FROM listed WHERE source = ?1", [source.as_str()])?;
        insert(transaction, told)
    })
}

fn insert(transaction: &Transaction<'_>, told: &[Told]) -> Result<(), rusqlite::Error> {
    let mut put = transaction.prepare_cached(
        "INSERT OR REPLACE INTO mined (kind, key, source, record, request, raw) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    let mut list = transaction
        .prepare_cached("INSERT OR REPLACE INTO listed (competition, notebook, source) VALUES (?1, ?2, ?3)")?;
    for told in told {
        match told {
            Told::Listed { competition, notebook, source } => {
                list.execute(params![competition.as_str(), notebook.to_string(), source.as_str()])?;
            }
            Told::Record(record) => {
                let Origin { source, request, raw } = origin(record);
                let kind = RowKind::of(record).as_str();
                put.execute(params![kind, key(record), source.as_str(), json(record)?, request, raw.as_str()])?;
            }
        }
    }
    Ok(())
}

/// The record as JSON without its origin, which has columns of its own.
fn json(record: &MinedRecord) -> Result<String, rusqlite::Error> {
    let failed = |error: serde_json::Error| rusqlite::Error::ToSqlConversionFailure(error.into());
    let mut value = serde_json::to_value(record).map_err(failed)?;
    if let Value::Object(fields) = &mut value {
        fields.remove("origin");
    }
    Ok(value.to_string())
}

/// The records of one kind, by key and source; of one source where one is named.
///
/// # Errors
/// When the database refuses, or holds a row that cannot be read.
pub fn records(store: &Store, kind: RowKind, source: Option<MiningSource>) -> Result<Vec<MinedRecord>, StoreError> {
    store.read(|connection| {
        let mut statement = connection.prepare(
            "SELECT record, source, request, raw FROM mined WHERE kind = ?1 AND (?2 IS NULL OR source = ?2) \
             ORDER BY key, source",
        )?;
        let rows = statement.query_map(params![kind.as_str(), source.map(MiningSource::as_str)], |row| {
            let (record, source, request, raw): (String, String, String, String) =
                (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
            read(&record, &source, &request, &raw).map_err(|error| {
                rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Text, error.into())
            })
        })?;
        rows.collect()
    })
}

fn read(record: &str, source: &str, request: &str, raw: &str) -> Result<MinedRecord, serde_json::Error> {
    let mut value: Value = serde_json::from_str(record)?;
    value["origin"] = serde_json::json!({"source": source, "request": request, "raw": raw});
    serde_json::from_value(value)
}

/// The repositories that were mined, by name.
///
/// # Errors
/// When the database refuses, or holds a row that cannot be read.
pub fn repositories(store: &Store) -> Result<Vec<RepositoryRecord>, StoreError> {
    let repository = |record| match record {
        MinedRecord::Repository(repository) => Some(repository),
        MinedRecord::Competition(_)
        | MinedRecord::Leaderboard(_)
        | MinedRecord::Notebook(_)
        | MinedRecord::Version(_)
        | MinedRecord::Hosted(_) => None,
    };
    Ok(records(store, RowKind::Repository, None)?.into_iter().filter_map(repository).collect())
}

/// The repositories on a host that were wanted, by name, each with what became of it.
///
/// # Errors
/// When the database refuses, or holds a row that cannot be read.
pub fn hosted(store: &Store) -> Result<Vec<HostedRecord>, StoreError> {
    let hosted = |record| match record {
        MinedRecord::Hosted(hosted) => Some(*hosted),
        MinedRecord::Competition(_)
        | MinedRecord::Leaderboard(_)
        | MinedRecord::Notebook(_)
        | MinedRecord::Version(_)
        | MinedRecord::Repository(_) => None,
    };
    Ok(records(store, RowKind::Hosted, None)?.into_iter().filter_map(hosted).collect())
}

/// The versions that one source told.
///
/// # Errors
/// When the database refuses, or holds a row that cannot be read.
pub fn versions_of(store: &Store, source: MiningSource) -> Result<Vec<VersionRecord>, StoreError> {
    let records = records(store, RowKind::Version, Some(source))?;
    let version = |record| match record {
        MinedRecord::Version(version) => Some(*version),
        MinedRecord::Competition(_)
        | MinedRecord::Leaderboard(_)
        | MinedRecord::Notebook(_)
        | MinedRecord::Repository(_)
        | MinedRecord::Hosted(_) => None,
    };
    Ok(records.into_iter().filter_map(version).collect())
}

/// How many rows each source has of each kind, by kind and source.
///
/// # Errors
/// When the database refuses.
pub fn counts(store: &Store) -> Result<Vec<(String, String, u32)>, StoreError> {
    store.read(|connection| {
        let mut statement = connection
            .prepare("SELECT kind, source, count(*) FROM mined GROUP BY kind, source ORDER BY kind, source")?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        rows.collect()
    })
}

/// Pairs of competition and notebook, as any source listed them, sorted.
pub(crate) fn listed(connection: &Connection) -> Result<Vec<(String, String)>, rusqlite::Error> {
    let mut statement =
        connection.prepare("SELECT DISTINCT competition, notebook FROM listed ORDER BY competition, notebook")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    rows.collect()
}

/// The notebooks that any source listed under a competition, by key.
///
/// # Errors
/// When the database refuses.
pub fn notebooks_of(store: &Store, competition: &Slug) -> Result<Vec<NotebookKey>, StoreError> {
    store.read(|connection| {
        let mut statement =
            connection.prepare("SELECT DISTINCT notebook FROM listed WHERE competition = ?1 ORDER BY notebook")?;
        let rows = statement.query_map([competition.as_str()], |row| {
            let key: String = row.get(0)?;
            key.parse().map_err(|error: NameError| unreadable(row, 0, &error))
        })?;
        rows.collect()
    })
}

/// Notes notebooks that are wanted by name, besides those that were.
///
/// # Errors
/// When the database refuses.
pub fn want(store: &mut Store, rows: &[WantedRow]) -> Result<(), StoreError> {
    store.write(|transaction| {
        let mut insert = transaction
            .prepare("INSERT OR REPLACE INTO wanted (notebook, version, competition) VALUES (?1, ?2, ?3)")?;
        for row in rows {
            insert.execute(params![row.notebook, row.version.unwrap_or_default(), row.competition])?;
        }
        Ok(())
    })
}

/// The notebooks that are wanted by name, sorted.
///
/// # Errors
/// When the database refuses.
pub fn wanted(store: &Store) -> Result<Vec<WantedRow>, StoreError> {
    store.read(|connection| {
        let mut statement =
            connection.prepare("SELECT notebook, version, competition FROM wanted ORDER BY notebook, version")?;
        let rows = statement.query_map([], |row| {
            let version: u32 = row.get(1)?;
            Ok(WantedRow { notebook: row.get(0)?, version: (version > 0).then_some(version), competition: row.get(2)? })
        })?;
        rows.collect()
    })
}

/// Every row of the mined tables as text, sorted, without the columns that chance decides: for comparing two stores.
///
/// # Errors
/// When the database refuses.
pub fn fingerprint(store: &Store) -> Result<Vec<String>, StoreError> {
    store.read(|connection| {
        let mut statement = connection.prepare(
            "SELECT kind || ' ' || key || ' ' || source || ' ' || record FROM mined UNION ALL \
             SELECT 'listed ' || competition || ' ' || notebook || ' ' || source FROM listed UNION ALL \
             SELECT 'wanted ' || notebook || ' ' || version FROM wanted ORDER BY 1",
        )?;
        statement.query_map([], |row| row.get(0))?.collect()
    })
}
