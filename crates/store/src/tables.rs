//! The tables of the database, one file each.

pub mod comparisons;
pub mod competitions;
pub mod conditions;
pub mod cut_outputs;
pub mod executability;
pub mod executions;
pub mod fingerprints;
pub mod fixes;
pub mod grades;
pub mod install_refusals;
pub mod least_patches;
pub mod left_out;
pub mod loops;
pub mod mined;
pub mod order_runs;
pub mod outcomes;
pub mod questions;
pub mod refusals;
pub mod repetitions;
pub mod repositories;
pub mod repository_environments;
pub mod restorations;
pub mod selections;
pub mod studies;
pub mod versions;
