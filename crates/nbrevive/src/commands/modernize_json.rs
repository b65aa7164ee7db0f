//! What `modernize --json` writes: how the cells fared before and after, and what was changed, for scripts to count.

use std::path::Path;

use nbrevive_corpus::Verdict;
use nbrevive_execute::CellRecord;
use nbrevive_repair::Fix;
use nbrevive_study::{Attempt, Modernized};
use serde::Serialize;

use crate::exit_code::{Exit, Failure};

/// One execution.
#[derive(Debug, Serialize)]
pub(crate) struct Ran {
    /// Why it was over, in words.
    ended: String,
    /// Whether it came to its end.
    completed: bool,
    /// Seconds that the cells took.
    seconds: f64,
    /// The score of its submission, where there was one.
    score: Option<f64>,
    /// Every code cell in order, with its error.
    cells: Vec<CellRecord>,
}

impl Ran {
    pub(crate) fn of(attempt: &Attempt, verdict: &Verdict) -> Self {
        let execution = &attempt.execution;
        Self {
            ended: execution.ended.to_string(),
            completed: execution.ended.is_completed(),
            seconds: execution.seconds,
            score: verdict.score,
            cells: execution.cells.clone(),
        }
    }
}

#[derive(Debug, Serialize)]
struct Account<'a> {
    environment: &'a str,
    before: &'a Ran,
    after: &'a Ran,
    fixes: &'a [Fix],
    end: &'static str,
}

/// Writes the account of a repair.
pub(crate) fn write(
    path: &Path,
    environment: &str,
    (before, after): (&Ran, &Ran),
    modernized: &Modernized,
) -> Result<(), Failure> {
    let account = Account { environment, before, after, fixes: &modernized.inner.fixes, end: modernized.end };
    let cannot = |reason: String| Failure {
        exit: Exit::CannotWrite,
        message: format!("cannot write {}: {reason}; choose another place with --json", path.display()),
    };
    let text = serde_json::to_vec_pretty(&account).map_err(|error| cannot(error.to_string()))?;
    std::fs::write(path, text).map_err(|error| cannot(error.to_string()))
}
