//! Which version gets which of the counted outcomes and fixes: chance decides, the counts are kept.

use nbrevive_corpus::{FixType, FlowState};
use nbrevive_stats::Random;

use super::counts::{Counts, Tally, proportion, scaled, sum};
use super::fate::Fate;

/// The most fixes of a version (paper, section 3.1).
pub(super) const MAX_FIXES: usize = 16;
/// A version that gets more than one fix gets up to so many more, so that the median is 1 (paper, section 4.2) and the counts come out.
const MORE_FIXES: u64 = 7;

/// One fix: what it aimed at, and where it led.
pub(super) type Fix = (FixType, FlowState);

/// What came out of every version, by its number.
#[derive(Debug, PartialEq)]
pub(super) struct Dealt {
    /// At baseline.
    pub(super) baseline: Vec<Fate>,
    /// After backporting.
    pub(super) backport: Vec<Fate>,
    /// After modernizing with what fixes; none for those who were no subjects.
    pub(super) modernize: Vec<Option<(Fate, Vec<Fix>)>>,
}

impl Dealt {
    /// Deals the counts, in proportion, to so many versions.
    pub(super) fn deal(counts: &Counts, versions: usize, random: &mut Random) -> Self {
        let mut baseline = spread(&scaled(&counts.baseline, versions as u64));
        shuffle(&mut baseline, random);
        let backport = keeping(&baseline, &scaled(&counts.backport, versions as u64), random);
        let subjects = subjects(&baseline, counts, random);
        let mut ends = spread(&scaled(&counts.modernize, subjects.len() as u64));
        shuffle(&mut ends, random);
        let fixes = proportion(sum(&counts.fixes), sum(&counts.modernize), subjects.len() as u64);
        let loops = loops(&ends, &scaled(&counts.fixes, fixes), random);
        let mut modernize = vec![None; versions];
        for ((version, end), fixes) in subjects.into_iter().zip(ends).zip(loops) {
            modernize[version] = Some((end, fixes));
        }
        Dealt { baseline, backport, modernize }
    }
}

/// Each of a tally as often as it was counted.
fn spread<T: Copy>(tally: &Tally<T>) -> Vec<T> {
    tally.iter().flat_map(|(what, count)| std::iter::repeat_n(*what, *count as usize)).collect()
}

/// Fisher and Yates' shuffle, in Durstenfeld's form (Algorithm 235, CACM 1964).
fn shuffle<T>(values: &mut [T], random: &mut Random) {
    for last in (1..values.len()).rev() {
        values.swap(last, random.below(last as u64 + 1) as usize);
    }
}

/// The second outcome of every version: the first one, as far as it is counted so often, and what is left by chance.
fn keeping(first: &[Fate], counts: &Tally<Fate>, random: &mut Random) -> Vec<Fate> {
    let mut left = counts.clone();
    let mut keep = |fate: Fate| {
        let (_, count) = left.iter_mut().find(|(other, count)| *other == fate && *count > 0)?;
        *count -= 1;
        Some(fate)
    };
    let kept: Vec<Option<Fate>> = first.iter().map(|fate| keep(*fate)).collect();
    let mut others = spread(&left);
    shuffle(&mut others, random);
    let mut others = others.into_iter();
    kept.into_iter().filter_map(|fate| fate.or_else(|| others.next())).collect()
}

/// The numbers of the versions that are modernized, in their order.
fn subjects(baseline: &[Fate], counts: &Counts, random: &mut Random) -> Vec<usize> {
    let cohort = proportion(sum(&counts.subjects), sum(&counts.baseline), baseline.len() as u64);
    let mut subjects = Vec::new();
    for (outcome, count) in scaled(&counts.subjects, cohort) {
        let with = |version: &usize| baseline[*version].outcome() == outcome;
        let mut able: Vec<usize> = (0..baseline.len()).filter(with).collect();
        shuffle(&mut able, random);
        subjects.extend(able.into_iter().take(count as usize));
    }
    subjects.sort_unstable();
    subjects
}

/// The fixes of loops with these ends. The last one leads to the end; loops that do not come to a reproducible end go on for
/// [`MAX_FIXES`], and the others share what is left.
fn loops(ends: &[Fate], fixes: &Tally<Fix>, random: &mut Random) -> Vec<Vec<Fix>> {
    let mut open = spread(fixes);
    shuffle(&mut open, random);
    // Fixes are taken from the end, the last one of each loop first.
    let mut by_state: Vec<Vec<Fix>> = vec![Vec::new(); FlowState::COLUMNS.len()];
    for fix in open {
        by_state[place(fix.1)].push(fix);
    }
    let last = |end: &Fate| end.state().and_then(|state| by_state[place(state)].pop());
    let mut loops: Vec<Vec<Fix>> = ends.iter().map(last).map(|last| last.into_iter().collect()).collect();
    let mut left: Vec<Fix> = by_state.into_iter().flatten().collect();
    shuffle(&mut left, random);
    let (mut reproducible, stuck): (Vec<usize>, Vec<usize>) = (0..ends.len())
        .filter(|number| !loops[*number].is_empty())
        .partition(|number| ends[*number].outcome().is_reproducible());
    for number in stuck {
        give(&mut loops[number], MAX_FIXES, &mut left);
    }
    shuffle(&mut reproducible, random);
    while !left.is_empty() && reproducible.iter().any(|number| loops[*number].len() < MAX_FIXES) {
        for number in &reproducible {
            give(&mut loops[*number], 1 + random.below(MORE_FIXES) as usize, &mut left);
        }
    }
    loops.iter_mut().for_each(|fixes| fixes.reverse());
    loops
}

/// Gives a loop up to so many more fixes.
fn give(fixes: &mut Vec<Fix>, count: usize, left: &mut Vec<Fix>) {
    let count = count.min(MAX_FIXES - fixes.len()).min(left.len());
    fixes.extend(left.drain(left.len() - count..));
}

fn place(state: FlowState) -> usize {
    FlowState::COLUMNS.iter().position(|other| *other == state).expect("all are listed")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use nbrevive_corpus::Outcome;

    use super::*;

    fn dealt(versions: usize, seed: u64) -> Dealt {
        let counts = Counts::read(Path::new("../../study/mle-modernizer/published")).unwrap();
        Dealt::deal(&counts, versions, &mut Random::stream(seed, 0))
    }

    #[test]
    fn the_printed_counts_are_dealt_out() {
        let Dealt { baseline, backport, modernize } = dealt(12_720, 0);
        assert_eq!((baseline.len(), backport.len(), modernize.len()), (12_720, 12_720, 12_720));
        let loops: Vec<&(Fate, Vec<Fix>)> = modernize.iter().flatten().collect();
        let fixes: usize = loops.iter().map(|(_, fixes)| fixes.len()).sum();
        assert_eq!((loops.len(), fixes), (7402, 45_984));
        let of_subjects = baseline.iter().zip(&modernize).filter(|(_, modernized)| modernized.is_some());
        let with = |outcome: Outcome| of_subjects.clone().filter(|(fate, _)| fate.outcome() == outcome).count();
        assert_eq!([Outcome::ErrorFreeNonReproducible, Outcome::ErrorNonReproducible].map(with), [819, 6583]);
    }

    #[test]
    fn a_loop_ends_where_its_last_fix_led() {
        for (end, fixes) in dealt(12_720, 0).modernize.iter().flatten() {
            assert_eq!(fixes.last().map(|(_, state)| *state), end.state());
            assert!(fixes.len() <= MAX_FIXES);
        }
    }

    #[test]
    fn any_size_has_an_outcome_for_every_version() {
        for versions in (0..60).chain([1000, 12_719]) {
            let Dealt { baseline, backport, modernize } = dealt(versions, 7);
            assert_eq!([baseline.len(), backport.len(), modernize.len()], [versions; 3]);
            assert!(modernize.iter().flatten().all(|(_, fixes)| fixes.len() <= MAX_FIXES));
        }
    }

    #[test]
    fn the_seed_decides() {
        assert_eq!(dealt(300, 1), dealt(300, 1));
        assert_ne!(dealt(300, 1), dealt(300, 2));
    }
}
