//! What `modernize --json` writes: how the cells fared before and after, and what was changed, for scripts to count.

use std::path::Path;

use nbrevive_compare::BroughtBack;
use nbrevive_corpus::Verdict;
use nbrevive_execute::CellRecord;
use nbrevive_repair::{Fix, RefusedFix};
use nbrevive_shown::{Shown, shown};
use nbrevive_study::{Attempt, Modernized};
use serde::Serialize;

use super::Bench;
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
        let raised = match raised {
            0 if self.completed => Shown::literal("no cell raised"),
            0 => shown!("no cell raised, and it ended early: {}", self.ended),
            1 => Shown::literal("1 cell raised"),
            raised => shown!("{} cells raised", raised),
        };
        let score = self.score.map_or(Shown::literal("no score"), |score| shown!("score {:.5}", score));
        shown!("{} of {}; {}; {:.1} s", raised, self.cells.len(), score, self.seconds)
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
    refusals: &'a [RefusedFix],
    end: &'static str,
    /// What the last execution came to, in one word; `runs` without a score to reach.
    outcome: &'static str,
    /// How much of what the author left it shows.
    came_back: &'a BroughtBack,
}

/// Writes the account of a repair.
pub(super) fn write(
    path: &Path,
    bench: &Bench<'_>,
    (before, after): (&Ran, &Ran),
    modernized: &Modernized,
    came_back: &BroughtBack,
) -> Result<(), Failure> {
    let inner = &modernized.inner;
    let account = Account {
        environment: &bench.environment.id,
        added: bench.added.iter().map(|one| one.requirement.as_str()).collect(),
        left_out: bench.left_out.iter().map(|(one, _)| one.requirement.as_str()).collect(),
        before,
        after,
        fixes: &inner.fixes,
        refusals: &inner.refusals,
        end: modernized.end,
        outcome: after.outcome(bench.single.goal.target.is_some()),
        came_back,
    };
    let text = serde_json::to_vec_pretty(&account).map_err(|error| Failure::new(Exit::Other, &error))?;
    nbrevive_files::write(path, text).map_err(|error| file_failure(&error))
}
