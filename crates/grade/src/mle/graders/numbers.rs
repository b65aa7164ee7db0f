//! Competitions that ask for numbers.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

use crate::metrics::Angle;
use crate::mle::case::{Case, pick};
use crate::mle::column::Column;
use crate::mle::ids::{Pairs, duplicate, sorted_rows, unknown};
use crate::{Invalid, metrics};

/// The error of the first target; where the answers have a column `u_out`, of the rows in which it is 0.
pub(crate) fn error(case: &Case<'_>, metric: fn(&[f64], &[f64]) -> f64) -> Result<f64, Invalid> {
    let Some(name) = case.answers.rules.further_columns.first() else {
        let (truth, predicted) = both(case, 0)?;
        return Ok(metric(&truth, &predicted));
    };
    let phases = case.further(name)?.numbers().ok_or_else(|| Invalid::answers(format!("`{name}` is no number")))?;
    let part = case.kept(|pair| phases[case.answer(pair)] == 0.0);
    let (ids, index) = (case.answer_ids()?, &case.answers.ids);
    if index.distinct() < case.answers.frame.rows() {
        // As in the original, a row is scored when one of its id is.
        let first = |answer: usize| index.first(ids, answer);
        let scored: HashSet<Option<usize>> = (0..part.len()).map(|pair| first(part.answer(pair))).collect();
        if (0..case.len()).filter(|&pair| scored.contains(&first(case.answer(pair)))).count() != part.len() {
            return Err(Invalid::answers("of rows with one id, some are scored and some are not".to_owned()));
        }
    }
    let (truth, predicted) = both(&part, 0)?;
    Ok(metric(&truth, &predicted))
}

/// Truth and prediction.
type Sides<'c> = (Cow<'c, [f64]>, Cow<'c, [f64]>);

/// Both sides of a target as finite numbers; numpy does not subtract truth values from each other.
fn both<'c>(case: &Case<'c>, target: usize) -> Result<Sides<'c>, Invalid> {
    match (case.truth(target)?, case.predicted(target)?) {
        (Column::Truth(_), Column::Truth(_)) => {
            Err(Invalid::answers("they are truth values, as the predictions".to_owned()))
        }
        _ => Ok((case.finite_truth(target)?, case.readable(target)?)),
    }
}

/// Rounded half to even, as Python rounds.
pub(crate) fn rounded_mae(case: &Case<'_>) -> Result<f64, Invalid> {
    let (truth, predicted) = both(case, 0)?;
    let error = metrics::mae(&truth, &predicted).round_ties_even();
    if error.is_finite() { Ok(error) } else { Err(Invalid::Overflow) }
}

/// Rows without a group are not scored; where no row has one, the mean of nothing is NaN.
pub(crate) fn log_mae_by_group(case: &Case<'_>) -> Result<f64, Invalid> {
    let groups = case.further(&case.answers.rules.further_columns[0])?;
    let case = &case.kept(|pair| !groups.is_missing(case.answer(pair)));
    if case.len() == 0 {
        return Ok(f64::NAN);
    }
    let (truth, predicted) = both(case, 0)?;
    let mut by_group: BTreeMap<Cow<'_, str>, (Vec<f64>, Vec<f64>)> = BTreeMap::new();
    for pair in 0..case.len() {
        let (own_truth, own_predicted) = by_group.entry(groups.text(case.answer(pair))).or_default();
        own_truth.push(truth[pair]);
        own_predicted.push(predicted[pair]);
    }
    Ok(metrics::log_mae(by_group.into_values()))
}

/// As in the original, numpy takes the logarithm of truth values in half precision: what has that logarithm.
fn in_half_precision<'n>(column: &Column, numbers: Cow<'n, [f64]>) -> Cow<'n, [f64]> {
    /// `ln 2` in half precision.
    const LOGARITHM: f64 = 0.693_359_375;
    match column {
        Column::Truth(_) => {
            numbers.iter().map(|number| if *number == 1.0 { LOGARITHM.exp_m1() } else { 0.0 }).collect()
        }
        Column::Whole(_) | Column::Large(_) | Column::Numbers(_) | Column::Flags(_) | Column::Text(_) => numbers,
    }
}

pub(crate) fn mean_rmsle(case: &Case<'_>) -> Result<f64, Invalid> {
    let mut sum = 0.0;
    for target in 0..case.targets() {
        let truth = in_half_precision(case.truth(target)?, case.finite_truth(target)?);
        let predicted = in_half_precision(case.predicted(target)?, case.readable(target)?);
        if truth.iter().any(|&value| value < 0.0) {
            let name = &case.answers.targets[target];
            return Err(Invalid::answers(format!(
                "column `{name}` holds a number below 0, which has no logarithmic error"
            )));
        }
        if let Some(pair) = predicted.iter().position(|&value| value < 0.0) {
            let (line, column) = (case.frame.line(case.row(pair)), case.names[target].clone());
            let allowed = "a logarithmic error needs 0 or more";
            return Err(Invalid::OutOfRange { line, column, value: predicted[pair], allowed });
        }
        sum += metrics::rmsle(&truth, &predicted);
    }
    Ok(sum / case.targets() as f64)
}

/// The mean over columns of the root mean squared error of the rows that are kept.
///
/// As in the original, a row of the submission is kept when the answer **at its place in the file** is, or at the place that its
/// label names; both sides are then sorted by id and compared. A submission in another order than the answers is thus scored
/// against wrong rows.
pub(crate) fn mcrmse(case: &Case<'_>) -> Result<f64, Invalid> {
    let Column::Truth(keep) = case.further("keep")? else {
        return Err(Invalid::answers("`keep` does not hold True and False alone".to_owned()));
    };
    let own: Vec<usize> = (0..keep.len()).filter(|&row| keep[row]).collect();
    let mut kept = own.clone();
    if let Some(places) = labelled_places(case)? {
        kept = (0..places.len()).filter(|&row| keep[places[row]]).collect();
    }
    if kept.len() != own.len() {
        return Err(Invalid::WrongRows { expected: own.len(), found: kept.len() });
    }
    let rows = Some(sorted_rows(case.ids()?, kept));
    let part = case.with(Pairs { rows, answers: Some(sorted_rows(case.answer_ids()?, own)) });
    let error = |target| both(&part, target).map(|(truth, predicted)| metrics::rmse(&truth, &predicted));
    let errors = (0..case.targets()).map(error).collect::<Result<Vec<f64>, Invalid>>()?;
    Ok(errors.iter().sum::<f64>() / errors.len() as f64)
}

/// The place among the answers that the label of each row names; none where the rows of both sides have no labels.
fn labelled_places(case: &Case<'_>) -> Result<Option<Vec<usize>>, Invalid> {
    if case.answers.frame.labels().is_some() {
        return Err(Invalid::answers("there is a column without a name before the others".to_owned()));
    }
    let Some(labels) = case.frame.labels() else { return Ok(None) };
    let rows = case.answers.frame.rows();
    let place = |label: f64| (label.fract() == 0.0 && (0.0..rows as f64).contains(&label)).then_some(label as usize);
    let places =
        labels.numbers().map(|labels| labels.iter().map(|&label| place(label)).collect::<Option<Vec<usize>>>());
    places.flatten().map(Some).ok_or(Invalid::WrongRows { expected: rows, found: case.frame.rows() })
}

pub(crate) fn pearson(case: &Case<'_>) -> Result<f64, Invalid> {
    if case.len() < 2 {
        return Err(Invalid::Undefined { why: "there are fewer than two rows" });
    }
    Ok(metrics::pearson(&case.true_numbers(0)?, &case.numbers(0)?))
}

/// Text is ranked by code point, as numpy does; a missing cell makes the score NaN.
pub(crate) fn mean_spearman(case: &Case<'_>) -> Result<f64, Invalid> {
    let mut sum = 0.0;
    for target in 0..case.targets() {
        let (truth, column) = (case.truth(target)?, case.predicted(target)?);
        let missing = |pair| truth.is_missing(case.answer(pair)) || column.is_missing(case.row(pair));
        sum += match (0..case.len()).any(missing) {
            true => f64::NAN,
            false => {
                let own = ranks(truth, (0..case.len()).map(|pair| case.answer(pair)));
                metrics::pearson(&own, &ranks(column, (0..case.len()).map(|pair| case.row(pair))))
            }
        };
    }
    Ok(sum / case.targets() as f64)
}

/// The ranks of some rows of a column.
fn ranks(column: &Column, rows: impl Iterator<Item = usize>) -> Vec<f64> {
    match (column.numbers(), column.texts()) {
        (Some(numbers), _) => metrics::mid_ranks(&rows.map(|row| numbers[row]).collect::<Vec<f64>>()),
        (None, texts) => {
            metrics::mid_ranks(&rows.map(|row| texts.and_then(|texts| texts.get(row))).collect::<Vec<Option<&str>>>())
        }
    }
}

/// The last weeks of a patient that are scored.
const LAST_WEEKS: usize = 3;

/// Scored are the last three weeks of each patient; as in the original, one that the submission lacks is left out, both sides are
/// sorted by their ids, and a side of one row is held against every row of the other, as numpy has it.
pub(crate) fn laplace(case: &Case<'_>) -> Result<f64, Invalid> {
    let (ids, own_ids) = (case.ids()?, case.answer_ids()?);
    let first = |row| case.answers.ids.first(ids, row).ok_or_else(|| unknown(ids, row, case.frame));
    let answers: Vec<usize> = (0..case.frame.rows()).map(first).collect::<Result<_, _>>()?;
    let numbers = |target: usize| {
        let column = case.predicted(target)?;
        column.numbers().ok_or_else(|| case.first_word(column, target))
    };
    let (volumes, confidences) = (numbers(0)?, numbers(1)?);
    let truth = case.truth(0)?.numbers().ok_or_else(|| Invalid::answers("`FVC` does not hold numbers".into()))?;
    let mut scored = last_weeks(case, &truth)?;
    let id = |answer: usize| case.answers.ids.first(own_ids, answer);
    let asked: HashSet<usize> = scored.iter().filter_map(|&answer| id(answer)).collect();
    let rows: Vec<usize> = (0..answers.len()).filter(|&row| asked.contains(&answers[row])).collect();
    let told: HashSet<usize> = rows.iter().map(|&row| answers[row]).collect();
    scored.retain(|&answer| id(answer).is_some_and(|id| told.contains(&id)));
    let (scored, rows) = (sorted_rows(own_ids, scored), sorted_rows(ids, rows));
    let fits = scored.len() == rows.len() || scored.len() == 1 || rows.len() == 1;
    if !fits {
        let repeats = rows.windows(2).find(|pair| answers[pair[0]] == answers[pair[1]]);
        let unequal = Invalid::WrongRows { expected: scored.len(), found: rows.len() };
        return Err(repeats.map_or(unequal, |pair| duplicate(ids, pair[1], case.frame)));
    }
    let pairs = (0..scored.len().max(rows.len())).map(|pair| (scored[pair % scored.len()], rows[pair % rows.len()]));
    Ok(metrics::laplace_log_likelihood(pairs.map(|(answer, row)| {
        let confidence = if confidences[row].is_nan() { 0.0 } else { confidences[row] };
        (truth[answer], volumes[row], confidence)
    })))
}

/// The answers that are scored: ids end in the number of the week.
fn last_weeks(case: &Case<'_>, truth: &[f64]) -> Result<Vec<usize>, Invalid> {
    let (ids, patients) = (case.answer_ids()?, case.further("Patient")?);
    let no_text = || Invalid::answers("ids are numbers, which do not end in a week".to_owned());
    let ids = ids.texts().ok_or_else(no_text)?;
    let mut weeks: BTreeMap<Cow<'_, str>, Vec<(i128, usize)>> = BTreeMap::new();
    for answer in (0..truth.len()).filter(|&answer| !truth[answer].is_nan()) {
        let id = ids.get(answer).unwrap_or_default();
        let week = id.rsplit('_').next().and_then(crate::python::whole);
        let week = week.ok_or_else(|| Invalid::answers(format!("id {id:?} does not end in a week")))?;
        // pandas groups no row without a group.
        if !patients.is_missing(answer) {
            weeks.entry(patients.text(answer)).or_default().push((week, answer));
        }
    }
    let last = |mut weeks: Vec<(i128, usize)>| {
        weeks.sort_unstable();
        weeks.split_off(weeks.len().saturating_sub(LAST_WEEKS))
    };
    Ok(weeks.into_values().flat_map(last).map(|(_, answer)| answer).collect())
}

pub(crate) fn angular_error(case: &Case<'_>) -> Result<f64, Invalid> {
    // Text that spells numbers will not do.
    case.true_numbers(0).and(case.true_numbers(1))?;
    let truth = [case.finite_truth(0)?, case.finite_truth(1)?];
    let predicted = [case.finite(0)?, case.finite(1)?];
    let at = |columns: &[Cow<'_, [f64]>; 2], pair: usize| metrics::Direction3 {
        azimuth: columns[0][pair],
        zenith: columns[1][pair],
    };
    Ok(metrics::mean_angular_error((0..case.len()).map(|pair| (at(&truth, pair), at(&predicted, pair)))))
}

/// Rows of a trip are compared in the order of the files.
pub(crate) fn haversine(case: &Case<'_>) -> Result<f64, Invalid> {
    let trips: &Column = case.answer_ids()?;
    let no_numbers = || Invalid::answers("a coordinate is no number".to_owned());
    let truth = |target| angles(case.truth(target)?, case.pairs.answers.as_deref()).ok_or_else(no_numbers);
    let truth = [truth(0)?, truth(1)?];
    let predicted = |target| {
        let column = case.predicted(target)?;
        angles(column, case.pairs.rows.as_deref()).ok_or_else(|| case.first_word(column, target))
    };
    let predicted = [predicted(0)?, predicted(1)?];
    let mut distances: BTreeMap<Cow<'_, str>, Vec<f64>> = BTreeMap::new();
    for pair in 0..case.len() {
        let distance = metrics::haversine((predicted[0][pair], predicted[1][pair]), (truth[0][pair], truth[1][pair]));
        distances.entry(trips.text(case.answer(pair))).or_default().push(distance);
    }
    let count = distances.len() as f64;
    Ok(distances.into_values().map(metrics::mean_of_median_and_tail).sum::<f64>() / count)
}

/// The angles of a column, in the order of the pairs; none where it does not hold numbers alone.
fn angles(column: &Column, order: Option<&[usize]>) -> Option<Vec<Angle>> {
    match column {
        Column::Flags(_) => None,
        Column::Truth(_) => {
            Some(pick(column.numbers()?, order).iter().map(|&value| Angle::of_truth(value == 1.0)).collect())
        }
        Column::Whole(_) | Column::Large(_) | Column::Numbers(_) | Column::Text(_) => {
            Some(pick(column.numbers()?, order).iter().map(|&degrees| Angle::of_degrees(degrees)).collect())
        }
    }
}
