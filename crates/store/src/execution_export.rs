//! What ran, as parquet: executions, their grades, cells and errors, in one pass over the store.

use std::rc::Rc;

use nbrevive_corpus::{Condition, deviation};
use nbrevive_grade::Invalid;
use polars::prelude::Column;

use crate::columns::{count, number, optional_count, optional_number, optional_text, text, words};
use crate::dataset::folder::Staging;
use crate::dataset::table_file::{Heft, TableFile};
use crate::executions::{CellErrorRow, CellRow, ExecutionRow};
use crate::export::{ExportError, Scope};
use crate::parquet::{ParquetError, enum_column};
use crate::tracebacks::{Place, plain, raised_in};
use crate::{Store, cut_outputs, executions};

nbrevive_corpus::string_enum! {
    /// What became of a cell.
    pub enum CellStatus ("status of a cell") {
        /// It ran.
        Ok => "ok",
        /// It raised.
        Error => "error",
        /// The time ran out in it.
        Timeout => "timeout",
        /// The kernel died in it.
        Died => "died",
        /// Something ended the run before.
        NotRun => "not-run",
        /// It holds nothing to run.
        Skipped => "skipped",
    }
}

/// Writes `executions`, `grades`, `cells` and `errors`.
///
/// # Errors
/// When the store cannot be read or a file cannot be written.
pub(crate) fn export(store: &Store, staging: &mut Staging, scope: &Scope) -> Result<(), ExportError> {
    let cut = cut_outputs::all(store)?;
    let note = |row: &ExecutionRow| cut.get(&row.notebook_file).cloned();
    let mut execution_file = TableFile::create(staging, "executions", execution_columns)?;
    let mut grade_file = TableFile::create(staging, "grades", grade_columns)?;
    let mut cell_file = TableFile::create(staging, "cells", cell_columns)?;
    let mut error_file = TableFile::create(staging, "errors", error_columns)?;
    executions::each::<ExportError>(store, |mut row| {
        if !scope.is_studied(&row.key.version) {
            return Ok(());
        }
        let cells = std::mem::take(&mut row.cells);
        let run = Rc::new(Run { note: note(&row), row });
        for cell in cells {
            if let Some(error) = &cell.error {
                error_file.push(Raised::new(&run, cell.cell, error))?;
            }
            cell_file.push(CellOfRun { run: Rc::clone(&run), cell: without_traceback(cell) })?;
        }
        grade_file.push(Graded::new(&run, scope))?;
        Ok(execution_file.push(run)?)
    })?;
    execution_file.finish(staging)?;
    grade_file.finish(staging)?;
    cell_file.finish(staging)?;
    error_file.finish(staging)?;
    Ok(())
}

/// An execution without its cells, and why its outputs were not kept.
struct Run {
    row: ExecutionRow,
    note: Option<String>,
}

impl Heft for Rc<Run> {
    fn heft(&self) -> usize {
        self.row.output_detail.as_ref().map_or(0, String::len)
    }
}

/// The columns that name an execution.
fn key_columns<'a>(rows: impl Iterator<Item = &'a Run> + Clone) -> [Column; 4] {
    [
        text("version", rows.clone().map(|run| &run.row.key.version)),
        text("code_hash", rows.clone().map(|run| &run.row.key.code_hash)),
        text("environment", rows.clone().map(|run| &run.row.key.environment)),
        text("settings_hash", rows.map(|run| &run.row.key.settings_hash)),
    ]
}

/// The columns that say when an execution took place.
fn step_columns<'a>(rows: impl Iterator<Item = &'a Run> + Clone) -> Result<[Column; 3], ParquetError> {
    Ok([
        words!("condition", Condition, rows.clone().map(|run| Some(run.row.condition.as_str()))),
        count("fix_number", rows.clone().map(|run| run.row.fix_number)),
        count("repetition", rows.map(|run| run.row.repetition)),
    ])
}

fn execution_columns(runs: &[Rc<Run>]) -> Result<Vec<Column>, ParquetError> {
    let rows = || runs.iter().map(|run| &run.row);
    let [version, code_hash, environment, settings_hash] = key_columns(runs.iter().map(Rc::as_ref));
    let [condition, fix_number, repetition] = step_columns(runs.iter().map(Rc::as_ref))?;
    Ok(vec![
        version,
        condition,
        fix_number,
        repetition,
        code_hash,
        environment,
        settings_hash,
        text("started_at", rows().map(|row| &row.started_at)),
        text("tool_revision", rows().map(|row| &row.tool_revision)),
        count("seed", rows().map(|row| row.seed)),
        text("end", rows().map(ExecutionRow::end_word)),
        count("error_cells", rows().map(|row| row.error_cells)),
        optional_number("score", rows().map(|row| row.grade.as_ref().ok().copied())),
        optional_text("output_reason", rows().map(|row| row.grade.as_ref().err())),
        optional_text("output_detail", rows().map(|row| row.output_detail.as_ref())),
        number("seconds", rows().map(|row| row.seconds)),
        number("startup_seconds", rows().map(|row| row.startup_seconds)),
        optional_number("cpu_seconds", rows().map(|row| row.cpu_seconds)),
        optional_number("peak_memory_mib", rows().map(|row| row.peak_memory_bytes.map(mebibytes))),
        optional_text("outputs_note", runs.iter().map(|run| run.note.as_ref())),
    ])
}

/// Bytes as MiB, to a tenth: what a reader of the table needs, in one type that every tool knows.
fn mebibytes(bytes: u64) -> f64 {
    let tenths = bytes / (1024 * 1024 / 10);
    f64::from(u32::try_from(tenths).unwrap_or(u32::MAX)) / 10.0
}

/// What the grader said of an execution.
struct Graded {
    run: Rc<Run>,
    competition: String,
    metric: Option<String>,
    target: Option<f64>,
}

impl Graded {
    fn new(run: &Rc<Run>, scope: &Scope) -> Self {
        let competition = scope.competition(&run.row.key.version);
        Graded {
            run: Rc::clone(run),
            metric: scope.metric(competition).map(str::to_owned),
            competition: competition.to_owned(),
            target: scope.target(&run.row.key.version),
        }
    }

    fn score(&self) -> Option<f64> {
        self.run.row.grade.as_ref().ok().copied()
    }

    fn reason(&self) -> Option<&str> {
        self.run.row.grade.as_ref().err().map(String::as_str).filter(|reason| !reason.is_empty())
    }
}

impl Heft for Graded {
    fn heft(&self) -> usize {
        self.run.heft()
    }
}

fn grade_columns(rows: &[Graded]) -> Result<Vec<Column>, ParquetError> {
    let runs = || rows.iter().map(|graded| graded.run.as_ref());
    let [version, code_hash, environment, settings_hash] = key_columns(runs());
    let [condition, fix_number, repetition] = step_columns(runs())?;
    let reasons: Vec<Option<&str>> = rows.iter().map(Graded::reason).collect();
    Ok(vec![
        version,
        text("competition", rows.iter().map(|graded| &graded.competition)),
        condition,
        fix_number,
        repetition,
        code_hash,
        environment,
        settings_hash,
        optional_text("metric", rows.iter().map(|graded| graded.metric.as_ref())),
        optional_number("target_score", rows.iter().map(|graded| graded.target)),
        optional_number("score", rows.iter().map(Graded::score)),
        optional_number(
            "deviation",
            rows.iter().map(|graded| graded.score().zip(graded.target).map(|(score, target)| deviation(score, target))),
        ),
        enum_column("reason", &reasons, Invalid::KINDS)?,
        optional_text("detail", runs().map(|run| run.row.output_detail.as_ref())),
    ])
}

/// A cell of an execution.
struct CellOfRun {
    run: Rc<Run>,
    cell: CellRow,
}

impl Heft for CellOfRun {
    fn heft(&self) -> usize {
        self.cell.error.as_ref().map_or(0, |error| error.evalue.len())
    }
}

/// A cell as `cells` has it: what is long stands in `errors`.
fn without_traceback(mut cell: CellRow) -> CellRow {
    if let Some(error) = &mut cell.error {
        error.traceback = String::new();
    }
    cell
}

fn cell_columns(cells: &[CellOfRun]) -> Result<Vec<Column>, ParquetError> {
    let of = || cells.iter().map(|cell| &cell.cell);
    let [version, code_hash, environment, settings_hash] = key_columns(cells.iter().map(|cell| cell.run.as_ref()));
    Ok(vec![
        version,
        code_hash,
        environment,
        settings_hash,
        count("repetition", cells.iter().map(|cell| cell.run.row.repetition)),
        count("cell", of().map(|cell| cell.cell)),
        words!("status", CellStatus, of().map(|cell| Some(cell.status.as_str()))),
        optional_number("seconds", of().map(|cell| cell.seconds)),
        optional_text("ename", of().map(|cell| cell.error.as_ref().map(|error| &error.ename))),
        optional_text("evalue", of().map(|cell| cell.error.as_ref().map(|error| plain(&error.evalue)))),
    ])
}

/// An error that a cell raised.
struct Raised {
    run: Rc<Run>,
    cell: u32,
    line: Option<u32>,
    class: String,
    message: String,
    place: Option<Place>,
    traceback: String,
}

impl Raised {
    fn new(run: &Rc<Run>, cell: u32, error: &CellErrorRow) -> Self {
        let traceback = plain(&error.traceback);
        Raised {
            run: Rc::clone(run),
            cell,
            line: error.line,
            class: error.ename.clone(),
            message: plain(error.evalue.lines().next().unwrap_or_default()),
            place: raised_in(&traceback),
            traceback,
        }
    }
}

impl Heft for Raised {
    fn heft(&self) -> usize {
        self.message.len() + self.traceback.len()
    }
}

fn error_columns(rows: &[Raised]) -> Result<Vec<Column>, ParquetError> {
    let runs = || rows.iter().map(|raised| raised.run.as_ref());
    let places = || rows.iter().map(|raised| raised.place.as_ref());
    let [version, code_hash, environment, settings_hash] = key_columns(runs());
    let [condition, fix_number, repetition] = step_columns(runs())?;
    Ok(vec![
        version,
        condition,
        fix_number,
        repetition,
        code_hash,
        environment,
        settings_hash,
        count("cell", rows.iter().map(|raised| raised.cell)),
        optional_count("line", rows.iter().map(|raised| raised.line)),
        text("class", rows.iter().map(|raised| &raised.class)),
        text("message", rows.iter().map(|raised| &raised.message)),
        optional_text("module", places().map(|place| place.map(|place| &place.module))),
        optional_count("module_line", places().map(|place| place.and_then(|place| place.line))),
        text("traceback", rows.iter().map(|raised| &raised.traceback)),
    ])
}
