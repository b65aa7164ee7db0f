//! McNemar's exact test for two yes/no outcomes of the same items.

use statrs::distribution::{Binomial, DiscreteCDF};

/// The two-sided p-value of McNemar's exact test.
///
/// `only_first` items succeed only under the first treatment, `only_second` only under the second; items on which both
/// agree carry no evidence. Under the hypothesis of equal success the discordant items are fair coin flips, so
/// that the p-value is `2 P(Binomial(n, 1/2) <= min)`, at most 1 (McNemar, Psychometrika 12, 1947, in its exact form).
/// Without discordant items it is 1. Assumes that the items are independent of each other.
#[must_use]
pub fn mcnemar_exact(only_first: u64, only_second: u64) -> f64 {
    let discordant = only_first + only_second;
    if discordant == 0 {
        return 1.0;
    }
    let flips = Binomial::new(0.5, discordant).expect("one half is a probability");
    (2.0 * flips.cdf(only_first.min(only_second))).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::mcnemar_exact;

    #[test]
    fn one_sided_change_is_two_halves_to_the_count() {
        assert!((mcnemar_exact(0, 5) - 2.0 / 32.0).abs() < 1e-15);
        assert_eq!(mcnemar_exact(3, 3), 1.0);
        assert_eq!(mcnemar_exact(0, 0), 1.0);
        assert_eq!(mcnemar_exact(2, 9), mcnemar_exact(9, 2));
    }
}
