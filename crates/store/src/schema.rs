//! What a database has, and how its words are read.

use std::collections::HashSet;
use std::str::FromStr;

use nbrevive_corpus::UnknownWord;
use rusqlite::types::{Type, ValueRef};
use rusqlite::{Connection, Row};

/// Whether a table is there: a store that is opened for reading only is not migrated, and may be older than it.
pub(crate) fn has_table(connection: &Connection, table: &str) -> Result<bool, rusqlite::Error> {
    let query = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1)";
    connection.query_row(query, [table], |row| row.get(0))
}

/// The columns of a table; see [`has_table`].
pub(crate) fn columns_of(connection: &Connection, table: &str) -> Result<HashSet<String>, rusqlite::Error> {
    let mut statement = connection.prepare_cached("SELECT name FROM pragma_table_info(?1)")?;
    statement.query_map([table], |row| row.get(0))?.collect()
}

/// A word of the vocabulary.
pub(crate) fn word<T: FromStr<Err = UnknownWord>>(row: &Row<'_>, column: usize) -> Result<T, rusqlite::Error> {
    let text = row.get_ref(column)?.as_str().map_err(|error| unreadable(row, column, &error))?;
    text.parse().map_err(|error: UnknownWord| unreadable(row, column, &error))
}

/// That a value cannot be read: of which row, as far as its first column says it, and of which column.
pub(crate) fn unreadable(row: &Row<'_>, column: usize, error: &dyn std::fmt::Display) -> rusqlite::Error {
    let name = row.as_ref().column_name(column).unwrap_or_default();
    let of = match row.get_ref(0) {
        Ok(ValueRef::Text(first)) if column > 0 => format!(" of `{}`", String::from_utf8_lossy(first)),
        Ok(ValueRef::Integer(first)) if column > 0 => format!(" of row {first}"),
        _ => String::new(),
    };
    let told = format!("column `{name}`{of}: {error}");
    rusqlite::Error::FromSqlConversionFailure(column, Type::Text, told.into())
}

/// An error in reading a row, with what [`unreadable`] tells of it.
pub(crate) fn of_row(row: &Row<'_>, error: rusqlite::Error) -> rusqlite::Error {
    match error {
        rusqlite::Error::InvalidColumnType(column, ..) | rusqlite::Error::IntegralValueOutOfRange(column, _) => {
            unreadable(row, column, &error)
        }
        other => other,
    }
}

/// A list of texts, kept as a JSON array.
pub(crate) fn texts(row: &Row<'_>, column: usize) -> Result<Vec<String>, rusqlite::Error> {
    let text: String = row.get(column)?;
    serde_json::from_str(&text).map_err(|error| unreadable(row, column, &error))
}

/// The form in which [`texts`] and what else is JSON are kept.
pub(crate) fn json<T: serde::Serialize + ?Sized>(value: &T) -> Result<String, rusqlite::Error> {
    serde_json::to_string(value).map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
}
