//! The run database (SQLite) and its parquet export: one module a table in `tables`, named migrations.
//!
//! A store is a folder: `study.db` (SQLite in WAL mode), `executed/` (one notebook an execution), `lock` (held while a run
//! writes). An execution becomes visible in one transaction, when it is whole; the notebook file is in place before that.
//! The work left is always "what has no row under its natural key", so a killed run is resumed by running again.

mod columns;
pub mod compare;
mod cursor;
mod database;
pub mod dataset;
mod error;
pub mod export;
mod filling;
pub mod migrations;
pub mod parquet;
mod record;
mod schema;
pub mod shards;
mod store;
mod tables;
pub mod takedown;

pub use error::StoreError;
pub use filling::Filling;
pub use store::Store;
pub use tables::{
    comparisons, competitions, conditions, cut_outputs, executability, executions, fingerprints, fixes, grades,
    install_refusals, least_patches, left_out, loops, mined, order_runs, outcomes, questions, refusals, repetitions,
    repositories, repository_environments, restorations, selections, studies, versions,
};
