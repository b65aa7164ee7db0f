//! Columns of a table: the values of some rows, to which those of further rows can be added.

pub(crate) mod coded;
mod counted;

use polars::prelude::{DataType, FrozenCategories, PolarsResult};
use polars_arrow::array::{Array, BooleanArray, DictionaryArray, PrimitiveArray};
use polars_arrow::types::NativeType;
use polars_parquet::write::Encoding;

use crate::parquet::ParquetError;
use coded::{Coded, dictionary};

/// A column by its name.
#[derive(Debug, Clone)]
pub(crate) struct Column {
    pub(crate) name: &'static str,
    pub(crate) values: Values,
}

/// What stands in the rows of a column.
#[derive(Debug, Clone)]
pub(crate) enum Values {
    /// Text.
    Text(Coded),
    /// Words of a fixed list, in whose order they sort: the list, and each row's place in it.
    Enum(Vec<&'static str>, Vec<Option<u8>>),
    /// 64-bit floats.
    Number(Vec<Option<f64>>),
    /// Unsigned 32-bit integers.
    Count(Vec<Option<u32>>),
    /// Signed 64-bit integers.
    Integer(Vec<Option<i64>>),
    /// Yes and no.
    Switch(Vec<Option<bool>>),
}

pub(crate) fn text<T: AsRef<str>>(name: &'static str, values: impl Iterator<Item = T>) -> Column {
    optional_text(name, values.map(Some))
}

pub(crate) fn optional_text<T: AsRef<str>>(name: &'static str, values: impl Iterator<Item = Option<T>>) -> Column {
    let mut coded = Coded::default();
    values.for_each(|value| coded.push(value.as_ref().map(AsRef::as_ref)));
    Column { name, values: Values::Text(coded) }
}

pub(crate) fn number(name: &'static str, values: impl Iterator<Item = f64>) -> Column {
    optional_number(name, values.map(Some))
}

pub(crate) fn optional_number(name: &'static str, values: impl Iterator<Item = Option<f64>>) -> Column {
    Column { name, values: Values::Number(values.collect()) }
}

pub(crate) fn count(name: &'static str, values: impl Iterator<Item = u32>) -> Column {
    optional_count(name, values.map(Some))
}

pub(crate) fn optional_count(name: &'static str, values: impl Iterator<Item = Option<u32>>) -> Column {
    Column { name, values: Values::Count(values.collect()) }
}

pub(crate) fn optional_whole(name: &'static str, values: impl Iterator<Item = Option<i64>>) -> Column {
    Column { name, values: Values::Integer(values.collect()) }
}

pub(crate) fn switch(name: &'static str, values: impl Iterator<Item = bool>) -> Column {
    optional_switch(name, values.map(Some))
}

pub(crate) fn optional_switch(name: &'static str, values: impl Iterator<Item = Option<bool>>) -> Column {
    Column { name, values: Values::Switch(values.collect()) }
}

/// A column of words with fixed categories, in whose order the words sort; `None` is a missing value.
///
/// # Errors
/// When a value is none of the categories.
pub(crate) fn enum_column<'a>(
    name: &'static str,
    values: impl Iterator<Item = Option<&'a str>>,
    categories: Vec<&'static str>,
) -> Result<Column, ParquetError> {
    let code = |value: &str| {
        let place = categories.iter().position(|word| *word == value);
        // What is unknown would be a missing value otherwise.
        let place = place.ok_or_else(|| ParquetError::UnknownCategory {
            column: name.to_owned(),
            value: value.to_owned(),
            categories: categories.join(", "),
        })?;
        Ok(u8::try_from(place).expect("vocabularies have less than 256 words"))
    };
    let codes = values.map(|value| value.map(code).transpose()).collect::<Result<_, ParquetError>>()?;
    Ok(Column { name, values: Values::Enum(categories, codes) })
}

/// An Enum column over one of the vocabulary's words.
macro_rules! words {
    ($name:literal, $type:ty, $values:expr) => {
        crate::columns::enum_column($name, $values, <$type>::ALL.iter().map(|word| word.as_str()).collect())?
    };
}

pub(crate) use words;

impl Column {
    /// The rows at these places.
    pub(crate) fn at(&self, places: &[usize]) -> Self {
        fn at<T: Copy>(values: &[T], places: &[usize]) -> Vec<T> {
            places.iter().map(|place| values[*place]).collect()
        }
        let values = match &self.values {
            Values::Text(coded) => Values::Text(coded.at(places)),
            Values::Enum(words, rows) => Values::Enum(words.clone(), at(rows, places)),
            Values::Number(rows) => Values::Number(at(rows, places)),
            Values::Count(rows) => Values::Count(at(rows, places)),
            Values::Integer(rows) => Values::Integer(at(rows, places)),
            Values::Switch(rows) => Values::Switch(at(rows, places)),
        };
        Column { name: self.name, values }
    }
}

/// Does the same with the rows of a column, of whatever type.
macro_rules! rows {
    ($values:expr, $rows:ident => $what:expr) => {
        match $values {
            Values::Text(Coded { places: $rows, .. }) => $what,
            Values::Enum(_, $rows) => $what,
            Values::Number($rows) => $what,
            Values::Count($rows) => $what,
            Values::Integer($rows) => $what,
            Values::Switch($rows) => $what,
        }
    };
}

impl Values {
    /// How many rows there are.
    pub(crate) fn len(&self) -> usize {
        rows!(self, rows => rows.len())
    }

    /// In how many of them the value is missing.
    pub(crate) fn missing(&self) -> usize {
        rows!(self, rows => rows.iter().filter(|value| value.is_none()).count())
    }

    /// Bytes of its texts, each counted once.
    pub(crate) fn text_bytes(&self) -> usize {
        if let Values::Text(coded) = self { coded.bytes() } else { 0 }
    }

    /// Adds further rows of the same column.
    ///
    /// # Panics
    /// When they are of another type.
    pub(crate) fn append(&mut self, more: &Values) {
        match (self, more) {
            (Values::Text(coded), Values::Text(more)) => coded.append(more),
            (Values::Enum(_, places), Values::Enum(_, more)) => places.extend(more),
            (Values::Number(values), Values::Number(more)) => values.extend(more),
            (Values::Count(values), Values::Count(more)) => values.extend(more),
            (Values::Integer(values), Values::Integer(more)) => values.extend(more),
            (Values::Switch(values), Values::Switch(more)) => values.extend(more),
            (one, other) => panic!("{:?} added to a column of {:?}", other.dtype(), one.dtype()),
        }
    }

    /// The type as which polars reads it again.
    ///
    /// # Errors
    /// When a category stands twice.
    pub(crate) fn dtype(&self) -> PolarsResult<DataType> {
        Ok(match self {
            Values::Text(_) => DataType::String,
            Values::Enum(words, _) => DataType::from_frozen_categories(FrozenCategories::new(words.iter().copied())?),
            Values::Number(_) => DataType::Float64,
            Values::Count(_) => DataType::UInt32,
            Values::Integer(_) => DataType::Int64,
            Values::Switch(_) => DataType::Boolean,
        })
    }

    /// The values as Arrow has them, and how they are laid out in a file.
    ///
    /// # Errors
    /// When there are more texts than a dictionary has places.
    pub(crate) fn array(&self) -> PolarsResult<(Box<dyn Array>, Encoding)> {
        Ok(match self {
            Values::Text(coded) => coded.array()?,
            Values::Enum(words, places) => {
                let keys = places.iter().map(|place| place.map(u32::from)).collect::<Vec<_>>();
                let array: DictionaryArray<u32> = dictionary(words.iter().copied(), &keys)?;
                (array.boxed(), Encoding::RleDictionary)
            }
            // Polars knows no dictionary of floats. Asked for one, it counts at length how many of them differ, and writes them like this.
            Values::Number(values) => (primitive(values).boxed(), Encoding::Plain),
            Values::Count(values) => counted::array(values)?,
            Values::Integer(values) => (primitive(values).boxed(), Encoding::RleDictionary),
            Values::Switch(values) => (BooleanArray::from(values).boxed(), Encoding::Plain),
        })
    }
}

/// Numbers as Arrow has them: without a mask where none is missing.
pub(crate) fn primitive<T: NativeType>(values: &[Option<T>]) -> PrimitiveArray<T> {
    if values.iter().any(Option::is_none) {
        return PrimitiveArray::from(values);
    }
    // How many there are is known before, other than of an `Option` of them all.
    PrimitiveArray::from_vec(values.iter().map(|value| value.unwrap_or_default()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_outside_the_categories_is_an_error_and_not_a_missing_value() {
        let error = enum_column("level", [Some("middle")].into_iter(), vec!["low", "high"]).unwrap_err();
        assert_eq!(error.to_string(), "value `middle` of column `level` is none of its categories (low, high)");
    }

    #[test]
    fn rows_are_taken_from_their_places() {
        let names = optional_text("name", [Some("a"), None, Some("b")].into_iter()).at(&[2, 0, 0, 1]);
        let Values::Text(names) = names.values else { panic!("a column of text stays one") };
        assert_eq!(names.rows().collect::<Vec<_>>(), [Some("b"), Some("a"), Some("a"), None]);
        let counts = count("count", [7, 8].into_iter()).at(&[1, 1, 1]);
        assert!(matches!(counts.values, Values::Count(counts) if counts == [Some(8); 3]));
    }
}
