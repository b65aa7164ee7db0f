//! Cliff's delta: how often a value of one sample is above one of the other.

use crate::sample::{FIRST, SECOND, SampleError, check_ordered, order};

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

/// Cliff's delta of two independent samples, in `O(n log n)` time.
///
/// `(#(a > b) - #(a < b)) / (|a| |b|)` over all pairs (Cliff, Psychological Bulletin 114, 1993). A tied pair counts for
/// neither side. Nothing is assumed about the distributions; infinite values have their place in the order.
///
/// # Errors
/// When a sample is empty or holds NaN.
pub fn cliffs_delta(a: &[f64], b: &[f64]) -> Result<CliffsDelta, SampleError> {
    check_ordered(FIRST, a, 1)?;
    check_ordered(SECOND, b, 1)?;
    let (above, below) = dominance(a, b);
    let balance = if above >= below { (above - below) as f64 } else { -((below - above) as f64) };
    let delta = balance / (a.len() as f64 * b.len() as f64);
    Ok(CliffsDelta { delta, magnitude: Magnitude::of(delta) })
}

/// How many pairs have the value of `a` above, and how many below, the value of `b`.
pub(crate) fn dominance(a: &[f64], b: &[f64]) -> (u64, u64) {
    let mut sorted = b.to_vec();
    sorted.sort_unstable_by(|left, right| order(*left, *right));
    let (mut above, mut below) = (0, 0);
    for &value in a {
        above += sorted.partition_point(|&other| other < value) as u64;
        below += (sorted.len() - sorted.partition_point(|&other| other <= value)) as u64;
    }
    (above, below)
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
