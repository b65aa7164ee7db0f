//! Looks for the runs of cells that saved counts have lost.
//!
//! The cell with count n ran n-th, and last. A gap below a count is a run of which nothing is left, of a cell that ran again later, or of
//! one that is gone. Beginning with none, runs are put into gaps: always before the first cell that does not show what was saved, and
//! always of a cell that touches what this one looks at, directly or through others. Another run could not mend it, so that every sequence
//! that fits is met, those with the fewest repetitions first.

use std::collections::{BTreeMap, BTreeSet};

use nbrevive_order::counter_order;

use crate::bench::Bench;
use crate::judge::OrderVerdict;
use crate::subject::TracedNotebook;
use crate::tracer::Tracer;

/// Sequences of one number of repetitions that are gone on from at most.
const MOST_SEQUENCES: usize = 5_000;
/// Repetitions that are put in at most.
const MOST_REPEATS: usize = 12;

/// Sequences that agree with the counts.
#[derive(Debug, Clone, Default)]
pub struct RepeatedOrders {
    /// Those with the fewest repetitions in which all cells that are asked for show what was saved; several are a tie.
    pub fitting: Vec<OrderVerdict>,
    /// The best one where none fits.
    pub best: Option<OrderVerdict>,
    /// Whether sequences of that many repetitions, or more, were left untried.
    pub is_cut: bool,
}

/// Runs that are put before each cell of the order of counts.
type Fills = BTreeMap<usize, Vec<usize>>;

/// Looks for sequences that agree with saved counts. Of cells in `excused` nothing is asked.
///
/// # Errors
/// As [`Bench::steps`].
pub fn search_repeated<B: Bench>(
    tracer: &mut Tracer<'_, B>,
    excused: &BTreeSet<usize>,
) -> Result<RepeatedOrders, B::Error> {
    let subject = tracer.subject;
    let counted = counter_order(&subject.counts);
    let mut found = RepeatedOrders::default();
    if counted.order.is_empty() {
        return Ok(found);
    }
    let gaps = Gaps::of(subject, &counted.order);
    let mut open: BTreeSet<Fills> = BTreeSet::from([Fills::new()]);
    for _ in 0..=MOST_REPEATS {
        let mut next = BTreeSet::new();
        for fills in &open {
            let sequence = gaps.sequence(fills);
            let Some(verdict) = tracer.verdict(&sequence)? else {
                found.is_cut = true;
                continue;
            };
            match gaps.first_misfit(tracer, &sequence, excused)? {
                None => found.fitting.push(verdict.clone()),
                Some(position) => next.extend(gaps.with_one_more(fills, position)),
            }
            let rank = |verdict: &OrderVerdict| (verdict.matched_at(tracer.level), verdict.ran);
            if found.best.as_ref().is_none_or(|best| rank(&verdict) > rank(best)) {
                found.best = Some(verdict);
            }
        }
        if !found.fitting.is_empty() || next.is_empty() || tracer.spent().is_all {
            found.is_cut |= tracer.spent().is_all && found.fitting.is_empty();
            break;
        }
        found.is_cut |= next.len() > MOST_SEQUENCES;
        open = next.into_iter().take(MOST_SEQUENCES).collect();
    }
    Ok(found)
}

struct Gaps {
    /// Cells by their counts.
    counted: Vec<usize>,
    /// How many runs are missing before each of them.
    room: Vec<u64>,
    /// The cells that can change what each cell shows.
    touching: Vec<BTreeSet<usize>>,
}

impl Gaps {
    fn of(subject: &TracedNotebook<'_>, counted: &[usize]) -> Self {
        let mut before = 0;
        let room = counted.iter().map(|cell| {
            let count = subject.counts[*cell].unwrap_or(0);
            let room = count.saturating_sub(before).saturating_sub(1);
            before = before.max(count);
            room
        });
        let room = room.collect();
        let touching = (0..subject.len()).map(|cell| touching(subject, cell)).collect();
        Gaps { counted: counted.to_vec(), room, touching }
    }

    fn sequence(&self, fills: &Fills) -> Vec<usize> {
        let before = |place: usize| fills.get(&place).into_iter().flatten().copied();
        (0..self.counted.len()).flat_map(|place| before(place).chain([self.counted[place]])).collect()
    }

    /// The position of the first run that does not do what it did: the last run of a cell shows something else, or one raises.
    fn first_misfit<B: Bench>(
        &self,
        tracer: &mut Tracer<'_, B>,
        sequence: &[usize],
        excused: &BTreeSet<usize>,
    ) -> Result<Option<usize>, B::Error> {
        let (steps, level) = (tracer.run(sequence)?, tracer.level);
        for (position, cell) in sequence.iter().enumerate() {
            let Some(step) = steps.get(position) else { return Ok(Some(position)) };
            let is_last = !sequence[position + 1..].contains(cell);
            let is_asked = is_last && !excused.contains(cell);
            if (is_asked && !step.fits(level)) || (!is_last && !step.runs) {
                return Ok(Some(position));
            }
        }
        Ok(None)
    }

    /// Every way to put one more run in before a position.
    fn with_one_more(&self, fills: &Fills, position: usize) -> Vec<Fills> {
        let (mut ways, mut at) = (Vec::new(), 0);
        let misfit = self.sequence(fills)[position];
        for place in 0..self.counted.len() {
            let own = fills.get(&place).map_or(&[][..], Vec::as_slice);
            if at > position {
                break;
            }
            // A run that stands in a gap may be mended by one that stands before it there.
            let most = own.len().min(position - at);
            if (own.len() as u64) < self.room[place] {
                for cell in self.later(place, misfit) {
                    for slot in 0..=most {
                        let mut changed = own.to_vec();
                        changed.insert(slot, cell);
                        ways.push(
                            fills.iter().map(|(key, value)| (*key, value.clone())).chain([(place, changed)]).collect(),
                        );
                    }
                }
            }
            at += own.len() + 1;
        }
        ways
    }

    /// Cells whose last run comes behind a gap and that can change what `misfit` shows.
    fn later(&self, place: usize, misfit: usize) -> impl Iterator<Item = usize> {
        self.counted[place..].iter().copied().filter(move |cell| self.touching[misfit].contains(cell))
    }
}

/// The cells whose effects reach what a cell looks at, itself among them where it changes something.
pub(crate) fn touching(subject: &TracedNotebook<'_>, cell: usize) -> BTreeSet<usize> {
    let effects = &subject.effects;
    let mut names: BTreeSet<&String> = effects[cell].reads.iter().collect();
    let mut found = BTreeSet::new();
    loop {
        let reaches =
            |other: &usize| !found.contains(other) && effects[*other].writes.iter().any(|name| names.contains(name));
        let more: Vec<usize> = (0..effects.len()).filter(reaches).collect();
        if more.is_empty() {
            return found;
        }
        for other in more {
            found.insert(other);
            names.extend(&effects[other].reads);
        }
    }
}

#[cfg(test)]
mod tests;
