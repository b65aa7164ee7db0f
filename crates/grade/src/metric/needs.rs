//! What metrics need of a competition.

use std::ops::RangeInclusive;

use crate::check::Check;

/// What a metric needs of a competition that is graded by checks.
#[derive(Debug)]
pub(crate) struct Needs {
    /// How many target columns; 0 stands for every column of the answers but the id.
    pub(crate) targets: RangeInclusive<usize>,
    /// Columns of the answers that it reads by name.
    pub(crate) columns: &'static [&'static str],
    /// The one of further columns that it takes whatever its name is, in words.
    pub(crate) further: Option<&'static str>,
    /// A check without which rows would not be paired as it needs them, and its spelling.
    pub(crate) check: Option<(Check, &'static str)>,
    /// How the answers are written.
    pub(crate) answers: AnswersForm,
    /// Whether it looks at every column of a submission, whatever its name is.
    pub(crate) whole_submission: bool,
}

/// How answers are written.
#[derive(Debug)]
pub(crate) enum AnswersForm {
    /// As CSV with a row an answer.
    Table,
    /// As JSON lines of questions.
    Questions,
}

const fn targets(targets: RangeInclusive<usize>) -> Needs {
    Needs { targets, columns: &[], further: None, check: None, answers: AnswersForm::Table, whole_submission: false }
}

/// One target column and nothing else.
pub(super) const ONE: Needs = targets(1..=1);
/// Two target columns and nothing else.
pub(super) const TWO: Needs = targets(2..=2);
/// Target columns that are named, and nothing else.
pub(super) const SOME: Needs = targets(1..=usize::MAX);
/// Target columns, named or not, and nothing else.
pub(super) const ANY: Needs = targets(0..=usize::MAX);

/// How many target columns those are, as the end of a sentence.
pub(crate) fn in_words(targets: &RangeInclusive<usize>) -> &'static str {
    match (*targets.start(), *targets.end()) {
        (1, 1) => "it takes exactly one",
        (2, 2) => "it takes exactly two",
        (2, _) => "it takes one for each of at least two classes",
        _ => "it takes at least one",
    }
}
