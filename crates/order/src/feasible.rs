//! The sequences of cells that a graph allows, counted, listed or drawn.

use std::collections::HashMap;

use nbrevive_spelling::string_enum;
use nbrevive_stats::Random;
use serde::Serialize;

use self::counting::{Counting, counting};
use self::stepwise::{TRIED, weighted};
use crate::graph::CellGraph;

mod counting;
mod stepwise;

/// So few orders are all listed (the paper draws up to 100).
const FEW: u128 = 100;

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
    /// Where the cells are few enough.
    counting: Option<Box<dyn Counting>>,
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
        let needs: Vec<Vec<Vec<u32>>> = needs.collect();
        FeasibleOrders { counting: counting(&needs), needs, cells }
    }

    /// How many there are; none where that would take too long to count.
    #[must_use]
    pub fn count(&self) -> Option<OrderCount> {
        self.counting.as_ref()?.count()
    }

    /// So many orders, or all where there are no more than the paper lists; the same for the same seed.
    #[must_use]
    pub fn draw(&mut self, wanted: usize, seed: u64) -> DrawnOrders {
        let counted = self.count();
        let (drawn, how) = match (&mut self.counting, counted) {
            (Some(counting), Some(OrderCount { exact: Some(few), .. })) if few <= FEW => {
                (counting.listed(), HowDrawn::All)
            }
            (Some(counting), Some(_)) => (uniform(counting.as_mut(), wanted, seed), HowDrawn::Uniform),
            _ => (weighted(&self.needs, wanted, seed), HowDrawn::Weighted),
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
}

/// So many orders, each equally likely.
fn uniform(counting: &mut dyn Counting, wanted: usize, seed: u64) -> Vec<Vec<u32>> {
    let mut found: Vec<Vec<u32>> = Vec::new();
    // There are more than are listed, so that a few draws find others.
    for number in 0..(wanted as u64).saturating_mul(TRIED as u64) {
        if found.len() >= wanted {
            break;
        }
        let order = counting.one(&mut Random::stream(seed, number));
        if !found.contains(&order) {
            found.push(order);
        }
    }
    found
}

#[cfg(test)]
mod tests;
