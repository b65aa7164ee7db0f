//! What a run of a cell says beside what was saved.

use std::collections::BTreeSet;
use std::rc::Rc;

use nbrevive_compare::{Agreement, FirstDifference, Incomparable, OutputComparer};
use nbrevive_notebook::{Cell, CellKind};
use serde::Serialize;

use crate::bench::{CellRun, RaisedError};
use crate::subject::TracedNotebook;

/// A step with its verdict.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgedStep {
    /// What came.
    pub step: CellRun,
    /// Whether it raised nothing but what was saved as its error, and the process lives.
    pub runs: bool,
    /// How far it shows what was saved, or why that cannot be said.
    pub agreement: Result<Agreement, Incomparable>,
    /// Where it first differs.
    pub difference: Option<FirstDifference>,
}

impl JudgedStep {
    /// Whether it runs and nothing that was saved speaks against it.
    #[must_use]
    pub fn fits(&self, level: Agreement) -> bool {
        self.runs && self.agreement.is_ok_and(|found| found.holds_at(level)) | self.agreement.is_err()
    }

    /// Whether it shows what was saved.
    #[must_use]
    pub fn matches(&self, level: Agreement) -> bool {
        self.runs && self.agreement.is_ok_and(|found| found.holds_at(level))
    }
}

/// Judges a step of a cell.
pub(crate) fn judge(subject: &TracedNotebook<'_>, comparer: &OutputComparer, cell: usize, step: CellRun) -> JudgedStep {
    let saved = subject.cells[cell];
    let kind = CellKind::Code { execution_count: Some(1), outputs: step.outputs.clone() };
    let new = Cell { kind, ..Cell::code(saved.source.clone()) };
    let compared = comparer.cells(saved, &new);
    let as_saved = comparer.same_error(saved.outputs(), &step.outputs) == Some(true);
    let runs = (step.raised.is_none() || as_saved) && step.ended.is_none();
    JudgedStep { step, runs, agreement: compared.agreement, difference: compared.difference }
}

/// What an order came to.
#[derive(Debug, Clone, Serialize)]
pub struct OrderVerdict {
    /// The cells as they ran, by their places among the code cells.
    pub order: Vec<usize>,
    /// Whether each ran without an error that was not saved.
    pub is_executable: bool,
    /// How many runs of cells did.
    pub ran: usize,
    /// Cells of the notebook with something saved that can be compared.
    pub comparable: usize,
    /// How many of them show it at the last run of each, by level.
    pub matched: Vec<(Agreement, usize)>,
    /// Cell by cell, at the last run of each.
    pub cells: Vec<CellVerdict>,
}

/// What came of the last run of one cell.
#[derive(Debug, Clone, Serialize)]
pub struct CellVerdict {
    /// The cell.
    pub cell: usize,
    /// How far it shows what was saved.
    pub agreement: Option<Agreement>,
    /// Why that cannot be said.
    pub incomparable: Option<Incomparable>,
    /// Where it first differs.
    pub difference: Option<FirstDifference>,
    /// What it raised and was not saved.
    pub raised: Option<RaisedError>,
    /// How the process ended under it.
    pub ended: Option<String>,
}

impl OrderVerdict {
    /// The verdict on an order and the steps that came of it; of an order that ended early there are fewer.
    #[must_use]
    pub fn of(subject: &TracedNotebook<'_>, order: &[usize], steps: &[Rc<JudgedStep>]) -> Self {
        let last_run = |(position, cell): &(usize, &usize)| !order[position + 1..].contains(cell);
        let last: Vec<usize> = order.iter().enumerate().filter(last_run).map(|(position, _)| position).collect();
        let of_last = || last.iter().filter_map(|position| Some((order[*position], steps.get(*position)?)));
        let matched = |level: &Agreement| (*level, of_last().filter(|(_, step)| step.matches(*level)).count());
        let levels = Agreement::ALL.iter().filter(|level| **level != Agreement::Different);
        let mut cells: Vec<CellVerdict> = of_last().map(|(cell, step)| CellVerdict::of(cell, step)).collect();
        cells.sort_by_key(|verdict| verdict.cell);
        let ran = steps.iter().filter(|step| step.runs).count();
        OrderVerdict {
            order: order.to_vec(),
            is_executable: ran == order.len(),
            ran,
            comparable: comparable(subject),
            matched: levels.map(matched).collect(),
            cells,
        }
    }

    /// How many cells show what was saved.
    #[must_use]
    pub fn matched_at(&self, level: Agreement) -> usize {
        self.matched.iter().find(|(one, _)| *one == level).map_or(0, |(_, cells)| *cells)
    }

    /// Whether it runs, and all that can be compared is as saved.
    #[must_use]
    pub fn holds_at(&self, level: Agreement) -> bool {
        self.is_executable && self.matched_at(level) == self.comparable
    }

    /// Cells that do not run, or show something else than what was saved.
    #[must_use]
    pub fn misfits_at(&self, level: Agreement) -> BTreeSet<usize> {
        let differs = |cell: &&CellVerdict| cell.agreement.is_some_and(|found| !found.holds_at(level));
        let is_misfit = |cell: &&CellVerdict| cell.raised.is_some() || cell.ended.is_some() || differs(cell);
        self.cells.iter().filter(is_misfit).map(|verdict| verdict.cell).collect()
    }

    /// Runs of cells beyond the first of each.
    #[must_use]
    pub fn repeats(&self) -> usize {
        self.order.len() - self.cells.len().min(self.order.len())
    }
}

impl CellVerdict {
    fn of(cell: usize, judged: &JudgedStep) -> Self {
        CellVerdict {
            cell,
            agreement: judged.agreement.ok(),
            incomparable: judged.agreement.err(),
            difference: judged.difference.clone(),
            raised: judged.step.raised.clone().filter(|_| !judged.runs),
            ended: judged.step.ended.clone(),
        }
    }
}

/// Cells with something saved that can be compared.
fn comparable(subject: &TracedNotebook<'_>) -> usize {
    let comparer = OutputComparer::default();
    let is_shown = |cell: &&&Cell| comparer.outputs(cell.outputs(), &[]).agreement.is_ok();
    subject.cells.iter().filter(is_shown).count()
}
