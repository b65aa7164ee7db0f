//! Competitions that ask for probabilities or for scores to rank by.

use std::collections::{BTreeMap, HashSet};

use rayon::prelude::*;

use crate::invalid::Excerpt;
use crate::mle::case::{Case, pick};
use crate::mle::checks::{mark_columns, marks};
use crate::mle::classes::is_integral;
use crate::mle::column::Column;
use crate::{Invalid, metrics, python};

/// The plain mean of the columns' areas.
pub(crate) fn roc_auc(case: &Case<'_>) -> Result<f64, Invalid> {
    let area = |target| Ok(metrics::roc_auc(&case.positives(target)?, &case.readable(target)?));
    let areas = (0..case.targets()).map(area).collect::<Result<Vec<f64>, Invalid>>()?;
    Ok(areas.iter().sum::<f64>() / areas.len() as f64)
}

/// A predicted column of the rows that are scored: those have to be finite.
fn scored_numbers(case: &Case<'_>, target: usize, scored: &[usize]) -> Result<Vec<f64>, Invalid> {
    let predicted = case.numbers(target)?;
    match scored.iter().find(|&&pair| !predicted[pair].is_finite()) {
        Some(&pair) => Err(case.not_finite(case.row(pair), target)),
        None => Ok(scored.iter().map(|&pair| predicted[pair]).collect()),
    }
}

/// The area where both classes occur.
fn defined_area(positive: &[bool], predicted: &[f64]) -> Option<f64> {
    let both = positive.contains(&true) && positive.contains(&false);
    both.then(|| metrics::roc_auc(positive, predicted))
}

/// Where no row is positive, the curve has no point and the score is 0.
pub(crate) fn weighted_roc_auc(case: &Case<'_>) -> Result<f64, Invalid> {
    let truth = case.finite_truth(0)?;
    if !truth.iter().copied().all(is_integral) {
        return Err(Invalid::answers(format!("column `{}` does not hold classes", case.answers.targets[0])));
    }
    let positive: Vec<bool> = truth.iter().map(|&truth| truth == 1.0).collect();
    let predicted = case.readable(0)?;
    Ok(if positive.contains(&true) { metrics::weighted_roc_auc(&positive, &predicted) } else { 0.0 })
}

/// The power of the mean over identities.
const POWER: f64 = -5.0;

/// A quarter each: the area over all rows, and the generalised means over identities of the areas within the identity, of its
/// non-toxic with the other toxic rows, and of its toxic with the other non-toxic rows. Everything counts as yes from 0.5 on.
pub(crate) fn bias_auc(case: &Case<'_>) -> Result<f64, Invalid> {
    let halves = |numbers: &[f64]| numbers.iter().map(|&number| number >= 0.5).collect::<Vec<bool>>();
    let toxic = halves(&case.true_numbers(0)?);
    let predicted: Vec<f64> = case.numbers(0)?.iter().map(|&p| f64::from(u8::from(p >= 0.5))).collect();
    let undefined = |name: &str| Invalid::answers(format!("the rows of `{name}` hold a single class"));
    let overall = defined_area(&toxic, &predicted).ok_or_else(|| undefined("toxicity"))?;
    let identities = &case.answers.rules.further_columns;
    let mut means = [0.0; 3];
    for name in identities {
        let numbers = case.further(name)?.numbers().ok_or_else(|| undefined(name))?;
        let own = halves(&pick(numbers, case.pairs.answers.as_deref()));
        let groups: [&dyn Fn(usize) -> bool; 3] =
            [&|row| own[row], &|row| own[row] != toxic[row], &|row| own[row] == toxic[row]];
        for (mean, group) in means.iter_mut().zip(groups) {
            let rows: Vec<usize> = (0..toxic.len()).filter(|&row| group(row)).collect();
            check_ids_of_group(case, &rows)?;
            let truth: Vec<bool> = rows.iter().map(|&row| toxic[row]).collect();
            let predicted: Vec<f64> = rows.iter().map(|&row| predicted[row]).collect();
            *mean += defined_area(&truth, &predicted).ok_or_else(|| undefined(name))?.powf(POWER);
        }
    }
    let generalised = |sum: &f64| (sum / identities.len() as f64).powf(1.0 / POWER);
    Ok(0.25 * (overall + means.iter().map(generalised).sum::<f64>()))
}

/// The original takes from the submission every row whose id is in the group: where an id repeats, that may be too many.
fn check_ids_of_group(case: &Case<'_>, pairs: &[usize]) -> Result<(), Invalid> {
    let ids = case.answer_ids()?;
    if case.answers.ids.distinct() == case.answers.frame.rows() {
        return Ok(());
    }
    let id = |pair: usize| case.answers.ids.first(ids, case.answer(pair));
    let own: HashSet<Option<usize>> = pairs.iter().map(|&pair| id(pair)).collect();
    match (0..case.len()).filter(|&pair| own.contains(&id(pair))).count() == pairs.len() {
        true => Ok(()),
        false => Err(Invalid::answers("an id repeats within a group and outside of it".to_owned())),
    }
}

pub(crate) fn binary_log_loss(case: &Case<'_>) -> Result<f64, Invalid> {
    Ok(metrics::binary_log_loss(&case.positives(0)?, &case.finite(0)?))
}

/// How many rows a thread looks at.
const PIECE: usize = 1 << 15;

/// Gives the rows with a 1 this class. Whether all marks are 0 and 1, and no row had a class before.
fn take(classes: &mut [usize], marks: &[f64], own: usize) -> bool {
    let mut are_marked = true;
    for (class, &mark) in classes.iter_mut().zip(marks) {
        if mark == 1.0 {
            are_marked &= *class == usize::MAX;
            *class = own;
        }
        are_marked &= mark == 0.0 || mark == 1.0;
    }
    are_marked
}

/// The class of a row is the column with its 1. Answers that mark rows otherwise are weights, as far as scikit-learn takes them.
pub(crate) fn multiclass_log_loss(case: &Case<'_>) -> Result<f64, Invalid> {
    let mut classes = vec![usize::MAX; case.len()];
    let mut columns = Vec::with_capacity(case.targets());
    let mut is_marked = true;
    for target in 0..case.targets() {
        let truth = case.finite_truth(target)?;
        is_marked &= classes
            .par_chunks_mut(PIECE)
            .zip(truth.par_chunks(PIECE))
            .map(|(classes, marks)| take(classes, marks, target))
            .all(|is_marked| is_marked);
        columns.push(case.finite(target)?);
    }
    // Answers may have further columns, which were not looked at.
    match is_marked && case.targets() == case.answers.targets.len() {
        true => mark_columns(case)?,
        false => marks(case)?,
    }
    if is_marked && !classes.contains(&usize::MAX) {
        return Ok(metrics::multiclass_log_loss(&classes, &columns));
    }
    let marks = (0..case.targets()).map(|target| case.finite_truth(target)).collect::<Result<Vec<_>, Invalid>>()?;
    Ok(metrics::cross_entropy(&marks, &columns))
}

/// The targets of a patient: one for the patient and one for each vertebra of the neck.
const FRACTURES: [&str; 8] = ["patient_overall", "C1", "C2", "C3", "C4", "C5", "C6", "C7"];

/// Their weights where they are absent; the patient's own counts as much as all vertebrae.
const FRACTURE_WEIGHTS: [f64; 8] = [7.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0];

/// What is true and predicted of each target of a patient.
type Patient = [Option<(bool, f64)>; 8];

/// Ids are a patient and a target, parted at the first underscore. As in the original, other targets are left out, and a patient
/// without one of the eight makes the score NaN.
pub(crate) fn weighted_log_loss(case: &Case<'_>) -> Result<f64, Invalid> {
    let (truth, predicted) = (case.true_numbers(0)?, case.finite(0)?);
    if truth.iter().any(|&truth| truth != 0.0 && truth != 1.0) {
        return Err(Invalid::answers("a target is neither 0 nor 1".to_owned()));
    }
    let ids = case.answer_ids()?.texts();
    let mut patients: BTreeMap<&str, Patient> = BTreeMap::new();
    let mut seen = HashSet::new();
    for pair in 0..case.len() {
        let id = ids.and_then(|ids| ids.get(case.answer(pair))).filter(|id| seen.insert(*id));
        let id = id.ok_or_else(|| Invalid::answers("an id repeats, or ids are no texts".to_owned()))?;
        let (patient, target) = id.split_once('_').unwrap_or((id, ""));
        let targets = patients.entry(patient).or_default();
        if let Some(place) = FRACTURES.iter().position(|own| *own == target) {
            targets[place] = Some((truth[pair] == 1.0, predicted[pair]));
        }
    }
    if let Some(place) = (0..FRACTURES.len()).find(|&place| patients.values().all(|targets| targets[place].is_none())) {
        return Err(Invalid::answers(format!("no patient has the target {}", FRACTURES[place])));
    }
    let loss = |targets: &Patient| {
        let rows =
            targets.iter().zip(FRACTURE_WEIGHTS).map(|(row, weight)| Some((row.as_ref()?.0, row.as_ref()?.1, weight)));
        rows.collect::<Option<Vec<_>>>().map_or(f64::NAN, |rows| metrics::weighted_log_loss(rows.into_iter()))
    };
    Ok(patients.values().map(loss).sum::<f64>() / patients.len() as f64)
}

/// Every column of the submission but the id has to hold shares, also one that is not scored.
pub(crate) fn kl_divergence(case: &Case<'_>) -> Result<f64, Invalid> {
    let (mut truth, mut truth_values) = (Vec::new(), 0);
    for target in 0..case.targets() {
        truth.push(case.true_numbers(target)?.into_owned());
        truth_values += usize::from(matches!(case.truth(target)?, Column::Truth(_)));
    }
    // Beside numbers they make objects of them.
    if truth_values > 0 && truth_values < truth.len() {
        return Err(Invalid::answers("some votes are truth values".to_owned()));
    }
    let votes = |row: usize| truth.iter().map(|column| column[row]).filter(|votes| !votes.is_nan()).sum::<f64>();
    let is_voted = |row: usize| {
        votes(row) > 0.0
            && votes(row).is_finite()
            && truth.iter().all(|column| column[row].is_nan() || column[row] >= 0.0)
    };
    if let Some(pair) = (0..case.len()).find(|&row| !is_voted(row)) {
        let row = case.answer(pair) + 1;
        return Err(Invalid::answers(format!("row {row} has no votes, or votes below 0")));
    }
    check_shares(case)?;
    let mut predicted = Vec::new();
    for target in 0..case.targets() {
        let is_whole = matches!(case.predicted(target)?, Column::Whole(_) | Column::Large(_));
        predicted.push((case.numbers(target)?.into_owned(), !is_whole));
    }
    let (predicted, clipped): (Vec<_>, Vec<_>) = predicted.into_iter().unzip();
    Ok(metrics::kl_divergence(&truth, &predicted, &clipped))
}

fn not_shares(case: &Case<'_>, column: &Column, name: &str) -> Invalid {
    let is_number = |row: usize| column.is_missing(row) || python::float(&column.text(row)).is_some();
    let row = (0..case.frame.rows()).find(|row| !is_number(*row)).unwrap_or(0);
    let value = Excerpt::of(&column.text(row));
    Invalid::NotShares { line: case.frame.line(row), column: name.to_owned(), value }
}

/// Whether every column but the id holds numbers from 0 to 1, which sum to 1 in a row; blanks count nothing.
fn check_shares(case: &Case<'_>) -> Result<(), Invalid> {
    let mut sums = vec![0.0; case.frame.rows()];
    for (place, name) in case.frame.names().iter().enumerate() {
        let Some(column) = case.frame.column_at(place).filter(|_| *name != case.answers.rules.id_column) else {
            continue;
        };
        let shares = column.numbers().filter(|_| !matches!(column, Column::Truth(_) | Column::Flags(_)));
        let shares = shares.ok_or_else(|| not_shares(case, column, name))?;
        if let Some(row) = shares.iter().position(|share| *share < 0.0 || *share > 1.0) {
            let (line, column) = (case.frame.line(row), name.clone());
            return Err(Invalid::OutOfRange {
                line,
                column,
                value: shares[row],
                allowed: "a share is between 0 and 1",
            });
        }
        sums.iter_mut().zip(shares.iter()).for_each(|(sum, &share)| *sum += if share.is_nan() { 0.0 } else { share });
    }
    match sums.iter().position(|sum| (sum - 1.0_f64).abs() > SHARES_WITHIN) {
        Some(row) => Err(case.row_sum(row, sums[row])),
        None => Ok(()),
    }
}

/// How far the shares of a row may be from 1 in sum, as numpy's `allclose` adds its tolerances up.
const SHARES_WITHIN: f64 = 1e-8 + 1e-5;

pub(crate) fn lwlrap(case: &Case<'_>) -> Result<f64, Invalid> {
    let truth = |target| Ok(case.true_numbers(target)?.iter().map(|&mark| mark > 0.0).collect());
    let truth = (0..case.targets()).map(truth).collect::<Result<Vec<Vec<bool>>, Invalid>>()?;
    let labelled: Vec<usize> = (0..case.len()).filter(|&pair| truth.iter().any(|column| column[pair])).collect();
    let scores = |target| scored_numbers(case, target, &labelled);
    let scores = (0..case.targets()).map(scores).collect::<Result<Vec<_>, _>>()?;
    let truth: Vec<Vec<bool>> =
        truth.iter().map(|column| labelled.iter().map(|&pair| column[pair]).collect()).collect();
    metrics::label_ranking(&truth, &scores).ok_or_else(|| Invalid::answers("no row has a label".to_owned()))
}

pub(crate) fn probabilistic_f1(case: &Case<'_>) -> Result<f64, Invalid> {
    // Every text is true to Python.
    let positive: Vec<bool> = match case.truth(0)? {
        Column::Text(_) => vec![true; case.len()],
        Column::Whole(_) | Column::Large(_) | Column::Numbers(_) | Column::Truth(_) | Column::Flags(_) => {
            case.true_numbers(0)?.iter().map(|&truth| truth != 0.0).collect()
        }
    };
    let why = "no row is positive, or every prediction is below 0";
    metrics::probabilistic_f1(&positive, &case.numbers(0)?).ok_or(Invalid::Undefined { why })
}
