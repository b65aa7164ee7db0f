//! The whole of it: orders of a strategy are run, one is searched for, and the best is run once more from the top.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use serde::Serialize;

use crate::bench::Bench;
use crate::canonical::nearest_to_document;
use crate::judge::OrderVerdict;
use crate::repeats::search_repeated;
use crate::search::search_once;
use crate::strategies::{OrderStrategy, candidates};
use crate::tracer::{Spent, Tracer};

/// What came of the orders of a strategy.
#[derive(Debug, Clone, Serialize)]
pub struct TracedOrders {
    /// Those that were run: of `search` the ones that it began with and the best ones that it met.
    pub orders: Vec<OrderVerdict>,
    /// Sequences with repeated cells that agree with counts and outputs, all with the fewest repetitions.
    pub ties: Vec<Vec<usize>>,
    /// Cells that showed in no state that was tried what was saved, and those of which nobody expects it.
    pub excused: BTreeSet<usize>,
    /// What it took.
    pub spent: Spent,
    /// Why each order was run from a fresh start; none where states were kept.
    pub why_replayed: Option<String>,
}

impl TracedOrders {
    /// The best of them: the one with the most cells as saved; of equal ones that with the most cells that run, then the shortest, then the first.
    #[must_use]
    pub fn best<B: Bench>(&self, tracer: &Tracer<'_, B>) -> Option<&OrderVerdict> {
        let rank = |verdict: &OrderVerdict| {
            (verdict.matched_at(tracer.level), verdict.cells.len(), verdict.ran, Reverse(verdict.order.len()))
        };
        self.orders.iter().rev().max_by_key(|verdict| rank(verdict))
    }
}

/// Runs the orders of a strategy, of those that are drawn so many, and searches where it says so.
///
/// # Errors
/// As [`Bench::steps`].
pub fn trace<B: Bench>(
    tracer: &mut Tracer<'_, B>,
    strategy: OrderStrategy,
    wanted: usize,
    seed: u64,
) -> Result<TracedOrders, B::Error> {
    let (subject, level) = (tracer.subject, tracer.level);
    let (mut orders, mut ties, mut excused) = (Vec::new(), Vec::new(), BTreeSet::new());
    for order in candidates(subject, strategy, wanted, seed) {
        orders.extend(tracer.verdict(&order)?);
    }
    let is_whole = |verdict: &OrderVerdict| verdict.holds_at(level) && verdict.cells.len() == subject.len();
    if strategy == OrderStrategy::Search && !orders.iter().any(is_whole) {
        let moody = subject.moody();
        let found = search_repeated(tracer, &moody)?;
        ties = found.fitting.iter().map(|verdict| verdict.order.clone()).collect();
        orders.extend(found.best.filter(|_| found.fitting.is_empty()));
        orders.splice(0..0, found.fitting);
        if !orders.iter().any(is_whole)
            && let Some(found) = search_once(tracer, &moody)?
        {
            excused = found.excused;
            orders.push(found.verdict);
        }
    }
    let mut met = BTreeSet::new();
    orders.retain(|verdict| met.insert(verdict.order.clone()));
    let why_replayed = tracer.bench().why_replayed().map(str::to_owned);
    Ok(TracedOrders { orders, ties, excused, spent: tracer.spent(), why_replayed })
}

/// Runs the best order once more, on a bench that replays: in the sequence that is nearest to the notebook's, if that does as well. None where
/// neither came to an end.
///
/// # Errors
/// As [`Bench::steps`].
pub fn confirm<B: Bench>(tracer: &mut Tracer<'_, B>, best: &OrderVerdict) -> Result<Option<OrderVerdict>, B::Error> {
    let level = tracer.level;
    let rank = |verdict: &OrderVerdict| (verdict.matched_at(level), verdict.ran);
    let nearest = nearest_to_document(&best.order, &tracer.subject.effects);
    match tracer.verdict(&nearest)? {
        Some(verdict) if rank(&verdict) >= rank(best) => Ok(Some(verdict)),
        first => Ok(first.into_iter().chain(tracer.verdict(&best.order)?).max_by_key(rank)),
    }
}
