//! Looks for an order in which each cell runs once and shows what was saved.
//!
//! Depth first, cell by cell. Four things keep it short. A cell that shows what was saved, and changes nothing or what no other one minds, may stay
//! where it is: whatever order completes the notebook would do so with the cell here too. A cell is run after those alone that reach it, so that
//! what it gives is known in all states in which they are the same. States in which what is left to run would look at the same are gone on from
//! once, and from none in which a cell does not fit that nothing can reach any more. And what bears on such a cell is tried in another way first.
//!
//! What reaches a cell is read from its text, and may be more: a value can look late at what it was made of. Cells that fit nowhere, or not where
//! a whole order has them, are doubted: in the next round they are run after all that reaches what their values were made of, and in the one after it
//! after all that changes anything. Where that does not do either, cells that fit nowhere are excused, and those of an order that does not hold are
//! searched anew, each after all that ran before it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use nbrevive_order::{CellEffects, bearing, reaching};

use crate::bench::Bench;
use crate::canonical::nearest_to_document;
use crate::judge::OrderVerdict;
use crate::repeats::touching;
use crate::settings::SETTINGS;
use crate::subject::TracedNotebook;
use crate::tracer::Tracer;

/// Rounds after which it ends, of which each doubts or excuses cells.
const ROUNDS: usize = 16;
/// Questions that a round may ask for each cell of the notebook, most of which are known, before it is given up.
const PATIENCE: usize = 1_000;
/// Runs of cells that the first round may take for each cell of the notebook before cells that fitted nowhere so far are doubted; each further one may
/// take twice as many.
const HASTE: usize = 4;
/// The first round that excuses such cells though it was ended by that.
const EXCUSING: usize = 3;
/// Cells of a notebook that is searched at most.
const MOST_CELLS: usize = 400;

/// What a search came to.
#[derive(Debug, Clone)]
pub struct SearchedOrder {
    /// The best order that was met.
    pub verdict: OrderVerdict,
    /// Cells that were not asked to show what was saved: in no state that was tried did they.
    pub excused: BTreeSet<usize>,
}

/// Looks for an order with each cell once. `moody` are cells that are not expected to show the same twice. None when the budget did not
/// suffice for one whole order, or the notebook has more than 400 code cells.
///
/// # Errors
/// As [`Bench::steps`].
pub fn search_once<B: Bench>(
    tracer: &mut Tracer<'_, B>,
    moody: &BTreeSet<usize>,
) -> Result<Option<SearchedOrder>, B::Error> {
    let subject = tracer.subject;
    if subject.len() > MOST_CELLS || subject.is_empty() {
        return Ok(None);
    }
    let (mut best, mut excused): (Option<SearchedOrder>, _) = (None, moody.clone());
    let (mut doubts, mut is_exact) = (Doubts::new(), false);
    for round in 0..ROUNDS {
        let mut walk = Walk::new(tracer, excused.clone(), &doubts, is_exact, round + 1 == ROUNDS);
        walk.most = walk.tracer.spent().executions + ((HASTE * subject.len()) << round);
        let is_found = walk.descend(&mut Vec::new(), &mut BTreeSet::new())?.is_none();
        let (order, stubborn, is_cut) = (walk.deepest_filled(), walk.stubborn(), walk.left == 0);
        let mut misfits = BTreeSet::new();
        if let Some(verdict) = tracer.verdict(&order)? {
            misfits = verdict.misfits_at(tracer.level).difference(&excused).copied().collect();
            let is_better = |before: &SearchedOrder| is_better(&verdict, &before.verdict, tracer);
            if best.as_ref().is_none_or(is_better) {
                best = Some(SearchedOrder { verdict, excused: excused.clone() });
            }
        }
        let does = |best: &SearchedOrder| {
            let shown = best.verdict.matched_at(tracer.level) + best.excused.len();
            best.verdict.is_executable && shown >= best.verdict.comparable
        };
        let is_done = (is_found && best.as_ref().is_some_and(does)) || (!is_found && stubborn.is_empty() && !is_cut);
        if is_done || (is_found && is_exact) || tracer.spent().is_all {
            break;
        }
        let asked = if is_found { &misfits } else { &stubborn };
        if asked.iter().any(|cell| doubts.get(cell) != Some(&Doubt::Anything)) {
            for cell in asked {
                let is_new = !doubts.contains_key(cell);
                doubts.insert(*cell, if is_new { Doubt::WhatItIsMadeOf } else { Doubt::Anything });
            }
        } else if is_found {
            is_exact = true;
        } else if !is_cut || round >= EXCUSING {
            excused.extend(stubborn);
        }
    }
    Ok(best)
}

fn is_better<B: Bench>(one: &OrderVerdict, other: &OrderVerdict, tracer: &Tracer<'_, B>) -> bool {
    let rank = |verdict: &OrderVerdict| (verdict.matched_at(tracer.level), verdict.ran);
    rank(one) > rank(other)
}

/// None where all cells have run; else the cells that bear on why they cannot.
type Descent = Option<BTreeSet<usize>>;

/// What a cell may look at besides what its text says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Doubt {
    /// What the values that it looks at were made of, late.
    WhatItIsMadeOf,
    /// Any name: by `eval`, or through what no text tells.
    Anything,
}

type Doubts = BTreeMap<usize, Doubt>;

struct Walk<'t, 's, B> {
    tracer: &'t mut Tracer<'s, B>,
    subject: &'s TracedNotebook<'s>,
    excused: BTreeSet<usize>,
    /// What each cell does, with what doubted ones may look at besides.
    effects: Vec<CellEffects>,
    /// Whether a cell is run after all that ran before it.
    is_exact: bool,
    /// Whether cells may run whose names nobody gave, as far as the graph tells.
    is_free: bool,
    /// States that were gone on from in vain, and what bore on that.
    seen: HashMap<(BTreeSet<usize>, Vec<usize>), BTreeSet<usize>>,
    deepest: Vec<usize>,
    /// Cells that were tried and did not fit, and cells that did.
    refused: BTreeSet<usize>,
    fitted: BTreeSet<usize>,
    left: usize,
    /// Runs of cells, of all rounds, at which this one ends.
    most: usize,
}

impl<'t, 's, B: Bench> Walk<'t, 's, B> {
    fn new(
        tracer: &'t mut Tracer<'s, B>,
        excused: BTreeSet<usize>,
        doubts: &Doubts,
        is_exact: bool,
        is_free: bool,
    ) -> Self {
        let subject = tracer.subject;
        Walk {
            subject,
            tracer,
            excused,
            effects: with_doubts(subject, doubts),
            is_exact,
            is_free,
            seen: HashMap::new(),
            deepest: Vec::new(),
            refused: BTreeSet::new(),
            fitted: BTreeSet::new(),
            left: PATIENCE * subject.len(),
            most: usize::MAX,
        }
    }

    /// Goes on from a state until all cells have run; takes back what it added where that cannot be, and tells the cells of the order that bear on why
    /// it cannot. A cell that is none of them was not the wrong one, so that its neighbours are not tried (conflict-directed backjumping: Prosser,
    /// "Hybrid algorithms for the constraint satisfaction problem", 1993).
    fn descend(&mut self, order: &mut Vec<usize>, ran: &mut BTreeSet<usize>) -> Result<Descent, B::Error> {
        let from = order.len();
        while self.settle(order, ran)? {}
        if order.len() > self.deepest.len() {
            self.deepest.clone_from(order);
        }
        if order.len() == self.subject.len() {
            return Ok(None);
        }
        let state = self.state(order, ran);
        let bearing = match self.seen.get(&state) {
            Some(known) => known.clone(),
            None => match self.branch(order, ran)? {
                None => return Ok(None),
                Some(bearing) => bearing,
            },
        };
        self.seen.insert(state, bearing.clone());
        order.drain(from..).for_each(|cell| {
            ran.remove(&cell);
        });
        Ok(Some(bearing))
    }

    /// Tries each cell that can be next.
    fn branch(&mut self, order: &mut Vec<usize>, ran: &mut BTreeSet<usize>) -> Result<Descent, B::Error> {
        if let Some(doomed) = self.doomed(order, ran)? {
            return Ok(Some(self.bearing(order, doomed)));
        }
        let mut bearing = BTreeSet::new();
        for cell in self.waiting(ran) {
            bearing.extend(self.bearing(order, cell));
            if !self.fits(order, ran, cell)? {
                continue;
            }
            order.push(cell);
            ran.insert(cell);
            let descent = self.descend(order, ran)?;
            let Some(of_rest) = descent else { return Ok(None) };
            order.pop();
            ran.remove(&cell);
            if !of_rest.contains(&cell) {
                return Ok(Some(of_rest));
            }
            bearing.extend(of_rest);
        }
        bearing.retain(|cell| ran.contains(cell));
        Ok(Some(bearing))
    }

    /// A cell that can run, does not fit, and that nothing left reaches.
    fn doomed(&mut self, order: &[usize], ran: &BTreeSet<usize>) -> Result<Option<usize>, B::Error> {
        for cell in self.waiting(ran) {
            if self.is_settled(cell, ran) && !self.fits(order, ran, cell)? {
                return Ok(Some(cell));
            }
        }
        Ok(None)
    }

    /// Whether nothing that is left reaches a cell: it is run after the same whenever it comes.
    fn is_settled(&self, cell: usize, ran: &BTreeSet<usize>) -> bool {
        let reaches = |other: &usize| *other != cell && self.effects[*other].reaches(&self.effects[cell]);
        !self.is_whole() && !self.left(ran).iter().any(reaches)
    }

    /// Whether nobody else that is left gives what a cell gives, or looks at what that was before.
    fn takes_nothing(&self, cell: usize, ran: &BTreeSet<usize>) -> bool {
        let writes = &self.effects[cell].writes;
        let given = |name: &&String| ran.iter().any(|other| self.effects[*other].writes.contains(*name));
        let taken: BTreeSet<&String> = writes.iter().filter(given).collect();
        let minds = |other: &CellEffects| {
            writes.iter().any(|name| other.writes.contains(name))
                || taken.iter().any(|name| other.reads.contains(*name))
        };
        !self.left(ran).iter().any(|other| *other != cell && minds(&self.effects[*other]))
    }

    /// Runs every cell that fits and may stay where it is, whatever order completes the notebook: it changes nothing, or nothing reaches it any more
    /// and it takes nothing from others. Whether there was one.
    fn settle(&mut self, order: &mut Vec<usize>, ran: &mut BTreeSet<usize>) -> Result<bool, B::Error> {
        let from = order.len();
        for cell in self.waiting(ran) {
            let may_stay =
                self.effects[cell].only_looks() || (self.is_settled(cell, ran) && self.takes_nothing(cell, ran));
            if may_stay && self.fits(order, ran, cell)? {
                order.push(cell);
                ran.insert(cell);
            }
        }
        Ok(order.len() > from)
    }

    /// The cells of an order that bear on what a cell gives behind it.
    fn bearing(&self, order: &[usize], cell: usize) -> BTreeSet<usize> {
        if self.is_whole() { order.iter().copied().collect() } else { bearing(order, cell, &self.effects) }
    }

    /// What tells a state apart from others: what ran, and in which sequence what reaches the cells that are left.
    fn state(&self, order: &[usize], ran: &BTreeSet<usize>) -> (BTreeSet<usize>, Vec<usize>) {
        (ran.clone(), nearest_to_document(&reaching(order, &self.left(ran), &self.effects), &self.effects))
    }

    /// Cells that have not run.
    fn left(&self, ran: &BTreeSet<usize>) -> Vec<usize> {
        (0..self.subject.len()).filter(|cell| !ran.contains(cell)).collect()
    }

    /// The part of an order that reaches cells.
    fn before(&self, order: &[usize], cells: &[usize]) -> Vec<usize> {
        if self.is_whole() {
            return order.to_vec();
        }
        nearest_to_document(&reaching(order, cells, &self.effects), &self.effects)
    }

    /// Whether a cell is run after all that ran before it: it was asked for, or whole documents are run anyway.
    fn is_whole(&self) -> bool {
        self.is_exact || self.tracer.bench().why_replayed().is_some()
    }

    /// Cells that can run now, those first that are likely to be next: by the saved counts; then those that change settings; then those that give
    /// nothing anew that others still look at, since what they changed instead would tell whether they belong here; then those that change least of
    /// it; then as they stand.
    fn waiting(&self, ran: &BTreeSet<usize>) -> Vec<usize> {
        let left = self.left(ran);
        let ready: Vec<usize> = left.iter().copied().filter(|cell| self.subject.is_ready(*cell, ran)).collect();
        let mut waiting = if self.is_free || ready.is_empty() { left.clone() } else { ready };
        let effects = &self.effects;
        let given: BTreeSet<&String> = ran.iter().flat_map(|cell| &effects[*cell].writes).collect();
        // Cells that still look at what one touches.
        let looking = |cell: usize, touched: &BTreeSet<String>| {
            let taken: Vec<&String> = touched.iter().filter(|name| given.contains(name)).collect();
            let looks =
                |other: &&usize| **other != cell && taken.iter().any(|name| effects[**other].reads.contains(*name));
            left.iter().filter(looks).count()
        };
        waiting.sort_by_cached_key(|&cell| {
            let own = &effects[cell];
            let gives_anew = looking(cell, &own.replaces) > 0;
            let count = self.subject.counts[cell].unwrap_or(u64::MAX);
            (count, !own.writes.contains(SETTINGS), gives_anew, looking(cell, &own.writes), cell)
        });
        waiting
    }

    fn fits(&mut self, order: &[usize], ran: &BTreeSet<usize>, cell: usize) -> Result<bool, B::Error> {
        if self.left == 0 || self.tracer.spent().executions > self.most {
            self.left = 0;
            return Ok(false);
        }
        self.left -= 1;
        let Some(step) = self.tracer.step(&self.before(order, &[cell]), cell, &self.likely(ran, cell))? else {
            self.left = 0;
            return Ok(false);
        };
        let fits = step.fits(self.tracer.level) || (self.excused.contains(&cell) && step.step.ended.is_none());
        if fits {
            self.fitted.insert(cell)
        } else {
            self.refused.insert(cell)
        };
        Ok(fits)
    }

    /// What a bench without states may run along.
    fn likely(&self, ran: &BTreeSet<usize>, cell: usize) -> Vec<usize> {
        let left = if self.is_whole() { self.waiting(ran) } else { Vec::new() };
        left.into_iter().filter(|other| *other != cell).collect()
    }

    /// The longest part that fitted, and behind it what is left, as it was likely.
    fn deepest_filled(&self) -> Vec<usize> {
        let (mut order, mut ran) = (self.deepest.clone(), self.deepest.iter().copied().collect::<BTreeSet<usize>>());
        while let Some(cell) = self.waiting(&ran).first().copied() {
            order.push(cell);
            ran.insert(cell);
        }
        order
    }

    /// Cells that were tried and never fitted.
    fn stubborn(&self) -> BTreeSet<usize> {
        self.refused.difference(&self.fitted).copied().collect()
    }
}

/// The effects of a notebook's cells, of which those in doubt look at more.
fn with_doubts(subject: &TracedNotebook<'_>, doubts: &Doubts) -> Vec<CellEffects> {
    let mut effects = subject.effects.clone();
    for (cell, doubt) in doubts {
        let more: BTreeSet<&String> = match doubt {
            Doubt::WhatItIsMadeOf => {
                let made_of = touching(subject, *cell).into_iter().map(|other| &subject.effects[other]);
                made_of.flat_map(|own| own.reads.iter().chain(&own.depends)).collect()
            }
            Doubt::Anything => subject.effects.iter().flat_map(|own| &own.writes).collect(),
        };
        effects[*cell].reads.extend(more.iter().map(|name| (*name).clone()));
        effects[*cell].depends.extend(more.into_iter().cloned());
    }
    effects
}

#[cfg(test)]
mod tests;
