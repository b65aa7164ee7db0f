//! What the grader has to know of a competition.

use nbrevive_corpus::{Competition, Direction, Prediction, UnknownWord};

use crate::Metric;
use crate::metric::{Scorer, in_words};

/// How a competition's submissions look and are scored; built by [`GradingTask::new`] or from a [`Competition`].
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct GradingTask {
    /// How a submission is scored.
    pub metric: Metric,
    /// The column that names a row.
    pub id_column: String,
    /// The columns of a submission apart from the id; under log loss one for each class, named as the class.
    pub target_columns: Vec<String>,
    /// What the target columns hold; probabilities are checked to be between 0 and 1.
    pub prediction: Prediction,
    pub(crate) scorer: Scorer,
}

/// Why a competition cannot be graded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TaskError {
    /// There is no such metric, check, or kind of cells.
    #[error(transparent)]
    UnknownWord(#[from] UnknownWord),
    /// The number of target columns does not fit the metric.
    #[error("metric {metric} cannot score {found} target columns: {needed}")]
    TargetCount {
        /// The metric.
        metric: Metric,
        /// How many columns it takes, in words.
        needed: &'static str,
        /// The number of target columns given.
        found: usize,
    },
    /// A column is named twice.
    #[error("column `{name}` is named twice")]
    DuplicateColumn {
        /// The name.
        name: String,
    },
    /// The metric cannot score what the target columns hold.
    #[error(
        "metric {metric} cannot score columns that hold a {prediction}: name `checks` instead of `prediction`, or another one"
    )]
    Prediction {
        /// The metric.
        metric: Metric,
        /// What the columns hold.
        prediction: Prediction,
    },
    /// Neither or both of the two ways to say how submissions are checked are given.
    #[error("give either `prediction` (what the target columns hold) or `checks` (what a submission is checked for)")]
    NoRules,
    /// The metric needs a column of the answers that is not named.
    #[error("metric {metric} needs a column of the answers that is not named: {column} among `further-columns`")]
    NeedsColumn {
        /// The metric.
        metric: Metric,
        /// The column, or what has to stand in it.
        column: &'static str,
    },
    /// The metric needs a check that is not named.
    #[error("metric {metric} needs `{check}` among `checks`")]
    NeedsCheck {
        /// The metric.
        metric: Metric,
        /// The check.
        check: &'static str,
    },
    /// The competition's direction is not that of its metric.
    #[error("metric {metric} is to {}, not to {found}", metric.direction())]
    Direction {
        /// The metric.
        metric: Metric,
        /// The direction given.
        found: Direction,
    },
}

impl GradingTask {
    /// A task, when metric, columns and prediction fit together.
    ///
    /// # Errors
    /// When the metric cannot score that many columns or what they hold, or a column is named twice.
    pub fn new(
        metric: Metric,
        id_column: impl Into<String>,
        target_columns: Vec<String>,
        prediction: Prediction,
    ) -> Result<Self, TaskError> {
        let id_column = id_column.into();
        let scorer = metric.scorer();
        let targets = scorer.map_or(1..=usize::MAX, Scorer::targets);
        if !targets.contains(&target_columns.len()) {
            return Err(TaskError::TargetCount { metric, needed: in_words(&targets), found: target_columns.len() });
        }
        if let Some(name) = repeated(target_columns.iter().chain([&id_column])) {
            return Err(TaskError::DuplicateColumn { name: name.clone() });
        }
        let scorer = scorer.filter(|scorer| scorer.accepts(prediction));
        let scorer = scorer.ok_or(TaskError::Prediction { metric, prediction })?;
        Ok(GradingTask { metric, id_column, target_columns, prediction, scorer })
    }

    /// Every column that a submission must have.
    pub(crate) fn columns(&self) -> Vec<String> {
        [&self.id_column].into_iter().chain(&self.target_columns).cloned().collect()
    }
}

impl TryFrom<&Competition> for GradingTask {
    type Error = TaskError;

    fn try_from(competition: &Competition) -> Result<Self, TaskError> {
        let metric = metric_of(competition)?;
        let prediction = competition.prediction.ok_or(TaskError::NoRules)?;
        GradingTask::new(metric, &competition.id_column, competition.target_columns.clone(), prediction)
    }
}

/// The metric of a competition, which has to point its way.
pub(crate) fn metric_of(competition: &Competition) -> Result<Metric, TaskError> {
    let metric: Metric = competition.metric.parse()?;
    if competition.direction != metric.direction() {
        return Err(TaskError::Direction { metric, found: competition.direction });
    }
    Ok(metric)
}

/// The first name that occurs twice.
pub(crate) fn repeated<'n>(names: impl Iterator<Item = &'n String>) -> Option<&'n String> {
    let mut names: Vec<&String> = names.collect();
    names.sort_unstable();
    names.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(columns: &[&str]) -> Vec<String> {
        columns.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let error = |metric, columns: &[&str], prediction| {
            GradingTask::new(metric, "id", names(columns), prediction).unwrap_err().to_string()
        };
        assert_eq!(
            error(Metric::Accuracy, &["a", "b"], Prediction::Label),
            "metric accuracy cannot score 2 target columns: it takes exactly one"
        );
        assert_eq!(
            error(Metric::MulticlassLogLoss, &["a"], Prediction::Probability),
            "metric multiclass_log_loss cannot score 1 target columns: it takes one for each of at least two classes"
        );
        assert_eq!(error(Metric::Rmse, &["id"], Prediction::Value), "column `id` is named twice");
        assert_eq!(
            error(Metric::Accuracy, &["a"], Prediction::Probability),
            "metric accuracy cannot score columns that hold a probability: name `checks` instead of `prediction`, or another one"
        );
    }

    #[test]
    fn columns_start_with_the_id() {
        let task = GradingTask::new(Metric::Mae, "key", names(&["b", "a"]), Prediction::Value).unwrap();
        assert_eq!(task.columns(), ["key", "b", "a"]);
    }

    #[test]
    fn a_competition_must_agree_with_its_metric() {
        let competition = |metric: &str, direction: Direction| -> Competition {
            let text = format!(
                "id = \"tiny\"\ntitle = \"Tiny\"\nmetric = \"{metric}\"\ndirection = \"{direction}\"\nid-column = \"id\"\n\
                 target-columns = [\"y\"]\nprediction = \"value\"\ndata = {{ source = \"made up\", licence = \"CC0-1.0\" }}\n"
            );
            toml::from_str(&text).unwrap()
        };
        let task = GradingTask::try_from(&competition("rmse", Direction::Minimize)).unwrap();
        assert_eq!((task.metric, task.id_column.as_str()), (Metric::Rmse, "id"));
        let error = GradingTask::try_from(&competition("rmse", Direction::Maximize)).unwrap_err();
        assert_eq!(error.to_string(), "metric rmse is to minimize, not to maximize");
        let error = GradingTask::try_from(&competition("mse", Direction::Minimize)).unwrap_err();
        assert!(error.to_string().starts_with("unknown metric `mse`"), "{error}");
    }
}
