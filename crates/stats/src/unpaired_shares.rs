//! How far the shares of two independent groups are apart.

use crate::interval::Interval;
use crate::wilson::{WilsonError, wilson_interval};

/// The difference of the shares of two groups, with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UnpairedDifference {
    /// The share of the first group less that of the second, between -1 and 1.
    pub difference: f64,
    /// Its interval, which stays within -1 and 1.
    pub interval: Interval,
}

/// The difference of the shares of successes in two independent groups, each as successes and trials, with its interval at `confidence`.
///
/// The interval is put together from the two shares' Wilson intervals: the distances from share to end are added as squares (Newcombe, Statistics
/// in Medicine 17, 1998, method 10). Unlike the textbook interval it stays within -1 and 1 and is of use for small groups. Assumes
/// that all trials are independent.
///
/// # Errors
/// When a group has no trials, or more successes than trials, or `confidence` is not strictly between 0 and 1.
pub fn unpaired_difference(
    first: [u64; 2],
    second: [u64; 2],
    confidence: f64,
) -> Result<UnpairedDifference, WilsonError> {
    let [one, other] = [first, second].map(|[successes, trials]| wilson_interval(successes, trials, confidence));
    let (one, other) = (one?, other?);
    let [share, beside] = [first, second].map(|[successes, trials]| successes as f64 / trials as f64);
    let difference = share - beside;
    let interval = Interval {
        lower: difference - (share - one.lower).hypot(other.upper - beside),
        upper: difference + (one.upper - share).hypot(beside - other.lower),
    };
    Ok(UnpairedDifference { difference, interval })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_examples_have_the_papers_intervals() {
        // Newcombe 1998, Table II, method 10.
        for (first, second, lower, upper) in
            [([56, 70], [48, 80], 0.0524, 0.3339), ([9, 10], [3, 10], 0.1705, 0.8090), ([10, 10], [0, 20], 0.6791, 1.0)]
        {
            let found = unpaired_difference(first, second, 0.95).unwrap().interval;
            assert!((found.lower - lower).abs() < 5e-5 && (found.upper - upper).abs() < 5e-5, "{first:?}: {found:?}");
        }
    }

    #[test]
    fn groups_may_change_places() {
        let [one, other] = [[[3, 18], [41, 66]], [[41, 66], [3, 18]]]
            .map(|[first, second]| unpaired_difference(first, second, 0.95).unwrap());
        assert!((one.interval.lower + other.interval.upper).abs() < 1e-15);
        assert!((one.difference + other.difference).abs() < 1e-15);
    }

    #[test]
    fn what_has_no_answer_is_an_error() {
        assert_eq!(unpaired_difference([0, 0], [1, 2], 0.95), Err(WilsonError::NoTrials));
        assert_eq!(unpaired_difference([1, 2], [0, 0], 0.95), Err(WilsonError::NoTrials));
        assert!(matches!(unpaired_difference([3, 2], [1, 2], 0.95), Err(WilsonError::TooManySuccesses { .. })));
        assert!(matches!(unpaired_difference([1, 2], [1, 2], 0.0), Err(WilsonError::Confidence { .. })));
    }
}
