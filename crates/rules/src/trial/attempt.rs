//! One case on its way through the loop: what was executed, what the rules made of it, and how it ends.

use nbrevive_notebook::{Cell, Notebook};
use serde_json::Value;

use crate::Rules;
use crate::trial::TrialVerdict;
use crate::trial::cases::CaseReport;
use crate::trial::compare::same_value;
use crate::trial::stack::Stack;
use crate::{CellFeedback, Feedback};

/// The day on which all triggers were written, for rules that restore old defaults.
const WRITTEN: jiff::civil::Date = jiff::civil::date(2016, 1, 1);

/// A case under repair.
#[derive(Debug, Clone)]
pub(super) struct Attempt {
    pub(super) cells: Vec<String>,
    pub(super) fixes: usize,
    pub(super) rules: Vec<String>,
    pub(super) last_error: String,
    pub(super) verdict: Option<TrialVerdict>,
}

impl Attempt {
    pub(super) fn new(cells: Vec<String>) -> Self {
        Self { cells, fixes: 0, rules: Vec::new(), last_error: String::new(), verdict: None }
    }

    /// Takes the report of an execution: the case is done, or its cells are what the rules propose next.
    pub(super) fn step(&mut self, report: &CaseReport, expected: &[(&str, &Value)], stack: &Stack, most_fixes: usize) {
        let equal = expected.iter().all(|(key, value)| found(report, key).is_some_and(|got| same_value(got, value)));
        if report.errors.is_empty() && report.died.is_none() && equal {
            self.verdict = Some(TrialVerdict::Repaired);
            return;
        }
        self.last_error = last_error(report);
        let proposed = if self.fixes < most_fixes { propose(&self.cells, report, stack) } else { None };
        match proposed {
            Some((cells, rules)) => {
                self.cells = cells;
                self.fixes += 1;
                self.rules.extend(rules);
            }
            None if report.errors.is_empty() && report.died.is_none() => self.verdict = Some(TrialVerdict::Differs),
            None => self.verdict = Some(TrialVerdict::NotRepaired),
        }
    }
}

/// The value of a variable; the empty key is the case's only value.
fn found<'r>(report: &'r CaseReport, key: &str) -> Option<&'r Value> {
    // A variable that is not bound counts as null: some triggers only have to run.
    let value = report.value().unwrap_or(&Value::Null);
    if key.is_empty() {
        return Some(value);
    }
    let pairs = value.get("items")?.as_array()?;
    pairs.iter().find(|pair| pair.get(0).and_then(Value::as_str) == Some(key))?.get(1)
}

fn last_error(report: &CaseReport) -> String {
    if let Some(died) = &report.died {
        return died.clone();
    }
    report.errors.first().map(|error| format!("{}: {}", error.ename, error.evalue)).unwrap_or_default()
}

/// What the rules propose for cells that were executed.
pub(super) fn propose(cells: &[String], report: &CaseReport, stack: &Stack) -> Option<(Vec<String>, Vec<String>)> {
    let notebook = Notebook::from_cells(cells.iter().map(|source| Cell::code(source.as_str())).collect());
    let errors = report.errors.iter().map(|error| CellFeedback {
        cell: error.cell,
        ename: error.ename.clone(),
        evalue: error.evalue.clone(),
        traceback: error.traceback.clone(),
        line: error.line,
    });
    let feedback = Feedback {
        python: stack.version,
        submitted: Some(WRITTEN),
        ..Feedback::of_errors(&notebook, errors.collect(), &stack.packages)
    };
    let proposal = Rules.propose(&feedback)?;
    let cells = proposal.notebook.cells.iter().map(|cell| cell.source.clone()).collect();
    Some((cells, proposal.applied.into_iter().map(|applied| applied.rule).collect()))
}

/// The rules' change to cells that work, given an error elsewhere (`None` for no error at all); `None` when there is
/// none. Defaults of an earlier time are left out: they only act when a score deviates.
pub(super) fn touches(cells: &[String], error: Option<&CellFeedback>, stack: &Stack) -> Option<Vec<String>> {
    let mut all: Vec<Cell> = cells.iter().map(|source| Cell::code(source.as_str())).collect();
    all.push(Cell::code("pass\n"));
    let notebook = Notebook::from_cells(all);
    let errors = error.map(|error| CellFeedback {
        cell: cells.len(),
        ename: error.ename.clone(),
        evalue: error.evalue.clone(),
        traceback: String::new(),
        line: Some(1),
    });
    let feedback = Feedback {
        python: stack.version,
        ..Feedback::of_errors(&notebook, errors.into_iter().collect(), &stack.packages)
    };
    let proposal = Rules.propose(&feedback)?;
    let changed = cells.iter().zip(&proposal.notebook.cells).any(|(before, after)| *before != after.source);
    changed.then(|| proposal.applied.into_iter().map(|applied| applied.rule).collect())
}
