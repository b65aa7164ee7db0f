//! Merging a shard: the store of a part of a study, which ran elsewhere, goes into the study's own in one transaction.
//!
//! Rows are told apart by their natural keys, so that a shard that comes twice, or after another one with some of its jobs, adds nothing
//! that is there: what was merged first stays.

mod refusal;
mod rows;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::path::Path;

use nbrevive_corpus::Condition;
use rusqlite::TransactionBehavior;
use serde::{Deserialize, Serialize};

pub use refusal::ShardError;

use crate::error::failed;
use crate::shards::refusal::checked;
use crate::shards::rows::Rows;
use crate::{Store, StoreError};

/// A job of a shard. One that is decided has its outcome there, or turned out to be none.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShardJob {
    /// The version's slug.
    pub version: String,
    /// The condition.
    pub condition: Condition,
    /// Which run of the condition it is, from 1.
    pub repetition: u32,
    /// Hash of everything that its outcome depends on.
    pub inputs_hash: String,
}

/// What becomes of an outcome whose job has one of the same inputs already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SecondOutcome {
    /// Nothing: the first one stays, alone.
    #[default]
    Dropped,
    /// It is kept as one more repetition, unless it is the same row.
    KeptAsRepetition,
}

/// What a merge did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MergedRows {
    /// Jobs that are decided by now, and were not.
    pub jobs: usize,
    /// Jobs that were decided already.
    pub known: usize,
    /// Executions that were not stored yet.
    pub executions: usize,
}

/// Merges the shard in the folder `shard`, which decided on `decided`, in one transaction. `place` puts an executed notebook, by its path below
/// the shard's folder, into `store` before its row is seen.
///
/// # Errors
/// When the shard is none, is damaged, holds other tables or other jobs than it should: then nothing of it was stored. When `place` fails, or the
/// store refuses.
pub fn merge(
    store: &mut Store,
    shard: &Path,
    decided: &[ShardJob],
    second: SecondOutcome,
    place: &mut dyn FnMut(&Store, &str) -> Result<(), StoreError>,
) -> Result<MergedRows, ShardError> {
    let shard = checked(store, shard, decided)?;
    let of_versions: BTreeSet<&str> = decided.iter().map(|job| job.version.as_str()).collect();
    in_transaction(store, |store| {
        let mut rows = Rows::begin(&shard, store, &of_versions)?;
        let mut merged = MergedRows::default();
        for job in decided {
            if rows.is_decided(job)? {
                merged.known += 1;
                if second == SecondOutcome::KeptAsRepetition {
                    rows.keep_as_repetition(job)?;
                }
            } else {
                rows.take(job);
                merged.jobs += 1;
            }
        }
        let files = rows.take_executions()?;
        rows.take_jobs()?;
        rows.take_shared()?;
        merged.executions = files.len();
        for file in &files {
            place(store, file)?;
        }
        Ok(merged)
    })
}

/// Puts into `store`, which is new, all that `of` has of these versions: what jobs that are left start from. `place` is that of [`merge`].
///
/// # Errors
/// When a store refuses, or `place` fails.
pub fn seed(
    store: &mut Store,
    of: &Store,
    versions: &BTreeSet<&str>,
    place: &mut dyn FnMut(&Store, &str) -> Result<(), StoreError>,
) -> Result<(), ShardError> {
    in_transaction(store, |store| {
        let mut rows = Rows::begin(of, store, versions)?;
        rows.take_all()?;
        let files = rows.take_executions()?;
        rows.take_jobs()?;
        files.iter().try_for_each(|file| Ok(place(store, file)?))
    })
}

/// Does `work` in one transaction.
fn in_transaction<T>(store: &mut Store, work: impl FnOnce(&Store) -> Result<T, ShardError>) -> Result<T, ShardError> {
    let folder = store.folder().to_owned();
    let refused = |source| ShardError::Store(failed(&folder, source));
    let connection = &store.connection;
    let transaction =
        rusqlite::Transaction::new_unchecked(connection, TransactionBehavior::Immediate).map_err(refused)?;
    let value = work(store)?;
    transaction.commit().map_err(refused)?;
    Ok(value)
}
