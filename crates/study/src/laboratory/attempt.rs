//! One execution with its grade, as rows of the store and as feedback for repair.

use std::path::Path;

use nbrevive_corpus::RunEnd;
use nbrevive_execute::{CellRecord, CellStatus, End, Execution};
use nbrevive_files::{FileError, KeptFile, keep};
use nbrevive_grade::Invalid;
use nbrevive_repair::CellFeedback;
use nbrevive_store::executions::{CellErrorRow, CellRow};

use crate::laboratory::LaboratoryError;
use crate::laboratory::copies::Tree;
use crate::laboratory::working_folder::WorkFolder;

/// One execution with its grade.
#[derive(Debug)]
pub struct Attempt {
    /// The execution.
    pub execution: Execution,
    /// How it ended, as far as the outcome depends on it.
    pub end: RunEnd,
    /// The errors of its cells.
    pub errors: Vec<CellFeedback>,
    /// The score, or why there is none; none where there were no answers to grade against.
    pub grade: Option<Result<f64, Invalid>>,
    disturbance: Option<LaboratoryError>,
    folder: Option<WorkFolder>,
}

impl Attempt {
    pub(crate) fn new(
        execution: Execution,
        grade: Option<Result<f64, Invalid>>,
        disturbance: Option<LaboratoryError>,
        folder: Option<WorkFolder>,
    ) -> Self {
        Attempt {
            disturbance,
            folder,
            end: run_end(&execution.ended),
            errors: execution.cells.iter().filter_map(cell_feedback).collect(),
            grade,
            execution,
        }
    }

    /// The score, or the kind of the reason why there is none, as a row keeps it.
    pub(crate) fn graded(&self) -> Option<Result<f64, String>> {
        self.grade.as_ref().map(|grade| grade.as_ref().map(|score| *score).map_err(|invalid| invalid.kind().to_owned()))
    }

    /// Why there is no score, in words.
    #[must_use]
    pub fn ungraded(&self) -> Option<String> {
        self.grade.as_ref().and_then(|grade| grade.as_ref().err()).map(ToString::to_string)
    }

    /// Tells once of trouble of this machine that may be why it ended as it did. What was executed is there all the same.
    ///
    /// # Errors
    /// The trouble.
    pub fn take_disturbance(&mut self) -> Result<(), LaboratoryError> {
        self.disturbance.take().map_or(Ok(()), Err)
    }

    /// The attempt, if it says something of its notebook.
    pub(crate) fn undisturbed(mut self) -> Result<Self, LaboratoryError> {
        self.take_disturbance().map(|()| self)
    }

    /// Copies the files that the notebook left into a folder of the user, as far as they were held and he can want them.
    ///
    /// # Errors
    /// When the folder cannot be made or has no room. The executed notebook should be saved before.
    pub fn keep(&self, to: &Path) -> Result<KeptFile, FileError> {
        let Some(folder) = &self.folder else { return Ok(KeptFile::default()) };
        keep(folder.reclaim()?.path(), to, self.execution.limits.disk_bytes)
    }

    /// Copies all files and folders of the working folder, as far as they were held, into a folder of the user that has none of them yet.
    ///
    /// # Errors
    /// When something cannot be read or written, or is there already.
    pub fn keep_tree(&self, to: &Path) -> Result<(), FileError> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let left = folder.reclaim()?;
        std::fs::create_dir_all(to).map_err(|source| FileError::Write { path: to.to_owned(), source })?;
        Tree::of(left.path())?.copy_to(to, self.execution.limits.disk_bytes)
    }

    /// Lets go of the files that were held.
    pub fn drop_files(&mut self) {
        self.folder = None;
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
        End::TooManyProcesses { .. } => RunEnd::NotSaved("too-many-processes".to_owned()),
        End::ProcessorTime { .. } => RunEnd::NotSaved("processor-time".to_owned()),
        End::StartupFailed { .. } => RunEnd::NotSaved("startup-failed".to_owned()),
    }
}

fn cell_feedback(cell: &CellRecord) -> Option<CellFeedback> {
    let error = cell.error.as_ref().filter(|_| cell.status == CellStatus::Error)?;
    let (ename, evalue) = raised(&error.ename, &error.evalue, &error.traceback);
    Some(CellFeedback { cell: cell.index, ename, evalue, traceback: error.traceback.join("\n"), line: error.line })
}

/// Class and message of an error. What fails while a value is shown arrives as `NoneType: None`, and is named by the
/// last line of its traceback alone.
fn raised(ename: &str, evalue: &str, traceback: &[String]) -> (String, String) {
    let shown = (ename == "NoneType").then(|| last_line(traceback)).flatten();
    shown.unwrap_or_else(|| (ename.to_owned(), evalue.to_owned()))
}

fn last_line(traceback: &[String]) -> Option<(String, String)> {
    let line = traceback.iter().rev().flat_map(|part| part.lines().rev()).find(|line| !line.trim().is_empty())?;
    // Colours: an escape character, then digits up to an `m`.
    let mut parts = line.split('\u{1b}');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    parts.for_each(|part| plain.push_str(part.split_once('m').map_or("", |(_, text)| text)));
    let (class, message) = plain.split_once(": ")?;
    Some((class.trim().to_owned(), message.to_owned()))
}

fn cell_row(cell: &CellRecord) -> CellRow {
    let ran = !matches!(cell.status, CellStatus::NotRun | CellStatus::Skipped);
    CellRow {
        cell: u32::try_from(cell.index).unwrap_or(u32::MAX),
        status: cell.status,
        seconds: ran.then_some(cell.seconds),
        error: cell_feedback(cell).map(|error| CellErrorRow {
            ename: error.ename,
            evalue: error.evalue,
            traceback: error.traceback,
            line: error.line,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_showing_a_value_is_named_by_its_traceback() {
        let traceback = [
            "\u{1b}[31mAttributeError\u{1b}[39m   Traceback (most recent call last)".to_owned(),
            "\u{1b}[31mAttributeError\u{1b}[39m: 'X' object has no attribute 'bbox'".to_owned(),
        ];
        let told = raised("NoneType", "None", &traceback);
        assert_eq!(told, ("AttributeError".to_owned(), "'X' object has no attribute 'bbox'".to_owned()));
        assert_eq!(raised("NoneType", "None", &[]), ("NoneType".to_owned(), "None".to_owned()));
        assert_eq!(raised("KeyError", "'a'", &traceback), ("KeyError".to_owned(), "'a'".to_owned()));
    }
}
