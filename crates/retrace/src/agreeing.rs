//! Whether two runs of one order agree (Osiris, section 4.3.1: weak match).

use std::collections::BTreeSet;

use nbrevive_compare::{Agreement, OutputComparer};
use nbrevive_execute::Execution;

/// Cells that do not show exactly the same in two runs of a document that has them in this order; what raises is compared by its error.
#[must_use]
pub fn differing_cells(one: &Execution, other: &Execution, order: &[usize]) -> BTreeSet<usize> {
    let comparer = OutputComparer::default();
    let differs = one.notebook.cells.iter().zip(&other.notebook.cells).map(|(old, new)| {
        let (old, new) = (old.outputs(), new.outputs());
        match comparer.outputs(old, new).agreement {
            Ok(found) => found != Agreement::Exact,
            Err(_) => comparer.same_error(old, new) == Some(false) || old.is_empty() != new.is_empty(),
        }
    });
    order.iter().zip(differs).filter(|(_, differs)| *differs).map(|(cell, _)| *cell).collect()
}
