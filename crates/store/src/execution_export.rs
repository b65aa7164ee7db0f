//! What ran, as parquet: executions, their grades, cells and errors, in one pass over the store.

use std::sync::Arc;

use nbrevive_corpus::{Condition, deviation};
use nbrevive_grade::Invalid;
use polars::prelude::{Column, IdxSize};

use crate::columns::{count, number, optional_count, optional_number, optional_text, text, words};
use crate::dataset::folder::Staging;
use crate::dataset::table_file::{Heft, TableFile};
use crate::executions::{CellErrorRow, CellRow, CellStatus, ExecutionRow};
use crate::export::{Competition, ExportError, Scope, Seen};
use crate::parquet::{ParquetError, enum_column};
use crate::tracebacks::{Place, plain, raised_in};
use crate::{Store, cut_outputs, executions};

/// Writes `executions`, `grades`, `cells` and `errors`, on a thread that the store is handed over to.
///
/// # Errors
/// When the store cannot be read or a file cannot be written.
pub(crate) fn export(store: Store, staging: &Staging, scope: &Scope) -> Result<(), ExportError> {
    let store = &store;
    let cut = cut_outputs::all(store)?;
    let note = |row: &ExecutionRow| cut.get(&row.notebook_file).cloned();
    let mut execution_file = TableFile::create(staging, "executions", execution_columns)?;
    let mut grade_file = TableFile::create(staging, "grades", grade_columns)?;
    let mut cell_file = TableFile::create(staging, "cells", cell_columns)?;
    let mut error_file = TableFile::create(staging, "errors", error_columns)?;
    executions::each::<ExportError>(store, |mut row| {
        let Some(seen) = scope.studied(&row.key.version) else { return Ok(()) };
        let mut cells = std::mem::take(&mut row.cells);
        let run = Arc::new(Run { note: note(&row), row });
        for cell in &mut cells {
            if let Some(error) = &mut cell.error {
                // What is long stands in `errors` alone.
                let traceback = std::mem::take(&mut error.traceback);
                let error = CellErrorRow { traceback, ..error.clone() };
                error_file.push(Raised { run: Arc::clone(&run), cell: cell.cell, error })?;
            }
        }
        while !cells.is_empty() {
            let rest = cells.split_off(cells.len().min(CELLS_AT_ONCE));
            let cells = std::mem::replace(&mut cells, rest);
            cell_file.push(CellsOfRun { run: Arc::clone(&run), cells })?;
        }
        grade_file.push(Graded::new(&run, seen))?;
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

impl Heft for Arc<Run> {
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

fn execution_columns(runs: &[Arc<Run>]) -> Result<Vec<Column>, ParquetError> {
    let rows = || runs.iter().map(|run| &run.row);
    let [version, code_hash, environment, settings_hash] = key_columns(runs.iter().map(Arc::as_ref));
    let [condition, fix_number, repetition] = step_columns(runs.iter().map(Arc::as_ref))?;
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
    run: Arc<Run>,
    competition: Arc<Competition>,
    target: Option<f64>,
}

impl Graded {
    fn new(run: &Arc<Run>, seen: &Seen) -> Self {
        Graded { run: Arc::clone(run), competition: Arc::clone(&seen.competition), target: seen.target }
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
        text("competition", rows.iter().map(|graded| &graded.competition.name)),
        condition,
        fix_number,
        repetition,
        code_hash,
        environment,
        settings_hash,
        optional_text("metric", rows.iter().map(|graded| graded.competition.metric.as_ref())),
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

/// So many cells of one execution are added to their table at once, which may make a group so much larger than others.
const CELLS_AT_ONCE: usize = 1000;

/// Cells of an execution.
struct CellsOfRun {
    run: Arc<Run>,
    cells: Vec<CellRow>,
}

impl Heft for CellsOfRun {
    fn heft(&self) -> usize {
        self.cells.iter().filter_map(|cell| cell.error.as_ref()).map(|error| error.evalue.len()).sum()
    }

    fn rows(&self) -> usize {
        self.cells.len()
    }
}

fn cell_columns(runs: &[CellsOfRun]) -> Result<Vec<Column>, ParquetError> {
    let of = || runs.iter().flat_map(|run| &run.cells);
    let run_of = || runs.iter().flat_map(|run| std::iter::repeat_n(run.run.as_ref(), run.cells.len()));
    // The texts of an execution once, and then the place of each cell's execution: copying them for each cell takes long.
    let places: Vec<IdxSize> =
        (0..).zip(runs).flat_map(|(place, run)| std::iter::repeat_n(place, run.cells.len())).collect();
    let of_cells = |column: Column| {
        let name = column.name().to_string();
        column.take_slice(&places).map_err(|source| ParquetError::Cells { column: name, source })
    };
    let [version, code_hash, environment, settings_hash] = key_columns(runs.iter().map(|run| run.run.as_ref()));
    Ok(vec![
        of_cells(version)?,
        of_cells(code_hash)?,
        of_cells(environment)?,
        of_cells(settings_hash)?,
        count("repetition", run_of().map(|run| run.row.repetition)),
        count("cell", of().map(|cell| cell.cell)),
        words!("status", CellStatus, of().map(|cell| Some(cell.status.as_str()))),
        optional_number("seconds", of().map(|cell| cell.seconds)),
        optional_text("ename", of().map(|cell| cell.error.as_ref().map(|error| &error.ename))),
        optional_text("evalue", of().map(|cell| cell.error.as_ref().map(|error| plain(&error.evalue)))),
    ])
}

/// An error that a cell raised.
struct Raised {
    run: Arc<Run>,
    cell: u32,
    error: CellErrorRow,
}

impl Heft for Raised {
    fn heft(&self) -> usize {
        self.error.evalue.len() + self.error.traceback.len()
    }
}

fn error_columns(rows: &[Raised]) -> Result<Vec<Column>, ParquetError> {
    let runs = || rows.iter().map(|raised| raised.run.as_ref());
    let errors = || rows.iter().map(|raised| &raised.error);
    let tracebacks: Vec<String> = errors().map(|error| plain(&error.traceback)).collect();
    let places: Vec<Option<Place>> = tracebacks.iter().map(|traceback| raised_in(traceback)).collect();
    let places = || places.iter().map(Option::as_ref);
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
        optional_count("line", errors().map(|error| error.line)),
        text("class", errors().map(|error| &error.ename)),
        text("message", errors().map(|error| plain(error.evalue.lines().next().unwrap_or_default()))),
        optional_text("module", places().map(|place| place.map(|place| &place.module))),
        optional_count("module_line", places().map(|place| place.and_then(|place| place.line))),
        text("traceback", tracebacks.iter()),
    ])
}
