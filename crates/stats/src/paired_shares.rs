//! How far two shares of the same items are apart.

use crate::interval::{Interval, is_confidence};
use crate::normal::inverse;
use crate::wilson::WilsonError;

/// Halvings of the search for an end: more than a `f64` between -1 and 1 has digits.
const HALVINGS: usize = 80;

/// The difference of two shares of the same items, with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairedDifference {
    /// The share of the second treatment less that of the first, between -1 and 1.
    pub difference: f64,
    /// Its interval, which stays within -1 and 1.
    pub interval: Interval,
}

/// The difference of the shares of successes under two treatments of the same `items`, with its score interval at `confidence`.
///
/// `only_first` items succeed only under the first treatment, `only_second` only under the second. The interval has the differences that a
/// two-sided score test at level `1 - confidence` would not reject (Tango, Statistics in Medicine 17, 1998), which of the
/// difference 0 is McNemar's without correction. Unlike the textbook interval it is of use where all differ to one side, or
/// none does. Assumes that the items are independent of each other.
///
/// # Errors
/// When there are no items, fewer than those that differ, or `confidence` is not strictly between 0 and 1.
pub fn paired_difference(
    only_first: u64,
    only_second: u64,
    items: u64,
    confidence: f64,
) -> Result<PairedDifference, WilsonError> {
    let differing = only_first.saturating_add(only_second);
    if items == 0 {
        return Err(WilsonError::NoTrials);
    }
    if differing > items {
        return Err(WilsonError::TooManySuccesses { successes: differing, trials: items });
    }
    if !is_confidence(confidence) {
        return Err(WilsonError::Confidence { confidence });
    }
    let z = inverse(0.5 + confidence / 2.0);
    let (b, c, n) = (only_second as f64, only_first as f64, items as f64);
    let difference = (b - c) / n;
    // The statistic falls while the difference that is tested rises.
    let is_above = |tested: f64, bound: f64| score(b, c, n, tested) > bound;
    let end = |mut low: f64, mut high: f64, bound: f64| {
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(low, high);
            if is_above(middle, bound) { low = middle } else { high = middle }
        }
        f64::midpoint(low, high)
    };
    let interval = Interval { lower: end(-1.0, difference, z), upper: end(difference, 1.0, -z) };
    Ok(PairedDifference { difference, interval })
}

/// Tango's score statistic of a difference, with the likeliest share of items that succeed only under the first treatment where that difference holds.
fn score(b: f64, c: f64, n: f64, tested: f64) -> f64 {
    let (first, second) = (2.0 * n, -b - c + (2.0 * n - b + c) * tested);
    let third = -c * tested * (1.0 - tested);
    let share = ((second * second - 4.0 * first * third).max(0.0).sqrt() - second) / (2.0 * first);
    let variance = n * (2.0 * share + tested * (1.0 - tested));
    let distance = b - c - n * tested;
    if variance > 0.0 { distance / variance.sqrt() } else { distance * f64::INFINITY }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_example_has_the_papers_interval() {
        // Tango 1998: 44 patients, one of whom did well under one treatment alone.
        let found = paired_difference(1, 0, 44, 0.9).unwrap();
        assert_eq!([found.interval.lower, found.interval.upper].map(|end| (end * 1000.0).round()), [-96.0, 37.0]);
    }

    #[test]
    fn sides_are_mirrored_and_nothing_is_a_difference_of_nothing() {
        let (one, other) = (paired_difference(2, 19, 40, 0.95).unwrap(), paired_difference(19, 2, 40, 0.95).unwrap());
        assert!((one.interval.lower + other.interval.upper).abs() < 1e-12);
        let none = paired_difference(0, 0, 10, 0.95).unwrap();
        assert_eq!(none.difference, 0.0);
        assert!(none.interval.lower < -0.2 && none.interval.upper > 0.2, "{none:?}");
        let all = paired_difference(0, 5, 5, 0.95).unwrap();
        assert!((all.interval.upper - 1.0).abs() < 1e-12 && all.interval.lower > 0.0, "{all:?}");
    }

    #[test]
    fn what_has_no_answer_is_an_error() {
        assert_eq!(paired_difference(0, 0, 0, 0.95), Err(WilsonError::NoTrials));
        assert!(matches!(paired_difference(3, 3, 5, 0.95), Err(WilsonError::TooManySuccesses { .. })));
        assert!(matches!(paired_difference(0, 0, 5, 1.0), Err(WilsonError::Confidence { .. })));
    }
}
