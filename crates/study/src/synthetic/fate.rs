//! What can come out of a run: the rows of the paper's Tables 1 to 3.

use nbrevive_corpus::{Criterion, Failure, FlowState, Outcome, RunEnd, RunFacts, Verdict, judge};

/// A row of Tables 1 to 3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// Every cell was tried.
    Ran {
        /// Whether cells raised.
        errors: bool,
        /// How far the score is from its target.
        score: Distance,
    },
    /// There is no result.
    Failed(Failure),
}

/// How far a score is from its target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Distance {
    /// Within τ.
    Within,
    /// Beyond it.
    Beyond,
    /// There is no score.
    NoScore,
}

impl Fate {
    /// The row with this name in the published tables.
    pub(super) fn named(row: &str) -> Option<Self> {
        let (status, score) = if let Some(status) = row.strip_suffix("-csv-within") {
            (status, Distance::Within)
        } else if let Some(status) = row.strip_suffix("-csv-beyond") {
            (status, Distance::Beyond)
        } else if let Some(status) = row.strip_suffix("-no-csv") {
            (status, Distance::NoScore)
        } else {
            return row.parse().ok().map(Fate::Failed);
        };
        match status {
            "error-free" => Some(Fate::Ran { errors: false, score }),
            "error" => Some(Fate::Ran { errors: true, score }),
            _ => None,
        }
    }

    /// A run that left a notebook in this state.
    pub(super) const fn in_state(state: FlowState) -> Self {
        let (errors, score) = match state {
            FlowState::Timeout => return Fate::Failed(Failure::Timeout),
            FlowState::Failed => return Fate::Failed(Failure::NotSaved),
            FlowState::ErrorNonReproducible => (true, Distance::NoScore),
            FlowState::ErrorFreeNonReproducible => (false, Distance::Beyond),
            FlowState::ErrorReproducible => (true, Distance::Within),
            FlowState::ErrorFreeReproducible => (false, Distance::Within),
        };
        Fate::Ran { errors, score }
    }

    /// The outcome.
    pub(super) const fn outcome(self) -> Outcome {
        match self {
            Fate::Ran { errors: false, score: Distance::Within } => Outcome::ErrorFreeReproducible,
            Fate::Ran { errors: true, score: Distance::Within } => Outcome::ErrorReproducible,
            Fate::Ran { errors: false, .. } => Outcome::ErrorFreeNonReproducible,
            Fate::Ran { errors: true, .. } => Outcome::ErrorNonReproducible,
            Fate::Failed(_) => Outcome::Failed,
        }
    }

    /// The column of Table 4 for the last fix of a loop with this end; none where a model gave no fix.
    pub(super) fn state(self) -> Option<FlowState> {
        match self {
            Fate::Failed(Failure::LlmFailed | Failure::BackportFailed | Failure::NotRun) => None,
            Fate::Failed(failure) => Some(FlowState::of(Outcome::Failed, Some(failure)).column()),
            Fate::Ran { .. } => Some(FlowState::of(self.outcome(), None)),
        }
    }

    /// How a run ends that comes to this.
    pub(super) fn end(self) -> RunEnd {
        match self {
            Fate::Ran { .. } => RunEnd::Completed,
            Fate::Failed(Failure::Timeout) => RunEnd::Timeout,
            Fate::Failed(Failure::NotSaved) => RunEnd::NotSaved("kernel-died".to_owned()),
            Fate::Failed(Failure::BackportFailed | Failure::LlmFailed) => RunEnd::NoEnvironment("synthetic".to_owned()),
            Fate::Failed(Failure::NotRun) => RunEnd::NotRun("synthetic".to_owned()),
        }
    }

    /// The program's own judgement of a run that comes to this.
    pub(super) fn verdict(self, error_cells: u32, grade: Result<f64, String>, target: f64, tau: f64) -> Verdict {
        let facts = RunFacts {
            end: self.end(),
            error_cells: error_cells as usize,
            grade: Some(grade),
            criterion: Criterion::Score { target, tau },
        };
        let mut verdict = judge(&facts);
        if let Fate::Failed(failure @ Failure::LlmFailed) = self {
            // No run ends so: the loop did.
            verdict.failure = Some(failure);
        }
        verdict
    }
}
