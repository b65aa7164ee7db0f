//! Rules for a competition of one's own: the words of its description, and whether they fit the metric.

use std::collections::BTreeMap;
use std::path::PathBuf;

use nbrevive_corpus::{Competition, DataSource, UnknownWord};
use serde::de::IntoDeserializer;
use serde::de::value::Error as WordError;
use serde::{Deserialize, Serialize};

use crate::TaskError;
use crate::check::Check;
use crate::metric::in_words;
use crate::mle::rules::{Cells, GradingRules};
use crate::task::{metric_of, repeated};

impl TryFrom<&Competition> for GradingRules {
    type Error = TaskError;

    fn try_from(competition: &Competition) -> Result<Self, TaskError> {
        let metric = metric_of(competition)?;
        let check = |word: &String| -> Result<Check, TaskError> { read("check", word) };
        let rules = GradingRules {
            id: competition.id.clone(),
            title: competition.title.clone(),
            level: None,
            code: false,
            metric,
            id_column: competition.id_column.clone(),
            target_columns: competition.target_columns.clone(),
            truth_columns: competition.truth_columns.clone(),
            further_columns: competition.further_columns.clone(),
            unscored_columns: competition.unscored_columns.clone(),
            cells: competition.cells.as_ref().map_or(Ok(Default::default()), |word| read("kind of cells", word))?,
            checks: competition.checks.iter().map(check).collect::<Result<_, _>>()?,
            answers: competition.answers.clone(),
            sample: competition.sample.clone(),
            gold: competition.gold.clone(),
            flags: Vec::new(),
        };
        rules.check().map(|()| rules)
    }
}

impl GradingRules {
    /// The description of a competition with these rules, whose data has this source and these files.
    #[must_use]
    pub fn description(&self, source: &str, files: BTreeMap<String, String>) -> Competition {
        Competition {
            id: self.id.clone(),
            title: self.title.clone(),
            metric: self.metric.to_string(),
            direction: self.metric.direction(),
            id_column: self.id_column.clone(),
            target_columns: self.target_columns.clone(),
            prediction: None,
            checks: self.checks.iter().map(word).collect(),
            cells: (self.cells != Cells::default()).then(|| word(&self.cells)),
            truth_columns: self.truth_columns.clone(),
            further_columns: self.further_columns.clone(),
            unscored_columns: self.unscored_columns.clone(),
            answers: self.answers.clone(),
            sample: self.sample.clone(),
            gold: self.gold.clone(),
            data: DataSource {
                source: source.to_owned(),
                licence: "the competition's rules on Kaggle".to_owned(),
                licence_note: None,
            },
            files,
            folder: PathBuf::new(),
        }
    }

    /// Whether the columns and checks are what the metric needs.
    fn check(&self) -> Result<(), TaskError> {
        let (metric, needs) = (self.metric, self.metric.needs());
        let found = self.target_columns.len();
        if !needs.targets.contains(&found) {
            return Err(TaskError::TargetCount { metric, needed: in_words(&needs.targets), found });
        }
        if let Some(name) = repeated(self.target_columns.iter().chain([&self.id_column])) {
            return Err(TaskError::DuplicateColumn { name: name.clone() });
        }
        let named = |column: &str| self.truth_columns.iter().chain(&self.further_columns).any(|name| name == column);
        if let Some(column) = needs.columns.iter().find(|column| !named(column)) {
            return Err(TaskError::NeedsColumn { metric, column });
        }
        match (needs.further, needs.check) {
            (Some(column), _) if self.further_columns.is_empty() => Err(TaskError::NeedsColumn { metric, column }),
            (_, Some((check, word))) if !self.checks.contains(&check) => {
                Err(TaskError::NeedsCheck { metric, check: word })
            }
            _ => Ok(()),
        }
    }
}

/// How a description spells a check, or a kind of cells.
fn word(value: &impl Serialize) -> String {
    let word = toml::Value::try_from(value).ok();
    word.as_ref().and_then(toml::Value::as_str).unwrap_or_default().to_owned()
}

/// A word of a description as serde knows it.
fn read<'w, T: Deserialize<'w>>(kind: &'static str, word: &'w str) -> Result<T, TaskError> {
    T::deserialize(word.into_deserializer()).map_err(|error: WordError| {
        let error = error.to_string();
        let expected = error.split_once("expected ").map_or(error.as_str(), |(_, words)| words);
        let expected = expected.trim_start_matches("one of ").replace('`', "");
        TaskError::UnknownWord(UnknownWord { kind, word: word.to_owned(), expected })
    })
}

#[cfg(test)]
mod tests {
    use nbrevive_corpus::Direction;

    use super::*;
    use crate::Metric;
    use crate::mle::rules::mle_competitions;

    fn described(rules: &GradingRules) -> Competition {
        rules.description("", BTreeMap::new())
    }

    fn of_metric(metric: Metric) -> Competition {
        described(mle_competitions().iter().find(|rules| rules.metric == metric).expect("every metric has one"))
    }

    #[test]
    fn every_competition_of_mle_bench_could_be_ones_own() {
        for rules in mle_competitions() {
            let own = GradingRules::try_from(&described(rules)).unwrap_or_else(|error| panic!("{}: {error}", rules.id));
            assert_eq!(own, GradingRules { level: None, code: false, flags: Vec::new(), ..rules.clone() });
        }
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let error = |competition: &Competition| GradingRules::try_from(competition).unwrap_err().to_string();
        let mut pair = of_metric(Metric::MeanAngularError);
        pair.target_columns.pop();
        assert_eq!(error(&pair), "metric mean_angular_error cannot score 1 target columns: it takes exactly two");
        let mut groups = of_metric(Metric::MeanLogMaeByGroup);
        groups.further_columns.clear();
        let needed = "needs a column of the answers that is not named: the group of a row among `further-columns`";
        assert!(error(&groups).ends_with(needed), "{}", error(&groups));
        let mut boxes = of_metric(Metric::CocoAp);
        boxes.checks = vec!["columns".to_owned(), "ids".to_owned()];
        assert_eq!(error(&boxes), "metric coco_ap_iou0.4 needs `ids-merged` among `checks`");
        boxes.further_columns.remove(1);
        assert!(error(&boxes).contains("not named: y_min among"), "{}", error(&boxes));
        let mut words = of_metric(Metric::Accuracy);
        words.checks.push("idz".to_owned());
        assert!(error(&words).starts_with("unknown check `idz`: expected one of rows, not-empty, columns,"));
        words.checks.clear();
        words.cells = Some("blank".to_owned());
        assert!(error(&words).starts_with("unknown kind of cells `blank`: expected one of typed, as-text,"));
        words.direction = Direction::Minimize;
        assert_eq!(error(&words), "metric accuracy is to maximize, not to minimize");
    }
}
