//! A study on many machines: batches of jobs go out, shards of rows come back.
//!
//! Everything goes through one folder that all machines see, [`ClusterFolder`]. What is in it is written by one process each, whole or
//! line by line, so that it needs nothing of the file system but that a rename is seen once.
//!
//! Parts:
//! - [`batches`](sizes::batches): which jobs go together;
//! - [`BatchFile`]: what a task is given;
//! - [`TaskJournal`]: what it says while it runs;
//! - [`ParcelHead`], [`seal_parcel`], [`open_parcel`]: what it hands in, one file with its hash in its name;
//! - [`TaskEnd`]: how it ended;
//! - [`Submitter`], [`CommandSubmitter`], [`SlurmSubmitter`]: who starts tasks;
//! - [`RunAccounts`]: what tasks may spend on a model;
//! - [`follow`]: sends batches out, merges what comes back, sends again what is missing.

pub(crate) mod accounts;
pub(crate) mod batch_file;
pub(crate) mod cluster_event;
pub(crate) mod command;
mod exchange;
pub(crate) mod expected;
pub(crate) mod failed_job;
pub(crate) mod folder;
pub(crate) mod follow;
pub(crate) mod follow_error;
mod follow_log;
mod line_file;
pub(crate) mod parcel;
mod sending;
pub(crate) mod sizes;
pub(crate) mod slurm;
pub(crate) mod submitter;
pub(crate) mod task_end;
pub(crate) mod task_journal;
