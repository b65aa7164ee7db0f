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

/// What is known of an outcome.
struct OutcomeFacts {
    label: &'static str,
    errors: Option<ErrorStatus>,
    is_reproducible: bool,
}

const fn facts(label: &'static str, errors: Option<ErrorStatus>, is_reproducible: bool) -> OutcomeFacts {
    OutcomeFacts { label, errors, is_reproducible }
}

string_enum! {
    /// What came out of a run (paper, Tables 1 to 3).
    pub enum Outcome ("outcome"): OutcomeFacts {
        /// No error, and a score within the threshold.
        ErrorFreeReproducible => "error-free-reproducible",
            facts("Error-free reproducible", Some(ErrorStatus::ErrorFree), true);
        /// Errors, and yet a score within the threshold.
        ErrorReproducible => "error-reproducible", facts("Error reproducible", Some(ErrorStatus::Error), true);
        /// No error, but no valid submission or another score.
        ErrorFreeNonReproducible => "error-free-non-reproducible",
            facts("Error-free non-reproducible", Some(ErrorStatus::ErrorFree), false);
        /// Errors, and no valid submission or another score.
        ErrorNonReproducible => "error-non-reproducible", facts("Error non-reproducible", Some(ErrorStatus::Error), false);
        /// No result at all; see [`Failure`].
        Failed => "failed", facts("Failed", None, false);
    }
}

impl Outcome {
    /// What came out of a run that came to its end.
    #[must_use]
    pub const fn of_run(errors: ErrorStatus, is_reproducible: bool) -> Self {
        match (errors, is_reproducible) {
            (ErrorStatus::ErrorFree, true) => Outcome::ErrorFreeReproducible,
            (ErrorStatus::ErrorFree, false) => Outcome::ErrorFreeNonReproducible,
            (ErrorStatus::Error, true) => Outcome::ErrorReproducible,
            (ErrorStatus::Error, false) => Outcome::ErrorNonReproducible,
        }
    }

    /// As people read it.
    #[must_use]
    pub const fn label(self) -> &'static str {
        self.about().label
    }

    /// Whether any cell raised; `None` where there is no result.
    #[must_use]
    pub const fn errors(self) -> Option<ErrorStatus> {
        self.about().errors
    }

    /// Whether no cell raised, and there is a result.
    #[must_use]
    pub const fn is_error_free(self) -> bool {
        matches!(self.about().errors, Some(ErrorStatus::ErrorFree))
    }

    /// Whether the score came out within the threshold.
    #[must_use]
    pub const fn is_reproducible(self) -> bool {
        self.about().is_reproducible
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
        /// The condition runs nothing.
        NotRun => "not-run",
    }
}

string_enum! {
    /// The state of a notebook after an execution: what flows from step to step. An outcome, of which running out of time is told apart.
    pub enum FlowState ("state"): Outcome {
        /// The run exceeded the time limit.
        Timeout => "timeout", Outcome::Failed;
        /// Errors, and not reproducible.
        ErrorNonReproducible => "error-non-reproducible", Outcome::ErrorNonReproducible;
        /// No error, and not reproducible.
        ErrorFreeNonReproducible => "error-free-non-reproducible", Outcome::ErrorFreeNonReproducible;
        /// Errors, and yet reproducible.
        ErrorReproducible => "error-reproducible", Outcome::ErrorReproducible;
        /// No error, and reproducible.
        ErrorFreeReproducible => "error-free-reproducible", Outcome::ErrorFreeReproducible;
        /// No result for another reason than time.
        Failed => "failed", Outcome::Failed;
    }
}

impl FlowState {
    /// The columns of the paper's Table 4.
    pub const COLUMNS: &'static [FlowState] = Self::ALL.split_at(5).0;

    /// The state of a notebook with this outcome; of no result at all, where its reason is not told.
    #[must_use]
    pub fn of(outcome: Outcome, failure: Option<Failure>) -> Self {
        let is_timeout = outcome == Outcome::Failed && failure == Some(Failure::Timeout);
        let is_it = |state: &&FlowState| state.outcome() == outcome && (**state == FlowState::Timeout) == is_timeout;
        Self::ALL.iter().find(is_it).copied().unwrap_or(FlowState::Failed)
    }

    /// The outcome that the state is.
    #[must_use]
    pub const fn outcome(self) -> Outcome {
        *self.about()
    }

    /// As people read it.
    #[must_use]
    pub const fn label(self) -> &'static str {
        if matches!(self, FlowState::Timeout) { "Timeout" } else { self.outcome().label() }
    }

    /// The column of Table 4 in which it counts: runs whose kernel died have none of their own and count as errors.
    #[must_use]
    pub fn column(self) -> Self {
        if self == FlowState::Failed { FlowState::ErrorNonReproducible } else { self }
    }
}
