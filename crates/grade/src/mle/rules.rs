//! The competitions of MLE-bench as data.

use std::sync::LazyLock;

use nbrevive_corpus::string_enum;
use serde::{Deserialize, Serialize};

use crate::Metric;

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

/// One check of a submission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Check {
    /// As many rows as the answers.
    Rows,
    /// At least one row.
    NotEmpty,
    /// The id and every target column are there.
    Columns,
    /// Every target column is there; ids do not matter.
    TargetColumns,
    /// The id and every target column are there and no other.
    ExactColumns,
    /// They are there in this order and no other, in the answers too.
    OrderedColumns,
    /// They are there and no other; the target columns are paired with those of the answers by their place, whatever they are called.
    ColumnsInPlace,
    /// The id is there, and each target under its own name or under that of its column of the answers, and not under both.
    EitherName,
    /// The id is the first column.
    IdFirst,
    /// The answers have no column but those that are known.
    ExactAnswers,
    /// The target columns hold numbers.
    Numeric,
    /// No target column holds truth values, in the answers neither.
    NoTruthValues,
    /// No target cell is missing.
    Present,
    /// Every target is finite.
    Finite,
    /// No target is below 0 or above 1; a missing one passes.
    UnitRange,
    /// Every target is from 0 to 1.
    Probabilities,
    /// Every target is from 1 to 100.
    OneToHundred,
    /// The targets of a row sum to 1, give or take 1.1e-5.
    Sums,
    /// They sum to 1 when rounded to 5 decimals.
    #[serde(rename = "sums-to-5")]
    SumsTo5,
    /// They sum to 1 when rounded to 6 decimals.
    #[serde(rename = "sums-to-6")]
    SumsTo6,
    /// Every cell is text or missing.
    Texts,
    /// Every column of the answers is in the submission too.
    AnswersColumns,
    /// The answers hold two values in all target columns together: 0 and 1, or -1 and 1.
    Marked,
    /// Every answer has a label.
    Labelled,
    /// Each id of the answers occurs as often as there; rows are paired by id.
    Ids,
    /// There are as many rows, and the ids are those of the answers, some of which may repeat more often than there; both sides are
    /// sorted by id and paired by place.
    IdSets,
    /// As the ids; but a missing id is one where ids are texts.
    IdsOrMissing,
    /// The ids are those of the answers, any may repeat; each row is paired with every answer of its id.
    IdsJoined,
    /// The ids are those of the answers, in the same order; rows are paired by their place.
    IdsInPlace,
    /// The ids are those of the answers, one may repeat; each row is paired with its answer.
    IdsMerged,
    /// Both sides are sorted by id and paired by place, whatever the ids are.
    Sorted,
    /// As the ids; but of rows whose answers are all below 0, which are not scored, ids may be any of the answers, and a copy of a
    /// row may stand where another is missing: what is left is then paired by its place, sorted by id.
    ScoredIds,
    /// Every id of the answers occurs; rows with other ids are left out.
    Superset,
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
