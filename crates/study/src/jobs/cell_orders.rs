//! In which orders the cells of a notebook run under a condition.

#![deny(clippy::wildcard_enum_match_arm)]

use std::sync::Arc;

use nbrevive_corpus::{CellOrder, Recipe};
use nbrevive_notebook::{Cell, CellKind, Notebook};
use nbrevive_order::{CellGraph, GraphKind};
use nbrevive_pysource::names::names;

/// The code cells of a notebook as they run, each once, by their places among its code cells; none where they run as they stand.
pub(crate) type CodeOrder = Option<Arc<[usize]>>;

/// Those of a condition, so many at most as it draws. Cells that the graph never lets run come last, as they stand: should it be wrong
/// about them, they run all the same.
pub(crate) fn cell_orders(notebook: &Notebook, recipe: &Recipe, seed: u32) -> Vec<CodeOrder> {
    let kind = match recipe.cells {
        CellOrder::Document => return vec![None],
        CellOrder::Counter => return vec![Some(by_counter(notebook).into())],
        CellOrder::Graph => GraphKind::Sharp,
        CellOrder::PaperGraph => GraphKind::Paper,
        CellOrder::VersionsGraph => GraphKind::Versions,
    };
    let sources: Vec<&str> = notebook.code_cells().map(|(_, cell)| cell.source.as_str()).collect();
    let mut orders = CellGraph::new(&names(&sources), kind).orders();
    let drawn = orders.sample(recipe.orders() as usize, u64::from(seed));
    let whole = |mut order: Vec<usize>| {
        order.extend((0..sources.len()).filter(|cell| !order.contains(cell)).collect::<Vec<_>>());
        Some(order.into())
    };
    drawn.into_iter().map(whole).collect()
}

/// Code cells by the counter that they were saved with, those without one last; equal ones as they stand.
fn by_counter(notebook: &Notebook) -> Vec<usize> {
    const fn counter(cell: &Cell) -> u64 {
        match cell.kind {
            CellKind::Code { execution_count: Some(count), .. } => count,
            CellKind::Code { .. } | CellKind::Markdown { .. } | CellKind::Raw { .. } => u64::MAX,
        }
    }
    let counters: Vec<u64> = notebook.code_cells().map(|(_, cell)| counter(cell)).collect();
    let mut order: Vec<usize> = (0..counters.len()).collect();
    order.sort_by_key(|cell| counters[*cell]);
    order
}

/// The notebook with its code cells in this order; text stays where it is. `order` is of this notebook, or of one with as many cells.
pub(crate) fn ordered(mut notebook: Notebook, order: &CodeOrder) -> Notebook {
    let Some(order) = order else { return notebook };
    let places = notebook.code_places();
    let code: Vec<Cell> = places.iter().map(|place| notebook.cells[*place].clone()).collect();
    for (place, cell) in places.into_iter().zip(order.iter()) {
        notebook.cells[place] = code[*cell].clone();
    }
    notebook
}

/// Where each cell of the notebook in this order stands in the notebook itself.
pub(crate) fn original_places(notebook: &Notebook, order: &CodeOrder) -> Vec<usize> {
    let mut places: Vec<usize> = (0..notebook.cells.len()).collect();
    let Some(order) = order else { return places };
    let code = notebook.code_places();
    for (place, cell) in code.iter().zip(order.iter()) {
        places[*place] = code[*cell];
    }
    places
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

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
            (sources(&ordered(notebook(), &orders[0])), original_places(&notebook(), &orders[0]))
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
}
