//! Competitions that ask for words, lists of names, or replies.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::mle::case::Case;
use crate::mle::column::Column;
use crate::mle::questions::Reply;
use crate::mle::rules::Cells;
use crate::{Invalid, metrics, python};

/// The share of replies that agree with the annotation.
pub(crate) fn questions(case: &Case<'_>) -> Result<f64, Invalid> {
    let (ids, column) = (case.ids()?, case.predicted(0)?);
    let mut seen = HashSet::new();
    let mut agreeing = 0_usize;
    for row in 0..case.frame.rows() {
        let text = if column.is_missing(row) { "".into() } else { column.text(row) };
        let reply = reply(text.trim()).ok_or_else(|| case.bad_cell(row, 0, "START:END, YES, NO or nothing"))?;
        let id = ids.text(row);
        let agrees = case.answers.questions.agrees(&id, &reply);
        agreeing += usize::from(agrees.ok_or_else(|| crate::mle::ids::unknown(ids, row, case.frame))?);
        if !seen.insert(id) {
            return Err(crate::mle::ids::duplicate(ids, row, case.frame));
        }
    }
    Ok(agreeing as f64 / case.frame.rows() as f64)
}

fn reply(text: &str) -> Option<Reply<'_>> {
    match text.split_once(':') {
        Some((start, end)) => Some(Reply::Span(python::whole(start)?, python::whole(end)?)),
        None if text.is_empty() => Some(Reply::None),
        None => matches!(text, "YES" | "NO").then_some(Reply::Word(text)),
    }
}

/// The texts of a column where a missing one is empty; none when it holds numbers.
struct Blankable<'c> {
    column: &'c Column,
}

impl<'c> Blankable<'c> {
    fn of(column: &'c Column) -> Option<Self> {
        (column.texts().is_some() || column.is_blank()).then_some(Blankable { column })
    }

    fn get(&self, row: usize) -> &'c str {
        self.column.texts().and_then(|texts| texts.get(row)).unwrap_or("")
    }
}

/// Both sides as texts.
fn both<'c>(case: &Case<'c>) -> Result<(Blankable<'c>, Blankable<'c>), Invalid> {
    let name = &case.answers.targets[0];
    let truth = Blankable::of(case.truth(0)?)
        .ok_or_else(|| Invalid::answers(format!("column `{name}` holds numbers alone")))?;
    let predicted = case.predicted(0)?;
    Ok((truth, Blankable::of(predicted).ok_or_else(|| case.not_text(predicted, name))?))
}

/// Names that occur in no answer are not counted as wrong.
pub(crate) fn micro_f1(case: &Case<'_>) -> Result<f64, Invalid> {
    let (truth, predicted) = both(case)?;
    let set = |texts: &Blankable<'_>, row| python::words(texts.get(row)).map(str::to_owned).collect::<HashSet<_>>();
    let known: HashSet<&str> = (0..case.answers.frame.rows()).flat_map(|row| python::words(truth.get(row))).collect();
    if known.len() < 2 {
        return Err(Invalid::answers("fewer than two labels occur".to_owned()));
    }
    let mut counts = metrics::TokenCounts::default();
    for pair in 0..case.len() {
        let own = set(&truth, case.answer(pair));
        let found = set(&predicted, case.row(pair));
        counts.truth += own.len() as u64;
        counts.predicted += found.iter().filter(|name| known.contains(name.as_str())).count() as u64;
        counts.right += own.intersection(&found).count() as u64;
    }
    Ok(metrics::micro_f1(counts))
}

pub(crate) fn map_at_k(case: &Case<'_>, k: usize) -> Result<f64, Invalid> {
    let (truth, predicted) = (case.truth(0)?, case.predicted(0)?);
    super::mean(case, |pair| {
        let (truth, predicted) = (truth.text(case.answer(pair)), predicted.text(case.row(pair)));
        Ok(metrics::average_precision_at_k(&truth, predicted.split(' '), k))
    })
}

pub(crate) fn cell_order(case: &Case<'_>) -> Result<f64, Invalid> {
    let (truth, predicted) = (case.truth(0)?, case.predicted(0)?);
    let texts: Vec<(Cow<'_, str>, Cow<'_, str>)> =
        (0..case.len()).map(|pair| (truth.text(case.answer(pair)), predicted.text(case.row(pair)))).collect();
    let mut orders = Vec::with_capacity(texts.len());
    for (pair, (truth, predicted)) in texts.iter().enumerate() {
        let (truth, predicted): (Vec<&str>, Vec<&str>) =
            (python::words(truth).collect(), python::words(predicted).collect());
        if truth.len() != predicted.len() {
            let needed = format!("the notebook's {} cells", truth.len());
            return Err(case.bad_cell(case.row(pair), 0, needed));
        }
        orders.push((truth, predicted));
    }
    match metrics::kendall_tau_pooled(orders.into_iter()) {
        Err(pair) => Err(case.bad_cell(case.row(pair), 0, "every cell of the notebook")),
        Ok(tau) if tau.is_nan() => Err(Invalid::Undefined { why: "no notebook has two cells" }),
        Ok(tau) => Ok(tau),
    }
}

pub(crate) fn mean_levenshtein(case: &Case<'_>) -> Result<f64, Invalid> {
    let (truth, predicted) = (case.truth(0)?, case.predicted(0)?);
    let as_text = case.answers.rules.cells == Cells::AsText;
    let name = &case.answers.targets[0];
    if !as_text && predicted.texts().is_none() {
        return Err(case.not_text(predicted, name));
    }
    let is_text = |row| truth.texts().is_some() && !truth.is_missing(row);
    if !as_text && !(0..case.answers.frame.rows()).all(is_text) {
        return Err(Invalid::answers(format!("a cell of column `{name}` is no text")));
    }
    super::mean(case, |pair| {
        let row = case.row(pair);
        if !as_text && predicted.is_missing(row) {
            return Err(case.bad_cell(row, 0, "a text"));
        }
        let characters = |column: &Column, row| column.text(row).chars().collect::<Vec<char>>();
        let distance = metrics::levenshtein(&characters(truth, case.answer(pair)), &characters(predicted, row));
        Ok(distance as f64)
    })
}

/// Sequences of whole numbers: edits by the number of true tokens. The original compares the numbers' hashes.
pub(crate) fn token_levenshtein(case: &Case<'_>) -> Result<f64, Invalid> {
    let (truth, predicted) = (case.truth(0)?, case.predicted(0)?);
    let token = |word: &str| python::whole(word).map(python::whole_hash);
    let tokens = |text: &str| python::words(text).map(token).collect::<Option<Vec<i128>>>();
    let (mut edits, mut all) = (0, 0);
    for pair in 0..case.len() {
        let own = tokens(&truth.text(case.answer(pair)));
        let own = own.ok_or_else(|| Invalid::answers("a sequence does not hold whole numbers".to_owned()))?;
        let found = tokens(&predicted.text(case.row(pair)));
        let found = found.ok_or_else(|| case.bad_cell(case.row(pair), 0, "whole numbers with blanks between"))?;
        edits += metrics::levenshtein(&own, &found);
        all += own.len();
    }
    Ok(edits as f64 / all as f64)
}

/// Two empty texts: an error where they are compared as sets, 0 where as tables of words (`binarized`).
pub(crate) fn word_jaccard(case: &Case<'_>, binarized: bool) -> Result<f64, Invalid> {
    if binarized {
        let (truth, predicted) = both(case)?;
        let text = |pair| [truth.get(case.answer(pair)), predicted.get(case.row(pair))];
        let mut seen = HashSet::new();
        let mut words = (0..case.len()).flat_map(text).flat_map(python::words).map(str::to_lowercase);
        if !words.any(|word| seen.insert(word) && seen.len() > 1) {
            return Err(Invalid::Undefined { why: "fewer than two words occur on both sides together" });
        }
    }
    let (truth, predicted) = (case.truth(0)?, case.predicted(0)?);
    let text =
        |column: &'_ Column, row| if column.is_missing(row) { String::new() } else { column.text(row).into_owned() };
    super::mean(case, |pair| {
        let row = case.row(pair);
        match metrics::jaccard(&text(truth, case.answer(pair)), &text(predicted, row)) {
            Some(share) => Ok(share),
            None if binarized => Ok(0.0),
            None => Err(case.bad_cell(row, 0, "a word, as the answer has none either")),
        }
    })
}
