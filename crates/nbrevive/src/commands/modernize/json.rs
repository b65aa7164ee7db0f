//! What `modernize --json` writes: how the cells fared before and after, and what was changed, for scripts to count.

use std::path::Path;

use nbrevive_compare::BroughtBack;
use nbrevive_corpus::{LeftCause, Verdict};
use nbrevive_diagnosis::roots::{ErrorRoot, error_roots};
use nbrevive_execute::CellRecord;
use nbrevive_notebook::first_line;
use nbrevive_repair::{AppliedRule, CellFeedback, Cut, Fix, Modernization, RefusedFix};
use nbrevive_shown::{Shown, shown};
use nbrevive_study::{Attempt, Modernized, left_causes};
use serde::Serialize;

use super::Bench;
use super::drift::AgainstItsDate;
use crate::commands::setting::file_failure;
use crate::exit_code::{Exit, Failure};

/// One execution.
#[derive(Debug, Serialize)]
pub(super) struct Ran {
    /// Why it was over, in words.
    ended: String,
    /// Whether it came to its end.
    completed: bool,
    /// Seconds that the cells took.
    seconds: f64,
    /// The score of its submission, where there was one.
    score: Option<f64>,
    #[serde(skip)]
    is_reproducible: bool,
    /// Every code cell in order, with its error.
    cells: Vec<CellRecord>,
}

impl Ran {
    pub(super) fn of(attempt: &Attempt, verdict: &Verdict) -> Self {
        let execution = &attempt.execution;
        Self {
            ended: execution.ended.to_string(),
            completed: execution.ended.is_completed(),
            seconds: execution.seconds,
            score: verdict.score,
            is_reproducible: verdict.outcome.is_reproducible(),
            cells: execution.cells.clone(),
        }
    }

    /// What it came to. Without a score to reach nothing is reproduced, and a notebook that ends without an error runs.
    pub(super) fn outcome(&self, has_target: bool) -> &'static str {
        match (has_target, self.is_reproducible) {
            (true, true) => "reproducible",
            (true, false) => "not-reproducible",
            (false, true) => "runs",
            (false, false) if self.completed => "raises",
            (false, false) => "ended-early",
        }
    }

    /// How the cells fared, in words.
    pub(super) fn summary(&self) -> Shown {
        let raised = self.cells.iter().filter(|cell| cell.error.is_some()).count();
        let all = self.cells.len();
        let raised = match raised {
            0 if self.completed => shown!("no cell raised of {}", all),
            // The end names a cell by its place among all of the notebook's.
            0 => shown!("no code cell raised of {}, and it ended early: {}", all, self.ended),
            1 => shown!("1 cell raised of {}", all),
            raised => shown!("{} cells raised of {}", raised, all),
        };
        let score = self.score.map_or(Shown::literal("no score"), |score| shown!("score {:.5}", score));
        shown!("{}; {}; {:.1} s", raised, score, self.seconds)
    }
}

/// An error that is left.
#[derive(Debug, Serialize)]
pub(super) struct Left {
    /// Its cell, by its index in the notebook, from 0; none where the time was up.
    pub(super) cell: Option<usize>,
    /// Its class; empty where the time was up.
    pub(super) error: String,
    /// The first line of its message.
    pub(super) message: String,
    /// Why it is left.
    pub(super) cause: LeftCause,
    /// How many other errors follow from it.
    pub(super) followers: usize,
}

impl Left {
    /// The roots among the errors of the last execution, and where the time was up.
    pub(super) fn of(modernization: &Modernization) -> Vec<Self> {
        let (notebook, errors) = (&modernization.notebook, &modernization.last.errors);
        let roots = error_roots(notebook, errors);
        let all = errors.iter().zip(left_causes(notebook, errors)).zip(&roots);
        let of_root = |((error, cause), root): ((&CellFeedback, LeftCause), &ErrorRoot)| Self {
            cell: Some(error.cell),
            error: error.ename.clone(),
            message: first_line(&error.evalue).to_owned(),
            cause,
            followers: roots.iter().filter(|one| !one.is_root() && one.root == root.cell).count(),
        };
        let mut left: Vec<Self> = all.filter(|(_, root)| root.is_root()).map(of_root).collect();
        if modernization.last.timed_out {
            let (error, message) = (String::new(), "the time was up".to_owned());
            left.push(Self { cell: None, error, message, cause: LeftCause::Time, followers: 0 });
        }
        left
    }
}

#[derive(Debug, Serialize)]
struct Account<'a> {
    environment: &'a str,
    /// Requirements on top of the lock.
    added: Vec<&'a str>,
    /// Requirements that could not be had.
    left_out: Vec<&'a str>,
    before: &'a Ran,
    after: &'a Ran,
    fixes: &'a [Fix],
    /// What rules did in fixes of which nothing was left.
    taken_back: &'a [AppliedRule],
    refusals: &'a [RefusedFix],
    end: &'static str,
    /// What the last execution came to, in one word; `runs` without a score to reach.
    outcome: &'static str,
    /// The errors that are left and follow from no other, each with its cause.
    left: &'a [Left],
    /// What of the original's work it cuts.
    cuts: &'a [Cut],
    /// How much of what the author left it shows.
    came_back: &'a BroughtBack,
    /// What the original shows at its date, beside it; with `--against-its-date`.
    #[serde(skip_serializing_if = "Option::is_none")]
    against_its_date: Option<&'a AgainstItsDate>,
}

/// Writes the account of a repair.
pub(super) fn write(
    path: &Path,
    bench: &Bench<'_>,
    (before, after): (&Ran, &Ran),
    modernized: &Modernized,
    (came_back, left, against_its_date): (&BroughtBack, &[Left], Option<&AgainstItsDate>),
) -> Result<(), Failure> {
    let inner = &modernized.inner;
    let account = Account {
        environment: &bench.environment.id,
        added: bench.added.iter().map(|one| one.requirement.as_str()).collect(),
        left_out: bench.left_out.iter().map(|(one, _)| one.requirement.as_str()).collect(),
        before,
        after,
        fixes: &inner.fixes,
        taken_back: &inner.taken_back,
        refusals: &inner.refusals,
        end: modernized.end,
        outcome: after.outcome(bench.single.goal.target.is_some()),
        cuts: &inner.cuts,
        came_back,
        against_its_date,
        left,
    };
    let text = serde_json::to_vec_pretty(&account).map_err(|error| Failure::new(Exit::Other, &error))?;
    nbrevive_files::write(path, text).map_err(|error| file_failure(&error))
}
