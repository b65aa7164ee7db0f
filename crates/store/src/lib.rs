//! The run database (SQLite) and its parquet export: one module a table, named migrations.
//!
//! A store is a folder: `study.db` (SQLite in WAL mode), `executed/` (one notebook an execution), `lock` (held while a run
//! writes). An execution becomes visible in one transaction, when it is whole; the notebook file is in place before that.
//! The work left is always "what has no row under its natural key", so a killed run is resumed by running again.

mod coded;
mod columns;
pub mod compare;
pub mod comparisons;
pub mod competitions;
pub mod conditions;
mod cursor;
pub mod cut_outputs;
mod database;
pub mod dataset;
mod dialogue_export;
pub mod executability;
mod execution_export;
pub mod executions;
pub mod export;
mod filling;
pub mod fingerprints;
pub mod fixes;
pub mod grades;
pub mod install_refusals;
pub mod least_patches;
pub mod left_out;
pub mod loops;
pub mod migrations;
pub mod mined;
mod mined_export;
pub mod order_runs;
mod outcome_export;
pub mod outcomes;
pub mod parquet;
pub mod questions;
mod record;
pub mod refusals;
mod repetition_export;
pub mod repetitions;
pub mod repositories;
pub mod repository_environments;
pub mod restorations;
mod schema;
pub mod selections;
pub mod shards;
mod store;
pub mod studies;
mod study_export;
pub mod takedown;
mod texts;
mod tracebacks;
mod transitions;
pub mod versions;

pub use filling::Filling;
pub use store::{Store, StoreError};
