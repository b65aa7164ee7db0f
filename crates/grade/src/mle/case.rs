//! One submission beside the answers, with its rows paired.

use std::borrow::Cow;

use crate::Invalid;
use crate::invalid::{Excerpt, ends};
use crate::mle::answers::MleAnswers;
use crate::mle::classes::Labels;
use crate::mle::column::Column;
use crate::mle::frame::Frame;
use crate::mle::ids::Pairs;
use crate::python;

/// A submission that is being checked and scored.
pub(crate) struct Case<'c> {
    pub(crate) answers: &'c MleAnswers,
    pub(crate) frame: &'c Frame,
    pub(crate) pairs: Pairs,
    /// The names of its columns that are scored, in the order of the targets.
    pub(crate) names: Cow<'c, [String]>,
}

impl<'c> Case<'c> {
    pub(crate) fn new(answers: &'c MleAnswers, frame: &'c Frame) -> Self {
        Case { answers, frame, pairs: Pairs::default(), names: Cow::Borrowed(&answers.targets) }
    }

    /// Some of the pairs, or other ones.
    pub(crate) fn with(&self, pairs: Pairs) -> Self {
        Case { pairs, names: self.names.clone(), ..*self }
    }

    /// Those of the pairs that are kept.
    pub(crate) fn kept(&self, mut keep: impl FnMut(usize) -> bool) -> Self {
        let kept: Vec<usize> = (0..self.len()).filter(|&pair| keep(pair)).collect();
        let answers = Some(kept.iter().map(|&pair| self.answer(pair)).collect());
        let rows = Some(kept.into_iter().map(|pair| self.row(pair)).collect());
        self.with(Pairs { answers, rows })
    }

    /// The number of pairs.
    pub(crate) fn len(&self) -> usize {
        match (&self.pairs.answers, &self.pairs.rows) {
            (Some(order), _) | (None, Some(order)) => order.len(),
            (None, None) => self.frame.rows().min(self.answers.frame.rows()),
        }
    }

    /// The row of the submission in a pair.
    pub(crate) fn row(&self, pair: usize) -> usize {
        self.pairs.rows.as_ref().map_or(pair, |rows| rows[pair])
    }

    /// The row of the answers in a pair.
    pub(crate) fn answer(&self, pair: usize) -> usize {
        self.pairs.answers.as_ref().map_or(pair, |answers| answers[pair])
    }

    /// How many columns are scored.
    pub(crate) fn targets(&self) -> usize {
        self.names.len()
    }

    /// A scored column of the submission.
    pub(crate) fn predicted(&self, target: usize) -> Result<&'c Column, Invalid> {
        self.frame.column(&self.names[target]).ok_or_else(|| self.wrong_columns())
    }

    /// Its column of the answers.
    pub(crate) fn truth(&self, target: usize) -> Result<&'c Column, Invalid> {
        let names = &self.answers.rules.truth_columns;
        self.further(names.get(target).unwrap_or(&self.answers.targets[target]))
    }

    /// A column of the answers.
    pub(crate) fn further(&self, name: &str) -> Result<&'c Column, Invalid> {
        self.answers.frame.column(name).ok_or_else(|| Invalid::answers(format!("there is no column `{name}`")))
    }

    /// The ids of the submission.
    pub(crate) fn ids(&self) -> Result<&'c Column, Invalid> {
        self.frame.column(&self.answers.rules.id_column).ok_or_else(|| self.wrong_columns())
    }

    /// The ids of the answers.
    pub(crate) fn answer_ids(&self) -> Result<&'c Column, Invalid> {
        self.further(&self.answers.rules.id_column)
    }

    /// A true column as numbers, in the order of the pairs.
    pub(crate) fn true_numbers(&self, target: usize) -> Result<Cow<'c, [f64]>, Invalid> {
        let numbers = self.truth(target)?.numbers().ok_or_else(|| self.not_numbers(target))?;
        Ok(pick(numbers, self.pairs.answers.as_deref()))
    }

    /// A true column as finite numbers of at least one pair, without which scikit-learn counts nothing.
    pub(crate) fn finite_truth(&self, target: usize) -> Result<Cow<'c, [f64]>, Invalid> {
        let numbers = match self.truth(target)?.texts() {
            None => self.true_numbers(target)?,
            Some(texts) => {
                let number = |pair| python::float(texts.get(self.answer(pair)).unwrap_or("nan"));
                let numbers = (0..self.len()).map(number).collect::<Option<Vec<f64>>>();
                numbers.ok_or_else(|| self.not_numbers(target))?.into()
            }
        };
        let name = &self.answers.targets[target];
        match numbers.iter().position(|number| !number.is_finite()) {
            _ if numbers.is_empty() => Err(Invalid::Undefined { why: "no row is scored" }),
            Some(pair) => {
                let row = self.answer(pair) + 1;
                Err(Invalid::answers(format!("row {row} of column `{name}` holds no finite number")))
            }
            None => Ok(numbers),
        }
    }

    fn not_numbers(&self, target: usize) -> Invalid {
        Invalid::answers(format!("column `{}` does not hold numbers", self.answers.targets[target]))
    }

    /// A true column as yes and no, the larger of two labels being yes, in the order of the pairs.
    pub(crate) fn positives(&self, target: usize) -> Result<Vec<bool>, Invalid> {
        let rows = (0..self.len()).map(|pair| self.answer(pair));
        let positives = Labels::of(self.truth(target)?, rows).ok().and_then(|labels| labels.positives());
        let name = &self.answers.targets[target];
        let few = || Invalid::answers(format!("column `{name}` does not hold two classes, as the metric needs"));
        positives.ok_or_else(few)
    }

    /// A predicted column as numbers, in the order of the pairs; missing ones are NaN.
    pub(crate) fn numbers(&self, target: usize) -> Result<Cow<'c, [f64]>, Invalid> {
        let column = self.predicted(target)?;
        let numbers = column.numbers().ok_or_else(|| self.first_word(column, target))?;
        Ok(pick(numbers, self.pairs.rows.as_deref()))
    }

    /// A predicted column as finite numbers, in the order of the pairs.
    pub(crate) fn finite(&self, target: usize) -> Result<Cow<'c, [f64]>, Invalid> {
        let numbers = self.numbers(target)?;
        self.check_finite(&numbers, target)?;
        Ok(numbers)
    }

    /// The same where text that spells a number will do, and only the cells of pairs are looked at.
    pub(crate) fn readable(&self, target: usize) -> Result<Cow<'c, [f64]>, Invalid> {
        let column = self.predicted(target)?;
        let numbers = match column.texts() {
            None => self.numbers(target)?,
            Some(texts) => {
                let number = |pair| {
                    let text = texts.get(self.row(pair)).unwrap_or("nan");
                    python::float(text).ok_or_else(|| self.not_numeric(column, self.row(pair), target))
                };
                (0..self.len()).map(number).collect::<Result<Vec<f64>, _>>()?.into()
            }
        };
        self.check_finite(&numbers, target)?;
        Ok(numbers)
    }

    fn check_finite(&self, numbers: &[f64], target: usize) -> Result<(), Invalid> {
        match numbers.iter().position(|number| !number.is_finite()) {
            Some(pair) => Err(self.not_finite(self.row(pair), target)),
            None => Ok(()),
        }
    }

    /// Where a column that should hold numbers holds something else.
    pub(crate) fn first_word(&self, column: &Column, target: usize) -> Invalid {
        let is_word = |row: &usize| !column.is_missing(*row) && python::float(&column.text(*row)).is_none();
        let row = (0..self.frame.rows()).find(is_word).unwrap_or(0);
        if self.frame.rows() == 0 {
            return Invalid::WrongRows { expected: self.answers.rows(), found: 0 };
        }
        self.not_numeric(column, row, target)
    }

    fn not_numeric(&self, column: &Column, row: usize, target: usize) -> Invalid {
        let value = Excerpt::of(&column.text(row));
        Invalid::NotNumeric { line: self.frame.line(row), column: self.names[target].clone(), value }
    }

    /// A column without words where they are needed.
    pub(crate) fn not_text(&self, column: &Column, name: &str) -> Invalid {
        let row = (0..self.frame.rows()).find(|row| !column.is_missing(*row)).unwrap_or(0);
        Invalid::NotText { line: self.frame.line(row), column: name.to_owned() }
    }

    /// The sum of a row's predictions is not what it should be.
    pub(crate) fn row_sum(&self, row: usize, sum: f64) -> Invalid {
        Invalid::RowSum { line: self.frame.line(row), columns: ends(&self.names), sum }
    }

    /// A number that is missing or infinite.
    pub(crate) fn not_finite(&self, row: usize, target: usize) -> Invalid {
        let column = self.names[target].clone();
        let cell = self.frame.column(&column);
        let text = cell.filter(|cell| !cell.is_missing(row)).map(|cell| cell.text(row)).unwrap_or_default();
        Invalid::NotFinite { line: self.frame.line(row), column, value: Excerpt::of(&text) }
    }

    /// A cell that is not written as the competition needs it.
    pub(crate) fn bad_cell(&self, row: usize, target: usize, needed: impl Into<String>) -> Invalid {
        let (line, column, value) = self.place(row, target);
        Invalid::BadCell { line, column, value, needed: needed.into() }
    }

    /// A cell of the first target that cannot be a label.
    pub(crate) fn not_a_label(&self, row: usize) -> Invalid {
        let (line, column, value) = self.place(row, 0);
        Invalid::UnknownLabel { line, column, value }
    }

    /// The line, column and text of a cell.
    fn place(&self, row: usize, target: usize) -> (u64, String, Excerpt) {
        let column = self.names[target].clone();
        let cell = self.frame.column(&column);
        let text = cell.filter(|cell| !cell.is_missing(row)).map(|cell| cell.text(row)).unwrap_or_default();
        (self.frame.line(row), column, Excerpt::of(&text))
    }

    /// The columns that were expected and those that are there.
    pub(crate) fn wrong_columns(&self) -> Invalid {
        let competition = &self.answers.rules;
        let id = std::iter::once(&competition.id_column);
        let expected = id.chain(&self.answers.targets).chain(&competition.unscored_columns).cloned().collect();
        Invalid::wrong_columns(expected, self.frame.names())
    }
}

/// The values in another order.
pub(crate) fn pick<'v>(values: Cow<'v, [f64]>, order: Option<&[usize]>) -> Cow<'v, [f64]> {
    match order {
        Some(order) => order.iter().map(|&place| values[place]).collect(),
        None => values,
    }
}
