//! The true targets, in the shape that the metric needs.

use crate::Invalid;
use crate::cell::{self, Label};
use crate::invalid::Excerpt;

/// The true targets, within each column in the order of the answers file, and the metric's function.
#[derive(Debug)]
pub(crate) enum Truth {
    /// One column of labels.
    Labels(LabelColumn, fn(&[Label], &[Label]) -> f64),
    /// One column of labels that are whole numbers.
    WholeLabels(LabelColumn, fn(&[i128], &[i128]) -> Option<f64>),
    /// Each target column as yes or no.
    Positives(Vec<Vec<bool>>, fn(&[bool], &[f64]) -> f64),
    /// The place of each row's class among the target columns.
    Classes(Vec<usize>, fn(&[usize], &[Vec<f64>]) -> f64),
    /// Each target column as numbers.
    Numbers(Vec<Vec<f64>>, fn(&[f64], &[f64]) -> f64),
}

/// What the labels of a column have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Vocabulary {
    /// Whole numbers or truth values.
    Whole,
    /// Numbers, some of them fractions.
    Numbers,
    /// At least one word, and no number.
    Words,
    /// Words and numbers.
    Mixed,
}

/// What a cell would have to be, and is not.
enum Unmet {
    Label,
    FiniteNumber,
    Number,
}

/// A column of true labels.
#[derive(Debug)]
pub(crate) struct LabelColumn {
    pub(crate) labels: Vec<Label>,
    vocabulary: Vocabulary,
    some_missing: bool,
}

impl LabelColumn {
    /// The labels that the cells of the answers' target column spell.
    pub(crate) fn of(cells: &[String]) -> Self {
        let truth_values = cells.iter().all(|cell| cell::truth(cell).is_some());
        let read = if truth_values { Label::read_with_truth } else { Label::read };
        let labels: Vec<Label> = cells.iter().map(|cell| read(cell)).collect();
        let (mut wholes, mut fractions, mut words) = (false, false, false);
        for label in &labels {
            match label {
                Label::Whole(_) => wholes = true,
                Label::Fraction(_) => fractions = true,
                Label::Word(_) => words = true,
                Label::Missing => {}
            }
        }
        let vocabulary = match (words, wholes || fractions) {
            (true, true) => Vocabulary::Mixed,
            (true, false) => Vocabulary::Words,
            (false, _) if fractions => Vocabulary::Numbers,
            (false, _) => Vocabulary::Whole,
        };
        let some_missing = labels.contains(&Label::Missing);
        LabelColumn { labels, vocabulary, some_missing }
    }

    /// The whole numbers that the labels are; none when one is something else.
    pub(crate) fn whole_numbers(&self) -> Option<Vec<i128>> {
        whole_numbers(&self.labels)
    }

    /// The label that a submission's cell spells, if it can be one of this column's.
    pub(crate) fn accept(&self, text: &str, line: u64, column: &str) -> Result<Label, Invalid> {
        let label = if self.is_numeric() { Label::read_with_truth(text) } else { Label::read(text) };
        let Some(unmet) = self.unmet(&label, text) else {
            return Ok(label);
        };
        let (column, value) = (column.to_owned(), Excerpt::of(text));
        Err(match unmet {
            Unmet::Label => Invalid::UnknownLabel { line, column, value },
            Unmet::FiniteNumber => Invalid::NotFinite { line, column, value },
            Unmet::Number => Invalid::NotNumeric { line, column, value },
        })
    }

    fn is_numeric(&self) -> bool {
        matches!(self.vocabulary, Vocabulary::Whole | Vocabulary::Numbers)
    }

    fn unmet(&self, label: &Label, text: &str) -> Option<Unmet> {
        match label {
            Label::Missing if self.some_missing => None,
            Label::Missing if self.is_numeric() => Some(Unmet::FiniteNumber),
            Label::Missing => Some(Unmet::Label),
            Label::Fraction(_) if self.vocabulary == Vocabulary::Whole => Some(Unmet::Label),
            Label::Word(_) if self.is_numeric() && cell::number(text).is_some() => Some(Unmet::FiniteNumber),
            Label::Word(_) if self.is_numeric() => Some(Unmet::Number),
            Label::Fraction(_) | Label::Whole(_) | Label::Word(_) => None,
        }
    }

    /// Whether a submission that consists of `predicted` has coded words as numbers, so that nothing can ever match.
    pub(crate) fn is_miscoded(&self, predicted: &[Label]) -> bool {
        self.vocabulary == Vocabulary::Words && predicted.iter().all(Label::is_number)
    }
}

/// The whole numbers that `labels` are; none when one is something else.
pub(crate) fn whole_numbers(labels: &[Label]) -> Option<Vec<i128>> {
    labels.iter().map(|label| if let Label::Whole(number) = label { Some(*number) } else { None }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(cells: &[&str]) -> LabelColumn {
        LabelColumn::of(&cells.iter().map(|&cell| cell.to_owned()).collect::<Vec<_>>())
    }

    fn kind(column: &LabelColumn, cell: &str) -> &'static str {
        column.accept(cell, 2, "y").map_or_else(|invalid| invalid.kind(), |_| "label")
    }

    #[test]
    fn whole_numbers_refuse_what_is_none() {
        let whole = column(&["1", "2.0", "3"]);
        let kinds = ["7", "1.0", "True", "1.5", "", "inf", "two"].map(|cell| kind(&whole, cell));
        assert_eq!(kinds, ["label", "label", "label", "unknown-label", "not-finite", "not-finite", "not-numeric"]);
    }

    #[test]
    fn words_take_any_word() {
        let words = column(&["yes", "no"]);
        let kinds = ["maybe", "1", "True", "", "NA"].map(|cell| kind(&words, cell));
        assert_eq!(kinds, ["label", "label", "label", "unknown-label", "unknown-label"]);
        assert!(words.is_miscoded(&[Label::Whole(0), Label::Whole(1)]));
        assert!(!words.is_miscoded(&[Label::Whole(0), Label::Word("no".into())]));
        assert!(!column(&["yes", "1"]).is_miscoded(&[Label::Whole(0)]));
    }

    #[test]
    fn truth_values_are_one_and_zero() {
        let truth = column(&["True", "False"]);
        assert_eq!(truth.labels, [Label::Whole(1), Label::Whole(0)]);
        assert_eq!(truth.accept("0.0", 2, "y"), Ok(Label::Whole(0)));
        assert_eq!(kind(&truth, "yes"), "not-numeric");
    }

    #[test]
    fn missing_is_a_label_where_the_answers_have_it() {
        let some = column(&["null", "the"]);
        assert_eq!(some.accept("NA", 2, "y"), Ok(Label::Missing));
    }
}
