//! Sessions by the saved counts whose gaps are filled by chance (Osiris, section 6.1).

use std::collections::BTreeSet;

use nbrevive_stats::Random;

use crate::counter::counter_order;
use crate::graph::CellGraph;

/// A session of more runs than this is not filled up: each order would take as many.
const LONGEST_SESSION: u64 = 2_000;

/// At most `wanted` orders of the counts, each once, with a cell in each gap that had not run for the last time by then and has what it needs
/// by the graph, drawn by `seed`. A gap for which there is none is passed over. None at all where there are no counts, or a count is over 2,000.
#[must_use]
pub fn filled_gaps(counts: &[Option<u64>], graph: &CellGraph, wanted: usize, seed: u64) -> Vec<Vec<usize>> {
    let counted = counter_order(counts).order;
    let largest = counted.iter().filter_map(|cell| counts[*cell]).max().unwrap_or(0);
    let mut filled: Vec<Vec<usize>> = Vec::new();
    if largest == 0 || largest > LONGEST_SESSION {
        return filled;
    }
    for number in 0..wanted as u64 {
        let order = filled_by(counts, &counted, graph, &mut Random::stream(seed, number));
        if !filled.contains(&order) {
            filled.push(order);
        }
    }
    filled
}

/// One of them; `counted` are the cells with a count, by it.
fn filled_by(counts: &[Option<u64>], counted: &[usize], graph: &CellGraph, random: &mut Random) -> Vec<usize> {
    let (mut order, mut given): (Vec<usize>, BTreeSet<&str>) = (Vec::new(), BTreeSet::new());
    let largest = counted.last().and_then(|cell| counts[*cell]).unwrap_or(0);
    for count in 0..=largest {
        let own = || counted.iter().copied().filter(|cell| counts[*cell] == Some(count));
        let is_later = |cell: &usize| counts[*cell].is_some_and(|last| last > count);
        let is_ready = |cell: &usize| graph.cells[*cell].consumed.iter().all(|name| given.contains(name.as_str()));
        let chosen: Vec<usize> = if own().next().is_some() || count == 0 {
            own().collect()
        } else {
            let fitting: Vec<usize> = counted.iter().copied().filter(|cell| is_later(cell) && is_ready(cell)).collect();
            if fitting.is_empty() { continue } else { vec![fitting[random.below(fitting.len() as u64) as usize]] }
        };
        given.extend(chosen.iter().flat_map(|cell| &graph.cells[*cell].produced).map(String::as_str));
        order.extend(chosen);
    }
    order
}

#[cfg(test)]
mod tests {
    use nbrevive_pysource::names::names;

    use super::*;
    use crate::graph::GraphKind;

    fn filled(cells: &[(&str, Option<u64>)], wanted: usize) -> Vec<Vec<usize>> {
        let (sources, counts): (Vec<&str>, Vec<Option<u64>>) = cells.iter().copied().unzip();
        filled_gaps(&counts, &CellGraph::new(&names(&sources), GraphKind::Sharp), wanted, 1)
    }

    #[test]
    fn gaps_are_filled_with_cells_that_can_stand_there() {
        let orders = filled(&[("a = 1", Some(1)), ("print(a)", Some(6)), ("a += 1", Some(5)), ("b = c", Some(9))], 40);
        assert!(orders.len() > 4, "{orders:?}");
        for order in orders {
            assert_eq!((order[0], order[4], order[5]), (0, 2, 1), "{order:?}");
            assert!(order[1..4].iter().all(|cell| [1, 2].contains(cell)), "c is never there: {order:?}");
            assert_eq!(order.len(), 7, "for the last three gaps there is no cell: {order:?}");
        }
    }

    #[test]
    fn counts_without_gaps_have_one_order_and_odd_ones_none() {
        assert_eq!(filled(&[("b", Some(2)), ("c", None), ("a", Some(1))], 10), [[2, 0]]);
        assert_eq!(filled(&[("b", Some(1)), ("a", Some(1)), ("c", Some(0))], 10), [[2, 0, 1]]);
        assert!(filled(&[("a = 1", Some(u64::MAX))], 10).is_empty());
        assert!(filled(&[("a = 1", None)], 10).is_empty());
    }
}
