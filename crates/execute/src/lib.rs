//! Runs a notebook in an environment inside a sandbox over the Jupyter protocol, and records every cell.
//!
//! [`execute`] is error-tolerant, as the study needs it: every cell runs whatever happened to the ones before, every
//! traceback is kept, and the executed notebook is returned even when time, memory or a dead kernel ends it. Time is
//! that of the cells alone.
//!
//! The kernel speaks over unix sockets in a folder shared with its sandbox; it has no network. Its messages are
//! untrusted input: signatures are checked, sockets are opened without following links, messages that are too large never come in,
//! and everything kept is capped.

mod antidotes;
mod branches;
mod claims;
mod collector;
mod connection;
mod error_budget;
#[cfg(test)]
mod fuzz;
mod link;
mod record;
mod run;
mod session;
mod settings;
mod sieve;
mod terminal;
mod traceback;
mod trial;
mod wire;

pub use antidotes::{ANTIDOTES_VERSION, Antidotes};
pub use branches::{BranchHub, BranchProcess, BranchStep, NameState};
pub use record::{CellError, CellRecord, CellStatus, End, Execution};
pub use run::{ExecuteError, execute};
pub use settings::{ExecutionSettings, Kernel, NotebookWorld, thread_variables};
pub use trial::{
    Clash, ImportOutcome, ImportResult, MissingModule, Owners, Raised, TraceFrame, Trial, TrialImport, clash, missing,
    try_imports,
};
