//! A score.

use serde::{Deserialize, Deserializer, Serialize};

/// The value of a metric for a submission: always finite.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct Score(f64);

impl Score {
    /// A score, when `value` is finite.
    #[must_use]
    pub fn new(value: f64) -> Option<Self> {
        value.is_finite().then_some(Score(value))
    }

    /// The value as computed.
    #[must_use]
    pub const fn value(self) -> f64 {
        self.0
    }

    /// The value rounded to 5 decimals, as MLE-bench reports it (numpy's rounding).
    #[must_use]
    pub fn rounded(self) -> f64 {
        let scaled = self.0 * 1e5;
        if scaled.is_finite() { scaled.round_ties_even() / 1e5 } else { self.0 }
    }
}

impl std::fmt::Display for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(&self.0, f)
    }
}

impl<'de> Deserialize<'de> for Score {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Score::new(f64::deserialize(deserializer)?).ok_or_else(|| serde::de::Error::custom("a score must be finite"))
    }
}

#[cfg(test)]
mod tests {
    use super::Score;

    #[test]
    fn only_finite_numbers_are_scores() {
        assert!(Score::new(f64::NAN).is_none());
        assert!(Score::new(f64::INFINITY).is_none());
        assert_eq!(Score::new(0.5).unwrap().to_string(), "0.5");
        assert_eq!(serde_json::from_str::<Score>("0.25").unwrap().value(), 0.25);
    }

    #[test]
    fn rounding_is_that_of_the_reports() {
        assert_eq!(Score::new(2.0 / 3.0).unwrap().rounded(), 0.66667);
        assert_eq!(Score::new(f64::MAX).unwrap().rounded(), f64::MAX);
    }
}
