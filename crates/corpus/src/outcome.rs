//! The words for what came out of a run.

use crate::spelling::string_enum;

string_enum! {
    /// Which way a metric points.
    pub enum Direction ("direction") {
        /// Higher is better.
        Maximize => "maximize",
        /// Lower is better.
        Minimize => "minimize",
    }
}

string_enum! {
    /// Whether any cell raised.
    pub enum ErrorStatus ("error status") {
        /// No cell raised.
        ErrorFree => "error-free",
        /// At least one cell raised.
        Error => "error",
    }
}

string_enum! {
    /// Whether the run left a valid submission.
    pub enum OutputStatus ("output status") {
        /// A submission that the grader accepts.
        Csv => "csv",
        /// None, or one that the grader refuses; the reason stands beside it.
        NoCsv => "no-csv",
    }
}

string_enum! {
    /// What came out of a run (paper, Tables 1 to 3).
    pub enum Outcome ("outcome") {
        /// No error, and a score within the threshold.
        ErrorFreeReproducible => "error-free-reproducible",
        /// Errors, and yet a score within the threshold.
        ErrorReproducible => "error-reproducible",
        /// No error, but no valid submission or another score.
        ErrorFreeNonReproducible => "error-free-non-reproducible",
        /// Errors, and no valid submission or another score.
        ErrorNonReproducible => "error-non-reproducible",
        /// No result at all; see [`Failure`].
        Failed => "failed",
    }
}

impl Outcome {
    /// Whether the score came out within the threshold.
    #[must_use]
    pub const fn is_reproducible(self) -> bool {
        match self {
            Outcome::ErrorFreeReproducible | Outcome::ErrorReproducible => true,
            Outcome::ErrorFreeNonReproducible | Outcome::ErrorNonReproducible | Outcome::Failed => false,
        }
    }
}

string_enum! {
    /// Why an outcome is `failed` (the last rows of the paper's Tables 1 to 3).
    pub enum Failure ("failure") {
        /// The wall clock for the whole notebook ran out.
        Timeout => "timeout",
        /// The kernel ended before the notebook did: died, out of memory, disk full, never started.
        NotSaved => "not-saved",
        /// No environment of the date could be built.
        BackportFailed => "backport-failed",
        /// The model gave no usable answer.
        LlmFailed => "llm-failed",
    }
}

string_enum! {
    /// The state in which one fix leaves a notebook: the columns of the paper's Table 4.
    pub enum FlowState ("state") {
        /// The run exceeded the time limit.
        Timeout => "timeout",
        /// Errors, and not reproducible. Runs whose kernel died count here: the table has no column of their own.
        ErrorNonReproducible => "error-non-reproducible",
        /// No error, and not reproducible.
        ErrorFreeNonReproducible => "error-free-non-reproducible",
        /// Errors, and yet reproducible.
        ErrorReproducible => "error-reproducible",
        /// No error, and reproducible.
        ErrorFreeReproducible => "error-free-reproducible",
    }
}

impl FlowState {
    /// The column of Table 4 into which a run with this outcome falls.
    #[must_use]
    pub const fn of(outcome: Outcome, failure: Option<Failure>) -> Self {
        match (outcome, failure) {
            (Outcome::ErrorFreeReproducible, _) => FlowState::ErrorFreeReproducible,
            (Outcome::ErrorReproducible, _) => FlowState::ErrorReproducible,
            (Outcome::ErrorFreeNonReproducible, _) => FlowState::ErrorFreeNonReproducible,
            (Outcome::Failed, Some(Failure::Timeout)) => FlowState::Timeout,
            (Outcome::ErrorNonReproducible | Outcome::Failed, _) => FlowState::ErrorNonReproducible,
        }
    }
}
