//! Runs whole documents: every order from a fresh kernel.

use nbrevive_execute::{CellStatus, End, Execution};
use nbrevive_notebook::Notebook;

use crate::bench::{Bench, CellRun, RaisedError};
use crate::subject::TracedNotebook;

/// The code cells of a notebook in another sequence, and nothing else of it but its metadata; a cell may stand there several times.
#[must_use]
pub fn arranged(subject: &TracedNotebook<'_>, order: &[usize]) -> Notebook {
    let cells = order.iter().map(|cell| {
        let mut copy = subject.cells[*cell].clone();
        copy.id = None;
        copy
    });
    let mut notebook = Notebook::from_cells(cells.collect());
    notebook.metadata.clone_from(&subject.notebook.metadata);
    notebook.assign_ids();
    notebook
}

/// A bench that runs each order as a document, past errors.
pub struct ReplayBench<'s, F> {
    subject: &'s TracedNotebook<'s>,
    run: F,
    why: &'static str,
    executed: usize,
}

impl<'s, F, E> ReplayBench<'s, F>
where
    F: FnMut(&Notebook) -> Result<Execution, E>,
{
    /// `run` runs a document from a fresh start, past errors; `why` no states are kept.
    pub fn new(subject: &'s TracedNotebook<'s>, why: &'static str, run: F) -> Self {
        Self { subject, run, why, executed: 0 }
    }
}

impl<F, E> Bench for ReplayBench<'_, F>
where
    F: FnMut(&Notebook) -> Result<Execution, E>,
{
    type Error = E;

    fn steps(&mut self, before: &[usize], cell: usize, then: &[usize]) -> Result<Vec<CellRun>, E> {
        let order: Vec<usize> = before.iter().copied().chain([cell]).chain(then.iter().copied()).collect();
        let execution = (self.run)(&arranged(self.subject, &order))?;
        let steps: Vec<CellRun> = steps(&execution);
        self.executed += steps.len();
        // What came before ran well at another time; should it end now, nothing is known of the cell.
        let ended = || CellRun { ended: Some(ending(&execution)), ..CellRun::default() };
        let tail: Vec<CellRun> = steps.into_iter().skip(before.len()).collect();
        Ok(if tail.is_empty() { vec![ended()] } else { tail })
    }

    fn executed(&self) -> usize {
        self.executed
    }

    fn why_replayed(&self) -> Option<&str> {
        Some(self.why)
    }
}

/// How it ended, without the place, which is that in the document.
fn ending(execution: &Execution) -> String {
    let words = execution.ended.to_string();
    words.split(" in cell ").next().unwrap_or_default().to_owned()
}

/// The steps of an executed document, up to the one that ended it.
fn steps(execution: &Execution) -> Vec<CellRun> {
    let mut steps = Vec::new();
    for record in &execution.cells {
        let is_last = matches!(record.status, CellStatus::Timeout | CellStatus::Died);
        if record.status == CellStatus::NotRun {
            break;
        }
        let raised = record.error.as_ref().filter(|_| record.status == CellStatus::Error);
        steps.push(CellRun {
            outputs: execution.notebook.cells[record.index].outputs().to_vec(),
            raised: raised.map(|error| RaisedError { ename: error.ename.clone(), evalue: error.evalue.clone() }),
            ended: is_last.then(|| ending(execution)),
        });
        if is_last {
            break;
        }
    }
    // `exit()` ends the process after a cell that ran well.
    if let (End::ExitRequested { .. }, Some(last)) = (&execution.ended, steps.last_mut()) {
        last.ended = Some(ending(execution));
    }
    steps
}
