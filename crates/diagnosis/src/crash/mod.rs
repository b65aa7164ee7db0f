//! Crashes: errors that notebooks saved, from the output to its root cause.

mod classify;
mod cluster;
mod context;
mod evidence;
mod explain;
mod folds;
mod funnel;
mod label;
mod library;
mod model;
mod names;
mod normal;
mod rule;
mod saved;
mod sheet;
mod strata;
mod traceback;
mod train;

pub use classify::{CrashLabel, CrashLabels, classify};
pub use cluster::{PAPER_SIMILARITY, Similarity, clusters};
pub use context::{Absence, MissingDefinition, MissingThing, missing_definition, missing_key};
pub use evidence::{CrashText, Evidence, missing_name};
pub use explain::{Explanation, explain, meaning};
pub use folds::{Confusion, JudgedLabel, LabelScore, folds, intervals};
pub use funnel::{CrashFilter, CrashFunnel};
pub use label::{BugKind, ExceptionType, Label, RootCause, Stage};
pub use library::{ImportedNames, MlLibrary, ml_libraries};
pub use model::{LabelPrediction, LinearModel, Models};
pub use names::of_spelling;
pub use normal::{VALUE_RULES, ValueRule, normal_value};
pub use rule::{CauseRule, cause_rules};
pub use saved::{SavedError, saved_errors};
pub use sheet::{SheetError, SheetRow, read_sheet};
pub use strata::{allocate, draw, sample_size, strata};
pub use traceback::{CodeLine, Frame, Place, Traceback, plain};
pub use train::Training;
