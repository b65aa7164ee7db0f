//! One execution with its grade, as rows of the store and as feedback for repair.

use nbrevive_corpus::RunEnd;
use nbrevive_execute::{CellRecord, CellStatus, End, Execution};
use nbrevive_grade::Invalid;
use nbrevive_repair::CellFeedback;
use nbrevive_store::executions::{CellErrorRow, CellRow};

/// One execution with its grade.
#[derive(Debug)]
pub struct Attempt {
    /// The execution.
    pub execution: Execution,
    /// How it ended, as far as the outcome depends on it.
    pub end: RunEnd,
    /// The errors of its cells.
    pub errors: Vec<CellFeedback>,
    /// The score, or why there is none; [`Invalid::Missing`] also when nothing was to be graded.
    pub grade: Result<f64, Invalid>,
    graded: bool,
}

impl Attempt {
    pub(crate) fn new(execution: Execution, grade: Option<Result<f64, Invalid>>) -> Self {
        Attempt {
            end: run_end(&execution.ended),
            errors: execution.cells.iter().filter_map(cell_feedback).collect(),
            graded: grade.is_some(),
            grade: grade.unwrap_or(Err(Invalid::Missing)),
            execution,
        }
    }

    /// Whether there were answers to grade against.
    #[must_use]
    pub fn is_graded(&self) -> bool {
        self.graded
    }

    pub(crate) fn cell_rows(&self) -> Vec<CellRow> {
        self.execution.cells.iter().map(cell_row).collect()
    }
}

/// How an execution's end reads for the outcome. Nothing is missing after `exit()`: what follows it was not meant to run.
fn run_end(end: &End) -> RunEnd {
    match end {
        End::Completed | End::ExitRequested { .. } => RunEnd::Completed,
        End::Timeout { .. } => RunEnd::Timeout,
        End::KernelDied { .. } => RunEnd::NotSaved("kernel-died".to_owned()),
        End::OutOfMemory { .. } => RunEnd::NotSaved("out-of-memory".to_owned()),
        End::DiskFull { .. } => RunEnd::NotSaved("disk-full".to_owned()),
        End::StartupFailed { .. } => RunEnd::NotSaved("startup-failed".to_owned()),
    }
}

fn cell_feedback(cell: &CellRecord) -> Option<CellFeedback> {
    let error = cell.error.as_ref().filter(|_| cell.status == CellStatus::Error)?;
    Some(CellFeedback {
        cell: cell.index,
        ename: error.ename.clone(),
        evalue: error.evalue.clone(),
        traceback: error.traceback.join("\n"),
        line: error.line,
    })
}

fn cell_row(cell: &CellRecord) -> CellRow {
    let status = match cell.status {
        CellStatus::Ok => "ok",
        CellStatus::Error => "error",
        CellStatus::Timeout => "timeout",
        CellStatus::Died => "died",
        CellStatus::NotRun => "not-run",
        CellStatus::Skipped => "skipped",
    };
    let ran = !matches!(cell.status, CellStatus::NotRun | CellStatus::Skipped);
    CellRow {
        cell: u32::try_from(cell.index).unwrap_or(u32::MAX),
        status: status.to_owned(),
        seconds: ran.then_some(cell.seconds),
        error: cell_feedback(cell).map(|error| CellErrorRow {
            ename: error.ename,
            evalue: error.evalue,
            traceback: error.traceback,
            line: error.line,
        }),
    }
}
