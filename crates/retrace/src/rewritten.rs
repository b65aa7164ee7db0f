//! The notebook in an order that works from the top.

use std::collections::HashSet;

use nbrevive_notebook::{Cell, Notebook};
use serde_json::json;

use crate::subject::TracedNotebook;

/// The notebook with its code cells in this order, as it was saved. A cell that runs several times stands where it runs last, with its own id;
/// its other runs are copies without outputs, with new ids, whose metadata say under `nbrevive` of which cell they are. Texts stay before the code
/// cell that they stood before. What is not in the order stands at the end.
#[must_use]
pub fn rewritten(subject: &TracedNotebook<'_>, order: &[usize]) -> Notebook {
    let mut original = subject.notebook.clone();
    original.assign_ids();
    let (mut blocks, mut texts): (Vec<Vec<Cell>>, Vec<Cell>) = (Vec::new(), Vec::new());
    for cell in original.cells {
        let is_code = cell.is_code();
        texts.push(cell);
        if is_code {
            blocks.push(std::mem::take(&mut texts));
        }
    }
    let mut taken: HashSet<String> = blocks.iter().flatten().chain(&texts).filter_map(|cell| cell.id.clone()).collect();
    let mut cells = Vec::new();
    for (position, place) in order.iter().enumerate() {
        if order[position + 1..].contains(place) {
            cells.extend(blocks[*place].last().map(|cell| repeated(cell, &mut taken)));
        } else {
            cells.append(&mut blocks[*place]);
        }
    }
    cells.extend(blocks.into_iter().flatten().chain(texts));
    Notebook { cells, metadata: original.metadata, nbformat: original.nbformat }
}

/// A further run of a cell.
fn repeated(cell: &Cell, taken: &mut HashSet<String>) -> Cell {
    let mut copy = cell.clone();
    copy.clear_outputs();
    let of = copy.id.clone().unwrap_or_default();
    let stem: String = of.chars().take(50).collect();
    copy.id = (1..).map(|number| format!("{stem}-again-{number}")).find(|id| taken.insert(id.clone()));
    copy.metadata.insert("nbrevive".to_owned(), json!({ "repeats": of }));
    copy
}

#[cfg(test)]
mod tests {
    use nbrevive_order::GraphKind;

    use super::*;

    #[test]
    fn cells_move_with_their_texts_and_repeated_ones_are_copies() {
        let cells =
            [Cell::markdown("# A"), Cell::code("a = 1"), Cell::markdown("# B"), Cell::code("a += 1"), Cell::raw("end")];
        let notebook = Notebook::from_cells(cells.to_vec());
        let subject = TracedNotebook::new(&notebook, GraphKind::Sharp);
        let ids = |order: &[usize]| -> Vec<String> {
            rewritten(&subject, order).cells.into_iter().filter_map(|cell| cell.id).collect()
        };
        assert_eq!(ids(&[1, 0]), ["cell-3", "cell-4", "cell-1", "cell-2", "cell-5"]);
        assert_eq!(ids(&[1, 0, 1]), ["cell-4-again-1", "cell-1", "cell-2", "cell-3", "cell-4", "cell-5"]);
        assert_eq!(ids(&[1]), ["cell-3", "cell-4", "cell-1", "cell-2", "cell-5"]);
        let copy = &rewritten(&subject, &[1, 0, 1]).cells[0];
        assert_eq!((copy.source.as_str(), &copy.metadata["nbrevive"]["repeats"]), ("a += 1", &json!("cell-4")));
    }
}
