//! Keeps the state after each beginning of an order as a process, and runs only what comes behind it.

use std::io;
use std::time::Duration;

use nbrevive_execute::{BranchHub, BranchProcess, BranchStep};

use crate::bench::{Bench, CellRun, RaisedError};
use crate::subject::TracedNotebook;

/// Processes that are kept at most; the one that was not asked for the longest time goes first.
const MOST_KEPT: usize = 32;

/// A bench that splits processes as long as that is sound, and replays from then on.
///
/// A process with threads of its own is not copied, since a copy would not have them: it goes on itself, and is made again where its state
/// is asked for once more. Files that cells write are those of their process alone; where they are too large for that, so that all copies would
/// see them, everything is replayed from there on.
pub struct BranchBench<'s, R> {
    subject: &'s TracedNotebook<'s>,
    hub: BranchHub,
    first: BranchProcess,
    /// By the cells that ran, those that were asked for last at the end.
    kept: Vec<(Vec<usize>, BranchProcess)>,
    /// Time of one cell.
    limit: Duration,
    replay: R,
    why_replayed: Option<String>,
    executed: usize,
}

impl<'s, R: Bench> BranchBench<'s, R> {
    /// A bench on processes that are met at `hub`. A cell that runs longer than `limit` is ended. `replay` takes over where it must.
    pub fn new(
        subject: &'s TracedNotebook<'s>,
        hub: BranchHub,
        first: BranchProcess,
        limit: Duration,
        replay: R,
    ) -> Self {
        BranchBench { subject, hub, first, kept: Vec::new(), limit, replay, why_replayed: None, executed: 0 }
    }

    /// The step of a cell after others, or why processes can no longer be used.
    fn branched(&mut self, before: &[usize], cell: usize) -> Result<CellRun, String> {
        let order: Vec<usize> = before.iter().copied().chain([cell]).collect();
        let is_beginning = |cells: &Vec<usize>| cells.len() <= before.len() && before.starts_with(cells);
        let nearest = self.kept.iter().enumerate().filter(|(_, (cells, _))| is_beginning(cells));
        let nearest = nearest.max_by_key(|(_, (cells, _))| cells.len()).map(|(place, _)| place);
        let mut at = nearest.map_or(0, |place| self.kept[place].0.len());
        let mut step = CellRun::default();
        while at < order.len() {
            step = self.one(&order[..=at])?;
            at += 1;
            if step.ended.is_some() && at < order.len() {
                return Err(format!("a cell ended its process, which it had not done before: {}", order[at - 1] + 1));
            }
        }
        Ok(step)
    }

    /// Runs the last cell of an order, of which all before it is kept.
    fn one(&mut self, order: &[usize]) -> Result<CellRun, String> {
        let lost = |error: io::Error| format!("the connection to the processes was lost: {error}");
        let (cell, before) = order.split_last().map_or((0, &[][..]), |(cell, before)| (*cell, before));
        let code = &self.subject.cells[cell].source;
        let parent = self.kept.iter().position(|(cells, _)| cells == before).map(|place| self.kept.remove(place));
        self.executed += 1;
        let (process, step) = match parent {
            Some((_, mut process)) if process.has_threads => {
                let step = self.hub.run(&mut process, code, self.limit).map_err(lost)?;
                (process, step)
            }
            Some((cells, mut parent)) => {
                let split = self.hub.fork(&mut parent, code, self.limit).map_err(lost)?;
                self.kept.push((cells, parent));
                split
            }
            None => self.hub.fork(&mut self.first, code, self.limit).map_err(lost)?,
        };
        if step.ended.is_some() {
            self.hub.kill(&mut self.first, &process).map_err(lost)?;
        } else {
            self.kept.push((order.to_vec(), process));
            if self.kept.len() > MOST_KEPT {
                self.kept.remove(0);
            }
        }
        if step.wrote {
            self.why_replayed = Some(format!("cell {} writes files that are too large to be kept", cell + 1));
        }
        Ok(taken(step))
    }
}

fn taken(step: BranchStep) -> CellRun {
    let raised = step.raised.map(|(ename, evalue)| RaisedError { ename, evalue });
    CellRun { outputs: step.outputs, raised, ended: step.ended }
}

impl<R: Bench> Bench for BranchBench<'_, R> {
    type Error = R::Error;

    fn steps(&mut self, before: &[usize], cell: usize, then: &[usize]) -> Result<Vec<CellRun>, R::Error> {
        if self.why_replayed.is_none() {
            match self.branched(before, cell) {
                Ok(step) if self.why_replayed.is_none() => return Ok(vec![step]),
                // It may have met what another branch wrote.
                Ok(_) => {}
                Err(why) => self.why_replayed = Some(why),
            }
            self.kept.clear();
        }
        self.replay.steps(before, cell, then)
    }

    fn executed(&self) -> usize {
        self.executed + self.replay.executed()
    }

    fn why_replayed(&self) -> Option<&str> {
        self.why_replayed.as_deref()
    }
}
