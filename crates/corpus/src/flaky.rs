//! Whether a version comes out the same when it is run again, everything being equal (A/A runs).

use crate::{Failure, Outcome, Verdict};

/// What repetitions are compared by: the outcome and, where it is `failed`, why. Scores may differ as long as both are within τ or
/// both are not.
pub type RunResult = (Outcome, Option<Failure>);

/// What a verdict is compared by.
#[must_use]
pub const fn run_result(verdict: &Verdict) -> RunResult {
    (verdict.outcome, verdict.failure)
}

/// What several repetitions of one version under one condition came to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Flakiness {
    /// How many there were.
    pub repetitions: u32,
    /// The most frequent result; of several, the one that came first.
    pub usual: RunResult,
    /// The share of repetitions with another result, 0 to less than 1.
    pub rate: f64,
}

impl Flakiness {
    /// Compares the results of repetitions, in their order; `None` where there are fewer than two.
    #[must_use]
    pub fn of(results: &[RunResult]) -> Option<Self> {
        let count = |wanted: RunResult| results.iter().filter(|&&result| result == wanted).count();
        let most = results.iter().map(|&result| count(result)).max().filter(|_| results.len() > 1)?;
        let usual = results.iter().copied().find(|&result| count(result) == most)?;
        let whole = u32::try_from(results.len()).ok()?;
        let others = u32::try_from(results.len() - most).ok()?;
        Some(Flakiness { repetitions: whole, usual, rate: f64::from(others) / f64::from(whole) })
    }

    /// Whether results differ.
    #[must_use]
    pub fn is_flaky(&self) -> bool {
        self.rate > 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: RunResult = (Outcome::ErrorFreeReproducible, None);
    const DRIFTED: RunResult = (Outcome::ErrorFreeNonReproducible, None);
    const LATE: RunResult = (Outcome::Failed, Some(Failure::Timeout));
    const DIED: RunResult = (Outcome::Failed, Some(Failure::NotSaved));

    fn rate(results: &[RunResult]) -> f64 {
        Flakiness::of(results).unwrap().rate
    }

    #[test]
    fn the_rate_is_the_share_that_differs_from_the_most_frequent_result() {
        assert!(!Flakiness::of(&[GOOD, GOOD, GOOD]).unwrap().is_flaky());
        assert!((rate(&[GOOD, DRIFTED, GOOD, GOOD]) - 0.25).abs() < 1e-12);
        assert!((rate(&[GOOD, DRIFTED, LATE]) - 2.0 / 3.0).abs() < 1e-12);
        assert!((rate(&[LATE, DIED]) - 0.5).abs() < 1e-12, "a failure for another reason is another result");
    }

    #[test]
    fn of_equally_frequent_results_the_first_is_the_usual_one() {
        assert_eq!(Flakiness::of(&[LATE, DRIFTED, DRIFTED, GOOD, GOOD]).unwrap().usual, DRIFTED);
    }

    #[test]
    fn one_run_says_nothing() {
        assert_eq!(Flakiness::of(&[GOOD]), None);
        assert_eq!(Flakiness::of(&[]), None);
    }
}
