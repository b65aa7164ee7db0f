//! The vocabulary of a study: competition, notebook, version, condition, outcome, and the selection funnel.
//!
//! Parts:
//! - [`Condition`], [`Outcome`], [`Failure`], [`FixType`] …: the words of the study, each with one spelling for command
//!   line, database, parquet and prose;
//! - [`Recipe`] and [`Roles`]: what a study does under a condition, and what each condition of a study is to its tables;
//! - [`judge`]: the one pure function that turns what a run left behind into an outcome (paper, section 2.1.2);
//! - [`Flakiness`]: whether it comes out the same when it is run again;
//! - [`Fingerprint`]: what made a result, by named fields, and what changed since;
//! - [`Competition`]: a task with data, metric, direction and answers, read from its folder;
//! - [`Version`] and [`Target`]: one saved version of a notebook and the score that it has to reach;
//! - [`Belongs`] and [`Repository`]: where a version's world comes from;
//! - [`funnel`]: which mined versions a study keeps, step by step, and why the others are dropped;
//! - [`PublishedFiles`]: what a paper prints, as files;
//! - [`sample`]: stratified samples and smoke subsets of what is kept;
//! - [`select`]: whether a file can be studied at all, and if not, why.

mod competition;
mod condition;
mod executability;
mod fingerprint;
mod fix;
mod flaky;
pub mod funnel;
mod hash;
mod left;
mod outcome;
mod outcome_columns;
mod published;
mod recipe;
mod repository;
mod roles;
pub mod sample;
mod selection;
mod target;
mod thousands;
mod verdict;
mod version;

pub use competition::{Competition, CompetitionError, DataSource, Prediction};
pub use condition::{Condition, Role};
pub use executability::Executability;
pub use fingerprint::{Change, Fingerprint};
pub use fix::{Breach, FixType, LoopEnd, RepairLevel};
pub use flaky::{Flakiness, RunResult, run_result};
pub use hash::{content_hash, file_sha256, opened_sha256};
pub use left::{LeftCause, LeftError};
pub use nbrevive_spelling::{UnknownWord, string_enum};
pub use outcome::{Direction, ErrorStatus, Failure, FlowState, Outcome, OutputStatus};
pub use outcome_columns::outcome_columns;
pub use published::{Printed, PublishedError, PublishedFiles, section_order};
pub use recipe::{Antidote, CellOrder, EnvironmentKind, Preparation, Recipe, Repairer, Restorer, Stop, Surrounding};
pub use repository::{Belongs, HostTold, Repository};
pub use roles::{ConditionPart, Roles};
pub use selection::{Exclusion, SelectedNotebook, select};
pub use target::{Target, TargetError, Targets};
pub use thousands::thousands;
pub use verdict::{Criterion, DEFAULT_TAU, Judge, RunEnd, RunFacts, Verdict, deviation, judge};
pub use version::{Version, VersionError, load_versions};

/// Longest list or description that is read, in bytes: a list of a million versions has less.
const LONGEST_LIST: u64 = 512 << 20;
