//! Cliff's delta: how often a value of one sample is above one of the other.

use crate::interval::Interval;
use crate::normal::inverse;
use crate::rank::sorted_keys;
use crate::sample::{FIRST, SECOND, SampleError, check_confidence, check_ordered};

/// How large an effect is, in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Magnitude {
    /// Below 0.147.
    Negligible,
    /// From 0.147 to below 0.33.
    Small,
    /// From 0.33 to below 0.474.
    Medium,
    /// From 0.474.
    Large,
}

impl Magnitude {
    /// The word for a delta, by the thresholds of Romano et al. (Florida Association of Institutional Research, 2006).
    #[must_use]
    pub fn of(delta: f64) -> Self {
        match delta.abs() {
            size if size < 0.147 => Magnitude::Negligible,
            size if size < 0.33 => Magnitude::Small,
            size if size < 0.474 => Magnitude::Medium,
            _ => Magnitude::Large,
        }
    }

    /// The word in lower case, as tables and prose spell it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Magnitude::Negligible => "negligible",
            Magnitude::Small => "small",
            Magnitude::Medium => "medium",
            Magnitude::Large => "large",
        }
    }
}

impl std::fmt::Display for Magnitude {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

/// An effect size with its word.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CliffsDelta {
    /// Between -1 (every value of the first sample is below the second) and 1.
    pub delta: f64,
    /// The word for its size.
    pub magnitude: Magnitude,
}

impl CliffsDelta {
    fn of(delta: f64) -> Self {
        CliffsDelta { delta, magnitude: Magnitude::of(delta) }
    }
}

/// Cliff's delta of two independent samples, in `O(n log n)` time.
///
/// `(#(a > b) - #(a < b)) / (|a| |b|)` over all pairs (Cliff, Psychological Bulletin 114, 1993). A tied pair counts for
/// neither side. Nothing is assumed about the distributions; infinite values have their place in the order. One value in
/// each sample is enough, and gives -1, 0 or 1.
///
/// # Errors
/// When a sample is empty or holds NaN.
pub fn cliffs_delta(a: &[f64], b: &[f64]) -> Result<CliffsDelta, SampleError> {
    check_ordered(FIRST, a, 1)?;
    check_ordered(SECOND, b, 1)?;
    Ok(CliffsDelta::of(Dominance::of(a, b).delta()))
}

/// The interval of Cliff's delta at `confidence`, in `O(n log n)` time.
///
/// The asymmetric interval of Feng and Cliff (Journal of Modern Applied Statistical Methods 3, 2004), which stays within -1
/// and 1, with the unbiased variance of Cliff (1993), at least `(1 - delta^2) / (|a| |b| - 1)`, and the normal distribution.
/// At -1 and 1 that variance is 0, so that the other end is where the largest variance possible, `(1 - delta^2) / n`
/// with `n` the smaller sample (their equation 6), still reaches: `(n - z^2) / (n + z^2)`. Assumes that all values
/// are independent of each other. Ties count for neither side.
///
/// # Errors
/// When a sample has fewer than 2 values or holds NaN, or `confidence` is not strictly between 0 and 1.
pub fn cliffs_delta_interval(a: &[f64], b: &[f64], confidence: f64) -> Result<Interval, SampleError> {
    check_ordered(FIRST, a, 2)?;
    check_ordered(SECOND, b, 2)?;
    check_confidence(confidence)?;
    let z = inverse(0.5 + confidence / 2.0);
    let counts = Dominance::of(a, b);
    let delta = counts.delta();
    if delta.abs() == 1.0 {
        let n = a.len().min(b.len()) as f64;
        let inner = delta * (n - z * z) / (n + z * z);
        return Ok(Interval { lower: inner.min(delta), upper: inner.max(delta) });
    }
    let (spread, room) = (z * z * counts.variance(), 1.0 - delta * delta);
    let half = (spread * (room * room + spread)).sqrt();
    let (centre, scale) = (delta * room, room + spread);
    Ok(Interval { lower: ((centre - half) / scale).max(-1.0), upper: ((centre + half) / scale).min(1.0) })
}

/// How the pairs of two samples fall.
pub(crate) struct Dominance {
    first: Vec<u64>,
    second: Vec<u64>,
    /// Pairs in which the first sample's value is above.
    pub(crate) above: u64,
    /// Pairs in which the first sample's value is below.
    pub(crate) below: u64,
    /// For each value of the first sample, the square of the pairs it is above in less those it is below in, summed.
    squares: f64,
}

impl Dominance {
    /// Counts the pairs of two samples without NaN.
    pub(crate) fn of(a: &[f64], b: &[f64]) -> Self {
        let (first, second) = (sorted_keys(a), sorted_keys(b));
        let (above, below, squares) = against(&first, &second);
        Dominance { first, second, above, below, squares }
    }

    fn pairs(&self) -> f64 {
        self.first.len() as f64 * self.second.len() as f64
    }

    fn balance(&self) -> f64 {
        let size = self.above.abs_diff(self.below) as f64;
        if self.above >= self.below { size } else { -size }
    }

    fn delta(&self) -> f64 {
        self.balance() / self.pairs()
    }

    /// Cliff's unbiased estimate of the variance of delta, and its least value possible.
    fn variance(&self) -> f64 {
        let (m, n, pairs, delta) = (self.first.len() as f64, self.second.len() as f64, self.pairs(), self.delta());
        // Sums of squared deviations from delta: of the rows' means times their sizes, of the columns', and of all pairs.
        let rows = self.squares - pairs * n * delta * delta;
        let columns = against(&self.second, &self.first).2 - pairs * m * delta * delta;
        let each = (self.above + self.below) as f64 - pairs * delta * delta;
        let estimate = (rows + columns - each) / (pairs * (m - 1.0) * (n - 1.0));
        estimate.max((1.0 - delta * delta) / (pairs - 1.0))
    }
}

/// For sorted samples: the pairs with `a` above, with `a` below, and the squares of their differences for each of `a`.
fn against(a: &[u64], b: &[u64]) -> (u64, u64, f64) {
    let (mut lower, mut not_above) = (0, 0);
    let (mut above, mut below, mut squares) = (0, 0, 0.0);
    for &value in a {
        lower += b[lower..].iter().take_while(|&&other| other < value).count();
        not_above = not_above.max(lower);
        not_above += b[not_above..].iter().take_while(|&&other| other == value).count();
        let (over, under) = (lower as u64, (b.len() - not_above) as u64);
        above += over;
        below += under;
        let balance = over.abs_diff(under) as f64;
        squares += balance * balance;
    }
    (above, below, squares)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separated_samples_are_at_the_ends() {
        let low = [1.0, 2.0];
        let high = [3.0, 4.0, 5.0];
        assert_eq!(cliffs_delta(&high, &low).unwrap().delta, 1.0);
        assert_eq!(cliffs_delta(&low, &high).unwrap().delta, -1.0);
        assert_eq!(cliffs_delta(&low, &low).unwrap().delta, 0.0);
    }

    #[test]
    fn the_interval_holds_delta_and_stays_within_its_range() {
        let low = [1.0, 2.0, 3.0, 4.0];
        let high = [3.5, 4.0, 5.0, 6.0, 7.0];
        let (delta, interval) =
            (cliffs_delta(&high, &low).unwrap().delta, cliffs_delta_interval(&high, &low, 0.95).unwrap());
        assert!(interval.lower < delta && delta < interval.upper && interval.upper <= 1.0);
        let mirrored = cliffs_delta_interval(&low, &high, 0.95).unwrap();
        assert_eq!((mirrored.lower, mirrored.upper), (-interval.upper, -interval.lower));
    }

    #[test]
    fn separated_samples_have_an_interval_with_one_open_side() {
        let interval = cliffs_delta_interval(&[9.0, 8.0], &[1.0, 2.0, 3.0], 0.5).unwrap();
        let z2 = 0.454_936_423_119_572_8; // the square of the normal distribution's upper quartile
        assert_eq!(interval.upper, 1.0);
        assert!((interval.lower - (2.0 - z2) / (2.0 + z2)).abs() < 1e-12);
    }

    #[test]
    fn an_interval_of_single_values_is_refused() {
        assert_eq!(
            cliffs_delta_interval(&[1.0], &[1.0, 2.0], 0.95),
            Err(SampleError::TooFew { sample: FIRST, needed: 2, found: 1 })
        );
        assert_eq!(
            cliffs_delta_interval(&[1.0, 2.0], &[1.0, 2.0], 95.0),
            Err(SampleError::Confidence { confidence: 95.0 })
        );
    }

    #[test]
    fn words_change_at_the_published_thresholds() {
        let words: Vec<&str> =
            [0.1469, 0.147, -0.3299, 0.33, 0.4739, -0.474].map(|delta| Magnitude::of(delta).as_str()).to_vec();
        assert_eq!(words, ["negligible", "small", "small", "medium", "medium", "large"]);
    }

    #[test]
    fn empty_and_nan_are_errors() {
        assert_eq!(cliffs_delta(&[1.0], &[]), Err(SampleError::TooFew { sample: SECOND, needed: 1, found: 0 }));
        assert!(matches!(cliffs_delta(&[f64::NAN], &[1.0]), Err(SampleError::NotUsable { sample: FIRST, .. })));
    }
}
