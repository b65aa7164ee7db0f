//! What happens while a run is carried out on other machines.

use std::collections::BTreeMap;

use nbrevive_corpus::Outcome;
use nbrevive_store::shards::{MergedRows, ShardJob};

use crate::cluster::submitter::SubmitError;
use crate::cluster::task_end::TaskEnd;

/// What happens meanwhile.
#[derive(Debug)]
pub enum ClusterEvent<'a> {
    /// So many batches with so many jobs were sent.
    Sent(usize, usize),
    /// The shard of a batch was merged.
    Merged {
        /// The batch.
        batch: u32,
        /// Where it ran.
        node: &'a str,
        /// What the merge did.
        rows: MergedRows,
        /// What its jobs came to, as far as they were not known before.
        outcomes: &'a BTreeMap<Outcome, usize>,
        /// Jobs that are decided by now.
        decided: usize,
        /// Jobs of the run.
        jobs: usize,
    },
    /// A shard was refused.
    Refused(&'a dyn std::error::Error),
    /// A task ended otherwise than by carrying out its batch.
    Ended {
        /// Its batch.
        batch: u32,
        /// Its machine, where it began.
        node: Option<&'a str>,
        /// How.
        end: TaskEnd,
        /// Its own words.
        why: &'a str,
        /// Jobs that are sent again.
        again: usize,
    },
    /// A job is taken for failed, since it died alone in its task again and again.
    Failed(&'a ShardJob),
    /// There is too little to spend for a batch in full: why, and what is done about it.
    Short(&'a str),
    /// Nobody could be asked where tasks are; it is tried again.
    Unasked(&'a SubmitError),
}
