//! The metrics that can be computed.

use std::str::FromStr;

use nbrevive_corpus::{Direction, Prediction, UnknownWord};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// How a submission is scored.
///
/// `y` is the truth, `p` the prediction, `n` the number of rows. With several target columns, the numeric metrics are the
/// plain mean of the columns' values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Metric {
    /// The share of rows with `p = y`.
    Accuracy,
    /// The plain mean, over every label that occurs in `y` or `p`, of that label's F1 (0 where it is undefined).
    MacroF1,
    /// The area under the ROC curve: the share of pairs of a positive and a negative row in which the positive row has the
    /// higher `p`, a tie counting one half.
    RocAuc,
    /// The mean of `-ln p` of the true class, with `p` clipped to `[2^-52, 1 - 2^-52]` and not renormalised.
    MulticlassLogLoss,
    /// The root of the mean squared error.
    Rmse,
    /// The root of the mean squared difference of `ln(1 + p)` and `ln(1 + y)`.
    Rmsle,
    /// The mean absolute error.
    Mae,
    /// Cohen's kappa with squared weights; the distance of two labels is that of their places in the sorted list of labels
    /// that occur.
    QuadraticWeightedKappa,
}

impl Metric {
    /// Every metric.
    pub const ALL: [Metric; 8] = [
        Metric::Accuracy,
        Metric::MacroF1,
        Metric::RocAuc,
        Metric::MulticlassLogLoss,
        Metric::Rmse,
        Metric::Rmsle,
        Metric::Mae,
        Metric::QuadraticWeightedKappa,
    ];

    /// The one spelling of this metric, as in `competition.toml`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Metric::Accuracy => "accuracy",
            Metric::MacroF1 => "macro_f1",
            Metric::RocAuc => "roc_auc",
            Metric::MulticlassLogLoss => "multiclass_log_loss",
            Metric::Rmse => "rmse",
            Metric::Rmsle => "rmsle",
            Metric::Mae => "mae",
            Metric::QuadraticWeightedKappa => "quadratic_weighted_kappa",
        }
    }

    /// Which way the metric points.
    #[must_use]
    pub const fn direction(self) -> Direction {
        match self {
            Metric::Accuracy | Metric::MacroF1 | Metric::RocAuc | Metric::QuadraticWeightedKappa => Direction::Maximize,
            Metric::MulticlassLogLoss | Metric::Rmse | Metric::Rmsle | Metric::Mae => Direction::Minimize,
        }
    }

    /// The best value there is: 1 for what is maximized, 0 for what is minimized.
    ///
    /// A perfect submission reaches it, except under log loss, where clipping leaves about `2.2e-16`.
    #[must_use]
    pub const fn best(self) -> f64 {
        match self.direction() {
            Direction::Maximize => 1.0,
            Direction::Minimize => 0.0,
        }
    }

    /// Whether target columns that hold `prediction` can be scored.
    pub(crate) const fn accepts(self, prediction: Prediction) -> bool {
        match self {
            Metric::Accuracy | Metric::MacroF1 | Metric::QuadraticWeightedKappa => {
                matches!(prediction, Prediction::Label)
            }
            Metric::MulticlassLogLoss => matches!(prediction, Prediction::Probability),
            Metric::RocAuc | Metric::Rmse | Metric::Mae => {
                matches!(prediction, Prediction::Probability | Prediction::Value)
            }
            Metric::Rmsle => matches!(prediction, Prediction::Value),
        }
    }

    /// The smallest and largest number of target columns.
    pub(crate) const fn target_count(self) -> (usize, usize) {
        match self {
            Metric::Accuracy | Metric::MacroF1 | Metric::QuadraticWeightedKappa => (1, 1),
            Metric::MulticlassLogLoss => (2, usize::MAX),
            Metric::RocAuc | Metric::Rmse | Metric::Rmsle | Metric::Mae => (1, usize::MAX),
        }
    }
}

impl std::fmt::Display for Metric {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Metric {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        Metric::ALL.into_iter().find(|metric| metric.as_str() == text).ok_or_else(|| UnknownWord {
            kind: "metric",
            word: text.to_owned(),
            expected: Metric::ALL.map(Metric::as_str).join(", "),
        })
    }
}

impl Serialize for Metric {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Metric {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_spelling_everywhere() {
        for metric in Metric::ALL {
            assert_eq!(metric.to_string().parse(), Ok(metric));
            let json = serde_json::to_string(&metric).unwrap();
            assert_eq!(json, format!("\"{metric}\""));
            assert_eq!(serde_json::from_str::<Metric>(&json).unwrap(), metric);
        }
    }

    #[test]
    fn an_unknown_metric_names_the_known_ones() {
        let error = "auc".parse::<Metric>().unwrap_err().to_string();
        assert!(error.starts_with("unknown metric `auc`: expected one of accuracy, macro_f1, roc_auc"), "{error}");
    }

    #[test]
    fn every_metric_accepts_something() {
        for metric in Metric::ALL {
            assert!(Prediction::ALL.iter().any(|&prediction| metric.accepts(prediction)), "{metric}");
        }
    }
}
