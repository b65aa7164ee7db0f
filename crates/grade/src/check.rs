//! What a submission is checked for before it is scored.

use serde::{Deserialize, Serialize};

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
    /// As `ids`, where the original compares them with Python's exactness: whole numbers beyond 2^53 meet no float but their own.
    ExactIds,
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
