//! The columns of an outcome that a filter can ask for, named as in the dataset.

use nbrevive_filter::{FilterColumn, FilterKind};

use crate::{ErrorStatus, Failure, Outcome, OutputStatus};

/// The columns of an outcome, and what its version belongs to. `conditions` are those of the study.
#[must_use]
pub fn outcome_columns(conditions: &[&'static str]) -> Vec<FilterColumn> {
    fn words<Word>(all: &[Word], text: impl Fn(&Word) -> &'static str) -> FilterKind {
        FilterKind::Word(all.iter().map(text).collect())
    }
    let (text, number) = (FilterKind::Text, FilterKind::Number);
    [
        ("version", text.clone()),
        ("condition", FilterKind::Word(conditions.to_vec())),
        ("competition", text.clone()),
        ("repository", text.clone()),
        ("outcome", words(Outcome::ALL, |word| word.as_str())),
        ("error_status", words(ErrorStatus::ALL, |word| word.as_str())),
        ("output_status", words(OutputStatus::ALL, |word| word.as_str())),
        ("output_reason", text.clone()),
        ("failure", words(Failure::ALL, |word| word.as_str())),
        ("failure_cause", text.clone()),
        ("reason", text.clone()),
        ("environment", text.clone()),
        ("tool_revision", text),
        ("score", number.clone()),
        ("target_score", number.clone()),
        ("deviation", number.clone()),
        ("fixes", number.clone()),
        ("seconds", number.clone()),
        ("seed", number),
    ]
    .map(|(name, kind)| FilterColumn { name, kind })
    .into()
}
