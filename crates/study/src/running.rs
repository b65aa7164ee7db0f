//! The run of a study's jobs: on several threads, with trouble that passes waited out, and what it would cost.

pub(crate) mod dry_run;
pub(crate) mod looked_at;
pub(crate) mod retry;
pub(crate) mod run;
pub(crate) mod trouble;
