//! Cells that change places so that a name is bound before it is looked up.

use std::collections::BTreeSet;

use nbrevive_notebook::{Cell, Notebook};
use nbrevive_order::{CellGraph, GraphKind};
use nbrevive_pysource::names::{NameAct, names};

/// A notebook in another order.
pub(super) struct Moved {
    pub(super) notebook: Notebook,
    /// What moved, for people; cells are numbered from 1.
    pub(super) told: String,
}

/// The smallest move after which `name` may be there when `cell` (its place in the notebook) looks it up: the cell that binds it alone, or
/// the cell that misses it, or the first together with those that it needs. `None` where no later cell binds the name, or none of these would do.
pub(super) fn moved(notebook: &Notebook, cell: usize, name: &str) -> Option<Moved> {
    let code = notebook.code_places();
    let reading = Reading::of(notebook);
    let missing = code.binary_search(&cell).ok()?;
    let binding = (missing + 1..code.len()).find(|place| reading.binds(*place, name))?;
    let up = |places: &[usize]| {
        let cells: Vec<usize> = places.iter().map(|place| code[*place]).collect();
        Moved {
            told: format!("by {} before cell {}", cells_told(&cells), cell + 1),
            notebook: raised(notebook, &cells, cell),
        }
    };
    if reading.runs_before(&[binding], missing) {
        return Some(up(&[binding]));
    }
    if !reading.is_needed_between(missing, binding) {
        let last = code[binding];
        let told = format!("by cell {} after cell {}", cell + 1, last + 1);
        return Some(Moved { notebook: lowered(notebook, cell, last), told });
    }
    let all = reading.with_needs(binding, missing)?;
    reading.runs_before(&all, missing).then(|| up(&all))
}

fn cells_told(cells: &[usize]) -> String {
    let numbers: Vec<String> = cells.iter().map(|cell| (cell + 1).to_string()).collect();
    format!("cell{} {}", if cells.len() == 1 { "" } else { "s" }, numbers.join(", "))
}

/// The notebook with these cells, in their order, before another one.
fn raised(notebook: &Notebook, cells: &[usize], before: usize) -> Notebook {
    let rising: Vec<Cell> = cells.iter().map(|cell| notebook.cells[*cell].clone()).collect();
    let mut new = notebook.clone();
    let mut place = 0..;
    new.cells.retain(|_| place.next().is_some_and(|index| !cells.contains(&index)));
    new.cells.splice(before..before, rising);
    new
}

/// The notebook with a cell after another one further down.
fn lowered(notebook: &Notebook, cell: usize, after: usize) -> Notebook {
    let mut new = notebook.clone();
    new.cells[cell..=after].rotate_left(1);
    new
}

/// What the code cells need and give.
struct Reading {
    graph: CellGraph,
    /// The names that each binds for certain.
    bound: Vec<BTreeSet<String>>,
}

impl Reading {
    fn of(notebook: &Notebook) -> Self {
        let read = names(&notebook.code_sources());
        let bound = read.cells.iter().map(|cell| {
            let events =
                cell.acts.events.iter().filter(|event| matches!(event.act, NameAct::Bind(_)) && !event.is_maybe);
            events.map(|event| event.name.clone()).collect()
        });
        Self { bound: bound.collect(), graph: CellGraph::new(&read, GraphKind::Sharp) }
    }

    fn binds(&self, place: usize, name: &str) -> bool {
        self.bound[place].contains(name)
    }

    /// Whether cells have all that they need where they stand before another one, as far as any cell gives it.
    fn runs_before(&self, cells: &[usize], place: usize) -> bool {
        let mut given: BTreeSet<&str> = self.given(0..place);
        cells.iter().all(|cell| {
            let is_met = self.graph.cells[*cell]
                .consumed
                .iter()
                .all(|name| given.contains(name.as_str()) || !self.is_given(name));
            given.extend(self.graph.cells[*cell].produced.iter().map(String::as_str));
            is_met
        })
    }

    fn given(&self, places: std::ops::Range<usize>) -> BTreeSet<&str> {
        places.flat_map(|place| &self.graph.cells[place].produced).map(String::as_str).collect()
    }

    /// Whether any cell gives a name: what comes from outside is there for all, or for none.
    fn is_given(&self, name: &str) -> bool {
        self.graph.cells.iter().any(|cell| cell.produced.contains(name))
    }

    /// Whether a cell gives what one behind it needs, up to another.
    fn is_needed_between(&self, place: usize, last: usize) -> bool {
        let gives = &self.graph.cells[place].produced;
        self.graph.cells[place + 1..=last].iter().any(|cell| cell.consumed.iter().any(|name| gives.contains(name)))
    }

    /// A cell with those between it and another that it needs, in their order.
    fn with_needs(&self, cell: usize, above: usize) -> Option<Vec<usize>> {
        let before = self.given(0..above);
        let (mut taken, mut open) = (BTreeSet::from([cell]), vec![cell]);
        while let Some(one) = open.pop() {
            for name in self.graph.cells[one].consumed.iter().filter(|name| !before.contains(name.as_str())) {
                let between = (above + 1..one).rev().find(|place| self.graph.cells[*place].produced.contains(name));
                match between {
                    Some(place) if taken.insert(place) => open.push(place),
                    Some(_) => {}
                    None if self.is_given(name) => return None,
                    None => {}
                }
            }
        }
        Some(taken.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The order after the move, as places of before, and what is told; cells are code alone.
    fn order(cells: &[&str], cell: usize, name: &str) -> Option<(Vec<usize>, String)> {
        let notebook = Notebook::from_cells(cells.iter().map(|source| Cell::code(*source)).collect());
        let found = moved(&notebook, cell, name)?;
        let place = |cell: &Cell| cells.iter().position(|source| *source == cell.source).unwrap();
        Some((found.notebook.cells.iter().map(place).collect(), found.told))
    }

    #[test]
    fn the_cell_that_binds_the_name_moves_alone_where_it_can() {
        let cells = ["import pandas as pd", "df.head()", "x = 1", "df = pd.DataFrame({'a': [x0()]})"];
        assert_eq!(order(&cells, 1, "df"), Some((vec![0, 3, 1, 2], "by cell 4 before cell 2".to_owned())));
    }

    #[test]
    fn else_the_cell_that_misses_it_where_nothing_waits_for_that() {
        let cells = ["print(y)", "x = 1", "y = x", "z = 2"];
        assert_eq!(order(&cells, 0, "y"), Some((vec![1, 2, 0, 3], "by cell 1 after cell 3".to_owned())));
    }

    #[test]
    fn else_all_that_the_binding_needs() {
        let cells = ["a = y", "x = 1", "b = a", "y = x", "a"];
        assert_eq!(order(&cells, 0, "y"), Some((vec![1, 3, 0, 2, 4], "by cells 2, 4 before cell 1".to_owned())));
    }

    #[test]
    fn a_circle_and_a_name_that_nobody_binds_stay() {
        assert_eq!(order(&["a = y", "y = a"], 0, "y"), None);
        assert_eq!(order(&["a = y", "z = 1"], 0, "y"), None);
        assert_eq!(order(&["a = y", "if z:\n    y = 1"], 0, "y"), None, "it may not be bound");
    }
}
