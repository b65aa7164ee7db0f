//! Table `fixes`.

use nbrevive_corpus::{FixType, FlowState, RepairLevel};

use crate::loops::{OfLoop, collect, each_of};
use crate::record::record;
use crate::{Store, StoreError};

record! {
    /// One fix of a modernize loop.
    #[derive(Debug, Clone, PartialEq)]
    pub struct FixRow {
        /// Its place in the loop, from 1.
        pub number: u32,
        /// What it aimed at.
        pub fix_type: FixType,
        /// Who proposed it.
        pub provider: String,
        /// The rules that it applied, joined by commas.
        pub rules: String,
        /// Edit similarity to the code before it, 0 to 1.
        pub similarity_to_previous: f64,
        /// Edit similarity to the original code, 0 to 1.
        pub similarity_to_original: f64,
        /// The state in which it left the notebook.
        pub led_to: FlowState,
        /// The finer cause when that run failed.
        pub led_to_failure_cause: Option<String>,
        /// `file` or `cell`: how much of the notebook a model was asked about; `None` for a provider that asks none.
        pub level: Option<RepairLevel>,
        /// The version of the templates that the model was asked with: a hash of their text.
        pub template: Option<String>,
        /// Seconds from the question to the proposal; unknown for rows of older programs, as are the next two hashes.
        pub seconds: Option<f64>,
        /// The score of the execution after it, where there is one.
        pub score: Option<f64>,
        /// What was executed: a hash of the code without comments and layout. With [`FixRow::state_failure`] a state of the loop.
        pub state_code: Option<String>,
        /// How it failed: a hash over errors, ending and score.
        pub state_failure: Option<String>,
        /// The rules of which a part was taken back, since a cell that ran before raised for its sake, joined by commas; `None` in
        /// rows of older programs, which took nothing back.
        pub taken_back: Option<String>,
        /// Whether all that it does is to restore old behaviours as a whole; `None` in rows of older programs.
        pub is_switch: Option<bool>,
        /// The change as a unified diff of percent cells.
        pub patch: String,
        /// The plan in words.
        pub plan: String,
    }
}

/// Every fix, by version, condition and number.
///
/// # Errors
/// When the database refuses or holds a value that cannot be read.
pub fn all(store: &Store) -> Result<Vec<OfLoop<FixRow>>, StoreError> {
    collect(|take| each_of(store, "fixes", ORDER, take))
}

/// In the order of [`all`], to which outcomes are read.
pub(crate) const ORDER: &str = "version, condition, number";
