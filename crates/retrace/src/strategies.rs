//! Orders that are tried as they are (Osiris, sections 4.3.2 and 6.1).

use nbrevive_order::{counter_order, filled_gaps};
use nbrevive_spelling::string_enum;

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
        OrderStrategy::Gaps => filled_gaps(&subject.counts, &subject.graph, wanted, seed),
        OrderStrategy::Search => vec![counter(), document()],
    };
    orders.retain(|order| !order.is_empty());
    orders.dedup();
    orders
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
    fn a_session_without_end_is_gone_through_by_its_counts_alone() {
        let endless = notebook(&[("a = 1", Some(u64::MAX))]);
        let subject = TracedNotebook::new(&endless, GraphKind::Sharp);
        assert!(candidates(&subject, OrderStrategy::Gaps, 10, 1).is_empty());
        assert_eq!(candidates(&subject, OrderStrategy::Counter, 10, 1), [[0]]);
    }
}
