//! What ran, as parquet: executions, their grades, cells and errors, in one pass over the store.

mod reading;

use std::borrow::Cow;
use std::sync::mpsc::{Sender, SyncSender, channel, sync_channel};

use nbrevive_corpus::{RunEnd, deviation};
use nbrevive_diagnosis::crash::{CrashText, RootCause, root_causes};
use nbrevive_grade::Invalid;

use crate::columns::{Column, count, enum_column, optional_count, optional_number, optional_text, text, words};
use crate::dataset::folder::Staging;
use crate::dataset::table_file::{BYTES_AT_ONCE, ROWS_AT_ONCE, TableFile};
use crate::executions::{CellStatus, ExecutionCost};
use crate::export::tracebacks::{Place, plain, raised_in};
use crate::export::{ExportError, Scope, Seen};
use crate::parquet::ParquetError;
use crate::record::Record as _;
use crate::{Store, StoreError, cut_outputs};
use reading::{Cell, Raised, Run};

/// Writes `executions`, `grades`, `cells` and `errors`: while one thread makes columns of what was read, this one reads on.
///
/// # Errors
/// When the store cannot be read or a file cannot be written.
pub(crate) fn export(store: &Store, staging: &Staging, scope: &Scope) -> Result<(), ExportError> {
    let mut files = Files::create(staging)?;
    let (send, batches) = sync_channel::<Batch<'_>>(READ_AHEAD);
    std::thread::scope(|threads| {
        let writing = threads.spawn(move || {
            batches.iter().try_for_each(|batch| files.append(&batch.rows))?;
            files.finish(staging)
        });
        let stopped = read_batches(store, scope, &send).err();
        drop(send);
        let written = writing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        match stopped {
            Some(Stopped::Failed(error)) => Err(error),
            Some(Stopped::Unwanted) | None => written,
        }
    })
}

/// Why executions are read no further.
enum Stopped {
    /// They cannot be read.
    Failed(ExportError),
    /// Nobody takes them any more, who will say why.
    Unwanted,
}

impl From<StoreError> for Stopped {
    fn from(error: StoreError) -> Self {
        Stopped::Failed(error.into())
    }
}

/// So many cells become columns at once, about, if the executions and their texts do not before. Of an execution with more cells, so many
/// are added to their table at once, which may make a group so much larger than others.
const CELLS_AT_ONCE: usize = 1000;

/// So many batches may wait to become columns.
const READ_AHEAD: usize = 64;

/// Executions that become columns at once.
struct Batch<'scope> {
    rows: Vec<Graded<'scope>>,
    /// Goes with the rows, so that one can wait until they are gone.
    _held: Sender<()>,
}

/// Gathers batches.
struct Batches<'send, 'scope> {
    rows: Vec<Graded<'scope>>,
    cells: usize,
    bytes: usize,
    send: &'send SyncSender<Batch<'scope>>,
}

impl<'scope> Batches<'_, 'scope> {
    fn push(&mut self, row: Graded<'scope>) -> Result<(), Stopped> {
        self.cells += row.run.cells.len();
        self.bytes += row.run.bytes();
        self.rows.push(row);
        let is_full = self.rows.len() >= ROWS_AT_ONCE || self.cells >= CELLS_AT_ONCE || self.bytes >= BYTES_AT_ONCE;
        if is_full { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), Stopped> {
        let (_held, gone) = channel();
        let rows = std::mem::take(&mut self.rows);
        self.send.send(Batch { rows, _held }).map_err(|_| Stopped::Unwanted)?;
        if self.bytes >= BYTES_AT_ONCE {
            // A notebook may raise errors of many MiB, again and again: nothing is read beside them.
            let _ = gone.recv();
        }
        (self.cells, self.bytes) = (0, 0);
        Ok(())
    }
}

/// Reads the executions of the versions that are studied.
fn read_batches<'scope>(store: &Store, scope: &'scope Scope, send: &SyncSender<Batch<'scope>>) -> Result<(), Stopped> {
    let cut = cut_outputs::all(store)?;
    let mut batches = Batches { rows: Vec::new(), cells: 0, bytes: 0, send };
    reading::each(
        store,
        |version| scope.studied(version),
        |mut run, seen| {
            run.note = cut.get(run.notebook_file()).cloned();
            batches.push(Graded { run, seen })
        },
    )?;
    batches.flush()
}

/// The four tables.
struct Files {
    executions: TableFile,
    grades: TableFile,
    cells: TableFile,
    errors: TableFile,
}

impl Files {
    fn create(staging: &Staging) -> Result<Self, ParquetError> {
        let keys = key_columns(&[])?;
        Ok(Files {
            executions: TableFile::create(staging, "executions", execution_columns(&[], &keys)?)?,
            grades: TableFile::create(staging, "grades", grade_columns(&[], keys.clone())?)?,
            cells: TableFile::create(staging, "cells", cell_columns(&[], &keys)?)?,
            errors: TableFile::create(staging, "errors", error_columns(&[], &keys)?)?,
        })
    }

    fn append(&mut self, rows: &[Graded<'_>]) -> Result<(), ParquetError> {
        let keys = key_columns(rows)?;
        self.executions.append(&execution_columns(rows, &keys)?)?;
        let places: Vec<usize> = (0..).zip(rows).filter(|(_, row)| row.is_graded()).map(|(place, _)| place).collect();
        let graded: Vec<&Graded<'_>> = places.iter().map(|place| &rows[*place]).collect();
        self.grades.append(&grade_columns(&graded, keys_at(&keys, &places))?)?;
        let parts: Vec<CellsOfRun<'_>> = (0..).zip(rows).flat_map(|(run, row)| CellsOfRun::all(run, row)).collect();
        for parts in parts.chunk_by(|one, _| one.cells.len() < CELLS_AT_ONCE) {
            self.cells.append(&cell_columns(parts, &keys)?)?;
        }
        let errors: Vec<RaisedInRun<'_>> = parts.iter().flat_map(RaisedInRun::all).collect();
        self.errors.append(&error_columns(&errors, &keys)?)
    }

    fn finish(self, staging: &Staging) -> Result<(), ExportError> {
        self.executions.finish(staging)?;
        self.grades.finish(staging)?;
        self.cells.finish(staging)?;
        self.errors.finish(staging)?;
        Ok(())
    }
}

/// The columns that name an execution and say when it took place, as they begin its row.
fn key_columns(rows: &[Graded<'_>]) -> Result<[Column; 7], ParquetError> {
    let runs = || rows.iter().map(|graded| &graded.run);
    Ok([
        text("version", runs().map(Run::version)),
        text("condition", runs().map(|run| run.numbers.condition.as_str())),
        count("fix_number", runs().map(|run| run.numbers.fix_number)),
        count("repetition", runs().map(|run| run.numbers.repetition)),
        text("code_hash", runs().map(Run::code_hash)),
        text("environment", runs().map(Run::environment)),
        text("settings_hash", runs().map(Run::settings_hash)),
    ])
}

/// Those columns for rows of which each belongs to the execution at one of these places.
fn keys_at(keys: &[Column; 7], places: &[usize]) -> [Column; 7] {
    keys.each_ref().map(|column| column.at(places))
}

fn execution_columns(graded: &[Graded<'_>], keys: &[Column; 7]) -> Result<Vec<Column>, ParquetError> {
    let rows = || graded.iter().map(|graded| &graded.run);
    let (numbers, spent) = (|| rows().map(|row| &row.numbers), || rows().map(|row| &row.spent));
    let ends = rows().map(|row| serde_json::from_str(row.end())).collect::<Result<Vec<RunEnd>, _>>();
    let ends = ends.map_err(|source| ParquetError::Unreadable { column: "end".to_owned(), source })?;
    let mut columns = keys.to_vec();
    columns.extend([
        text("started_at", rows().map(Run::started_at)),
        text("tool_revision", rows().map(Run::tool_revision)),
        count("seed", numbers().map(|of| of.seed)),
        text("end", ends.iter().map(RunEnd::word)),
        count("error_cells", numbers().map(|of| of.error_cells)),
        optional_number("score", rows().map(|row| row.score)),
        optional_text("output_reason", rows().map(Run::output_reason)),
        optional_text("output_detail", rows().map(Run::output_detail)),
        optional_number("peak_memory_mib", spent().map(|of| of.peak_memory_bytes.map(mebibytes))),
        optional_number("gpu_peak_memory_mib", spent().map(|of| of.gpu_peak_memory_bytes.map(mebibytes))),
        optional_text("outputs_note", rows().map(|row| row.note.as_ref())),
    ]);
    columns.extend(ExecutionCost::columns(spent(), &["peak_memory_bytes", "gpu_peak_memory_bytes"])?);
    Ok(columns)
}

/// Bytes as MiB, to a tenth: what a reader of the table needs, in one type that every tool knows.
fn mebibytes(bytes: u64) -> f64 {
    let tenths = bytes / (1024 * 1024 / 10);
    f64::from(u32::try_from(tenths).unwrap_or(u32::MAX)) / 10.0
}

/// An execution, and what is known of its version: what the grader said of it.
struct Graded<'scope> {
    run: Run,
    seen: &'scope Seen,
}

impl Graded<'_> {
    /// Whether there were answers to grade against.
    fn is_graded(&self) -> bool {
        self.run.score.is_some() || self.run.output_reason().is_some()
    }

    fn reason(&self) -> Option<&str> {
        self.run.output_reason().filter(|reason| !reason.is_empty())
    }

    fn deviation(&self) -> Option<f64> {
        self.run.score.zip(self.seen.target).map(|(score, target)| deviation(score, target))
    }
}

fn grade_columns(rows: &[&Graded<'_>], keys: [Column; 7]) -> Result<Vec<Column>, ParquetError> {
    let runs = || rows.iter().map(|graded| &graded.run);
    let [version, condition, fix_number, repetition, code_hash, environment, settings_hash] = keys;
    let competitions = || rows.iter().map(|graded| graded.seen.competition.as_ref());
    Ok(vec![
        version,
        optional_text("competition", competitions().map(|competition| Some(&competition?.name))),
        condition,
        fix_number,
        repetition,
        code_hash,
        environment,
        settings_hash,
        optional_text("metric", competitions().map(|competition| competition?.metric.as_ref())),
        optional_number("target_score", rows.iter().map(|graded| graded.seen.target)),
        optional_number("score", runs().map(|run| run.score)),
        optional_number("deviation", rows.iter().map(|graded| graded.deviation())),
        enum_column("reason", rows.iter().map(|graded| graded.reason()), Invalid::KINDS.to_vec())?,
        optional_text("detail", runs().map(Run::output_detail)),
    ])
}

/// Cells of the execution at a place.
struct CellsOfRun<'run> {
    run: usize,
    cells: &'run [Cell],
}

impl<'run> CellsOfRun<'run> {
    /// All of an execution, in parts.
    fn all(run: usize, row: &'run Graded<'_>) -> impl Iterator<Item = Self> {
        row.run.cells.chunks(CELLS_AT_ONCE).map(move |cells| CellsOfRun { run, cells })
    }
}

fn cell_columns(parts: &[CellsOfRun<'_>], keys: &[Column; 7]) -> Result<Vec<Column>, ParquetError> {
    let of = || parts.iter().flat_map(|part| part.cells);
    let places: Vec<usize> = parts.iter().flat_map(|part| std::iter::repeat_n(part.run, part.cells.len())).collect();
    let [version, _, _, repetition, code_hash, environment, settings_hash] = keys;
    let own = [version, code_hash, environment, settings_hash, repetition];
    let mut columns: Vec<Column> = own.into_iter().map(|column| column.at(&places)).collect();
    columns.extend([
        count("cell", of().map(|cell| cell.cell)),
        words!("status", CellStatus, of().map(|cell| Some(cell.status.as_str()))),
        optional_number("seconds", of().map(|cell| cell.seconds)),
        optional_text("ename", of().map(|cell| cell.error.as_ref().map(|error| error.class()))),
        optional_text("evalue", of().map(|cell| cell.error.as_ref().map(|error| plain(error.message())))),
    ]);
    Ok(columns)
}

/// An error that a cell raised, of the execution at a place.
struct RaisedInRun<'run> {
    run: usize,
    cell: u32,
    error: &'run Raised,
}

impl<'run> RaisedInRun<'run> {
    /// Every error of these cells.
    fn all(part: &CellsOfRun<'run>) -> impl Iterator<Item = Self> {
        let run = part.run;
        part.cells
            .iter()
            .filter_map(move |cell| Some(RaisedInRun { run, cell: cell.cell, error: cell.error.as_ref()? }))
    }
}

fn error_columns(rows: &[RaisedInRun<'_>], keys: &[Column; 7]) -> Result<Vec<Column>, ParquetError> {
    let errors = || rows.iter().map(|raised| raised.error);
    let tracebacks: Vec<Cow<'_, str>> = errors().map(|error| plain(error.traceback())).collect();
    let messages: Vec<Cow<'_, str>> = errors().map(|error| plain(error.message())).collect();
    let crashes: Vec<CrashText<'_>> = { errors().zip(&messages).zip(&tracebacks) }
        .map(|((error, evalue), traceback)| CrashText { platform: "", ename: error.class(), evalue, traceback })
        .collect();
    let causes = root_causes(&crashes);
    let modules: Vec<Option<Place>> = tracebacks.iter().map(|traceback| raised_in(traceback)).collect();
    let places = || modules.iter().map(Option::as_ref);
    let places_of_runs: Vec<usize> = rows.iter().map(|raised| raised.run).collect();
    let mut columns = keys_at(keys, &places_of_runs).to_vec();
    columns.extend([
        count("cell", rows.iter().map(|raised| raised.cell)),
        optional_count("line", errors().map(|error| error.line)),
        text("class", errors().map(|error| error.class())),
        text("message", messages.iter().map(|message| message.lines().next().unwrap_or_default())),
        optional_text("module", places().map(|place| place.map(|place| &place.module))),
        optional_count("module_line", places().map(|place| place.and_then(|place| place.line))),
        text("traceback", tracebacks.iter()),
        words!("root_cause", RootCause, causes.iter().map(|cause| Some(cause.as_str()))),
    ]);
    Ok(columns)
}
