//! How metrics are written and read.

use std::str::FromStr;

use nbrevive_corpus::UnknownWord;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Metric;

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
    use nbrevive_corpus::Direction;

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
    fn worst_and_best_are_in_the_direction() {
        for metric in Metric::ALL {
            let (worst, best) = (metric.worst(), metric.best());
            assert_eq!(metric.direction() == Direction::Maximize, best > worst, "{metric}");
        }
    }
}
