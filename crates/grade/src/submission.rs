//! From a submission to its score.

use std::path::Path;

use nbrevive_corpus::Prediction;

use crate::cell::{self, Label};
use crate::identifiers::Pairing;
use crate::invalid::{Excerpt, ends};
use crate::scanner::{Fields, Malformed, Scanner};
use crate::submission_file::read_submission;
use crate::truth::{LabelColumn, Truth, whole_numbers};
use crate::{Answers, GradingTask, Invalid, Score, SubmissionLimits};

/// How far the sum of a row's probabilities may be from 1: an absolute 1e-6 and a relative 1e-5, as numpy's `isclose` adds
/// them in the graders of MLE-bench.
const SUM_TOLERANCE: f64 = 1e-6 + 1e-5;

/// The score of the submission at `path`, with the default [`SubmissionLimits`].
///
/// Checked are, in this order: the file, its columns, its number of rows, and then for numbers the values before the ids, for
/// labels the ids before the values. Of each the first fault in the file is reported. Columns beyond those asked for are
/// ignored, and rows may come in any order.
///
/// # Errors
/// The reason why there is no score.
pub fn grade(submission: &Path, answers: &Answers) -> Result<Score, Invalid> {
    grade_within(submission, answers, &SubmissionLimits::default())
}

/// The score of the submission at `path`, of which not more than `limits` is read; see [`grade`].
///
/// # Errors
/// As [`grade`].
pub fn grade_within(submission: &Path, answers: &Answers, limits: &SubmissionLimits) -> Result<Score, Invalid> {
    let text = read_submission(submission, limits)?;
    score(&text, answers, limits).map_err(|invalid| invalid.with_ids_in(&answers.task.id_column))
}

fn score(text: &str, answers: &Answers, limits: &SubmissionLimits) -> Result<Score, Invalid> {
    let table = Table::of(text, &answers.task, limits)?;
    table.check_rows(answers.rows())?;
    let value = match &answers.truth {
        Truth::Labels(truth, metric) => metric(&truth.labels, &table.labels(answers, truth)?),
        Truth::WholeLabels(truth, metric) => {
            let whole = "labels are checked to be whole numbers";
            let predicted = whole_numbers(&table.labels(answers, truth)?).expect(whole);
            metric(&truth.whole_numbers().expect(whole), &predicted).ok_or(Invalid::SingleClass)?
        }
        Truth::Positives(truth, metric) => mean(truth, &table.numbers(answers)?, metric),
        Truth::Classes(truth, metric) => metric(truth, &table.numbers(answers)?),
        Truth::Numbers(truth, metric) => mean(truth, &table.numbers(answers)?, metric),
    };
    Score::new(value).ok_or(Invalid::Overflow)
}

/// The plain mean of a metric over the columns.
fn mean<T>(truth: &[Vec<T>], predicted: &[Vec<f64>], metric: impl Fn(&[T], &[f64]) -> f64) -> f64 {
    let columns = truth.len() as f64;
    truth.iter().zip(predicted).map(|(truth, predicted)| metric(truth, predicted) / columns).sum()
}

/// A submission whose columns are known. Its rows are scanned anew for each question, so that memory depends on the answers
/// and not on what a submission contains.
struct Table<'t> {
    text: &'t str,
    task: &'t GradingTask,
    columns: usize,
    id: usize,
    targets: Vec<usize>,
}

impl<'t> Table<'t> {
    fn of(text: &'t str, task: &'t GradingTask, limits: &SubmissionLimits) -> Result<Self, Invalid> {
        let mut header = Fields::new();
        if Scanner::new(text, limits.columns).next_row(&mut header)?.is_none() {
            return Err(Invalid::Empty);
        }
        let place = |name: &String| header.iter().position(|field| field == name);
        let places = (place(&task.id_column), task.target_columns.iter().map(place).collect::<Option<Vec<_>>>());
        let (Some(id), Some(targets)) = places else {
            return Err(Invalid::wrong_columns(task.columns(), header.iter()));
        };
        Ok(Table { text, task, columns: header.len(), id, targets })
    }

    /// Calls `with` with the line and the fields of each row below the header.
    fn for_each_row<E: From<Malformed>>(
        &self,
        mut with: impl FnMut(u64, &Fields<'t>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut scanner = Scanner::new(self.text, self.columns);
        let mut fields = Fields::new();
        scanner.next_row(&mut fields)?;
        while let Some(line) = scanner.next_row(&mut fields)? {
            with(line, &fields)?;
        }
        Ok(())
    }

    fn check_rows(&self, expected: usize) -> Result<(), Invalid> {
        let mut found = 0;
        self.for_each_row::<Invalid>(|_, _| {
            found += 1;
            Ok(())
        })?;
        if found == expected { Ok(()) } else { Err(Invalid::WrongRows { expected, found }) }
    }

    /// The target column's labels in the order of the answers: ids are checked before labels.
    fn labels(&self, answers: &Answers, truth: &LabelColumn) -> Result<Vec<Label>, Invalid> {
        let column = &self.task.target_columns[0];
        let mut pairing = Pairing::new(&answers.identifiers);
        let mut labels = vec![Label::Missing; answers.rows()];
        let mut first_fault = None;
        let mut first_cell = None;
        self.for_each_row::<Invalid>(|line, fields| {
            let answer = pairing.answer(fields.cell(self.id), line)?;
            let text = fields.cell(self.targets[0]);
            first_cell.get_or_insert_with(|| (line, Excerpt::of(text)));
            match truth.accept(text, line, column) {
                Ok(label) => labels[answer] = label,
                Err(fault) => {
                    first_fault.get_or_insert(fault);
                }
            }
            Ok(())
        })?;
        if let Some(fault) = first_fault {
            return Err(fault);
        }
        match first_cell {
            Some((line, value)) if truth.is_miscoded(&labels) => {
                Err(Invalid::UnknownLabel { line, column: column.clone(), value })
            }
            _ => Ok(labels),
        }
    }

    /// The target columns' numbers in the order of the answers: numbers are checked before ids.
    fn numbers(&self, answers: &Answers) -> Result<Vec<Vec<f64>>, Invalid> {
        let mut pairing = Pairing::new(&answers.identifiers);
        let mut columns = vec![vec![0.0; answers.rows()]; self.targets.len()];
        let mut first_fault = None;
        self.for_each_row::<Invalid>(|line, fields| {
            let answer = match pairing.answer(fields.cell(self.id), line) {
                Ok(answer) => Some(answer),
                Err(fault) => {
                    first_fault.get_or_insert(fault);
                    None
                }
            };
            let mut sum = 0.0;
            for ((column, &place), name) in columns.iter_mut().zip(&self.targets).zip(&self.task.target_columns) {
                let value = self.number(fields.cell(place), line, name)?;
                sum += value;
                if let Some(answer) = answer {
                    column[answer] = value;
                }
            }
            if self.task.scorer.takes_shares() && (sum - 1.0).abs() > SUM_TOLERANCE {
                return Err(Invalid::RowSum { line, columns: ends(&self.task.target_columns), sum });
            }
            Ok(())
        })?;
        first_fault.map_or(Ok(columns), Err)
    }

    fn number(&self, text: &str, line: u64, column: &str) -> Result<f64, Invalid> {
        let place = || (column.to_owned(), Excerpt::of(text));
        let Some(value) = cell::number(text) else {
            let (column, value) = place();
            return Err(Invalid::NotNumeric { line, column, value });
        };
        if !value.is_finite() {
            let (column, value) = place();
            return Err(Invalid::NotFinite { line, column, value });
        }
        let out_of_range = |allowed| Invalid::OutOfRange { line, column: column.to_owned(), value, allowed };
        if self.task.prediction == Prediction::Probability && !(0.0..=1.0).contains(&value) {
            return Err(out_of_range("a probability is between 0 and 1"));
        }
        if value < 0.0 && !self.task.scorer.takes_negatives() {
            return Err(out_of_range("a logarithmic error needs 0 or more"));
        }
        Ok(value)
    }
}
