//! Finds by running in which order the cells of a notebook were run, and which orders give what was saved
//! (Osiris, the paper on the order of cells).
//!
//! Parts:
//! - [`TracedNotebook`]: a notebook as it is asked about: its code cells, saved counts, graph and effects;
//! - [`Bench`]: who runs cells one after the other and says what they gave. [`ReplayBench`] runs whole documents; [`BranchBench`] keeps the states
//!   of processes, so that what orders share is run once;
//! - [`Tracer`]: a bench with a judge ([`JudgedStep`]), a memory of what was run, and a [`TraceBudget`];
//! - [`OrderStrategy`]: orders that are tried as they are; [`search_once`] and [`search_repeated`]: orders that are looked for while they run;
//! - [`trace`], [`confirm`]: the whole of it; [`differing_cells`]: whether two runs agree;
//! - [`rewritten`]: the notebook in an order that works from the top;
//! - [`causes()`]: why a cell does not show what was saved;
//! - [`first_suspicious`], [`unrepeatable`]: the first line at which two runs part, and cells that give something else a second time;
//!
//! Nothing here says where notebooks run: the caller hands in who runs a document.

mod agreeing;
mod bench;
mod blame;
mod branching;
mod canonical;
mod causes;
mod inspected;
mod judge;
mod repeats;
mod replay;
mod rewritten;
mod search;
mod settings;
mod strategies;
mod subject;
mod suspicious;
mod traced;
mod tracer;

pub use agreeing::differing_cells;
pub use bench::{Bench, CellRun, RaisedError};
pub use blame::OtherConstant;
pub use branching::BranchBench;
pub use canonical::nearest_to_document;
pub use causes::{MismatchCause, causes};
pub use inspected::{InspectedOrder, InspectedRun};
pub use judge::{CellVerdict, JudgedStep, OrderVerdict};
pub use repeats::{RepeatedOrders, search_repeated};
pub use replay::{ReplayBench, arranged};
pub use rewritten::rewritten;
pub use search::{SearchedOrder, search_once};
pub use strategies::{OrderMatch, OrderStrategy, candidates};
pub use subject::TracedNotebook;
pub use suspicious::{SuspiciousLine, first_suspicious, unrepeatable};
pub use traced::{TracedOrders, confirm, trace};
pub use tracer::{Spent, TraceBudget, Tracer};
