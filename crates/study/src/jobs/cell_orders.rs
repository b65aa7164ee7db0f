//! In which orders the cells of a notebook run under a condition.

#![deny(clippy::wildcard_enum_match_arm)]

use std::collections::BTreeMap;
use std::sync::Arc;

use nbrevive_corpus::{CellOrder, Recipe};
use nbrevive_notebook::Notebook;
use nbrevive_order::{CellGraph, GraphKind, filled_gaps};
use nbrevive_pysource::names::names;

/// The code cells of a notebook as they run, by their places among its code cells, each at least once; none where they run as they stand.
pub(crate) type CodeOrder = Option<Arc<[usize]>>;

/// Those of a condition, so many at most as it draws. Cells that the graph never lets run, or that were saved without a count, come last, as they
/// stand: should it be wrong about them, they run all the same.
pub(crate) fn cell_orders(notebook: &Notebook, recipe: &Recipe, seed: u32) -> Vec<CodeOrder> {
    let (wanted, seed) = (recipe.orders() as usize, u64::from(seed));
    let names = || names(&notebook.code_sources());
    let sampled = |kind| CellGraph::new(&names(), kind).orders().sample(wanted, seed);
    let drawn: Vec<Vec<usize>> = match recipe.cells {
        CellOrder::Document => return vec![None],
        CellOrder::Counter => vec![by_counter(notebook)],
        CellOrder::Graph => sampled(GraphKind::Sharp),
        CellOrder::PaperGraph => sampled(GraphKind::Paper),
        CellOrder::VersionsGraph => sampled(GraphKind::Versions),
        CellOrder::Gaps => {
            let counts: Vec<Option<u64>> = notebook.code_cells().map(|(_, cell)| cell.execution_count()).collect();
            filled_gaps(&counts, &CellGraph::new(&names(), GraphKind::Paper), wanted, seed)
        }
    };
    let all = 0..notebook.code_cells().count();
    let whole = |mut order: Vec<usize>| {
        order.extend(all.clone().filter(|cell| !order.contains(cell)).collect::<Vec<_>>());
        Some(order.into())
    };
    drawn.into_iter().map(whole).collect()
}

/// Code cells by the counter that they were saved with, those without one last; equal ones as they stand.
fn by_counter(notebook: &Notebook) -> Vec<usize> {
    let counters: Vec<u64> =
        notebook.code_cells().map(|(_, cell)| cell.execution_count().unwrap_or(u64::MAX)).collect();
    let mut order: Vec<usize> = (0..counters.len()).collect();
    order.sort_by_key(|cell| counters[*cell]);
    order
}

/// The notebook with its code cells in this order; text stays where it is. A cell that runs several times stands where it runs last; its runs
/// before are copies without outputs. `order` is of this notebook, or of one with as many cells.
pub(crate) fn ordered(mut notebook: Notebook, order: &CodeOrder) -> Notebook {
    let cells = placed(&notebook, order).into_iter().map(|(place, is_last)| {
        let mut cell = notebook.cells[place].clone();
        if !is_last {
            cell.clear_outputs();
            cell.id = None;
        }
        cell
    });
    notebook.cells = cells.collect();
    notebook
}

/// Where each cell of the notebook in this order stands in the notebook itself, and whether it is the last run of that one.
pub(crate) fn placed(notebook: &Notebook, order: &CodeOrder) -> Vec<(usize, bool)> {
    let Some(order) = order else { return (0..notebook.cells.len()).map(|place| (place, true)).collect() };
    let code = notebook.code_places();
    let mut left: BTreeMap<usize, usize> = BTreeMap::new();
    for cell in order.iter() {
        *left.entry(*cell).or_default() += 1;
    }
    let mut runs = order.iter().map(|cell| {
        let still = left.entry(*cell).or_default();
        *still = still.saturating_sub(1);
        (code[*cell], *still == 0)
    });
    let mut placed = Vec::new();
    for (place, cell) in notebook.cells.iter().enumerate() {
        if !cell.is_code() {
            placed.push((place, true));
            continue;
        }
        // A cell's place is taken by the next that runs for the last time, and by the runs before it that are not the last.
        for run in runs.by_ref() {
            placed.push(run);
            if run.1 {
                break;
            }
        }
    }
    placed
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use nbrevive_notebook::{Cell, CellKind, Output};

    use super::*;

    fn cell(source: &str, count: Option<u64>) -> Cell {
        let kind = CellKind::Code { execution_count: count, outputs: Vec::new() };
        Cell { kind, ..Cell::code(source) }
    }

    fn notebook() -> Notebook {
        let text = Cell { kind: CellKind::Markdown { attachments: None }, ..Cell::code("text") };
        let cells =
            vec![cell("c", Some(7)), cell("d", None), text, cell("a", Some(2)), cell("b", Some(7)), cell("e", None)];
        Notebook::from_cells(cells)
    }

    fn recipe(cells: CellOrder, samples: u32) -> Recipe {
        Recipe { cells, samples: NonZeroU32::new(samples), ..Recipe::main().remove(0) }
    }

    fn sources(notebook: &Notebook) -> String {
        notebook.cells.iter().map(|cell| cell.source.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn cells_run_by_their_counter_and_texts_stay_where_they_are() {
        let ran = |cells| {
            let orders = cell_orders(&notebook(), &recipe(cells, 0), 0);
            assert_eq!(orders.len(), 1);
            let places = placed(&notebook(), &orders[0]).into_iter().map(|(place, _)| place).collect::<Vec<_>>();
            (sources(&ordered(notebook(), &orders[0])), places)
        };
        assert_eq!(ran(CellOrder::Counter), ("a c text b d e".to_owned(), vec![3, 0, 2, 4, 1, 5]));
        assert_eq!(ran(CellOrder::Document), ("c d text a b e".to_owned(), vec![0, 1, 2, 3, 4, 5]));
    }

    #[test]
    fn orders_are_drawn_by_seed_and_end_with_what_the_graph_never_lets_run() {
        let cells = [cell("a = 1", None), cell("nowhere", None), cell("b = a", None), cell("c = 1", None)];
        let notebook = Notebook::from_cells(cells.to_vec());
        let drawn = |samples, seed| -> Vec<Vec<usize>> {
            let orders = cell_orders(&notebook, &recipe(CellOrder::Graph, samples), seed);
            orders.into_iter().map(|order| order.expect("it is drawn").to_vec()).collect()
        };
        let mut all = drawn(10, 1);
        all.sort();
        assert_eq!(all, [[0, 2, 3, 1], [0, 3, 2, 1], [3, 0, 2, 1]], "there are no more than three");
        let one: Vec<_> = (0..40).map(|seed| drawn(1, seed)).collect();
        assert!(all.iter().all(|order| one.contains(&vec![order.clone()])), "each is drawn by some seed: {one:?}");
        assert_eq!(drawn(2, 5), drawn(2, 5));
    }

    #[test]
    fn gaps_are_filled_with_further_runs_whose_outputs_are_not_those_that_were_saved() {
        let outputs = vec![Output::Stream { name: "stdout".to_owned(), text: "4".to_owned() }];
        let kind = CellKind::Code { execution_count: Some(4), outputs };
        let shown = Cell { kind, ..Cell::code("a += 1") };
        let cells = vec![cell("a = 1", Some(1)), Cell::markdown("text"), cell("never", None), shown];
        let notebook = Notebook::from_cells(cells);
        let orders = cell_orders(&notebook, &recipe(CellOrder::Gaps, 10), 1);
        assert_eq!(orders, [Some([0, 2, 2, 2, 1].as_slice().into())], "no other cell fits");
        let filled = ordered(notebook.clone(), &orders[0]);
        assert_eq!(sources(&filled), "a = 1 text a += 1 a += 1 a += 1 never");
        let outputs: Vec<usize> = filled.code_cells().map(|(_, cell)| cell.outputs().len()).collect();
        assert_eq!(outputs, [0, 0, 0, 1, 0]);
        let places = [(0, true), (1, true), (3, false), (3, false), (3, true), (2, true)];
        assert_eq!(placed(&notebook, &orders[0]), places);
    }
}
