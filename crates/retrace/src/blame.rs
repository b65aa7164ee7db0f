//! Which statement gave what a notebook does not show as saved.
//!
//! Two runs of ours agree, so that no state says where the value went wrong: only what was saved does. Statements are taken that reach what is shown, by
//! what the code says of names ([`slices`]): first those that reach most of what differs, of them those with a constant of their own, nearest to
//! what is shown. Then constants are tried: which ones change what differs, and nothing else ([`trial`]).

mod others;
mod shown;
mod slices;
mod suspects;
mod trial;

use std::cmp::Reverse;
use std::io;
use std::ops::RangeInclusive;
use std::time::Duration;

use nbrevive_notebook::Output;
use serde::Serialize;

use crate::inspected::{InspectedOrder, InspectedRun, printed};
use crate::subject::TracedNotebook;
use shown::ShownTexts;
use slices::{OrderStatement, Slices};
use suspects::{Constant, Suspect, SuspectKind, suspects};
use trial::{Failure, Trial};

/// Constants that are tried at most, and of one statement.
const MOST_CONSTANTS: usize = 60;
const MOST_OF_ONE: usize = 12;

/// A constant, and what would have been in its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OtherConstant {
    /// As it is written.
    pub was: String,
    /// With this, the cell shows what was saved.
    pub with: String,
}

/// The statement that is told.
#[derive(Debug)]
pub(crate) struct Blamed {
    pub cell: usize,
    pub line: u32,
    /// Its first line.
    pub text: String,
    /// What gives what was saved, where that was found.
    pub instead: Option<OtherConstant>,
}

/// The statement that most likely gave what some `lines` of the last of the cells that ran show otherwise than it was saved. `shown` is what each
/// of them showed.
///
/// # Errors
/// As [`Failure::trials`].
pub(crate) fn blamed(
    subject: &TracedNotebook<'_>,
    walk: InspectedOrder<'_>,
    lines: &RangeInclusive<u32>,
    shown: &[Vec<Output>],
    run: &mut InspectedRun,
) -> io::Result<Option<Blamed>> {
    let Some(position) = shown.len().checked_sub(1) else { return Ok(None) };
    let saved = subject.cells[walk.order[position]].outputs();
    let texts = ShownTexts::new(&printed(&shown[position]), &printed(saved));
    let slices = Slices::new(subject, walk, position, lines);
    let mut ranked = ranked(&slices, subject, &texts);
    if !walk.patience.is_zero() {
        let failure = Failure { subject, order: &walk.order[..=position], shown, texts: &texts };
        try_all(&mut ranked, &failure, run, walk.patience)?;
    }
    Ok(ranked.into_iter().next().map(RankedSuspect::told))
}

/// A suspect, with what speaks for it.
struct RankedSuspect {
    cell: usize,
    suspect: Suspect,
    /// Of each of its constants, as far as they were tried.
    trials: Vec<Option<Trial>>,
}

/// Statements that reach what is shown, the likeliest first.
fn ranked(slices: &Slices, subject: &TracedNotebook<'_>, texts: &ShownTexts) -> Vec<RankedSuspect> {
    let mut found = Vec::new();
    for (at, statement) in slices.within() {
        let OrderStatement { cell, range, .. } = statement;
        for suspect in suspects(&subject.cells[*cell].source, range, texts) {
            let trials = vec![None; suspect.constants.len()];
            let is_new = suspect.kind == SuspectKind::Visible;
            let rank = (!is_new, Reverse(slices.failed(at)), suspect.kind, Reverse((at, *suspect.lines.start())));
            found.push((rank, RankedSuspect { cell: *cell, suspect, trials }));
        }
    }
    found.sort_by_key(|(rank, _)| *rank);
    found.into_iter().map(|(_, suspect)| suspect).collect()
}

/// Tries constants of the likeliest, and ranks anew by what came of it.
fn try_all(
    ranked: &mut [RankedSuspect],
    failure: &Failure<'_>,
    run: &mut InspectedRun,
    patience: Duration,
) -> io::Result<()> {
    let mut places = Vec::new();
    for (at, RankedSuspect { suspect, .. }) in ranked.iter().enumerate() {
        let mut of_one: Vec<usize> = (0..suspect.constants.len()).collect();
        of_one.sort_by_key(|constant| !failure.texts.is_new(&suspect.constants[*constant].text));
        places.extend(of_one.into_iter().take(MOST_OF_ONE).map(|constant| (at, constant)));
    }
    places.truncate(MOST_CONSTANTS);
    let constants: Vec<(usize, &Constant)> =
        places.iter().map(|(at, constant)| (ranked[*at].cell, &ranked[*at].suspect.constants[*constant])).collect();
    let trials = failure.trials(&constants, run, patience)?;
    for ((at, constant), trial) in places.into_iter().zip(trials) {
        ranked[at].trials[constant] = trial;
    }
    ranked.sort_by(|one, other| other.weight().total_cmp(&one.weight()));
    Ok(())
}

impl RankedSuspect {
    /// What trials say: above 1 that a value gives what was saved, up to 1 that what changes is like what differs, 0 that nothing is known, less
    /// that nothing changes with any of its numbers. Of a text, the few that are tried do not tell.
    fn weight(&self) -> f64 {
        let tried: Vec<&Trial> = self.trials.iter().flatten().collect();
        let best = tried.iter().map(|trial| trial.likeness).fold(0.0, f64::max);
        let is_ruled_out = |(constant, trial): (&Constant, &Option<Trial>)| trial.is_some() && !constant.is_text();
        match tried.iter().any(|trial| trial.restoring.is_some()) {
            true => 2.0,
            false if best > 0.0 || tried.is_empty() => best,
            false if self.suspect.constants.iter().zip(&self.trials).all(is_ruled_out) => -1.0,
            false => 0.0,
        }
    }

    fn told(self) -> Blamed {
        let RankedSuspect { cell, suspect: Suspect { lines, text, constants, .. }, trials } = self;
        let of = |(constant, trial): (Constant, Option<Trial>)| {
            Some(OtherConstant { was: constant.text, with: trial?.restoring? })
        };
        Blamed { cell, line: *lines.start(), text, instead: constants.into_iter().zip(trials).find_map(of) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suspect(trials: &[(&str, Option<Trial>)]) -> RankedSuspect {
        let constant = |text: &str| Constant { range: 0..text.len(), text: text.to_owned() };
        let constants = trials.iter().map(|(text, _)| constant(text)).collect();
        let suspect =
            Suspect { lines: 3..=3, text: "a = f(2, 'b')".to_owned(), kind: SuspectKind::Constant, constants };
        RankedSuspect { cell: 1, suspect, trials: trials.iter().map(|(_, trial)| trial.clone()).collect() }
    }

    #[test]
    fn what_restores_counts_most_and_numbers_without_effect_least() {
        let like = |likeness| Some(Trial { likeness, restoring: None });
        let restored = Some(Trial { likeness: 1.0, restoring: Some("4".to_owned()) });
        let found = suspect(&[("2", like(0.9)), ("3", restored)]);
        assert!(found.weight() > suspect(&[("2", like(1.0))]).weight());
        assert!(suspect(&[("2", like(0.1))]).weight() > suspect(&[]).weight());
        assert!(suspect(&[]).weight() > suspect(&[("2", like(0.0))]).weight());
        assert_eq!(
            suspect(&[("2", like(0.0)), ("'b'", like(0.0))]).weight(),
            0.0,
            "a text may matter with other values"
        );
        assert_eq!(suspect(&[("2", like(0.0)), ("5", None)]).weight(), 0.0, "one was not come to");
        let told = found.told();
        let instead = OtherConstant { was: "3".to_owned(), with: "4".to_owned() };
        assert_eq!((told.cell, told.line, told.instead), (1, 3, Some(instead)));
    }
}
