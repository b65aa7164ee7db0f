//! Classes of scores.

use nbrevive_spelling::string_enum;

string_enum! {
    /// A class of scores from 0 to 1. The paper prints two of them (section 4.2, Fig. 4b): poor, 0 to 0.2, and perfect, 1. The bins between
    /// are ours, as wide as its first.
    pub enum ScoreCategory ("category of scores") {
        /// From 0 to 0.2, that included: printed by the paper.
        Poor => "poor",
        /// Above 0.2, to 0.4: ours.
        Low => "low",
        /// Above 0.4, to 0.6: ours.
        Fair => "fair",
        /// Above 0.6, to 0.8: ours.
        Good => "good",
        /// Above 0.8, below 1: ours.
        Excellent => "excellent",
        /// 1: printed by the paper.
        Perfect => "perfect",
    }
}

impl ScoreCategory {
    /// The class of a share of cells.
    #[must_use]
    pub fn of(score: f64) -> Self {
        match score {
            _ if score >= 1.0 => Self::Perfect,
            _ if score > 0.8 => Self::Excellent,
            _ if score > 0.6 => Self::Good,
            _ if score > 0.4 => Self::Fair,
            _ if score > 0.2 => Self::Low,
            _ => Self::Poor,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_belong_to_the_lower_class() {
        let classes: Vec<_> =
            [0.0, 0.2, 0.21, 0.4, 0.6, 0.8, 0.99, 1.0].map(|score| ScoreCategory::of(score).as_str()).into();
        assert_eq!(classes, ["poor", "poor", "low", "low", "fair", "good", "excellent", "perfect"]);
    }
}
