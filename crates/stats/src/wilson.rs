//! Wilson's score interval for a share.

use crate::interval::{Interval, is_confidence};
use crate::normal::inverse;

/// Why a share has no interval.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum WilsonError {
    /// Nothing was tried.
    #[error("a share of 0 trials has no interval")]
    NoTrials,
    /// More successes than trials.
    #[error("{successes} successes in {trials} trials are impossible")]
    TooManySuccesses {
        /// The number of successes.
        successes: u64,
        /// The number of trials.
        trials: u64,
    },
    /// The confidence is not strictly between 0 and 1.
    #[error("confidence {confidence} is not strictly between 0 and 1, for example 0.95")]
    Confidence {
        /// The confidence that was asked for.
        confidence: f64,
    },
}

/// Wilson's score interval, without continuity correction, for a share of `successes` in `trials`.
///
/// Wilson, JASA 22, 1927: the shares that a two-sided normal test at level `1 - confidence` would not reject. Unlike the
/// textbook interval it stays within 0 and 1 and is of use for small counts, also one trial. Assumes independent trials.
///
/// # Errors
/// When there are no trials, more successes than trials, or `confidence` is not strictly between 0 and 1.
pub fn wilson_interval(successes: u64, trials: u64, confidence: f64) -> Result<Interval, WilsonError> {
    if trials == 0 {
        return Err(WilsonError::NoTrials);
    }
    if successes > trials {
        return Err(WilsonError::TooManySuccesses { successes, trials });
    }
    if !is_confidence(confidence) {
        return Err(WilsonError::Confidence { confidence });
    }
    let n = trials as f64;
    let share = successes as f64 / n;
    let z = inverse(0.5 + confidence / 2.0);
    let scale = 1.0 + z * z / n;
    let centre = (share + z * z / (2.0 * n)) / scale;
    let half = z * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt() / scale;
    // At the ends the formula gives 0 and 1 exactly; rounding must not spoil that.
    let lower = if successes == 0 { 0.0 } else { (centre - half).max(0.0) };
    let upper = if successes == trials { 1.0 } else { (centre + half).min(1.0) };
    Ok(Interval { lower, upper })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_are_exact() {
        assert_eq!(wilson_interval(0, 7, 0.95).unwrap().lower, 0.0);
        assert_eq!(wilson_interval(7, 7, 0.95).unwrap().upper, 1.0);
    }

    #[test]
    fn what_has_no_answer_is_an_error() {
        assert_eq!(wilson_interval(0, 0, 0.95), Err(WilsonError::NoTrials));
        assert_eq!(wilson_interval(3, 2, 0.95), Err(WilsonError::TooManySuccesses { successes: 3, trials: 2 }));
        assert_eq!(wilson_interval(1, 2, 1.0), Err(WilsonError::Confidence { confidence: 1.0 }));
        assert!(wilson_interval(1, 2, f64::NAN).is_err());
    }
}
