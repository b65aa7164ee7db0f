//! Who runs cells, and what one gave.

use nbrevive_notebook::Output;
use serde::Serialize;

/// An exception.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RaisedError {
    /// Its class.
    pub ename: String,
    /// Its message.
    pub evalue: String,
}

/// What one run of a cell gave.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CellRun {
    /// What it showed.
    pub outputs: Vec<Output>,
    /// What it raised.
    pub raised: Option<RaisedError>,
    /// Why nothing can run after it: time, memory, a dead process, in words.
    pub ended: Option<String>,
}

/// Runs the code cells of one notebook in any sequence, from a fresh start each time, or as if it were one.
pub trait Bench {
    /// What is not the notebook's doing.
    type Error;

    /// What `cell` gives after the cells of `before`, none of which ended the process. `then` is what will probably be asked next, and may
    /// be run along: the first step is that of `cell`, those behind it are of `then`, as far as they came.
    ///
    /// # Errors
    /// When nothing could be run.
    fn steps(&mut self, before: &[usize], cell: usize, then: &[usize]) -> Result<Vec<CellRun>, Self::Error>;

    /// How many runs of cells it has carried out.
    fn executed(&self) -> usize;

    /// Why each order is run from a fresh start; none as long as states are kept.
    fn why_replayed(&self) -> Option<&str>;
}

impl<B: Bench + ?Sized> Bench for Box<B> {
    type Error = B::Error;

    fn steps(&mut self, before: &[usize], cell: usize, then: &[usize]) -> Result<Vec<CellRun>, Self::Error> {
        (**self).steps(before, cell, then)
    }

    fn executed(&self) -> usize {
        (**self).executed()
    }

    fn why_replayed(&self) -> Option<&str> {
        (**self).why_replayed()
    }
}
