//! The record of a dialogue: one line of JSON a call, written before the answer is used.
//!
//! Lines are appended under a lock and synced, so that a call that was answered is never paid again after a kill. A last
//! line that was torn by one is passed over, and the next line begins after it. Several processes may write to one file.

mod line;
mod store;

pub use line::{DialogueRecord, Ending};
pub use store::{RecordError, Recorder};

/// Where the record lies in a study's store.
pub const RECORD: &str = "dialogue.jsonl";

pub(crate) use line::{Call, Counted};
pub(crate) use store::Index;

#[cfg(test)]
mod tests;
