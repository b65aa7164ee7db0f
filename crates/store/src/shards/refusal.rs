//! Why a shard is not merged; asked of its database before anything of it is.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use nbrevive_corpus::Condition;

use crate::shards::ShardJob;
use crate::{Store, StoreError, executions, left_out, outcomes, repetitions};

/// Why a shard was not merged.
#[derive(Debug, thiserror::Error)]
pub enum ShardError {
    /// It is no store, or was cut or damaged.
    #[error("shard {shard} is damaged ({why}): it is left out, and its jobs run again")]
    Damaged {
        /// The shard.
        shard: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// Another version of the program wrote it.
    #[error(
        "shard {shard} has tables of another version of this program: let all nodes use the same one; its jobs run again"
    )]
    OtherVersion {
        /// The shard.
        shard: PathBuf,
    },
    /// It holds something else than the jobs that it should.
    #[error("shard {shard} is of other jobs ({why}): it is left out, and its jobs run again")]
    OtherJobs {
        /// The shard.
        shard: PathBuf,
        /// What does not belong there.
        why: String,
    },
    /// The store cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Opens a shard and reads it once, as its types have it, without storing anything.
///
/// # Errors
/// See [`ShardError`].
pub(super) fn checked(store: &Store, shard: &Path, decided: &[ShardJob]) -> Result<Store, ShardError> {
    let damaged = |why: String| ShardError::Damaged { shard: shard.to_owned(), why };
    let other = Store::open_read_only(shard).map_err(|error| damaged(error.to_string()))?;
    let unreadable = |error: StoreError| damaged(error.to_string());
    if schema(&other).map_err(unreadable)? != schema(store)? {
        return Err(ShardError::OtherVersion { shard: shard.to_owned() });
    }
    let whole: String = other
        .read(|connection| connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)))
        .map_err(unreadable)?;
    if whole != "ok" {
        return Err(damaged(whole));
    }
    executions::all(&other).map_err(unreadable)?;
    left_out::all(&other).map_err(unreadable)?;
    let further = repetitions::all(&other).map_err(unreadable)?;
    let first = outcomes::all(&other).map_err(unreadable)?.into_iter().map(|outcome| (1, outcome));
    let further = further.into_iter().map(|row| (row.repetition, row.outcome));
    let stored: BTreeMap<(String, Condition, u32), String> = first
        .chain(further)
        .map(|(repetition, row)| ((row.version, row.condition, repetition), row.inputs_hash))
        .collect();
    for job in decided {
        let found = stored.get(&(job.version.clone(), job.condition, job.repetition));
        if found.is_some_and(|hash| *hash != job.inputs_hash) {
            let why = format!("its outcome of {} {} was made of other inputs", job.version, job.condition);
            return Err(ShardError::OtherJobs { shard: shard.to_owned(), why });
        }
    }
    Ok(other)
}

/// Every table and index, as it was made: the same in all stores of one version.
fn schema(store: &Store) -> Result<Vec<(String, String)>, StoreError> {
    store.read(|connection| {
        let query = "SELECT type || ' ' || name, coalesce(sql, '') FROM sqlite_schema ORDER BY 1";
        let mut statement = connection.prepare_cached(query)?;
        statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
    })
}
