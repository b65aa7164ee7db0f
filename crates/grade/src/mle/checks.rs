//! The checks that a competition names, one after the other.

use crate::Invalid;
use crate::check::Check;
use crate::mle::case::Case;
use crate::mle::classes::is_integral;
use crate::mle::column::Column;
use crate::mle::ids::{Pairs, equal_sorted, same_ids, sorted_rows, unknown};
use crate::python;

/// Makes one check; those of ids also pair the rows.
pub(crate) fn check(case: &mut Case<'_>, check: Check) -> Result<(), Invalid> {
    match check {
        Check::Rows => rows(case),
        Check::NotEmpty if case.frame.rows() == 0 => Err(Invalid::Empty),
        Check::NotEmpty => Ok(()),
        Check::Columns => columns(case, true, have),
        Check::TargetColumns => columns(case, false, have),
        Check::ExactColumns => {
            columns(case, true, |names, expected| have(names, expected) && names.len() == expected.len())
        }
        Check::OrderedColumns => {
            let answers = case.answers.frame.names();
            columns(case, true, |names, expected| {
                [names, answers].into_iter().all(|names| names.iter().eq(expected.iter().copied()))
            })
        }
        Check::ColumnsInPlace => columns_in_place(case),
        Check::EitherName => either_name(case),
        Check::ExactAnswers => exact_answers(case),
        Check::AnswersColumns => answers_columns(case),
        Check::Marked => marked(case),
        Check::NoTruthValues => no_truth_values(case),
        Check::Numeric => each_target(case, |case, target| case.numbers(target).map(drop)),
        Check::Present => each_value(case, |value| !value.is_nan(), ""),
        Check::Finite => each_value(case, f64::is_finite, ""),
        Check::UnitRange => {
            each_value(case, |value| value.is_nan() || (0.0..=1.0).contains(&value), "a value is between 0 and 1")
        }
        Check::Probabilities => each_value(case, |value| (0.0..=1.0).contains(&value), "a value is between 0 and 1"),
        Check::OneToHundred => one_to_hundred(case),
        Check::IdFirst => id_first(case),
        Check::Sums => sums(case, |sum| (sum - 1.0).abs() <= 1e-6 + 1e-5),
        Check::SumsTo5 => sums(case, |sum| (sum * 1e5).round_ties_even() / 1e5 == 1.0),
        Check::SumsTo6 => sums(case, |sum| (sum * 1e6).round_ties_even() / 1e6 == 1.0),
        Check::Texts => texts(case),
        Check::Labelled => labelled(case),
        Check::Ids => {
            case.pairs = case.answers.ids.pair_as_arrays(case.ids()?, case.frame)?;
            Ok(())
        }
        Check::ExactIds => {
            case.pairs = case.answers.ids.pair(case.ids()?, case.frame)?;
            Ok(())
        }
        Check::IdsOrMissing => ids_or_missing(case),
        Check::IdSets => id_sets(case),
        Check::IdsJoined => ids_joined(case),
        Check::IdsInPlace => ids_in_place(case),
        Check::IdsMerged => {
            case.pairs = case.answers.ids.merge(case.ids()?, case.frame)?;
            Ok(())
        }
        Check::Sorted => sorted(case),
        Check::ScoredIds => scored_ids(case),
        Check::Superset => superset(case),
    }
}

fn answers_columns(case: &Case<'_>) -> Result<(), Invalid> {
    let names = case.frame.names();
    match case.answers.frame.names().iter().all(|name| names.contains(name)) {
        true => Ok(()),
        false => Err(case.wrong_columns()),
    }
}

/// scikit-learn takes the answers for one table of marks, and those of a column for yes and no where they are 0 or -1, and 1.
fn marked(case: &Case<'_>) -> Result<(), Invalid> {
    marks(case)?;
    each_target(case, |case, target| {
        let numbers = case.true_numbers(target)?;
        let no = if numbers.contains(&-1.0) { -1.0 } else { 0.0 };
        match numbers.iter().all(|&mark| mark == 1.0 || mark == no) {
            true => Ok(()),
            false => Err(Invalid::answers(format!("column `{}` does not hold 0 and 1", case.answers.targets[target]))),
        }
    })
}

/// Whether the answers are a table of marks for scikit-learn: columns of one kind, of at most two values in all, which are whole.
pub(crate) fn marks(case: &Case<'_>) -> Result<(), Invalid> {
    mark_columns(case)?;
    let mut found: Vec<f64> = Vec::new();
    for target in 0..case.answers.targets.len() {
        for &mark in case.true_numbers(target)?.iter() {
            if !found.contains(&mark) {
                found.push(mark);
                if found.len() > 2 || !is_integral(mark) {
                    return Err(no_marks());
                }
            }
        }
    }
    Ok(())
}

/// The same of columns that are known to hold 0 and 1 alone.
pub(crate) fn mark_columns(case: &Case<'_>) -> Result<(), Invalid> {
    let targets = 0..case.answers.targets.len();
    let columns = targets.map(|target| case.truth(target)).collect::<Result<Vec<_>, Invalid>>()?;
    let is_truth = |column: &&Column| matches!(column, Column::Truth(_));
    let is_number = |column: &&Column| matches!(column, Column::Whole(_) | Column::Large(_) | Column::Numbers(_));
    if columns.iter().all(is_truth) || columns.iter().all(is_number) { Ok(()) } else { Err(no_marks()) }
}

fn no_marks() -> Invalid {
    Invalid::answers("the classes are not marked with two numbers".to_owned())
}

fn rows(case: &Case<'_>) -> Result<(), Invalid> {
    let questions = case.answers.questions.len();
    let expected = if questions > 0 { 2 * questions } else { case.answers.frame.rows() };
    let found = case.frame.rows();
    if found == expected { Ok(()) } else { Err(Invalid::WrongRows { expected, found }) }
}

/// Whether the names of the columns fit those that are expected, the id's first where it matters.
fn columns(case: &Case<'_>, with_id: bool, fit: impl Fn(&[String], &[&String]) -> bool) -> Result<(), Invalid> {
    let rules = &case.answers.rules;
    let id = Some(&rules.id_column).filter(|_| with_id);
    let expected: Vec<&String> = id.into_iter().chain(&case.answers.targets).chain(&rules.unscored_columns).collect();
    if fit(case.frame.names(), &expected) { Ok(()) } else { Err(case.wrong_columns()) }
}

fn have(names: &[String], expected: &[&String]) -> bool {
    expected.iter().all(|name| names.contains(name))
}

/// Columns meet those of the answers by their place, whatever they are called; further ones of the answers meet none.
fn columns_in_place(case: &mut Case<'_>) -> Result<(), Invalid> {
    let rules = &case.answers.rules;
    let names: Vec<String> = case.frame.names().iter().filter(|name| **name != rules.id_column).cloned().collect();
    let there =
        case.frame.column(&rules.id_column).is_some() && rules.target_columns.iter().all(|own| names.contains(own));
    if !there || names.len() > case.answers.targets.len() {
        return Err(case.wrong_columns());
    }
    case.names = names.into();
    Ok(())
}

fn either_name(case: &mut Case<'_>) -> Result<(), Invalid> {
    let rules = &case.answers.rules;
    let is_there = |name: &String| case.frame.names().contains(name);
    let name = |target: usize| {
        let own = &case.answers.targets[target];
        let other = rules.truth_columns.get(target).filter(|other| *other != own);
        match (is_there(own), other.filter(|other| is_there(other))) {
            (true, None) => Ok(own.clone()),
            (false, Some(other)) => Ok(other.clone()),
            _ => Err(case.wrong_columns()),
        }
    };
    let names = (0..case.targets()).map(name).collect::<Result<_, _>>()?;
    if !is_there(&rules.id_column) {
        return Err(case.wrong_columns());
    }
    case.names = names;
    Ok(())
}

fn exact_answers(case: &Case<'_>) -> Result<(), Invalid> {
    let rules = &case.answers.rules;
    let is_own = |name: &&String| rules.answer_columns().any(|own| own == *name);
    match case.answers.frame.names().iter().find(|name| !is_own(name)) {
        Some(name) => Err(Invalid::answers(format!("they have a column `{name}` that the competition does not"))),
        None => Ok(()),
    }
}

fn no_truth_values(case: &Case<'_>) -> Result<(), Invalid> {
    each_target(case, |case, target| match (case.truth(target)?, case.predicted(target)?) {
        (Column::Truth(_), _) => Err(Invalid::answers(format!("`{}` holds truth values", case.names[target]))),
        (_, Column::Truth(_)) => Err(case.bad_cell(0, target, "a number")),
        _ => Ok(()),
    })
}

fn each_target(case: &Case<'_>, with: impl Fn(&Case<'_>, usize) -> Result<(), Invalid>) -> Result<(), Invalid> {
    (0..case.targets()).try_for_each(|target| with(case, target))
}

/// Checks every number of the target columns, in the order of the file.
fn each_value(case: &Case<'_>, fits: impl Fn(f64) -> bool, allowed: &'static str) -> Result<(), Invalid> {
    each_target(case, |case, target| {
        let column = case.predicted(target)?;
        let numbers = column.numbers().ok_or_else(|| case.first_word(column, target))?;
        let Some(row) = numbers.iter().position(|&value| !fits(value)) else {
            return Ok(());
        };
        if allowed.is_empty() || numbers[row].is_nan() {
            return Err(case.not_finite(row, target));
        }
        let (line, column) = (case.frame.line(row), case.names[target].clone());
        Err(Invalid::OutOfRange { line, column, value: numbers[row], allowed })
    })
}

/// So do the answers have to.
fn one_to_hundred(case: &Case<'_>) -> Result<(), Invalid> {
    let fits = |value: f64| (1.0..=100.0).contains(&value);
    each_target(case, |case, target| match case.true_numbers(target)?.iter().all(|&value| fits(value)) {
        true => Ok(()),
        false => Err(Invalid::answers(format!("`{}` is not always between 1 and 100", case.answers.targets[target]))),
    })?;
    each_value(case, fits, "a value is between 1 and 100")
}

fn id_first(case: &Case<'_>) -> Result<(), Invalid> {
    let is_first = case.frame.names().first() == Some(&case.answers.rules.id_column);
    if is_first { Ok(()) } else { Err(case.wrong_columns()) }
}

fn sums(case: &Case<'_>, fits: impl Fn(f64) -> bool) -> Result<(), Invalid> {
    let mut sums = vec![0.0; case.frame.rows()];
    for target in 0..case.targets() {
        let column = case.predicted(target)?;
        let numbers = column.numbers().ok_or_else(|| case.first_word(column, target))?;
        for (sum, value) in sums.iter_mut().zip(numbers.iter()) {
            *sum += if value.is_nan() { 0.0 } else { *value };
        }
    }
    match sums.iter().position(|&sum| !fits(sum)) {
        Some(row) => Err(case.row_sum(row, sums[row])),
        None => Ok(()),
    }
}

fn texts(case: &Case<'_>) -> Result<(), Invalid> {
    let columns = case.frame.names().iter().enumerate();
    for (name, column) in columns.filter_map(|(place, name)| Some((name, case.frame.column_at(place)?))) {
        if column.texts().is_none() && !column.is_blank() {
            return Err(case.not_text(column, name));
        }
    }
    Ok(())
}

fn labelled(case: &Case<'_>) -> Result<(), Invalid> {
    each_target(case, |case, target| {
        let truth = case.truth(target)?;
        let is_bare = |row: &usize| truth.is_missing(*row) || python::words(&truth.text(*row)).next().is_none();
        match (0..case.answers.frame.rows()).find(is_bare) {
            Some(row) => Err(Invalid::answers(format!("row {} has no label", row + 1))),
            None => Ok(()),
        }
    })
}

fn id_sets(case: &mut Case<'_>) -> Result<(), Invalid> {
    rows(case)?;
    let ids = case.ids()?;
    case.pairs = match case.answers.ids.pair(ids, case.frame) {
        Ok(pairs) => pairs,
        Err(unequal) => {
            let groups = same_ids(case.answer_ids()?, ids).ok_or(unequal)?;
            let (answers, rows): (Vec<_>, Vec<_>) = groups.into_iter().unzip();
            Pairs { answers: Some(answers.concat()), rows: Some(rows.concat()) }
        }
    };
    Ok(())
}

fn ids_joined(case: &mut Case<'_>) -> Result<(), Invalid> {
    let ids = case.ids()?;
    case.pairs = match case.answers.ids.pair(ids, case.frame) {
        Ok(pairs) if case.answers.ids.distinct() == case.frame.rows() => pairs,
        unequal => {
            let unequal = unequal.err().unwrap_or_else(|| case.wrong_columns());
            let groups = same_ids(case.answer_ids()?, ids).ok_or(unequal)?;
            let pairs = groups.iter().flat_map(|(answers, rows)| {
                answers.iter().flat_map(|&answer| rows.iter().map(move |&row| (answer, row)))
            });
            let (answers, rows) = pairs.unzip();
            Pairs { answers: Some(answers), rows: Some(rows) }
        }
    };
    Ok(())
}

fn ids_or_missing(case: &mut Case<'_>) -> Result<(), Invalid> {
    let (ids, own) = (case.ids()?, case.answer_ids()?);
    case.pairs = case.answers.ids.pair(ids, case.frame).or_else(|unequal| {
        let takes_blanks = case.answers.rules.checks.contains(&Check::Texts) && own.is_blank() && ids.is_blank();
        let takes_missing = own.texts().is_some() && ids.texts().is_some() || takes_blanks;
        let (answers, rows) = equal_sorted(own, ids).filter(|_| takes_missing).ok_or(unequal)?;
        Ok::<_, Invalid>(Pairs { answers: Some(answers), rows: Some(rows) })
    })?;
    Ok(())
}

fn ids_in_place(case: &Case<'_>) -> Result<(), Invalid> {
    let (ids, answers) = (case.ids()?, case.answer_ids()?);
    let same = |row: usize| {
        let found = case.answers.ids.first(ids, row);
        found.is_some() && found == case.answers.ids.first(answers, row)
    };
    match (0..case.len()).find(|&row| !same(row)) {
        Some(row) => Err(unknown(ids, row, case.frame)),
        None => Ok(()),
    }
}

fn sorted(case: &mut Case<'_>) -> Result<(), Invalid> {
    rows(case)?;
    let all = || (0..case.frame.rows()).collect();
    let answers = sorted_rows(case.answer_ids()?, all());
    case.pairs = Pairs { answers: Some(answers), rows: Some(sorted_rows(case.ids()?, all())) };
    Ok(())
}

fn scored_ids(case: &mut Case<'_>) -> Result<(), Invalid> {
    rows(case)?;
    let ids = case.ids()?;
    let mut scored = vec![0.0; case.answers.frame.rows()];
    let is_class = |target: &usize| case.answers.rules.target_columns.contains(&case.answers.targets[*target]);
    for target in (0..case.answers.targets.len()).filter(is_class) {
        let marks = case.true_numbers(target)?;
        scored.iter_mut().zip(marks.iter()).for_each(|(sum, &mark)| *sum += if mark.is_nan() { 0.0 } else { mark });
    }
    let is_scored = |answer: usize| scored[answer] >= 0.0;
    let own = case.answer_ids()?;
    let paired = case.answers.ids.pair_as_arrays(ids, case.frame);
    if let (Err(unequal), None) = (&paired, equal_sorted(own, ids)) {
        // Each id of the submission is looked up; those of the answers must not repeat then.
        let all = || 0..scored.len();
        let missing = all().find(|&row| own.is_missing(row));
        let answer = |row: usize| if ids.is_missing(row) { missing } else { case.answers.ids.first(ids, row) };
        let distinct = case.answers.ids.distinct() + usize::from(missing.is_some());
        let rows = sorted_rows(ids, all().filter(|&row| answer(row).is_some_and(is_scored)).collect());
        let answers = sorted_rows(own, all().filter(|&row| is_scored(row)).collect());
        if distinct < scored.len() || all().any(|row| answer(row).is_none()) || rows.len() != answers.len() {
            return Err(unequal.clone());
        }
        case.pairs = Pairs { answers: Some(answers), rows: Some(rows) };
        return Ok(());
    }
    let whole = match (paired, equal_sorted(own, ids)) {
        (Err(_), Some((answers, rows))) => Pairs { answers: Some(answers), rows: Some(rows) },
        (paired, _) => paired?,
    };
    let whole = case.with(whole);
    case.pairs = whole.kept(|pair| is_scored(whole.answer(pair))).pairs;
    Ok(())
}

/// Keeps the rows that have an answer. Where an id repeats, both sides are sorted and the longer one is cut, as in the original.
/// A missing id is one where ids are texts.
fn superset(case: &mut Case<'_>) -> Result<(), Invalid> {
    let (ids, own) = (case.ids()?, case.answer_ids()?);
    let missing = (0..own.len()).find(|&row| own.is_missing(row));
    let shared = missing.filter(|_| own.texts().is_some() && ids.texts().is_some());
    let answer = |row| if ids.is_missing(row) { shared } else { case.answers.ids.first(ids, row) };
    let (kept, mut found): (Vec<usize>, Vec<usize>) =
        (0..case.frame.rows()).filter_map(|row| Some((row, answer(row)?))).unzip();
    found.sort_unstable();
    found.dedup();
    let expected = case.answers.ids.distinct() + usize::from(missing.is_some());
    if found.len() != expected {
        return Err(Invalid::WrongRows { expected, found: found.len() });
    }
    let mut rows = sorted_rows(ids, kept);
    let mut answers = sorted_rows(own, (0..case.answers.frame.rows()).collect());
    let pairs = rows.len().min(answers.len());
    rows.truncate(pairs);
    answers.truncate(pairs);
    case.pairs = Pairs { answers: Some(answers), rows: Some(rows) };
    Ok(())
}
