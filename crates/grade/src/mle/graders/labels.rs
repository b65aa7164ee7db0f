//! Competitions that ask for the label of a row.

use crate::mle::case::Case;
use crate::mle::classes::{Labels, with_both};
use crate::mle::column::Column;
use crate::mle::rules::Cells;
use crate::{Invalid, metrics, python};

pub(crate) fn accuracy(case: &Case<'_>) -> Result<f64, Invalid> {
    match case.answers.rules.cells {
        Cells::AsText => as_text(case),
        cells @ (Cells::Typed | Cells::BlankIsEmpty) => typed(case, cells),
    }
}

/// Labels as Python writes them.
fn as_text(case: &Case<'_>) -> Result<f64, Invalid> {
    let (truth, predicted) = (case.truth(0)?, case.predicted(0)?);
    super::mean(case, |pair| Ok(f64::from(truth.text(case.answer(pair)) == predicted.text(case.row(pair)))))
}

/// Labels by their type: numbers by value, text as it stands; numbers and text never meet.
fn typed(case: &Case<'_>, cells: Cells) -> Result<f64, Invalid> {
    let truth = true_labels(case)?;
    if cells == Cells::BlankIsEmpty {
        return blank_is_empty(case, &truth);
    }
    let predicted = predicted_labels(case)?;
    // scikit-learn compares numbers with text, and finds none equal, when there are more than two classes; of two it cannot
    // tell which is which.
    let mixed = || if truth.are_many() || predicted.are_many() { Ok(0.0) } else { Err(unlike(case)) };
    Ok(with_both!(&truth, &predicted, metrics::accuracy, return mixed()))
}

fn true_labels<'c>(case: &Case<'c>) -> Result<Labels<'c>, Invalid> {
    let bad = |row| Invalid::answers(format!("row {} has no label", row + 1));
    Labels::of(case.truth(0)?, (0..case.len()).map(|pair| case.answer(pair))).map_err(bad)
}

fn predicted_labels<'c>(case: &Case<'c>) -> Result<Labels<'c>, Invalid> {
    Labels::of(case.predicted(0)?, (0..case.len()).map(|pair| case.row(pair))).map_err(|row| case.not_a_label(row))
}

/// A missing label is an empty text, and makes texts of the others.
fn blank_is_empty(case: &Case<'_>, truth: &Labels<'_>) -> Result<f64, Invalid> {
    let column = case.predicted(0)?;
    if (0..case.frame.rows()).any(|row| column.is_missing(row)) || column.texts().is_some() {
        let found = |pair| if column.is_missing(case.row(pair)) { "".into() } else { column.text(case.row(pair)) };
        let Labels::Texts(truth) = truth else { return Ok(0.0) };
        return super::mean(case, |pair| Ok(f64::from(truth[pair] == found(pair))));
    }
    let predicted = predicted_labels(case)?;
    let mixed = || if truth.are_many() || predicted.are_many() { Ok(0.0) } else { Err(unlike(case)) };
    Ok(with_both!(truth, &predicted, metrics::accuracy, return mixed()))
}

/// The first cell as one that is of another type than the answers.
fn unlike(case: &Case<'_>) -> Invalid {
    case.not_a_label(case.row(0))
}

/// F1 pooled over the classes of rows that have one label each is the share of right ones. A missing text is the text `nan`.
pub(crate) fn single_label(case: &Case<'_>) -> Result<f64, Invalid> {
    let (truth, predicted) = (case.truth(0)?, case.predicted(0)?);
    match (truth.texts(), predicted.texts()) {
        (Some(_), Some(_)) => as_text(case),
        (None, None) => {
            let (truth, predicted) = (true_labels(case)?, predicted_labels(case)?);
            Ok(with_both!(&truth, &predicted, metrics::accuracy, return Err(unlike(case))))
        }
        _ => Err(unlike(case)),
    }
}

/// The first of the labels in a cell, where there may be several.
pub(crate) fn top1_error(case: &Case<'_>) -> Result<f64, Invalid> {
    let column = case.predicted(0)?;
    if matches!(column, Column::Numbers(_) | Column::Flags(_)) {
        return Err(case.not_a_label(case.row(0)));
    }
    let truth = integers(case, case.truth(0)?, |pair| case.answer(pair), false)?;
    Ok(1.0 - metrics::accuracy(&truth, &integers(case, column, |pair| case.row(pair), true)?))
}

/// Labels as Python's `int()` reads them: fractions are cut.
pub(crate) fn macro_f1(case: &Case<'_>) -> Result<f64, Invalid> {
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
            Column::Large(values) => Some(values[row].into()),
            Column::Truth(values) => Some(values[row].into()),
            Column::Flags(values) => values[row].map(i128::from),
            Column::Numbers(values) => values[row].is_finite().then_some(values[row] as i128),
            Column::Text(texts) => texts.get(row).and_then(|text| {
                let word = if first_word { python::words(text).next()? } else { text };
                python::whole(word)
            }),
        };
        value.ok_or_else(|| case.not_a_label(case.row(pair)))
    };
    let values = (0..case.len()).map(value).collect::<Result<Vec<i128>, Invalid>>()?;
    // Numpy takes whole numbers that all fit `i64`, or all lie between it and `u64`; others become fractions or objects.
    let fits = |value: &i128| i64::try_from(*value).is_ok();
    let beyond = |value: &i128| !fits(value) && u64::try_from(*value).is_ok();
    let odd = values.iter().position(|value| !fits(value)).filter(|_| !values.iter().all(beyond));
    odd.map_or(Ok(values), |pair| Err(case.not_a_label(case.row(pair))))
}

/// NaN where both sides hold a single label.
pub(crate) fn kappa(case: &Case<'_>) -> Result<f64, Invalid> {
    let (truth, predicted) = (true_labels(case)?, predicted_labels(case)?);
    let kappa = with_both!(&truth, &predicted, metrics::quadratic_weighted_kappa, return Err(unlike(case)));
    Ok(kappa.unwrap_or(f64::NAN))
}

pub(crate) fn matthews(case: &Case<'_>) -> Result<f64, Invalid> {
    let (truth, predicted) = (true_labels(case)?, predicted_labels(case)?);
    Ok(with_both!(&truth, &predicted, metrics::matthews_correlation, return Err(unlike(case))))
}
