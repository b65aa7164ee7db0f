//! Rows that a struct describes once: from its fields follow the columns of SQL, their order, what reads and writes them, and the columns
//! of parquet.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::num::NonZeroU32;
use std::str::FromStr;

use nbrevive_corpus::{Condition, RunEnd, UnknownWord, Verdict};
use rusqlite::types::{Null, ToSqlOutput, ValueRef};
use rusqlite::{Connection, OptionalExtension, Row, ToSql, Transaction, params, params_from_iter};

use crate::columns::{
    Column, enum_column, optional_count, optional_number, optional_switch, optional_text, optional_whole,
};
use crate::parquet::ParquetError;
use crate::schema::{columns_of, json, texts, unreadable, word};

/// A value of a row.
pub(crate) trait Field: Sized {
    /// As SQLite keeps it.
    fn sql(&self) -> Result<ToSqlOutput<'_>, rusqlite::Error>;

    /// As SQLite has it.
    fn read(row: &Row<'_>, column: usize) -> Result<Self, rusqlite::Error>;

    /// The column of parquet with these values.
    fn column<'a>(name: &'static str, values: impl Iterator<Item = Option<&'a Self>>) -> Result<Column, ParquetError>
    where
        Self: 'a;
}

/// Values that SQLite knows, and the kind of column that holds them.
macro_rules! plain_fields {
    ($($type:ty: $column:ident($value:expr);)+) => {$(
        impl Field for $type {
            fn sql(&self) -> Result<ToSqlOutput<'_>, rusqlite::Error> {
                self.to_sql()
            }

            fn read(row: &Row<'_>, column: usize) -> Result<Self, rusqlite::Error> {
                row.get(column)
            }

            fn column<'a>(
                name: &'static str,
                values: impl Iterator<Item = Option<&'a Self>>,
            ) -> Result<Column, ParquetError> {
                Ok($column(name, values.map(|value| value.map($value))))
            }
        }
    )+};
}

plain_fields! {
    String: optional_text(|text: &'a String| text);
    bool: optional_switch(|switch| *switch);
    u32: optional_count(|count| *count);
    f64: optional_number(|number| *number);
}

/// Words of a vocabulary.
macro_rules! word_fields {
    ($($type:ty)+) => {$(
        impl Field for $type {
            fn sql(&self) -> Result<ToSqlOutput<'_>, rusqlite::Error> {
                Ok(self.as_str().into())
            }

            fn read(row: &Row<'_>, column: usize) -> Result<Self, rusqlite::Error> {
                word(row, column)
            }

            fn column<'a>(
                name: &'static str,
                values: impl Iterator<Item = Option<&'a Self>>,
            ) -> Result<Column, ParquetError> {
                let words = <$type>::ALL.iter().map(|word| word.as_str()).collect();
                enum_column(name, values.map(|value| value.map(|word| word.as_str())), words)
            }
        }
    )+};
}

mod words {
    use nbrevive_compare::{Agreement, CameBack, DifferenceKind, Incomparable};
    use nbrevive_corpus::{
        Antidote, Breach, CellOrder, Direction, EnvironmentKind, Exclusion, Executability, FixType, FlowState, Judge,
        LeftCause, LoopEnd, Prediction, Preparation, RepairLevel, Repairer, Restorer, Role, Stop, Surrounding,
    };
    use nbrevive_diagnosis::roots::ErrorLink;
    use nbrevive_execute::CellStatus;

    use super::{Column, Field, ParquetError, Row, ToSqlOutput, enum_column, word};

    word_fields! {
        Antidote Breach CellOrder Direction EnvironmentKind Exclusion Executability FixType Judge FlowState RepairLevel LeftCause LoopEnd Prediction Repairer Role Stop Surrounding
        Agreement CameBack CellStatus DifferenceKind Incomparable ErrorLink Preparation Restorer
    }
}

/// The name that a study gives, which is a word of no list.
impl Field for Condition {
    fn sql(&self) -> Result<ToSqlOutput<'_>, rusqlite::Error> {
        Ok(self.as_str().into())
    }

    fn read(row: &Row<'_>, column: usize) -> Result<Self, rusqlite::Error> {
        word(row, column)
    }

    fn column<'a>(name: &'static str, values: impl Iterator<Item = Option<&'a Self>>) -> Result<Column, ParquetError> {
        Ok(optional_text(name, values.map(|value| value.map(|condition| condition.as_str()))))
    }
}

impl Field for NonZeroU32 {
    fn sql(&self) -> Result<ToSqlOutput<'_>, rusqlite::Error> {
        Ok(self.get().into())
    }

    fn read(row: &Row<'_>, column: usize) -> Result<Self, rusqlite::Error> {
        NonZeroU32::new(row.get(column)?).ok_or(rusqlite::Error::IntegralValueOutOfRange(column, 0))
    }

    fn column<'a>(name: &'static str, values: impl Iterator<Item = Option<&'a Self>>) -> Result<Column, ParquetError> {
        Ok(optional_count(name, values.map(|value| value.map(|count| count.get()))))
    }
}

/// A number of bytes, which SQLite and parquet keep with a sign.
impl Field for u64 {
    fn sql(&self) -> Result<ToSqlOutput<'_>, rusqlite::Error> {
        Ok(self.cast_signed().into())
    }

    fn read(row: &Row<'_>, column: usize) -> Result<Self, rusqlite::Error> {
        let bytes: i64 = row.get(column)?;
        u64::try_from(bytes).map_err(|error| unreadable(row, column, &error))
    }

    fn column<'a>(name: &'static str, values: impl Iterator<Item = Option<&'a Self>>) -> Result<Column, ParquetError> {
        Ok(optional_whole(name, values.map(|value| i64::try_from(*value?).ok())))
    }
}

/// JSON in both.
macro_rules! json_fields {
    ($($type:ty)+) => {$(
        impl Field for $type {
            fn sql(&self) -> Result<ToSqlOutput<'_>, rusqlite::Error> {
                Ok(json(self)?.into())
            }

            fn read(row: &Row<'_>, column: usize) -> Result<Self, rusqlite::Error> {
                let text = row.get_ref(column)?.as_str().map_err(|error| unreadable(row, column, &error))?;
                serde_json::from_str(text).map_err(|error| unreadable(row, column, &error))
            }

            fn column<'a>(
                name: &'static str,
                values: impl Iterator<Item = Option<&'a Self>>,
            ) -> Result<Column, ParquetError> {
                let texts: Vec<Option<String>> = values.map(|value| json(value?).ok()).collect();
                Ok(optional_text(name, texts.iter().map(Option::as_deref)))
            }
        }
    )+};
}

json_fields! { Verdict RunEnd }

/// A list of texts: JSON in SQLite, joined by commas in parquet.
impl Field for Vec<String> {
    fn sql(&self) -> Result<ToSqlOutput<'_>, rusqlite::Error> {
        Ok(json(self)?.into())
    }

    fn read(row: &Row<'_>, column: usize) -> Result<Self, rusqlite::Error> {
        texts(row, column)
    }

    fn column<'a>(name: &'static str, values: impl Iterator<Item = Option<&'a Self>>) -> Result<Column, ParquetError> {
        Ok(optional_text(name, values.map(|value| value.map(|texts| texts.join(",")))))
    }
}

/// Some words of a vocabulary: with commas between, in both; a store of before there was such a column has none.
impl<W> Field for BTreeSet<W>
where
    W: Ord + Display + FromStr<Err = UnknownWord>,
{
    fn sql(&self) -> Result<ToSqlOutput<'_>, rusqlite::Error> {
        Ok(joined(self).into())
    }

    fn read(row: &Row<'_>, column: usize) -> Result<Self, rusqlite::Error> {
        let text: Option<String> = row.get(column)?;
        let words = text.as_deref().unwrap_or_default().split(',').filter(|word| !word.is_empty());
        let parsed = words.map(|word| word.parse().map_err(|unknown: UnknownWord| unreadable(row, column, &unknown)));
        parsed.collect()
    }

    fn column<'a>(name: &'static str, values: impl Iterator<Item = Option<&'a Self>>) -> Result<Column, ParquetError>
    where
        Self: 'a,
    {
        let texts: Vec<Option<String>> = values.map(|value| value.map(joined)).collect();
        Ok(optional_text(name, texts.iter().map(Option::as_deref)))
    }
}

fn joined<W: Display>(words: &BTreeSet<W>) -> String {
    words.iter().map(W::to_string).collect::<Vec<_>>().join(",")
}

impl<T: Field> Field for Option<T> {
    fn sql(&self) -> Result<ToSqlOutput<'_>, rusqlite::Error> {
        self.as_ref().map_or(Ok(Null.into()), T::sql)
    }

    fn read(row: &Row<'_>, column: usize) -> Result<Self, rusqlite::Error> {
        if row.get_ref(column)? == ValueRef::Null { Ok(None) } else { T::read(row, column).map(Some) }
    }

    fn column<'a>(name: &'static str, values: impl Iterator<Item = Option<&'a Self>>) -> Result<Column, ParquetError>
    where
        Self: 'a,
    {
        T::column(name, values.map(|value| value.and_then(Option::as_ref)))
    }
}

/// A row of a table.
pub(crate) trait Record: Sized {
    /// Its columns, in order.
    const COLUMNS: &'static [&'static str];

    /// What stands in them.
    fn values(&self) -> Result<Vec<ToSqlOutput<'_>>, rusqlite::Error>;

    /// Reads the columns, the first of which is `first` in the row of a query.
    fn read(row: &Row<'_>, first: usize) -> Result<Self, rusqlite::Error>;

    /// The columns of parquet, but for those that are not exported.
    fn columns<'a>(rows: impl Iterator<Item = &'a Self> + Clone, but: &[&str]) -> Result<Vec<Column>, ParquetError>
    where
        Self: 'a;
}

/// Makes a struct a [`Record`]: its definition, in which a field may have a column of another name (`end in "end_json": RunEnd`), or the
/// fields of one that is defined elsewhere, each with the name of its column; after a semicolon those that stand in no column of it, with
/// what they are when it is read.
macro_rules! record {
    ($(#[$meta:meta])* $seen:vis struct $name:ident {
        $($(#[$about:meta])* $field_seen:vis $field:ident $(in $column:literal)?: $type:ty,)+
        $(; $($(#[$about_other:meta])* $other_seen:vis $other:ident: $other_type:ty = $without:expr,)+)?
    }) => {
        $(#[$meta])*
        $seen struct $name {
            $($(#[$about])* $field_seen $field: $type,)+
            $($($(#[$about_other])* $other_seen $other: $other_type,)+)?
        }

        $crate::record::record! {
            $name { $($field: $crate::record::record!(@column $field $($column)?),)+ $(; $($other = $without),+)? }
        }
    };
    (@column $field:ident) => { stringify!($field) };
    (@column $field:ident $column:literal) => { $column };
    ($name:path { $($field:ident: $column:expr,)+ $(; $($other:ident = $without:expr),+)? }) => {
        impl $crate::record::Record for $name {
            const COLUMNS: &'static [&'static str] = &[$($column),+];

            fn values(&self) -> Result<Vec<rusqlite::types::ToSqlOutput<'_>>, rusqlite::Error> {
                Ok(vec![$($crate::record::Field::sql(&self.$field)?),+])
            }

            fn read(row: &rusqlite::Row<'_>, first: usize) -> Result<Self, rusqlite::Error> {
                let mut places = first..;
                let mut next = || places.next().unwrap_or_default();
                Ok(Self { $($field: $crate::record::Field::read(row, next())?,)+ $($($other: $without),+)? })
            }

            fn columns<'a>(
                rows: impl Iterator<Item = &'a Self> + Clone,
                but: &[&str],
            ) -> Result<Vec<$crate::columns::Column>, $crate::parquet::ParquetError> {
                let mut columns = Vec::new();
                $(if !but.contains(&$column) {
                    let values = rows.clone().map(|row| Some(&row.$field));
                    columns.push($crate::record::Field::column($column, values)?);
                })+
                Ok(columns)
            }
        }
    };
}

pub(crate) use record;

/// What identifies rows of a table beside what they hold: names of columns and their values.
pub(crate) type Keys<'a> = &'a [(&'a str, &'a dyn ToSql)];

/// Adds rows, each with these keys; with `position`, a column that counts them from 1.
pub(crate) fn insert<'r, T: Record + 'r>(
    transaction: &Transaction<'_>,
    (verb, table): (&str, &str),
    keys: Keys<'_>,
    position: Option<&str>,
    rows: impl IntoIterator<Item = &'r T>,
) -> Result<(), rusqlite::Error> {
    let names = keys.iter().map(|(name, _)| *name).chain(position).chain(T::COLUMNS.iter().copied());
    let names: Vec<&str> = names.collect();
    let marks = vec!["?"; names.len()].join(", ");
    let sql = format!("{verb} INTO {table} ({}) VALUES ({marks})", names.join(", "));
    let mut insert = transaction.prepare_cached(&sql)?;
    for (number, row) in (1_u32..).zip(rows) {
        let keys = keys.iter().map(|(_, value)| value.to_sql()).chain(position.map(|_| Ok(number.into())));
        let values: Vec<ToSqlOutput<'_>> = keys.chain(row.values()?.into_iter().map(Ok)).collect::<Result<_, _>>()?;
        insert.execute(params_from_iter(values))?;
    }
    Ok(())
}

/// The columns of a record after others, for `SELECT`: NULL for those that a store of before has not; none where it has not the table.
pub(crate) fn selected<T: Record>(connection: &Connection, table: &str) -> Result<Option<String>, rusqlite::Error> {
    selected_or::<T>(connection, table, &[])
}

/// The same with what stands for a column that a store of before has not; null where nothing is told.
fn selected_or<T: Record>(
    connection: &Connection,
    table: &str,
    before: &[(&str, &str)],
) -> Result<Option<String>, rusqlite::Error> {
    let known = columns_of(connection, table)?;
    let name = |column: &&str| match before.iter().find(|(name, _)| name == column) {
        _ if known.contains(*column) => (*column).to_owned(),
        Some((_, value)) => format!("{value} AS {column}"),
        None => format!("NULL AS {column}"),
    };
    Ok((!known.is_empty()).then(|| T::COLUMNS.iter().map(name).collect::<Vec<_>>().join(", ")))
}

/// Every row of a table; none where a store of before has not the table.
pub(crate) fn every<T: Record>(connection: &Connection, table: &str, order: &str) -> Result<Vec<T>, rusqlite::Error> {
    every_or(connection, table, order, &[])
}

/// The same with what stands for columns that a store of before has not, as SQL.
pub(crate) fn every_or<T: Record>(
    connection: &Connection,
    table: &str,
    order: &str,
    before: &[(&str, &str)],
) -> Result<Vec<T>, rusqlite::Error> {
    let Some(columns) = selected_or::<T>(connection, table, before)? else { return Ok(Vec::new()) };
    let mut statement = connection.prepare(&format!("SELECT {columns} FROM {table} ORDER BY {order}"))?;
    statement.query_map([], |row| T::read(row, 0))?.collect()
}

/// The row of one version under one condition; none where a store of before has not the table.
pub(crate) fn of_condition<T: Record>(
    connection: &Connection,
    table: &str,
    version: &str,
    condition: Condition,
) -> Result<Option<T>, rusqlite::Error> {
    let Some(columns) = selected::<T>(connection, table)? else { return Ok(None) };
    let query = format!("SELECT {columns} FROM {table} WHERE version = ?1 AND condition = ?2");
    connection.query_row(&query, params![version, condition.as_str()], |row| T::read(row, 0)).optional()
}

/// Puts rows in the place of all that a table has.
pub(crate) fn replace_table<'r, T: Record + 'r>(
    transaction: &Transaction<'_>,
    table: &str,
    rows: impl IntoIterator<Item = &'r T>,
) -> Result<(), rusqlite::Error> {
    transaction.execute(&format!("DELETE FROM {table}"), [])?;
    insert(transaction, ("INSERT", table), &[], None, rows)
}
