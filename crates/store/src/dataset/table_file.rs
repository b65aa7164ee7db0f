//! Rows in, a parquet file out, a group of rows at a time: memory holds one group, however long the table is.

use std::fs::File;
use std::path::PathBuf;

use polars::prelude::{Column, DataFrame, DataType, NamedFrom, Series};
use polars_io::parquet::write::BatchedWriter;

use super::Variant;
use super::folder::Staging;
use super::manifest::FileEntry;
use super::schema::{Schema, Table};
use crate::parquet::{ParquetError, ROW_GROUP, writer};

/// Bytes of rows that wait to be written, about; then they are, however few they are.
const HEAVY: usize = 32 << 20;

/// A row of a table.
pub(crate) trait Heft {
    /// About how many bytes its long texts have; 0 for rows of numbers and short words.
    fn heft(&self) -> usize {
        0
    }
}

/// A table that is being written. `C` makes columns of rows; also of none, which tells their types.
pub(crate) struct TableFile<R, C> {
    table: &'static Table,
    variant: Variant,
    path: PathBuf,
    writer: BatchedWriter<File>,
    columns: C,
    waiting: Vec<R>,
    heft: usize,
    rows: u64,
}

impl<R: Heft, C: Fn(&[R]) -> Result<Vec<Column>, ParquetError>> TableFile<R, C> {
    /// Begins the table of this name.
    ///
    /// # Errors
    /// When the columns are not those of the schema, or the file cannot be made.
    pub(crate) fn create(staging: &Staging, name: &str, columns: C) -> Result<Self, ParquetError> {
        let unknown = || ParquetError::Unknown { table: name.to_owned() };
        let table = Schema::get().table(name).ok_or_else(unknown)?;
        let path = staging.path(&table.file());
        let empty = frame(table, staging.variant(), columns(&[])?)?;
        let writer = writer(&path)?
            .batched(empty.schema())
            .map_err(|source| ParquetError::Columns { path: path.clone(), source })?;
        Ok(TableFile {
            table,
            variant: staging.variant(),
            path,
            writer,
            columns,
            waiting: Vec::new(),
            heft: 0,
            rows: 0,
        })
    }

    /// Adds a row.
    ///
    /// # Errors
    /// When a group of rows cannot be written.
    pub(crate) fn push(&mut self, row: R) -> Result<(), ParquetError> {
        self.heft += row.heft();
        self.waiting.push(row);
        if self.waiting.len() >= ROW_GROUP || self.heft >= HEAVY { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), ParquetError> {
        let frame = frame(self.table, self.variant, (self.columns)(&self.waiting)?)?;
        self.rows += self.waiting.len() as u64;
        self.waiting.clear();
        self.heft = 0;
        self.writer.write_batch(&frame).map_err(|source| ParquetError::Columns { path: self.path.clone(), source })
    }

    /// Writes what waits and the end of the file.
    ///
    /// # Errors
    /// When the rest cannot be written.
    pub(crate) fn finish(mut self, staging: &mut Staging) -> Result<(), ParquetError> {
        if !self.waiting.is_empty() {
            self.flush()?;
        }
        let unwritable = |source| ParquetError::Unwritable { path: self.path.clone(), source };
        self.writer.finish().map_err(|source| ParquetError::Columns { path: self.path.clone(), source })?;
        let file = File::open(&self.path).map_err(unwritable)?;
        file.sync_all().map_err(unwritable)?;
        staging.note(FileEntry::of(self.table, &self.path, self.rows).map_err(unwritable)?);
        Ok(())
    }
}

/// Writes a table whose rows are in memory.
///
/// # Errors
/// As [`TableFile`].
pub(crate) fn write_table<R: Heft>(
    staging: &mut Staging,
    name: &str,
    rows: impl IntoIterator<Item = R>,
    columns: impl Fn(&[R]) -> Result<Vec<Column>, ParquetError>,
) -> Result<(), ParquetError> {
    let mut file = TableFile::create(staging, name, columns)?;
    rows.into_iter().try_for_each(|row| file.push(row))?;
    file.finish(staging)
}

/// The columns as a frame, checked against the table's schema and cut to the variant.
fn frame(table: &Table, variant: Variant, columns: Vec<Column>) -> Result<DataFrame, ParquetError> {
    let wrong = |column: &str, problem: String| ParquetError::Schema {
        table: table.name.clone(),
        column: column.to_owned(),
        problem,
    };
    if columns.len() != table.columns.len() {
        return Err(wrong("", format!("{} columns, expected {}", columns.len(), table.columns.len())));
    }
    for (found, expected) in columns.iter().zip(&table.columns) {
        if found.name().as_str() != expected.name {
            return Err(wrong(&expected.name, format!("in its place stands `{}`", found.name())));
        }
        if !expected.kind.fits(found.dtype()) {
            return Err(wrong(&expected.name, format!("it holds {}, expected {:?}", found.dtype(), expected.kind)));
        }
        if !expected.null && found.null_count() > 0 {
            return Err(wrong(&expected.name, format!("{} values are missing, expected none", found.null_count())));
        }
    }
    let height = columns.first().map_or(0, Column::len);
    let pairs = columns.into_iter().zip(&table.columns);
    let kept = pairs.filter(|(_, rule)| variant == Variant::Full || !rule.free);
    let masked =
        kept.map(|(column, rule)| if variant == Variant::IdsOnly && rule.masked { mask(&column) } else { column });
    DataFrame::new(height, masked.collect())
        .map_err(|source| ParquetError::Columns { path: table.file().into(), source })
}

/// Names of classes as the ids-only variant has them: Python's own, and `other` for any that a notebook may have made up.
fn mask(column: &Column) -> Column {
    let text = column.cast(&DataType::String).unwrap_or_else(|_| column.clone());
    let Ok(text) = text.str() else { return column.clone() };
    let known = |name| if PYTHON_EXCEPTIONS.contains(&name) { name } else { "other" };
    let masked: Vec<Option<&str>> = text.iter().map(|name| name.map(known)).collect();
    Column::from(Series::new(column.name().clone(), masked))
}

/// The exceptions that Python brings (its library reference, "Built-in Exceptions"), as far as a cell can raise them.
const PYTHON_EXCEPTIONS: &[&str] = &[
    "ArithmeticError",
    "AssertionError",
    "AttributeError",
    "BaseException",
    "BaseExceptionGroup",
    "BlockingIOError",
    "BrokenPipeError",
    "BufferError",
    "ChildProcessError",
    "ConnectionAbortedError",
    "ConnectionError",
    "ConnectionRefusedError",
    "ConnectionResetError",
    "EOFError",
    "EnvironmentError",
    "Exception",
    "ExceptionGroup",
    "FileExistsError",
    "FileNotFoundError",
    "FloatingPointError",
    "GeneratorExit",
    "IOError",
    "ImportError",
    "IndentationError",
    "IndexError",
    "InterruptedError",
    "IsADirectoryError",
    "KeyError",
    "KeyboardInterrupt",
    "LookupError",
    "MemoryError",
    "ModuleNotFoundError",
    "NameError",
    "NotADirectoryError",
    "NotImplementedError",
    "OSError",
    "OverflowError",
    "PermissionError",
    "ProcessLookupError",
    "RecursionError",
    "ReferenceError",
    "RuntimeError",
    "StandardError",
    "StopAsyncIteration",
    "StopIteration",
    "SyntaxError",
    "SystemError",
    "SystemExit",
    "TabError",
    "TimeoutError",
    "TypeError",
    "UnboundLocalError",
    "UnicodeDecodeError",
    "UnicodeEncodeError",
    "UnicodeError",
    "UnicodeTranslateError",
    "ValueError",
    "Warning",
    "ZeroDivisionError",
];
