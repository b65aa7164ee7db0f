//! Labels that people wrote into a sheet.

use super::issue::NotebookIssue;
use super::label::{BugKind, ExceptionType, Label, RootCause, Stage};
use super::names::of_spelling;
use super::rater::EXCLUDED;
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
    /// What of notebooks made it, where the cause is theirs and the column `root_cause_label` or `note` names it.
    pub issue: Option<NotebookIssue>,
    /// Why it is no crash; empty for a crash.
    pub excluded: String,
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
        let column = |name: &str| row.others.get(name).map_or("", |word| word.trim());
        let issue = ["root_cause_label", "note"].into_iter().find_map(|name| NotebookIssue::named(column(name)));
        let issue = issue.filter(|_| root_cause == RootCause::Notebook.code());
        let excluded = column(EXCLUDED).to_owned();
        // What is no crash needs no label.
        if !excluded.is_empty() {
            outside.retain(|(_, word)| !word.is_empty());
        }
        Self { exception_type, root_cause, ml_bug, stage, issue, excluded, outside }
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
        let others = [others.as_slice(), &[("note", "previous cell error"), (EXCLUDED, " a comment ")]].concat();
        let others = others.into_iter().map(|(column, word)| (column.to_owned(), word.to_owned())).collect();
        let labels = SheetLabels::of(&SheetRow { others, ..SheetRow::default() });
        assert_eq!((labels.exception_type.as_str(), labels.root_cause.as_str()), ("NameError", "NB"));
        assert_eq!((labels.ml_bug.as_str(), labels.stage.as_str()), ("perhaps", ""));
        assert_eq!((labels.issue, labels.excluded.as_str()), (Some(NotebookIssue::PreviousCell), "a comment"));
        // That nobody said a stage is told of crashes alone.
        assert_eq!(labels.outside, [("ml_bug", "perhaps".to_owned())]);
    }
}
