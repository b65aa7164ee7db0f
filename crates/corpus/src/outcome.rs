//! The words for what came out of a run.

use nbrevive_spelling::string_enum;

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
    /// The state of a notebook after an execution: what flows from step to step.
    pub enum FlowState ("state") {
        /// The run exceeded the time limit.
        Timeout => "timeout",
        /// Errors, and not reproducible.
        ErrorNonReproducible => "error-non-reproducible",
        /// No error, and not reproducible.
        ErrorFreeNonReproducible => "error-free-non-reproducible",
        /// Errors, and yet reproducible.
        ErrorReproducible => "error-reproducible",
        /// No error, and reproducible.
        ErrorFreeReproducible => "error-free-reproducible",
        /// No result for another reason than time.
        Failed => "failed",
    }
}

impl FlowState {
    /// The columns of the paper's Table 4.
    pub const COLUMNS: &'static [FlowState] = Self::ALL.split_at(5).0;

    /// The state of a notebook with this outcome; of no result at all, where its reason is not told.
    #[must_use]
    pub const fn of(outcome: Outcome, failure: Option<Failure>) -> Self {
        match (outcome, failure) {
            (Outcome::ErrorFreeReproducible, _) => FlowState::ErrorFreeReproducible,
            (Outcome::ErrorReproducible, _) => FlowState::ErrorReproducible,
            (Outcome::ErrorFreeNonReproducible, _) => FlowState::ErrorFreeNonReproducible,
            (Outcome::ErrorNonReproducible, _) => FlowState::ErrorNonReproducible,
            (Outcome::Failed, Some(Failure::Timeout)) => FlowState::Timeout,
            (Outcome::Failed, _) => FlowState::Failed,
        }
    }

    /// The column of Table 4 in which it counts: runs whose kernel died have none of their own and count as errors.
    #[must_use]
    pub const fn column(self) -> Self {
        match self {
            FlowState::Failed => FlowState::ErrorNonReproducible,
            FlowState::Timeout
            | FlowState::ErrorNonReproducible
            | FlowState::ErrorFreeNonReproducible
            | FlowState::ErrorReproducible
            | FlowState::ErrorFreeReproducible => self,
        }
    }
}
