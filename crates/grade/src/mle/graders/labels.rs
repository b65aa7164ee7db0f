//! Competitions that ask for the label of a row.

use std::collections::HashSet;

use crate::mle::case::{Case, pick};
use crate::mle::column::Column;
use crate::mle::rules::Cells;
use crate::{Invalid, metrics, python};

pub(super) fn accuracy(case: &Case<'_>) -> Result<f64, Invalid> {
    match case.answers.rules.cells {
        Cells::AsText => as_text(case),
        cells => typed(case, cells),
    }
}

/// Labels as Python writes them.
fn as_text(case: &Case<'_>) -> Result<f64, Invalid> {
    let (truth, predicted) = (case.truth(0)?, case.predicted(0)?);
    super::mean(case, |pair| Ok(f64::from(truth.text(case.answer(pair)) == predicted.text(case.row(pair)))))
}

/// Labels by their type: numbers by value, text as it stands; numbers and text never meet.
fn typed(case: &Case<'_>, cells: Cells) -> Result<f64, Invalid> {
    match (case.truth(0)?, case.predicted(0)?) {
        (Column::Text(truth), Column::Text(predicted)) => {
            let blank = if cells == Cells::BlankIsEmpty { Some("") } else { None };
            super::mean(case, |pair| {
                let row = case.row(pair);
                let label = predicted.get(row).or(blank).ok_or_else(|| case.not_a_label(row))?;
                Ok(f64::from(truth.get(case.answer(pair)) == Some(label)))
            })
        }
        (Column::Text(_), _) | (_, Column::Text(_)) => mixed(case),
        _ => Ok(metrics::accuracy(&case.true_numbers(0)?, &whole(case)?)),
    }
}

/// Numbers on one side and text on the other. scikit-learn compares them, and finds none equal, when there are more than two
/// classes; of two it cannot tell which is which.
fn mixed(case: &Case<'_>) -> Result<f64, Invalid> {
    let (truth, predicted) = (case.truth(0)?, case.predicted(0)?);
    let blank = (0..case.frame.rows()).find(|&row| predicted.is_missing(row));
    if let Some(row) = blank.filter(|_| case.answers.rules.cells == Cells::Typed) {
        return Err(case.not_a_label(row));
    }
    let many = |column: &Column, rows: usize| (0..rows).map(|row| column.text(row)).collect::<HashSet<_>>().len() > 2;
    if many(truth, case.answers.frame.rows()) || many(predicted, case.frame.rows()) {
        return Ok(0.0);
    }
    Err(unlike(case))
}

/// The first cell as one that is of another type than the answers.
fn unlike(case: &Case<'_>) -> Invalid {
    case.not_a_label(case.row(0))
}

/// Predicted labels that are whole numbers.
fn whole(case: &Case<'_>) -> Result<Vec<f64>, Invalid> {
    let numbers = case.finite(0)?;
    match numbers.iter().position(|number| number.fract() != 0.0) {
        Some(pair) => Err(case.not_a_label(case.row(pair))),
        None => Ok(numbers.into_owned()),
    }
}

/// F1 pooled over the classes of rows that have one label each is the share of right ones.
pub(super) fn single_label(case: &Case<'_>) -> Result<f64, Invalid> {
    let (truth, predicted) = (case.truth(0)?, case.predicted(0)?);
    if predicted.is_blank() || truth.texts().is_some() == predicted.texts().is_some() {
        return as_text(case);
    }
    Err(unlike(case))
}

/// The first of the labels in a cell, where there may be several.
pub(super) fn top1_error(case: &Case<'_>) -> Result<f64, Invalid> {
    let truth = integers(case, case.truth(0)?, |pair| case.answer(pair), false)?;
    let column = case.predicted(0)?;
    if matches!(column, Column::Numbers(_)) {
        return Err(case.not_a_label(case.row(0)));
    }
    Ok(1.0 - metrics::accuracy(&truth, &integers(case, column, |pair| case.row(pair), true)?))
}

/// Labels as Python's `int()` reads them: fractions are cut.
pub(super) fn macro_f1(case: &Case<'_>) -> Result<f64, Invalid> {
    let truth = integers(case, case.truth(0)?, |pair| case.answer(pair), false)?;
    let predicted = integers(case, case.predicted(0)?, |pair| case.row(pair), false)?;
    Ok(metrics::macro_f1_of_numbers(&truth, &predicted))
}

/// The whole numbers of a column, or of the first word of each cell.
fn integers(
    case: &Case<'_>,
    column: &Column,
    row: impl Fn(usize) -> usize,
    first_word: bool,
) -> Result<Vec<i128>, Invalid> {
    let value = |pair: usize| {
        let row = row(pair);
        let value = match column {
            Column::Whole(values) => Some(values[row].into()),
            Column::Truth(values) => Some(values[row].into()),
            Column::Numbers(values) => values[row].is_finite().then_some(values[row] as i128),
            Column::Text(texts) => texts.get(row).and_then(|text| {
                let word = if first_word { python::words(text).next()? } else { text };
                python::whole(word)
            }),
        };
        value.ok_or_else(|| case.not_a_label(case.row(pair)))
    };
    (0..case.len()).map(value).collect()
}

/// NaN where both sides hold a single label.
pub(super) fn kappa(case: &Case<'_>) -> Result<f64, Invalid> {
    let (truth, predicted) = whole_pair(case)?;
    Ok(metrics::quadratic_weighted_kappa(&truth, &predicted).unwrap_or(f64::NAN))
}

pub(super) fn matthews(case: &Case<'_>) -> Result<f64, Invalid> {
    let (truth, predicted) = whole_pair(case)?;
    Ok(metrics::matthews_correlation(&truth, &predicted))
}

/// Both sides as whole numbers.
fn whole_pair(case: &Case<'_>) -> Result<(Vec<i64>, Vec<i64>), Invalid> {
    let column = case.predicted(0)?;
    let (Some(truth), Some(_)) = (case.truth(0)?.numbers(), column.numbers()) else {
        return Err(unlike(case));
    };
    let truth = pick(truth, case.pairs.answers.as_deref());
    let whole = whole(case)?;
    Ok((truth.iter().map(|&label| label as i64).collect(), whole.into_iter().map(|label| label as i64).collect()))
}
