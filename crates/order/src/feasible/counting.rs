//! Orders counted by what is left to run.
//!
//! What is left is a set. Where nothing in one part of it waits for another part, both are ordered by themselves and then mixed in any way; a set
//! that has no such parts loses its next cell, each that can run in turn. Sets are met again and again, and remembered.

use std::collections::HashMap;
use std::fmt::Debug;

use nbrevive_stats::Random;

use super::OrderCount;
use crate::cell_set::CellSet;

/// Sets that are remembered at most; beyond, orders are no longer counted.
const MOST_SETS: usize = 3_000;

/// What counts orders, whatever the width of its sets.
pub(super) trait Counting: Debug + Send + Sync {
    /// How many there are; none where that would take too long to count.
    fn count(&self) -> Option<OrderCount>;
    /// Every order, in the order of the notebook; for few.
    fn listed(&self) -> Vec<Vec<u32>>;
    /// One order, each equally likely; where they were counted.
    fn one(&mut self, random: &mut Random) -> Vec<u32>;
}

/// Counts the orders of cells, given what each lacks: for each name, who gives it. None where a set cannot hold so many cells.
pub(super) fn counting(needs: &[Vec<Vec<u32>>]) -> Option<Box<dyn Counting>> {
    // Few notebooks have more than 64 cells, and what copies and compares sets is most of the work.
    Some(match needs.len() {
        0..=64 => Box::new(Counted::<1>::of(needs)),
        65..=128 => Box::new(Counted::<2>::of(needs)),
        129..=448 => Box::new(Counted::<7>::of(needs)),
        _ => return None,
    })
}

#[derive(Debug)]
struct Counted<const WORDS: usize> {
    givers: Vec<Givers<WORDS>>,
    /// What remains of each set that was met.
    known: HashMap<CellSet<WORDS>, OrderCount>,
    count: Option<OrderCount>,
}

impl<const WORDS: usize> Counting for Counted<WORDS> {
    fn count(&self) -> Option<OrderCount> {
        self.count
    }

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

    fn one(&mut self, random: &mut Random) -> Vec<u32> {
        self.one_of(self.all(), random)
    }
}

impl<const WORDS: usize> Counted<WORDS> {
    fn of(needs: &[Vec<Vec<u32>>]) -> Self {
        let givers = needs.iter().map(|names| Givers::of(names)).collect();
        let mut counted = Counted { givers, known: HashMap::new(), count: None };
        counted.count = counted.count_of(counted.all());
        counted
    }

    fn all(&self) -> CellSet<WORDS> {
        (0..self.givers.len() as u32).collect()
    }

    /// Whether a cell can run when those of `left` have not.
    fn is_ready(&self, cell: u32, left: &CellSet<WORDS>) -> bool {
        !self.givers[cell as usize].are_awaited(left)
    }

    /// Parts of a set of which none waits for another, by their first cells.
    fn parts(&self, left: CellSet<WORDS>) -> Vec<CellSet<WORDS>> {
        let (mut parts, mut covered): (Vec<CellSet<WORDS>>, CellSet<WORDS>) = Default::default();
        for cell in left.iter() {
            let mut part = self.givers[cell as usize].binding(&left);
            part.insert(cell);
            if covered.meets(&part) {
                parts.retain(|other| {
                    let meets = other.meets(&part);
                    if meets {
                        part = part.with(*other);
                    }
                    !meets
                });
            }
            covered = covered.with(part);
            parts.push(part);
        }
        parts.sort_by_cached_key(|part| part.iter().next());
        parts
    }

    /// The orders of a set; none when there are too many sets.
    fn count_of(&mut self, left: CellSet<WORDS>) -> Option<OrderCount> {
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
    fn mixed(&mut self, parts: &[CellSet<WORDS>]) -> Option<OrderCount> {
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
    fn next(&self, left: CellSet<WORDS>) -> Vec<(u32, CellSet<WORDS>)> {
        left.iter().filter(|cell| self.is_ready(*cell, &left)).map(|cell| (cell, left.without(cell))).collect()
    }

    /// The sum over the cells that can come next.
    fn stepped(&mut self, left: CellSet<WORDS>) -> Option<OrderCount> {
        let rests = self.next(left).into_iter();
        let counts: Vec<OrderCount> = rests.map(|(_, rest)| self.count_of(rest)).collect::<Option<_>>()?;
        let highest = counts.iter().map(|count| count.ln).fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = counts.iter().map(|count| (count.ln - highest).exp()).sum();
        let exact = counts.iter().try_fold(0_u128, |sum, count| sum.checked_add(count.exact?));
        Some(OrderCount { exact, ln: highest + sum.ln() })
    }

    /// One of the orders of a set, each equally likely.
    fn one_of(&mut self, left: CellSet<WORDS>, random: &mut Random) -> Vec<u32> {
        if left.len() < 2 {
            return left.iter().collect();
        }
        let parts = self.parts(left);
        if parts.len() > 1 {
            let own: Vec<Vec<u32>> = parts.iter().map(|part| self.one_of(*part, random)).collect();
            return shuffled_together(own, random);
        }
        let next = self.next(left);
        // All of them were counted before.
        let logs: Vec<f64> = next.iter().map(|(_, rest)| self.count_of(*rest).map_or(0.0, |count| count.ln)).collect();
        let (cell, rest) = next[weighted_place(&logs, random)];
        let mut order = vec![cell];
        order.extend(self.one_of(rest, random));
        order
    }
}

/// Who gives a cell what it needs.
#[derive(Debug)]
struct Givers<const WORDS: usize> {
    /// Those of which each gives what nobody else does.
    only: CellSet<WORDS>,
    /// Those any of whom will do, for each name, unless it is given whenever others are.
    any: Vec<CellSet<WORDS>>,
}

impl<const WORDS: usize> Givers<WORDS> {
    fn of(names: &[Vec<u32>]) -> Self {
        let (alone, several): (Vec<&Vec<u32>>, Vec<&Vec<u32>>) = names.iter().partition(|givers| givers.len() == 1);
        let only: CellSet<WORDS> = alone.into_iter().flatten().copied().collect();
        let mut sets: Vec<CellSet<WORDS>> =
            several.into_iter().map(|givers| givers.iter().copied().collect()).collect();
        sets.sort_by_cached_key(CellSet::len);
        let mut any: Vec<CellSet<WORDS>> = Vec::new();
        for set in sets {
            if !(set.meets(&only) || any.iter().any(|other| other.is_in(&set))) {
                any.push(set);
            }
        }
        Givers { only, any }
    }

    /// Whether something is lacking when the cells of `left` have not run.
    fn are_awaited(&self, left: &CellSet<WORDS>) -> bool {
        self.only.meets(left) || self.any.iter().any(|givers| givers.is_in(left))
    }

    /// Those of `left` that the cell waits for. What somebody gave already binds nobody.
    fn binding(&self, left: &CellSet<WORDS>) -> CellSet<WORDS> {
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
