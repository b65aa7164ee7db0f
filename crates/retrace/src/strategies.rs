//! Orders that are tried as they are (Osiris, sections 4.3.2 and 6.1).

use std::collections::BTreeSet;

use nbrevive_order::counter_order;
use nbrevive_spelling::string_enum;
use nbrevive_stats::Random;

use crate::subject::TracedNotebook;

string_enum! {
    /// Where orders come from.
    pub enum OrderStrategy ("strategy of orders") {
        /// By the saved counts; gaps are passed over (OEC in the paper).
        Counter => "counter",
        /// From the top.
        Document => "document",
        /// Orders that the graph allows, drawn by seed.
        Graph => "graph",
        /// By the saved counts; each gap is filled with a cell that the graph allows there, drawn by seed (section 6.1).
        Gaps => "gaps",
        /// Ours: looked for while cells run, by what they show.
        Search => "search",
    }
}

string_enum! {
    /// What has to agree (section 4.3.1).
    pub enum OrderMatch ("match") {
        /// Outputs with those that were saved.
        Strong => "strong",
        /// Two runs of ours.
        Weak => "weak",
        /// Two runs of ours with antidotes.
        BestEffort => "best-effort",
    }
}

/// A session of more runs than this is not filled up: each order would take as many.
const LONGEST_SESSION: u64 = 2_000;

/// The orders of a strategy, each once; of those that are drawn, so many at most. `search` has none of its own: it begins with those of
/// `counter` and `document`.
#[must_use]
pub fn candidates(subject: &TracedNotebook<'_>, strategy: OrderStrategy, wanted: usize, seed: u64) -> Vec<Vec<usize>> {
    let document = || (0..subject.len()).collect::<Vec<usize>>();
    let counter = || counter_order(&subject.counts).order;
    let mut orders = match strategy {
        OrderStrategy::Counter => vec![counter()],
        OrderStrategy::Document => vec![document()],
        OrderStrategy::Graph => subject.graph.orders().sample(wanted, seed),
        OrderStrategy::Gaps => {
            let mut filled: Vec<Vec<usize>> = Vec::new();
            for number in 0..wanted as u64 {
                filled.extend(
                    filled_up(subject, &mut Random::stream(seed, number)).filter(|order| !filled.contains(order)),
                );
            }
            filled
        }
        OrderStrategy::Search => vec![counter(), document()],
    };
    orders.retain(|order| !order.is_empty());
    orders.dedup();
    orders
}

/// The order of the counts, with a cell in each gap that had not run for the last time by then and has what it needs. A gap for which
/// there is none is passed over.
fn filled_up(subject: &TracedNotebook<'_>, random: &mut Random) -> Option<Vec<usize>> {
    let counted = counter_order(&subject.counts).order;
    let largest =
        counted.iter().filter_map(|cell| subject.counts[*cell]).max().filter(|largest| *largest <= LONGEST_SESSION)?;
    let (mut order, mut ran) = (Vec::new(), BTreeSet::new());
    for count in 1..=largest {
        let own: Vec<usize> = counted.iter().copied().filter(|cell| subject.counts[*cell] == Some(count)).collect();
        let later = |cell: &usize| subject.counts[*cell].is_some_and(|last| last > count);
        let fitting = || counted.iter().copied().filter(|cell| later(cell) && subject.is_ready(*cell, &ran)).collect();
        let fillers: Vec<usize> = if own.is_empty() { fitting() } else { Vec::new() };
        let chosen = match fillers.len() {
            0 => own,
            of => vec![fillers[random.below(of as u64) as usize]],
        };
        ran.extend(chosen.iter().copied());
        order.extend(chosen);
    }
    Some(order)
}

#[cfg(test)]
mod tests {
    use nbrevive_notebook::{Cell, CellKind, Notebook};
    use nbrevive_order::GraphKind;

    use super::*;

    fn notebook(cells: &[(&str, Option<u64>)]) -> Notebook {
        let cell = |(source, count): &(&str, Option<u64>)| Cell {
            kind: CellKind::Code { execution_count: *count, outputs: Vec::new() },
            ..Cell::code(*source)
        };
        Notebook::from_cells(cells.iter().map(cell).collect())
    }

    #[test]
    fn gaps_are_filled_with_cells_that_can_stand_there() {
        let saved = notebook(&[("a = 1", Some(1)), ("print(a)", Some(6)), ("a += 1", Some(5)), ("b = c", Some(9))]);
        let subject = TracedNotebook::new(&saved, GraphKind::Sharp);
        let orders = candidates(&subject, OrderStrategy::Gaps, 40, 1);
        assert!(orders.len() > 4, "{orders:?}");
        for order in orders {
            assert_eq!((order[0], order[4], order[5]), (0, 2, 1), "{order:?}");
            assert!(order[1..4].iter().all(|cell| [1, 2].contains(cell)), "c is never there: {order:?}");
            assert_eq!(order.len(), 7, "for the last three gaps there is no cell: {order:?}");
        }
        let endless = notebook(&[("a = 1", Some(u64::MAX))]);
        let subject = TracedNotebook::new(&endless, GraphKind::Sharp);
        assert!(candidates(&subject, OrderStrategy::Gaps, 10, 1).is_empty());
        assert_eq!(candidates(&subject, OrderStrategy::Counter, 10, 1), [[0]]);
    }
}
