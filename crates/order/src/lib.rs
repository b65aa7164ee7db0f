//! In which orders the cells of a notebook can run (Osiris, the paper on the order of cells).
//!
//! Parts:
//! - [`CellGraph`]: what each cell needs and gives, as the paper says it or by our sharper reading ([`GraphKind`]), and which cell needs
//!   which;
//! - [`FeasibleOrders`]: the sequences of cells that a graph allows, counted, listed or drawn;
//! - [`effects()`]: what cells do to the state, and so which of them may change places;
//! - [`drawing()`]: the graph as a picture;
//! - [`counter_order`]: the order that saved execution counts tell, and [`filled_gaps`]: sessions that fill its gaps.
//!
//! A name may be given by several cells, any of which will do: what is allowed is no partial order. Since nothing that was given goes away,
//! whether a cell can run depends on the set of cells before it alone, which is what counting and drawing rest on.
//!
//! Nothing here runs code.

mod cell_set;
mod counter;
mod drawing;
mod effects;
mod elements;
mod feasible;
mod gaps;
mod graph;
mod keys;
mod links;
mod sets;
mod versions;

pub use counter::{CounterOrder, counter_order};
pub use drawing::drawing;
pub use effects::{CHANCE, CellEffects, bearing, effects, reaching};
pub use feasible::{DrawnOrders, FeasibleOrders, HowDrawn, OrderCount};
pub use gaps::filled_gaps;
pub use graph::{CellEdge, CellGraph, GraphKind, Obstruction};
pub use sets::CellSets;
