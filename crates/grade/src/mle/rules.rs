//! The competitions of MLE-bench as data.

use std::sync::LazyLock;

use nbrevive_corpus::string_enum;
use serde::{Deserialize, Serialize};

use crate::check::Check;
use crate::metric::Metric;

/// The 82 competitions; see the head of the file for its columns' sources.
const COMPETITIONS: &str = include_str!("../../data/competitions.toml");

/// What the grader knows of a competition that is graded as MLE-bench grades: one of its own 82, or somebody's own with `checks`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct GradingRules {
    /// The slug.
    pub id: String,
    /// The name as people read it.
    pub title: String,
    /// How hard MLE-bench takes it to be, where it is one of its own.
    pub level: Option<CompetitionLevel>,
    /// Whether submissions were notebooks that Kaggle ran.
    #[serde(default)]
    pub code: bool,
    /// How a submission is scored, which also says in which direction.
    pub metric: Metric,
    /// The column that names a row.
    pub id_column: String,
    /// The columns of a submission that are scored; when empty, every column of the answers but the id.
    #[serde(default)]
    pub target_columns: Vec<String>,
    /// The columns of the answers that hold the truth, where they have other names than in a submission.
    #[serde(default)]
    pub truth_columns: Vec<String>,
    /// Further columns of the answers that the metric needs.
    #[serde(default)]
    pub further_columns: Vec<String>,
    /// Further columns that a submission must have, though they are not scored.
    #[serde(default)]
    pub unscored_columns: Vec<String>,
    /// How cells become labels or texts.
    #[serde(default)]
    pub cells: Cells,
    /// What a submission is checked for, in this order.
    pub checks: Vec<Check>,
    /// The answers below the prepared folder.
    pub answers: String,
    /// The sample submission below the prepared folder.
    pub sample: String,
    /// The right submission below the prepared folder, where there is one.
    pub gold: Option<String>,
    /// What a reader of its scores has to know.
    #[serde(default)]
    pub flags: Vec<Flag>,
}

string_enum! {
    /// The complexity of a competition.
    pub enum CompetitionLevel ("level of a competition") {
        /// Those of the "lite" split.
        Low => "low",
        /// The middle.
        Medium => "medium",
        /// The hardest.
        High => "high",
        /// Those for developing an agent.
        Dev => "dev",
    }
}

/// How a cell becomes a label or a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cells {
    /// By the type of its column; a missing one has none.
    #[default]
    Typed,
    /// As Python's `str()` writes it; a missing one is `nan`.
    AsText,
    /// By the type of its column; a missing one is an empty text.
    BlankIsEmpty,
}

/// What a reader of scores has to know.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Flag {
    /// What it is about.
    pub kind: FlagKind,
    /// Why.
    pub reason: String,
}

string_enum! {
    /// What a flag is about.
    pub enum FlagKind ("kind of a flag") {
        /// Labels are known to be derivable from what is public.
        Leak => "leak",
        /// Train and test are not parted as the task intends.
        Split => "split",
        /// The data that was prepared lacks something.
        Data => "data",
        /// The grader scores something else than Kaggle did.
        Grader => "grader",
        /// Scores of the leaderboard lie so close that medals are a matter of noise.
        Crowded => "crowded",
    }
}

/// Every competition of MLE-bench, by level and then by name.
#[must_use]
pub fn mle_competitions() -> &'static [GradingRules] {
    #[derive(Deserialize)]
    struct File {
        competition: Vec<GradingRules>,
    }
    static ALL: LazyLock<Vec<GradingRules>> = LazyLock::new(|| {
        let file: File = toml::from_str(COMPETITIONS).expect("the built-in competitions are valid, a test reads them");
        file.competition
    });
    &ALL
}

/// The competition of this slug.
#[must_use]
pub fn mle_competition(id: &str) -> Option<&'static GradingRules> {
    mle_competitions().iter().find(|competition| competition.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_competition_is_there_once() {
        let all = mle_competitions();
        let count = |level| all.iter().filter(|competition| competition.level == Some(level)).count();
        assert_eq!(
            [CompetitionLevel::Low, CompetitionLevel::Medium, CompetitionLevel::High, CompetitionLevel::Dev].map(count),
            [22, 38, 15, 7]
        );
        let mut ids: Vec<&str> = all.iter().map(|competition| competition.id.as_str()).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), 82);
    }

    /// A metric with a scorer needs none: what is asked of all scorers is asked of it.
    #[test]
    fn every_metric_that_only_competitions_of_mle_bench_have_is_tried_by_one() {
        for &metric in Metric::ALL.iter().filter(|metric| metric.scorer().is_none()) {
            assert!(mle_competitions().iter().any(|competition| competition.metric == metric), "{metric}");
        }
    }
}
