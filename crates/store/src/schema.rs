//! What a database has, and how its words are read.

use std::str::FromStr;

use nbrevive_corpus::UnknownWord;
use rusqlite::types::{Type, ValueRef};
use rusqlite::{Connection, Row};

/// Whether a table is there: a store that is opened for reading only is not migrated, and may be older than it.
pub(crate) fn has_table(connection: &Connection, table: &str) -> Result<bool, rusqlite::Error> {
    let query = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1)";
    connection.query_row(query, [table], |row| row.get(0))
}

/// Whether a column is there; see [`has_table`].
pub(crate) fn has_column(connection: &Connection, table: &str, column: &str) -> Result<bool, rusqlite::Error> {
    let query = "SELECT EXISTS (SELECT 1 FROM pragma_table_info(?1) WHERE name = ?2)";
    connection.query_row(query, [table, column], |row| row.get(0))
}

/// A word of the vocabulary.
pub(crate) fn word<T: FromStr<Err = UnknownWord>>(row: &Row<'_>, column: usize) -> Result<T, rusqlite::Error> {
    let unreadable = |error: Box<dyn std::error::Error + Send + Sync>| {
        rusqlite::Error::FromSqlConversionFailure(column, Type::Text, error)
    };
    let text = row.get_ref(column)?.as_str().map_err(|error| unreadable(Box::new(error)))?;
    text.parse().map_err(|error: UnknownWord| unreadable(Box::new(error)))
}

/// A word of the vocabulary, where there is one.
pub(crate) fn optional_word<T: FromStr<Err = UnknownWord>>(
    row: &Row<'_>,
    column: usize,
) -> Result<Option<T>, rusqlite::Error> {
    if row.get_ref(column)? == ValueRef::Null { Ok(None) } else { word(row, column).map(Some) }
}

/// A list of texts, kept as a JSON array.
pub(crate) fn texts(row: &Row<'_>, column: usize) -> Result<Vec<String>, rusqlite::Error> {
    let text: String = row.get(column)?;
    let unreadable = |error| rusqlite::Error::FromSqlConversionFailure(column, Type::Text, Box::new(error));
    serde_json::from_str(&text).map_err(unreadable)
}

/// The form in which [`texts`] are kept.
pub(crate) fn json(texts: &[String]) -> Result<String, rusqlite::Error> {
    serde_json::to_string(texts).map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
}
