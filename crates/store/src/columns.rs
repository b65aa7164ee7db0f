//! Columns of parquet from values of rows.

use polars::prelude::{Column, IntoColumn, NamedFrom, NewChunkedArray, Series, StringChunked};

pub(crate) fn text<T: AsRef<str>>(name: &str, values: impl Iterator<Item = T>) -> Column {
    StringChunked::from_iter_values(name.into(), values).into_column()
}

pub(crate) fn optional_text<T: AsRef<str>>(name: &str, values: impl Iterator<Item = Option<T>>) -> Column {
    StringChunked::from_iter_options(name.into(), values).into_column()
}

pub(crate) fn number(name: &str, values: impl Iterator<Item = f64>) -> Column {
    Column::from(Series::new(name.into(), values.collect::<Vec<_>>()))
}

pub(crate) fn optional_number(name: &str, values: impl Iterator<Item = Option<f64>>) -> Column {
    Column::from(Series::new(name.into(), values.collect::<Vec<_>>()))
}

pub(crate) fn count(name: &str, values: impl Iterator<Item = u32>) -> Column {
    Column::from(Series::new(name.into(), values.collect::<Vec<_>>()))
}

pub(crate) fn optional_count(name: &str, values: impl Iterator<Item = Option<u32>>) -> Column {
    Column::from(Series::new(name.into(), values.collect::<Vec<_>>()))
}

pub(crate) fn optional_whole(name: &str, values: impl Iterator<Item = Option<i64>>) -> Column {
    Column::from(Series::new(name.into(), values.collect::<Vec<_>>()))
}

pub(crate) fn switch(name: &str, values: impl Iterator<Item = bool>) -> Column {
    Column::from(Series::new(name.into(), values.collect::<Vec<_>>()))
}

pub(crate) fn optional_switch(name: &str, values: impl Iterator<Item = Option<bool>>) -> Column {
    Column::from(Series::new(name.into(), values.collect::<Vec<_>>()))
}

/// An Enum column over one of the vocabulary's words.
macro_rules! words {
    ($name:literal, $type:ty, $values:expr) => {{
        let values: Vec<Option<&str>> = $values.collect();
        let categories: Vec<&str> = <$type>::ALL.iter().map(|word| word.as_str()).collect();
        crate::parquet::enum_column($name, &values, &categories)?
    }};
}

pub(crate) use words;
