//! What is said of each notebook, and of all of them.

use nbrevive_compare::Agreement;
use nbrevive_corpus::RunEnd;
use nbrevive_report::checked::CheckVerdict;
use nbrevive_shown::{Shown, shown};
use nbrevive_study::{CheckedRun, MissedDownload, NotebookCheck};
use serde_json::{Map, Value, json};

use crate::answers::{AnswerEnd, fields};
use crate::exit_code::Exit;

/// What came of a notebook, in a word.
pub(super) fn verdict(checked: &NotebookCheck, level: Agreement) -> CheckVerdict {
    let NotebookCheck::Ran(run) = checked else { return CheckVerdict::Skipped };
    match &run.end {
        RunEnd::Timeout => CheckVerdict::TimedOut,
        RunEnd::NotSaved(_) | RunEnd::NoEnvironment(_) | RunEnd::NotRun(_) => CheckVerdict::Died,
        RunEnd::Completed if !run.errors.is_empty() => CheckVerdict::Raises,
        RunEnd::Completed if !run.holds_at(level) => CheckVerdict::Differs,
        RunEnd::Completed if !run.saved_errors.is_empty() => CheckVerdict::RaisesAgain,
        RunEnd::Completed => CheckVerdict::Holds,
    }
}

/// The same as answers have it.
pub(super) fn end(verdict: CheckVerdict) -> AnswerEnd {
    match verdict {
        CheckVerdict::Holds | CheckVerdict::RaisesAgain => AnswerEnd::Passed,
        CheckVerdict::Differs => AnswerEnd::Failed,
        CheckVerdict::Raises | CheckVerdict::TimedOut | CheckVerdict::Died => AnswerEnd::Error,
        CheckVerdict::Skipped => AnswerEnd::Skipped,
    }
}

/// How long a notebook ran, and how many of its cells are as saved.
pub(super) fn figures(checked: &NotebookCheck, level: Agreement) -> (f64, Map<String, Value>) {
    let NotebookCheck::Ran(run) = checked else { return (0.0, Map::new()) };
    let share = run.compared.score_at(level);
    (run.seconds, fields(json!({ "cells": share.of, "cells_as_saved": share.cells })))
}

/// The same in words.
pub(super) fn line(checked: &NotebookCheck, level: Agreement) -> Shown {
    let run = match checked {
        NotebookCheck::Unread(why) => return Shown::line(why),
        NotebookCheck::Ran(run) => run,
    };
    let share = run.compared.score_at(level);
    let mut line = shown!("{} of {} cells as saved", share.cells, share.of);
    let more = match (verdict(checked, level), &run.end) {
        (CheckVerdict::Died, RunEnd::NotSaved(how) | RunEnd::NoEnvironment(how) | RunEnd::NotRun(how)) => {
            Some(run.ended_in.map_or_else(|| Shown::line(how), |cell| shown!("cell {}: {}", cell + 1, how)))
        }
        (CheckVerdict::TimedOut, _) => {
            run.ended_in.map(|cell| shown!("cell {} ran when the time was up (--time-limit)", cell + 1))
        }
        (CheckVerdict::Differs, _) => first_difference(run, level),
        (CheckVerdict::Raises, _) => {
            run.errors.first().map(|error| shown!("cell {}: {}: {}", error.cell + 1, &error.ename, &error.evalue))
        }
        (CheckVerdict::RaisesAgain, _) => {
            run.saved_errors.first().map(|error| shown!("cell {}: {}, as saved", error.cell + 1, &error.ename))
        }
        _ => None,
    };
    let missed = |missed: &MissedDownload| {
        shown!("cell {} asks for {}, and there is no network", missed.cell + 1, &missed.address)
    };
    let missed = run.missed.as_ref().map(missed);
    let added = &run.installs.added;
    let added = (!added.is_empty()).then(|| shown!("installed {}", added.join(", ")));
    for part in more.into_iter().chain(missed).chain(added).chain(run.installs.left_out.iter().cloned()) {
        line.push(&shown!("; {}", part));
    }
    line
}

/// The first cell that does not show what it showed.
fn first_difference(run: &CheckedRun, level: Agreement) -> Option<Shown> {
    let cell = run.compared.cells.iter().find(|cell| cell.differs_at(level))?;
    let what = cell.comparison.difference.as_ref().map_or_else(|| Shown::literal("differs"), Shown::line);
    Some(shown!("cell {}: {}", cell.index + 1, what))
}

/// What came of all of them.
#[derive(Debug, Default)]
pub(super) struct Tally([usize; CheckVerdict::ALL.len()]);

impl Tally {
    pub(super) fn count(&mut self, verdict: CheckVerdict) {
        self.0[verdict as usize] += 1;
    }

    fn of(&self, verdicts: &[CheckVerdict]) -> usize {
        verdicts.iter().map(|verdict| self.0[*verdict as usize]).sum()
    }

    /// How many notebooks there were.
    pub(super) fn all(&self) -> usize {
        self.of(CheckVerdict::ALL)
    }

    fn held(&self) -> usize {
        self.of(&[CheckVerdict::Holds, CheckVerdict::RaisesAgain])
    }

    fn ended(&self) -> usize {
        self.of(&[CheckVerdict::TimedOut, CheckVerdict::Died])
    }

    pub(super) fn told(&self, level: Agreement) -> Shown {
        shown!(
            "{} as saved ({}), {} with other outputs, {} with errors, {} that did not end, {} skipped",
            self.held(),
            level.as_str(),
            self.of(&[CheckVerdict::Differs]),
            self.of(&[CheckVerdict::Raises]),
            self.ended(),
            self.of(&[CheckVerdict::Skipped])
        )
    }

    pub(super) fn exit(&self) -> Exit {
        if self.ended() > 0 {
            Exit::Failed
        } else if self.of(&[CheckVerdict::Differs, CheckVerdict::Raises]) > 0 {
            Exit::NotReproduced
        } else if self.held() == 0 {
            Exit::BadInput
        } else {
            Exit::Success
        }
    }
}
