//! The sequences of cells that a graph allows.
//!
//! What is left to run is a set. Where nothing in one part of it waits for another part, both are ordered by themselves and then mixed in
//! any way; a set that has no such parts loses its next cell, each that can run in turn. Sets are met again and again, and remembered.

use std::collections::HashMap;

use nbrevive_spelling::string_enum;
use nbrevive_stats::Random;
use serde::Serialize;

use crate::cell_set::{CellSet, MOST_CELLS};
use crate::graph::CellGraph;

/// Sets that are remembered at most; beyond, orders are no longer counted.
const MOST_SETS: usize = 3_000;
/// So few orders are all listed (the paper draws up to 100).
const FEW: u128 = 100;
/// Orders that are drawn for each that is kept, where they cannot be counted.
const TRIED: usize = 32;

/// How many orders there are.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct OrderCount {
    /// The number, as long as 128 bits hold it.
    pub exact: Option<u128>,
    /// Its natural logarithm.
    pub ln: f64,
}

string_enum! {
    /// How orders were drawn.
    pub enum HowDrawn ("way of drawing") {
        /// These are all.
        All => "all",
        /// Each order is equally likely.
        Uniform => "uniform",
        /// There are too many sets of cells to count the orders: drawn step by step, and of many by the inverse of their chance, so that they
        /// come near to being equally likely.
        Weighted => "weighted",
    }
}

/// Some of the orders.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DrawnOrders {
    /// Each has every cell that can run, by its place in the notebook from 0. No order stands twice.
    pub orders: Vec<Vec<usize>>,
    /// How they were drawn.
    pub how: HowDrawn,
}

/// The orders of all cells that can run.
#[derive(Debug)]
pub struct FeasibleOrders {
    /// The cells, by their places in the notebook.
    cells: Vec<usize>,
    /// What each lacks at the beginning: for each name, who gives it.
    needs: Vec<Vec<Vec<u32>>>,
    /// The same as sets, where the cells are few enough to be counted.
    givers: Vec<Givers>,
    /// What remains of each set that was met.
    known: HashMap<CellSet, OrderCount>,
    count: Option<OrderCount>,
}

impl CellGraph {
    /// The orders of all cells that can run at all.
    #[must_use]
    pub fn orders(&self) -> FeasibleOrders {
        FeasibleOrders::of(self)
    }
}

impl FeasibleOrders {
    pub(crate) fn of(graph: &CellGraph) -> Self {
        let (runs, _) = graph.closure();
        let cells: Vec<usize> = (0..runs.len()).filter(|cell| runs[*cell]).collect();
        let place: HashMap<usize, u32> = cells.iter().copied().zip(0..).collect();
        let givers = graph.givers();
        let needs = cells.iter().map(|cell| {
            let names = graph.cells[*cell].consumed.iter();
            names
                .map(|name| givers[name.as_str()].iter().filter_map(|giver| place.get(giver).copied()).collect())
                .collect()
        });
        let (needs, givers) = (needs.collect(), Vec::new());
        let mut orders = FeasibleOrders { needs, givers, cells, known: HashMap::new(), count: None };
        if orders.cells.len() <= MOST_CELLS {
            orders.givers = orders.needs.iter().map(|names| Givers::of(names)).collect();
            orders.count = orders.count_of(orders.all());
        }
        orders
    }

    fn all(&self) -> CellSet {
        (0..self.cells.len() as u32).collect()
    }

    /// How many there are; none where that would take too long to count.
    #[must_use]
    pub const fn count(&self) -> Option<OrderCount> {
        self.count
    }

    /// Whether a cell can run when those of `left` have not.
    fn is_ready(&self, cell: u32, left: &CellSet) -> bool {
        !self.givers[cell as usize].are_awaited(left)
    }

    /// Parts of a set of which none waits for another, by their first cells.
    fn parts(&self, left: CellSet) -> Vec<CellSet> {
        let mut parts: Vec<CellSet> = Vec::new();
        for cell in left.iter() {
            let mut part = self.givers[cell as usize].binding(&left);
            part.insert(cell);
            parts.retain(|other| {
                let meets = other.meets(&part);
                if meets {
                    part = part.with(*other);
                }
                !meets
            });
            parts.push(part);
        }
        parts.sort_by_cached_key(|part| part.iter().next());
        parts
    }

    /// The orders of a set; none when there are too many sets.
    fn count_of(&mut self, left: CellSet) -> Option<OrderCount> {
        if left.len() < 2 {
            return Some(OrderCount { exact: Some(1), ln: 0.0 });
        }
        if let Some(known) = self.known.get(&left) {
            return Some(*known);
        }
        if self.known.len() >= MOST_SETS {
            return None;
        }
        let parts = self.parts(left);
        let count = if parts.len() > 1 { self.mixed(&parts)? } else { self.stepped(left)? };
        self.known.insert(left, count);
        Some(count)
    }

    /// Each part by itself, times the ways to mix them.
    fn mixed(&mut self, parts: &[CellSet]) -> Option<OrderCount> {
        let (mut all, mut length) = (OrderCount { exact: Some(1), ln: 0.0 }, 0_usize);
        for part in parts {
            let own = self.count_of(*part)?;
            let ways = choose(length + part.len(), part.len());
            let exact = |a: Option<u128>, b: Option<u128>| a?.checked_mul(b?);
            all = OrderCount { exact: exact(exact(all.exact, own.exact), ways.exact), ln: all.ln + own.ln + ways.ln };
            length += part.len();
        }
        Some(all)
    }

    /// The cells of a set that can come next, each with what is left then.
    fn next(&self, left: CellSet) -> Vec<(u32, CellSet)> {
        left.iter().filter(|cell| self.is_ready(*cell, &left)).map(|cell| (cell, left.without(cell))).collect()
    }

    /// The sum over the cells that can come next.
    fn stepped(&mut self, left: CellSet) -> Option<OrderCount> {
        let rests = self.next(left).into_iter();
        let counts: Vec<OrderCount> = rests.map(|(_, rest)| self.count_of(rest)).collect::<Option<_>>()?;
        let highest = counts.iter().map(|count| count.ln).fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = counts.iter().map(|count| (count.ln - highest).exp()).sum();
        let exact = counts.iter().try_fold(0_u128, |sum, count| sum.checked_add(count.exact?));
        Some(OrderCount { exact, ln: highest + sum.ln() })
    }

    /// So many orders, or all where there are no more than the paper lists; the same for the same seed.
    #[must_use]
    pub fn draw(&mut self, wanted: usize, seed: u64) -> DrawnOrders {
        let few = self.count.and_then(|count| count.exact).filter(|count| *count <= FEW);
        let (drawn, how) = match (few, self.count) {
            (Some(_), _) => (self.listed(), HowDrawn::All),
            (None, Some(_)) => (self.uniform(wanted, seed), HowDrawn::Uniform),
            (None, None) => (self.weighted(wanted, seed), HowDrawn::Weighted),
        };
        let named = |order: Vec<u32>| order.into_iter().map(|cell| self.cells[cell as usize]).collect();
        DrawnOrders { orders: drawn.into_iter().map(named).collect(), how }
    }

    /// So many of them, drawn by seed without any twice; all where there are no more. The same for the same seed.
    #[must_use]
    pub fn sample(&mut self, wanted: usize, seed: u64) -> Vec<Vec<usize>> {
        let mut orders = self.draw(wanted, seed).orders;
        let random = &mut Random::stream(seed, u64::MAX);
        while orders.len() > wanted {
            orders.remove(random.below(orders.len() as u64) as usize);
        }
        orders
    }

    /// Every order, in the order of the notebook; for few.
    fn listed(&self) -> Vec<Vec<u32>> {
        let mut found = Vec::new();
        let mut open = vec![(Vec::new(), self.all())];
        while let Some((order, left)) = open.pop() {
            let next = self.next(left);
            if next.is_empty() {
                found.push(order);
                continue;
            }
            for (cell, rest) in next.into_iter().rev() {
                open.push(([order.as_slice(), &[cell]].concat(), rest));
            }
        }
        found
    }

    fn uniform(&mut self, wanted: usize, seed: u64) -> Vec<Vec<u32>> {
        let mut found: Vec<Vec<u32>> = Vec::new();
        // There are more than are listed, so that a few draws find others.
        for number in 0..(wanted as u64).saturating_mul(TRIED as u64) {
            if found.len() >= wanted {
                break;
            }
            let order = self.one(self.all(), &mut Random::stream(seed, number));
            if !found.contains(&order) {
                found.push(order);
            }
        }
        found
    }

    /// One of the orders of a set, each equally likely.
    fn one(&mut self, left: CellSet, random: &mut Random) -> Vec<u32> {
        if left.len() < 2 {
            return left.iter().collect();
        }
        let parts = self.parts(left);
        if parts.len() > 1 {
            let own: Vec<Vec<u32>> = parts.iter().map(|part| self.one(*part, random)).collect();
            return shuffled_together(own, random);
        }
        let next = self.next(left);
        // All of them were counted before.
        let logs: Vec<f64> = next.iter().map(|(_, rest)| self.count_of(*rest).map_or(0.0, |count| count.ln)).collect();
        let (cell, rest) = next[weighted_place(&logs, random)];
        let mut order = vec![cell];
        order.extend(self.one(rest, random));
        order
    }

    /// Step by step, each cell that can run equally likely; of many such orders those are kept that the inverse of their chance draws
    /// (importance resampling; Efraimidis and Spirakis, "Weighted random sampling with a reservoir", 2006).
    fn weighted(&self, wanted: usize, seed: u64) -> Vec<Vec<u32>> {
        let mut drawn: Vec<(f64, Vec<u32>)> = Vec::new();
        let takers = Takers::of(self);
        for number in 0..wanted.saturating_mul(TRIED) as u64 {
            let mut random = Random::stream(seed, number);
            let (mut order, mut ln_weight) = (Vec::with_capacity(self.cells.len()), 0.0);
            let mut waiting = Waiting::of(&takers);
            while let Some((cell, of)) = waiting.next(&mut random) {
                ln_weight += (of as f64).ln();
                order.push(cell);
            }
            let key = (-random.fraction().ln()).ln() - ln_weight;
            if !drawn.iter().any(|(_, other)| *other == order) {
                drawn.push((key, order));
            }
        }
        drawn.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        drawn.into_iter().take(wanted).map(|(_, order)| order).collect()
    }
}

/// Who waits for whom: the same for every order that is drawn step by step.
struct Takers {
    /// By cell, the names that it gives, by their numbers.
    gives: Vec<Vec<u32>>,
    /// By name, the cell that lacks it.
    taker: Vec<u32>,
    /// Names that each cell lacks.
    lacks: Vec<u32>,
}

impl Takers {
    fn of(orders: &FeasibleOrders) -> Self {
        let (mut gives, mut taker) = (vec![Vec::new(); orders.cells.len()], Vec::new());
        for (cell, names) in orders.needs.iter().enumerate() {
            for givers in names {
                givers.iter().for_each(|giver| gives[*giver as usize].push(taker.len() as u32));
                taker.push(cell as u32);
            }
        }
        Takers { gives, taker, lacks: orders.needs.iter().map(|names| names.len() as u32).collect() }
    }
}

/// What can run, as cells run.
struct Waiting<'a> {
    takers: &'a Takers,
    lacks: Vec<u32>,
    given: Vec<bool>,
    ready: Vec<u32>,
}

impl<'a> Waiting<'a> {
    fn of(takers: &'a Takers) -> Self {
        let lacks = takers.lacks.clone();
        let ready = (0..lacks.len() as u32).filter(|cell| lacks[*cell as usize] == 0).collect();
        Waiting { takers, lacks, given: vec![false; takers.taker.len()], ready }
    }

    /// The next cell, and of how many it was chosen.
    fn next(&mut self, random: &mut Random) -> Option<(u32, usize)> {
        let of = self.ready.len();
        if of == 0 {
            return None;
        }
        let cell = self.ready.remove(random.below(of as u64) as usize);
        for name in &self.takers.gives[cell as usize] {
            if !std::mem::replace(&mut self.given[*name as usize], true) {
                let taker = self.takers.taker[*name as usize];
                self.lacks[taker as usize] -= 1;
                if self.lacks[taker as usize] == 0 {
                    self.ready.push(taker);
                }
            }
        }
        Some((cell, of))
    }
}

/// Who gives a cell what it needs.
#[derive(Debug)]
struct Givers {
    /// Those of which each gives what nobody else does.
    only: CellSet,
    /// Those any of whom will do, for each name, unless it is given whenever others are.
    any: Vec<CellSet>,
}

impl Givers {
    fn of(names: &[Vec<u32>]) -> Self {
        let (alone, several): (Vec<&Vec<u32>>, Vec<&Vec<u32>>) = names.iter().partition(|givers| givers.len() == 1);
        let only: CellSet = alone.into_iter().flatten().copied().collect();
        let mut sets: Vec<CellSet> = several.into_iter().map(|givers| givers.iter().copied().collect()).collect();
        sets.sort_by_cached_key(CellSet::len);
        let mut any: Vec<CellSet> = Vec::new();
        for set in sets {
            if !(set.meets(&only) || any.iter().any(|other| other.is_in(&set))) {
                any.push(set);
            }
        }
        Givers { only, any }
    }

    /// Whether something is lacking when the cells of `left` have not run.
    fn are_awaited(&self, left: &CellSet) -> bool {
        self.only.meets(left) || self.any.iter().any(|givers| givers.is_in(left))
    }

    /// Those of `left` that the cell waits for. What somebody gave already binds nobody.
    fn binding(&self, left: &CellSet) -> CellSet {
        let lacking = self.any.iter().filter(|givers| givers.is_in(left));
        lacking.fold(self.only.both(*left), |binding, givers| binding.with(*givers))
    }
}

/// How many ways there are to choose `part` of `all`.
fn choose(all: usize, part: usize) -> OrderCount {
    let part = part.min(all - part);
    let (mut exact, mut ln) = (Some(1_u128), 0.0);
    for step in 1..=part {
        let factor = (all - part + step) as u128;
        exact = exact.and_then(|exact: u128| exact.checked_mul(factor)).map(|product| product / step as u128);
        ln += (factor as f64).ln() - (step as f64).ln();
    }
    OrderCount { exact, ln }
}

/// A place, each with the chance of its weight, of which the logarithm is given.
fn weighted_place(logs: &[f64], random: &mut Random) -> usize {
    let highest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = logs.iter().map(|ln| (ln - highest).exp()).collect();
    let mut left = random.fraction() * weights.iter().sum::<f64>();
    for (place, weight) in weights.iter().enumerate() {
        left -= weight;
        if left <= 0.0 {
            return place;
        }
    }
    weights.len() - 1
}

/// Sequences mixed in one of all ways, each equally likely.
fn shuffled_together(parts: Vec<Vec<u32>>, random: &mut Random) -> Vec<u32> {
    let mut left: usize = parts.iter().map(Vec::len).sum();
    let mut parts: Vec<std::vec::IntoIter<u32>> = parts.into_iter().map(Vec::into_iter).collect();
    let mut mixed = Vec::with_capacity(left);
    while left > 0 {
        let mut chosen = random.below(left as u64) as usize;
        for part in &mut parts {
            if chosen < part.len() {
                mixed.extend(part.next());
                break;
            }
            chosen -= part.len();
        }
        left -= 1;
    }
    mixed
}

#[cfg(test)]
mod tests;
