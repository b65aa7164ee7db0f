//! How a competition's scores are drawn and written.

/// A competition's metric and the range of its scores.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    /// Short name of the metric, as the dump has it.
    pub abbreviation: &'static str,
    /// Full name of the metric.
    pub name: &'static str,
    /// Whether a higher score is better.
    pub is_max: bool,
    /// Score of the worst submission.
    pub worst: f64,
    /// Score of the best submission.
    pub best: f64,
    /// Decimals shown on the leaderboard.
    pub decimals: usize,
}

impl Scale {
    /// The score of a quality from 0 (worst) to 1 (best).
    pub(crate) fn score(&self, quality: f64) -> f64 {
        self.worst + (self.best - self.worst) * quality.clamp(0.0, 1.0)
    }

    /// The score as pages and leaderboards show it.
    pub fn display(&self, score: f64) -> String {
        format!("{score:.*}", self.decimals)
    }

    /// Whether the first of two scores is better.
    pub fn is_better(&self, first: f64, second: f64) -> bool {
        if self.is_max { first > second } else { first < second }
    }
}
