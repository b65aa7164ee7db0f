//! Columns as the schema has them: what an export writes is what its schema promises.

use polars::prelude::{Column, DataFrame, DataType, NamedFrom, Series};

use super::Variant;
use super::schema::Table;
use crate::parquet::ParquetError;

/// The columns as a frame, checked against the table's schema and cut to the variant.
pub(crate) fn frame(table: &Table, variant: Variant, columns: Vec<Column>) -> Result<DataFrame, ParquetError> {
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
