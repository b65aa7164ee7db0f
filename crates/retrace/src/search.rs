//! Looks for an order in which each cell runs once and shows what was saved.
//!
//! Depth first, cell by cell. Three things keep it short. A cell that changes nothing and shows what was saved may stay where it is: whatever
//! order completes the notebook would do so with the cell here too. A cell is run after those alone that reach it, so that what it gives is
//! known in all states in which they are the same. And states in which what is left to run would look at the same are gone on from once.
//! What reaches a cell is read from its text; where a whole order does not do what its cells did, the search begins anew without that.

use std::collections::{BTreeSet, HashSet};

use nbrevive_order::reaching;

use crate::bench::Bench;
use crate::canonical::nearest_to_document;
use crate::judge::OrderVerdict;
use crate::subject::TracedNotebook;
use crate::tracer::Tracer;

/// Rounds after which cells that never showed what was saved are no longer asked for.
const ROUNDS: usize = 8;
/// Questions that a round may ask for each cell of the notebook, most of which are known, before it is given up.
const PATIENCE: usize = 1_000;
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
    let mut is_exact = false;
    for round in 0..ROUNDS {
        let mut walk = Walk::new(tracer, excused.clone(), is_exact, round + 1 == ROUNDS);
        let is_found = walk.descend(&mut Vec::new(), &mut BTreeSet::new())?;
        let (order, stubborn) = (walk.deepest_filled(), walk.stubborn());
        if let Some(verdict) = tracer.verdict(&order)? {
            let is_better = |before: &SearchedOrder| is_better(&verdict, &before.verdict, tracer);
            if best.as_ref().is_none_or(is_better) {
                best = Some(SearchedOrder { verdict, excused: excused.clone() });
            }
        }
        let does = |best: &SearchedOrder| {
            let shown = best.verdict.matched_at(tracer.level) + best.excused.len();
            best.verdict.is_executable && shown >= best.verdict.comparable
        };
        let is_done = (is_found && best.as_ref().is_some_and(does)) || (!is_found && stubborn.is_empty());
        if is_done || (is_found && is_exact) || tracer.spent().is_all {
            break;
        }
        is_exact |= is_found;
        excused.extend(stubborn.into_iter().filter(|_| !is_found));
    }
    Ok(best)
}

fn is_better<B: Bench>(one: &OrderVerdict, other: &OrderVerdict, tracer: &Tracer<'_, B>) -> bool {
    let rank = |verdict: &OrderVerdict| (verdict.matched_at(tracer.level), verdict.ran);
    rank(one) > rank(other)
}

struct Walk<'t, 's, B> {
    tracer: &'t mut Tracer<'s, B>,
    subject: &'s TracedNotebook<'s>,
    excused: BTreeSet<usize>,
    /// Whether a cell is run after all that ran before it.
    is_exact: bool,
    /// Whether cells may run whose names nobody gave, as far as the graph tells.
    is_free: bool,
    /// States that were gone on from.
    seen: HashSet<(BTreeSet<usize>, Vec<usize>)>,
    deepest: Vec<usize>,
    /// Cells that were tried and did not fit, and cells that did.
    refused: BTreeSet<usize>,
    fitted: BTreeSet<usize>,
    left: usize,
}

impl<'t, 's, B: Bench> Walk<'t, 's, B> {
    fn new(tracer: &'t mut Tracer<'s, B>, excused: BTreeSet<usize>, is_exact: bool, is_free: bool) -> Self {
        let subject = tracer.subject;
        Walk {
            subject,
            tracer,
            excused,
            is_exact,
            is_free,
            seen: HashSet::new(),
            deepest: Vec::new(),
            refused: BTreeSet::new(),
            fitted: BTreeSet::new(),
            left: PATIENCE * subject.len(),
        }
    }

    /// Goes on from a state until all cells have run; takes back what it added where that cannot be.
    fn descend(&mut self, order: &mut Vec<usize>, ran: &mut BTreeSet<usize>) -> Result<bool, B::Error> {
        let from = order.len();
        while self.look(order, ran)? {}
        if order.len() > self.deepest.len() {
            self.deepest.clone_from(order);
        }
        if order.len() == self.subject.len() {
            return Ok(true);
        }
        if self.seen.insert(self.state(order, ran)) {
            for cell in self.waiting(ran) {
                if self.fits(order, ran, cell)? {
                    order.push(cell);
                    ran.insert(cell);
                    if self.descend(order, ran)? {
                        return Ok(true);
                    }
                    order.pop();
                    ran.remove(&cell);
                }
            }
        }
        order.drain(from..).for_each(|cell| {
            ran.remove(&cell);
        });
        Ok(false)
    }

    /// Runs every cell that changes nothing and fits; whether there was one.
    fn look(&mut self, order: &mut Vec<usize>, ran: &mut BTreeSet<usize>) -> Result<bool, B::Error> {
        let from = order.len();
        for cell in self.waiting(ran) {
            if self.subject.effects[cell].only_looks() && self.fits(order, ran, cell)? {
                order.push(cell);
                ran.insert(cell);
            }
        }
        Ok(order.len() > from)
    }

    /// What tells a state apart from others: what ran, and in which sequence what reaches the cells that are left.
    fn state(&self, order: &[usize], ran: &BTreeSet<usize>) -> (BTreeSet<usize>, Vec<usize>) {
        let left: Vec<usize> = (0..self.subject.len()).filter(|cell| !ran.contains(cell)).collect();
        (ran.clone(), nearest_to_document(&reaching(order, &left, &self.subject.effects), &self.subject.effects))
    }

    /// The part of an order that reaches cells.
    fn before(&self, order: &[usize], cells: &[usize]) -> Vec<usize> {
        let effects = &self.subject.effects;
        if self.is_whole() {
            return order.to_vec();
        }
        nearest_to_document(&reaching(order, cells, effects), effects)
    }

    /// Whether a cell is run after all that ran before it: it was asked for, or whole documents are run anyway.
    fn is_whole(&self) -> bool {
        self.is_exact || self.tracer.bench().why_replayed().is_some()
    }

    /// Cells that can run now, those first that are likely to be next: by the saved counts; then those that give nothing anew that others still
    /// look at, since what they changed instead would tell whether they belong here; then those that change least of it; then as they stand.
    fn waiting(&self, ran: &BTreeSet<usize>) -> Vec<usize> {
        let left: Vec<usize> = (0..self.subject.len()).filter(|cell| !ran.contains(cell)).collect();
        let ready: Vec<usize> = left.iter().copied().filter(|cell| self.subject.is_ready(*cell, ran)).collect();
        let mut waiting = if self.is_free || ready.is_empty() { left.clone() } else { ready };
        let effects = &self.subject.effects;
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
            (self.subject.counts[cell].unwrap_or(u64::MAX), gives_anew, looking(cell, &own.writes), cell)
        });
        waiting
    }

    fn fits(&mut self, order: &[usize], ran: &BTreeSet<usize>, cell: usize) -> Result<bool, B::Error> {
        if self.left == 0 {
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
