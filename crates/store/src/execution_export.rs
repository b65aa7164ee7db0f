//! What ran, as parquet: executions, their grades, cells and errors, in one pass over the store.

mod reading;

use std::sync::Arc;

use nbrevive_corpus::{Condition, RunEnd, deviation};
use nbrevive_grade::Invalid;
use polars::prelude::{Column, IdxSize};

use crate::columns::{count, number, optional_count, optional_number, optional_text, text, words};
use crate::dataset::folder::Staging;
use crate::dataset::table_file::{Heft, TableFile};
use crate::executions::{CellStatus, end_word};
use crate::export::{Competition, ExportError, Scope, Seen};
use crate::parquet::{ParquetError, enum_column};
use crate::tracebacks::{Place, plain, raised_in};
use crate::{Store, cut_outputs};
use reading::{Cell, Raised, Run};

/// Writes `executions`, `grades`, `cells` and `errors`.
///
/// # Errors
/// When the store cannot be read or a file cannot be written.
pub(crate) fn export(store: &Store, staging: &Staging, scope: &Scope) -> Result<(), ExportError> {
    let cut = cut_outputs::all(store)?;
    let mut execution_file = TableFile::create(staging, "executions", execution_columns)?;
    let mut grade_file = TableFile::create(staging, "grades", grade_columns)?;
    let mut cell_file = TableFile::create(staging, "cells", cell_columns)?;
    let mut error_file = TableFile::create(staging, "errors", error_columns)?;
    reading::each::<ExportError>(store, |mut run, mut cells| {
        let Some(seen) = scope.studied(run.version()) else { return Ok(()) };
        run.note = cut.get(run.notebook_file()).cloned();
        let run = Arc::new(run);
        for cell in &cells {
            if let Some(error) = &cell.error {
                error_file.push(RaisedInRun { run: Arc::clone(&run), cell: cell.cell, error: Arc::clone(error) })?;
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

impl Heft for Arc<Run> {
    fn heft(&self) -> usize {
        self.output_detail().map_or(0, str::len)
    }
}

/// The columns that name an execution.
fn key_columns<'a>(rows: impl Iterator<Item = &'a Run> + Clone) -> [Column; 4] {
    [
        text("version", rows.clone().map(|run| run.version())),
        text("code_hash", rows.clone().map(|run| run.code_hash())),
        text("environment", rows.clone().map(|run| run.environment())),
        text("settings_hash", rows.map(|run| run.settings_hash())),
    ]
}

/// The columns that say when an execution took place.
fn step_columns<'a>(rows: impl Iterator<Item = &'a Run> + Clone) -> Result<[Column; 3], ParquetError> {
    Ok([
        words!("condition", Condition, rows.clone().map(|run| Some(run.condition.as_str()))),
        count("fix_number", rows.clone().map(|run| run.fix_number)),
        count("repetition", rows.map(|run| run.repetition)),
    ])
}

fn execution_columns(runs: &[Arc<Run>]) -> Result<Vec<Column>, ParquetError> {
    let rows = || runs.iter().map(Arc::as_ref);
    let [version, code_hash, environment, settings_hash] = key_columns(runs.iter().map(Arc::as_ref));
    let [condition, fix_number, repetition] = step_columns(runs.iter().map(Arc::as_ref))?;
    let ends = rows().map(|row| serde_json::from_str(row.end())).collect::<Result<Vec<RunEnd>, _>>();
    let ends = ends.map_err(|source| ParquetError::Unreadable { column: "end".to_owned(), source })?;
    Ok(vec![
        version,
        condition,
        fix_number,
        repetition,
        code_hash,
        environment,
        settings_hash,
        text("started_at", rows().map(Run::started_at)),
        text("tool_revision", rows().map(Run::tool_revision)),
        count("seed", rows().map(|row| row.seed)),
        text("end", ends.iter().map(end_word)),
        count("error_cells", rows().map(|row| row.error_cells)),
        optional_number("score", rows().map(|row| row.score)),
        optional_text("output_reason", rows().map(Run::output_reason)),
        optional_text("output_detail", rows().map(Run::output_detail)),
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
        self.run.score
    }

    fn reason(&self) -> Option<&str> {
        self.run.output_reason().filter(|reason| !reason.is_empty())
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
        optional_text("detail", runs().map(Run::output_detail)),
    ])
}

/// So many cells of one execution are added to their table at once, which may make a group so much larger than others.
const CELLS_AT_ONCE: usize = 1000;

/// Cells of an execution.
struct CellsOfRun {
    run: Arc<Run>,
    cells: Vec<Cell>,
}

impl Heft for CellsOfRun {
    fn heft(&self) -> usize {
        self.cells.iter().filter_map(|cell| cell.error.as_ref()).map(|error| error.bytes()).sum()
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
        count("repetition", run_of().map(|run| run.repetition)),
        count("cell", of().map(|cell| cell.cell)),
        words!("status", CellStatus, of().map(|cell| Some(cell.status.as_str()))),
        optional_number("seconds", of().map(|cell| cell.seconds)),
        optional_text("ename", of().map(|cell| cell.error.as_ref().map(|error| error.class()))),
        optional_text("evalue", of().map(|cell| cell.error.as_ref().map(|error| plain(error.message())))),
    ])
}

/// An error that a cell raised.
struct RaisedInRun {
    run: Arc<Run>,
    cell: u32,
    error: Arc<Raised>,
}

impl Heft for RaisedInRun {
    fn heft(&self) -> usize {
        self.error.bytes()
    }
}

fn error_columns(rows: &[RaisedInRun]) -> Result<Vec<Column>, ParquetError> {
    let runs = || rows.iter().map(|raised| raised.run.as_ref());
    let errors = || rows.iter().map(|raised| &raised.error);
    let tracebacks: Vec<String> = errors().map(|error| plain(error.traceback())).collect();
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
        text("class", errors().map(|error| error.class())),
        text("message", errors().map(|error| plain(error.message().lines().next().unwrap_or_default()))),
        optional_text("module", places().map(|place| place.map(|place| &place.module))),
        optional_count("module_line", places().map(|place| place.and_then(|place| place.line))),
        text("traceback", tracebacks.iter()),
    ])
}
