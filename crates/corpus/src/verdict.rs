//! From what a run left behind to its outcome: one pure function.

use serde::{Deserialize, Serialize};

use crate::{ErrorStatus, Failure, Outcome, OutputStatus};
use nbrevive_spelling::string_enum;

/// The largest deviation at which a version counts as reproducible (paper, section 2.1.2).
pub const DEFAULT_TAU: f64 = 0.10;

string_enum! {
    /// What a study asks of an execution.
    pub enum Judge ("judge") {
        /// Whether its score is that of the target (paper, section 2.1.2): versions without a competition, or a target, are left out.
        Score => "score",
        /// How much of its code runs.
        Executability => "executability",
        /// The same, and whether it shows what was saved (containers, section 3.2).
        Outputs => "outputs",
    }
}

impl Judge {
    /// Whether executions are graded, and have a target to reach.
    #[must_use]
    pub const fn asks_scores(self) -> bool {
        match self {
            Judge::Score => true,
            Judge::Executability | Judge::Outputs => false,
        }
    }

    /// Whether outputs are compared with those that were saved.
    #[must_use]
    pub const fn asks_outputs(self) -> bool {
        match self {
            Judge::Score | Judge::Executability => false,
            Judge::Outputs => true,
        }
    }
}

/// How a run came to its end, as far as the outcome depends on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum RunEnd {
    /// Every cell was tried.
    Completed,
    /// The wall clock ran out.
    Timeout,
    /// The kernel ended first; the word says how, for example `kernel-died` or `out-of-memory`.
    NotSaved(String),
    /// There was no environment to run in; the word is the class of the failed build.
    NoEnvironment(String),
    /// Nothing was to run; the word is what the code alone says.
    NotRun(String),
}

impl RunEnd {
    /// It as one word: `completed`, `timeout`, or the cause.
    #[must_use]
    pub fn word(&self) -> &str {
        match self {
            RunEnd::Completed => "completed",
            RunEnd::Timeout => "timeout",
            RunEnd::NotSaved(cause) | RunEnd::NoEnvironment(cause) | RunEnd::NotRun(cause) => cause,
        }
    }
}

/// What a run left behind.
#[derive(Debug, Clone, PartialEq)]
pub struct RunFacts {
    /// How it ended.
    pub end: RunEnd,
    /// How many cells raised.
    pub error_cells: usize,
    /// The score, or the kind of the reason why there is none (`missing`, `wrong-columns`, …); none where nothing grades.
    pub grade: Option<Result<f64, String>>,
    /// What it has to come to.
    pub criterion: Criterion,
}

/// What a run has to come to in order to count as reproducible.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Criterion {
    /// A score within the threshold of the target (paper, section 2.1.2).
    Score {
        /// The target score `s_t`.
        target: f64,
        /// The threshold τ.
        tau: f64,
    },
    /// That every cell ran without an error, which is all that can be asked where there is no target.
    ErrorFree,
}

/// An outcome with everything that led to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// What came out.
    pub outcome: Outcome,
    /// Whether cells raised; none when the outcome is `failed`.
    pub error_status: Option<ErrorStatus>,
    /// Whether there is a valid submission; none when the outcome is `failed`, or no score was asked for.
    pub output_status: Option<OutputStatus>,
    /// Why there is no valid submission.
    pub output_reason: Option<String>,
    /// Why the outcome is `failed`.
    pub failure: Option<Failure>,
    /// The finer cause of a failure.
    pub failure_cause: Option<String>,
    /// The reproduced score `s_r`.
    pub score: Option<f64>,
    /// The deviation `δs`; none without a score, and infinite when the target is zero and the score is not.
    pub deviation: Option<f64>,
}

/// `|s_r - s_t| / |s_t|` (paper, section 2.1.2). A target of zero has no relative deviation: it is 0 when the score is zero
/// too and infinite otherwise.
#[must_use]
pub fn deviation(reproduced: f64, target: f64) -> f64 {
    if target == 0.0 {
        return if reproduced == 0.0 { 0.0 } else { f64::INFINITY };
    }
    (reproduced - target).abs() / target.abs()
}

/// The outcome of a run (paper, section 2.1.2 and Tables 1 to 3).
#[must_use]
pub fn judge(facts: &RunFacts) -> Verdict {
    match &facts.end {
        RunEnd::Timeout => failed(Failure::Timeout, None),
        RunEnd::NotSaved(cause) => failed(Failure::NotSaved, Some(cause.clone())),
        RunEnd::NoEnvironment(class) => failed(Failure::BackportFailed, Some(class.clone())),
        RunEnd::NotRun(said) => failed(Failure::NotRun, Some(said.clone())),
        RunEnd::Completed => completed(facts),
    }
}

fn failed(failure: Failure, cause: Option<String>) -> Verdict {
    Verdict {
        outcome: Outcome::Failed,
        error_status: None,
        output_status: None,
        output_reason: None,
        failure: Some(failure),
        failure_cause: cause,
        score: None,
        deviation: None,
    }
}

fn completed(facts: &RunFacts) -> Verdict {
    let score = facts.grade.as_ref().and_then(|grade| grade.as_ref().ok()).copied();
    let error_status = if facts.error_cells == 0 { ErrorStatus::ErrorFree } else { ErrorStatus::Error };
    let output_status = if score.is_some() { OutputStatus::Csv } else { OutputStatus::NoCsv };
    let (reproducible, deviation, output_status) = match facts.criterion {
        Criterion::Score { target, tau } => {
            let deviation = score.map(|score| deviation(score, target));
            (deviation.is_some_and(|deviation| deviation <= tau), deviation, Some(output_status))
        }
        Criterion::ErrorFree => (error_status == ErrorStatus::ErrorFree, None, None),
    };
    Verdict {
        outcome: Outcome::of_run(error_status, reproducible),
        error_status: Some(error_status),
        output_status,
        output_reason: facts
            .grade
            .as_ref()
            .and_then(|grade| grade.as_ref().err())
            .filter(|_| output_status.is_some())
            .cloned(),
        failure: None,
        failure_cause: None,
        score,
        deviation,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(error_cells: usize, grade: Result<f64, &str>) -> RunFacts {
        let grade = Some(grade.map_err(str::to_owned));
        RunFacts { end: RunEnd::Completed, error_cells, grade, criterion: within(0.8, DEFAULT_TAU) }
    }

    fn within(target: f64, tau: f64) -> Criterion {
        Criterion::Score { target, tau }
    }

    #[test]
    fn without_a_target_a_run_without_errors_is_all_that_is_asked() {
        let judged = |error_cells, grade| {
            let verdict = judge(&RunFacts { criterion: Criterion::ErrorFree, ..facts(error_cells, grade) });
            (verdict.outcome, verdict.score, verdict.deviation, verdict.output_status, verdict.output_reason)
        };
        let free = Outcome::ErrorFreeReproducible;
        assert_eq!(judged(0, Err("missing")), (free, None, None, None, None));
        assert_eq!(judged(0, Ok(0.4)), (free, Some(0.4), None, None, None));
        assert_eq!(judged(1, Ok(0.4)), (Outcome::ErrorNonReproducible, Some(0.4), None, None, None));
        let late = RunFacts { end: RunEnd::Timeout, criterion: Criterion::ErrorFree, ..facts(0, Ok(0.4)) };
        assert_eq!(judge(&late).failure, Some(Failure::Timeout));
    }

    #[test]
    fn four_outcomes_of_a_completed_run() {
        assert_eq!(judge(&facts(0, Ok(0.85))).outcome, Outcome::ErrorFreeReproducible);
        assert_eq!(judge(&facts(2, Ok(0.75))).outcome, Outcome::ErrorReproducible);
        assert_eq!(judge(&facts(0, Ok(0.6))).outcome, Outcome::ErrorFreeNonReproducible);
        assert_eq!(judge(&facts(1, Err("missing"))).outcome, Outcome::ErrorNonReproducible);
    }

    #[test]
    fn the_threshold_itself_is_reproducible() {
        let mut edge = facts(0, Ok(0.9));
        edge.criterion = within(1.0, deviation(0.9, 1.0));
        assert!(judge(&edge).outcome.is_reproducible());
    }

    #[test]
    fn a_timeout_fails_even_with_a_submission() {
        let mut late = facts(0, Ok(0.8));
        late.end = RunEnd::Timeout;
        let verdict = judge(&late);
        assert_eq!((verdict.outcome, verdict.failure), (Outcome::Failed, Some(Failure::Timeout)));
        assert_eq!(verdict.score, None);
    }

    #[test]
    fn a_target_of_zero_is_met_only_by_zero() {
        assert_eq!(deviation(0.0, 0.0), 0.0);
        assert_eq!(deviation(0.1, 0.0), f64::INFINITY);
        assert_eq!(deviation(-0.9, -1.0), 0.09999999999999998);
    }
}
