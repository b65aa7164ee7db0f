//! Labels that people wrote into a sheet.

use super::label::{BugKind, ExceptionType, Label, RootCause, Stage};
use super::names::of_spelling;
use super::sheet::SheetRow;

/// The labels of a row: the scheme's words, and where a labeller wrote another one that word, which is never turned into a label.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SheetLabels {
    /// The refined exception type.
    pub exception_type: String,
    /// Why it crashed.
    pub root_cause: String,
    /// Whether it is a bug of machine learning.
    pub ml_bug: String,
    /// The stage of the pipeline.
    pub stage: String,
    /// Words that are outside of the scheme, each with its dimension; of a dimension that is missing, or empty, an empty one.
    pub outside: Vec<(&'static str, String)>,
}

impl SheetLabels {
    /// Reads the columns `exception_type` (or `exception_type_label`), `root_cause`, `ml_bug` and `pipeline_stage`.
    #[must_use]
    pub fn of(row: &SheetRow) -> Self {
        let mut outside = Vec::new();
        let ml_bug = kept(row, &[BugKind::DIMENSION], BugKind::of, &mut outside);
        let root_cause = kept(row, &[RootCause::DIMENSION], RootCause::of, &mut outside);
        let stage = kept(row, &[Stage::DIMENSION], Stage::of, &mut outside);
        let columns = [ExceptionType::DIMENSION, "exception_type_label"];
        let exception_type =
            kept(row, &columns, |word| ExceptionType::of(word).or_else(|| of_spelling(word)), &mut outside);
        Self { exception_type, root_cause, ml_bug, stage, outside }
    }
}

/// The word of the first of these columns that is not empty, as the scheme spells it.
fn kept<L: Label>(
    row: &SheetRow,
    columns: &[&str],
    of: impl Fn(&str) -> Option<L>,
    outside: &mut Vec<(&'static str, String)>,
) -> String {
    let mut words = columns.iter().filter_map(|column| row.others.get(*column)).map(|word| word.trim());
    let word = words.find(|word| !word.is_empty()).unwrap_or("");
    if let Some(label) = of(word) {
        return label.code().to_owned();
    }
    outside.push((L::DIMENSION, word.to_owned()));
    word.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_outside_of_the_scheme_stays_as_it_is() {
        let others = [
            ("exception_type_label", "function not found"),
            ("root_cause", " nb "),
            ("ml_bug", "perhaps"),
            ("pipeline_stage", ""),
        ];
        let others = others.map(|(column, word)| (column.to_owned(), word.to_owned())).into();
        let labels = SheetLabels::of(&SheetRow { others, ..SheetRow::default() });
        assert_eq!((labels.exception_type.as_str(), labels.root_cause.as_str()), ("NameError", "NB"));
        assert_eq!((labels.ml_bug.as_str(), labels.stage.as_str()), ("perhaps", ""));
        assert_eq!(labels.outside, [("ml_bug", "perhaps".to_owned()), ("pipeline_stage", String::new())]);
    }
}
