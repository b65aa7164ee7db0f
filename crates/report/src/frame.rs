//! One parquet file with a checked schema: columns come out as typed vectors, and what does not fit is named.

mod footer;

use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use nbrevive_corpus::UnknownWord;
use polars::prelude::{BooleanChunked, Column, DataFrame, DataType};
use polars_io::SerReader;
use polars_io::parquet::read::ParquetReader;
use polars_io::parquet::write::ParquetWriter;

use crate::words::{Coded, Text};

/// What a column of the schema holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Text; an Enum or Categorical column counts as text too, since other tools rewrite one as the other.
    Text,
    /// A 64-bit float.
    Number,
    /// An unsigned 32-bit integer.
    Count,
    /// Yes or no.
    Switch,
}

/// One column of the schema: its name, what it holds, and whether a value may be missing.
pub(crate) struct ColumnRule {
    name: &'static str,
    kind: Kind,
    optional: bool,
    extra: bool,
}

/// A column without missing values.
pub(crate) const fn required(name: &'static str, kind: Kind) -> ColumnRule {
    ColumnRule { name, kind, optional: false, extra: false }
}

/// A column in which values may be missing.
pub(crate) const fn optional(name: &'static str, kind: Kind) -> ColumnRule {
    ColumnRule { name, kind, optional: true, extra: false }
}

/// A column that may be missing as a whole, as free text is in an export of ids alone; see [`Frame::extra_texts`].
pub(crate) const fn extra(name: &'static str, kind: Kind) -> ColumnRule {
    ColumnRule { name, kind, optional: true, extra: true }
}

/// Why a parquet file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FrameError {
    /// It cannot be opened.
    #[error("cannot read {path}: {source}; the export of a study writes it")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// It is not a parquet file, or a damaged one.
    #[error("{path} is not a readable parquet file: {message}")]
    NotParquet {
        /// The file.
        path: PathBuf,
        /// What the reader said.
        message: String,
    },
    /// A column is not there.
    #[error(
        "{path} has no column `{column}`, which nbrevive {} writes: export the study again with it (`nbrevive export`)",
        env!("CARGO_PKG_VERSION")
    )]
    MissingColumn {
        /// The file.
        path: PathBuf,
        /// The column.
        column: String,
    },
    /// A column has another type.
    #[error(
        "column `{column}` of {path} holds {found}, expected {expected}: \
         export the study again with nbrevive {} (`nbrevive export`)",
        env!("CARGO_PKG_VERSION")
    )]
    WrongType {
        /// The file.
        path: PathBuf,
        /// The column.
        column: String,
        /// The type that the schema promises.
        expected: &'static str,
        /// The type in the file.
        found: String,
    },
    /// A value is missing where the schema promises one.
    #[error("column `{column}` of {path} has {count} missing values, expected none")]
    MissingValue {
        /// The file.
        path: PathBuf,
        /// The column.
        column: String,
        /// How many values are missing.
        count: usize,
    },
    /// A word is not one of the study's vocabulary.
    #[error("column `{column}` of {path}, row {row}: {source}")]
    Word {
        /// The file.
        path: PathBuf,
        /// The column.
        column: String,
        /// The row, counted from 1.
        row: usize,
        /// The word and those that are known.
        source: UnknownWord,
    },
    /// Values contradict each other.
    #[error("{path}: {message}")]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        message: String,
    },
}

/// Rows that [`Frame::each`] reads at a time: some row groups of an export, whole, and no more than an allocator keeps at hand.
const SLICE: usize = 200_000;

/// A parquet file in memory whose columns follow its rules.
pub(crate) struct Frame {
    path: PathBuf,
    frame: DataFrame,
    /// How many rows of the file stand before it.
    before: usize,
}

impl Frame {
    /// Reads the columns with a rule and checks each against it; other columns are not read.
    pub(crate) fn read(path: &Path, rules: &[ColumnRule]) -> Result<Self, FrameError> {
        Frame::rows(path, Some(rules), None)
    }

    /// Reads all columns, whatever they hold.
    pub(crate) fn whole(path: &Path) -> Result<Self, FrameError> {
        Frame::rows(path, None, None)
    }

    /// Keeps the rows whose text in a column is meant; all of them where there is no such column.
    pub(crate) fn retain(&mut self, name: &str, is_meant: &dyn Fn(&str) -> bool) -> Result<(), FrameError> {
        if self.has(name) {
            let mask: BooleanChunked =
                self.coded(name)?.rows(is_meant).into_iter().map(Option::unwrap_or_default).collect();
            self.frame = self.frame.filter(&mask).map_err(|error| self.content_error(error.to_string()))?;
        }
        Ok(())
    }

    /// Puts a column in the place of the one of its name.
    pub(crate) fn put(&mut self, column: Column) -> Result<(), FrameError> {
        let put = self.frame.with_column(column).map(drop).map_err(|error| error.to_string());
        put.map_err(|message| self.content_error(message))
    }

    /// The rows as a parquet file.
    pub(crate) fn parquet(&mut self) -> Result<Vec<u8>, FrameError> {
        let mut bytes = Vec::new();
        let written = ParquetWriter::new(&mut bytes).finish(&mut self.frame).map_err(|error| error.to_string());
        written.map_err(|message| self.content_error(message))?;
        Ok(bytes)
    }

    /// Reads the columns with a rule, [`SLICE`] rows at a time, so that a file of any length needs no more memory than that.
    pub(crate) fn each(
        path: &Path,
        rules: &[ColumnRule],
        mut take: impl FnMut(&Frame) -> Result<(), FrameError>,
    ) -> Result<(), FrameError> {
        for start in (0..).step_by(SLICE) {
            let frame = Frame::rows(path, Some(rules), Some((start, SLICE)))?;
            take(&frame)?;
            if frame.height() < SLICE {
                break;
            }
        }
        Ok(())
    }

    /// Reads all rows, or those from a first one on that are at most so many.
    ///
    /// Some damages make the library panic; what was being read is dropped then, so nothing half-made is left.
    fn rows(path: &Path, rules: Option<&[ColumnRule]>, rows: Option<(usize, usize)>) -> Result<Self, FrameError> {
        let file = nbrevive_files::open(path)
            .map_err(|error| FrameError::Unreadable { path: path.to_owned(), source: error.into() })?;
        let bytes = file.metadata().map_err(|source| FrameError::Unreadable { path: path.to_owned(), source })?.len();
        let not_parquet = |message: String| FrameError::NotParquet { path: path.to_owned(), message };
        let read = || {
            let mut reader = ParquetReader::new(file);
            let contradiction = footer::contradiction(reader.get_metadata().map_err(|error| error.to_string())?, bytes);
            if let Some(problem) = contradiction {
                return Err(format!("it is damaged: {problem}"));
            }
            let schema = reader.schema().map_err(|error| error.to_string())?;
            // A column that is not there is named by the check below.
            let names = |rules: &[ColumnRule]| {
                rules.iter().map(|rule| rule.name.to_owned()).filter(|name| schema.contains(name)).collect()
            };
            let reader = reader.with_columns(rules.map(names)).with_slice(rows);
            reader.finish().map_err(|error| error.to_string())
        };
        let read = std::panic::catch_unwind(AssertUnwindSafe(read));
        let read = read.unwrap_or_else(|_| Err("it is damaged inside".to_owned())).map_err(not_parquet)?;
        let before = rows.map_or(0, |(start, _)| start);
        let frame = Frame { path: path.to_owned(), frame: read, before };
        rules.unwrap_or_default().iter().try_for_each(|rule| frame.check(rule))?;
        Ok(frame)
    }

    fn check(&self, rule: &ColumnRule) -> Result<(), FrameError> {
        if rule.extra && !self.has(rule.name) {
            return Ok(());
        }
        let column = self.column(rule.name)?;
        let (fits, expected) = match rule.kind {
            Kind::Text => (is_text(column.dtype()), "text"),
            Kind::Number => (*column.dtype() == DataType::Float64, "64-bit floats"),
            Kind::Count => (*column.dtype() == DataType::UInt32, "unsigned 32-bit integers"),
            Kind::Switch => (*column.dtype() == DataType::Boolean, "yes or no"),
        };
        if !fits {
            return Err(self.wrong_type(rule.name, column, expected));
        }
        let count = column.null_count();
        if count > 0 && !rule.optional {
            return Err(FrameError::MissingValue { path: self.path.clone(), column: rule.name.to_owned(), count });
        }
        Ok(())
    }

    fn column(&self, name: &str) -> Result<&Column, FrameError> {
        self.frame
            .column(name)
            .map_err(|_| FrameError::MissingColumn { path: self.path.clone(), column: name.to_owned() })
    }

    fn wrong_type(&self, name: &str, column: &Column, expected: &'static str) -> FrameError {
        let found = format!("{:?}", column.dtype());
        FrameError::WrongType { path: self.path.clone(), column: name.to_owned(), expected, found }
    }

    /// How many rows there are.
    pub(crate) fn height(&self) -> usize {
        self.frame.height()
    }

    /// An error about the content of this file.
    pub(crate) fn content_error(&self, message: String) -> FrameError {
        FrameError::Content { path: self.path.clone(), message }
    }

    /// An error about a word in a column; rows are counted from 0.
    pub(crate) fn word_error(&self, column: &str, index: usize, source: UnknownWord) -> FrameError {
        FrameError::Word { path: self.path.clone(), column: column.to_owned(), row: self.before + index + 1, source }
    }

    /// A text column by its words.
    pub(crate) fn coded(&self, name: &str) -> Result<Coded, FrameError> {
        let column = self.column(name)?;
        Coded::of(column).ok_or_else(|| self.wrong_type(name, column, "text"))
    }

    /// A text column, values may be missing.
    pub(crate) fn optional_texts(&self, name: &str) -> Result<Vec<Option<String>>, FrameError> {
        Ok(self.coded(name)?.rows(str::to_owned))
    }

    /// A text column without missing values whose rows share their texts.
    pub(crate) fn shared_texts(&self, name: &str) -> Result<Vec<Text>, FrameError> {
        self.complete(name, self.coded(name)?.rows(|text| Text::from(text)))
    }

    /// As [`Frame::shared_texts`], with an empty text where one is missing.
    pub(crate) fn extra_shared_texts(&self, name: &str) -> Result<Vec<Text>, FrameError> {
        let texts = self.coded(name)?.rows(|text| Text::from(text));
        let none = Text::from("");
        Ok(texts.into_iter().map(|text| text.unwrap_or_else(|| none.clone())).collect())
    }

    /// Whether the file has a column.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.frame.column(name).is_ok()
    }

    /// A text column; nothing but missing values where it is not there.
    pub(crate) fn extra_texts(&self, name: &str) -> Result<Vec<Option<String>>, FrameError> {
        if self.has(name) { self.optional_texts(name) } else { Ok(vec![None; self.height()]) }
    }

    /// The texts of some rows, empty where one is missing or the column is not there: of a column that is long and asked for a few.
    pub(crate) fn texts_at(&self, name: &str, rows: &[usize]) -> Result<Vec<String>, FrameError> {
        if !self.has(name) {
            return Ok(vec![String::new(); rows.len()]);
        }
        if let Ok(texts) = self.column(name)?.str() {
            return Ok(rows.iter().map(|row| texts.get(*row).unwrap_or_default().to_owned()).collect());
        }
        let coded = self.coded(name)?;
        Ok(rows.iter().map(|row| coded.word(*row).unwrap_or_default().to_owned()).collect())
    }

    /// A column of floats; nothing but missing values where it is not there.
    pub(crate) fn extra_numbers(&self, name: &str) -> Result<Vec<Option<f64>>, FrameError> {
        if self.has(name) { self.optional_numbers(name) } else { Ok(vec![None; self.height()]) }
    }

    /// A column of counts; nothing but missing values where it is not there.
    pub(crate) fn extra_counts(&self, name: &str) -> Result<Vec<Option<u32>>, FrameError> {
        if self.has(name) { self.optional_counts(name) } else { Ok(vec![None; self.height()]) }
    }

    /// A text column without missing values.
    pub(crate) fn texts(&self, name: &str) -> Result<Vec<String>, FrameError> {
        self.complete(name, self.optional_texts(name)?)
    }

    /// A column of words of the vocabulary, values may be missing.
    pub(crate) fn optional_words<T: FromStr<Err = UnknownWord> + Clone>(
        &self,
        name: &str,
    ) -> Result<Vec<Option<T>>, FrameError> {
        let parsed = self.coded(name)?.rows(str::parse::<T>);
        let known = |(row, value): (usize, Option<Result<T, UnknownWord>>)| {
            value.transpose().map_err(|source| self.word_error(name, row, source))
        };
        parsed.into_iter().enumerate().map(known).collect()
    }

    /// The same; nothing but missing values where the column is not there.
    pub(crate) fn extra_words<T: FromStr<Err = UnknownWord> + Clone>(
        &self,
        name: &str,
    ) -> Result<Vec<Option<T>>, FrameError> {
        if self.has(name) { self.optional_words(name) } else { Ok(vec![None; self.height()]) }
    }

    /// A column of words of the vocabulary without missing values.
    pub(crate) fn words<T: FromStr<Err = UnknownWord> + Clone>(&self, name: &str) -> Result<Vec<T>, FrameError> {
        self.complete(name, self.optional_words(name)?)
    }

    /// A column of floats, values may be missing.
    pub(crate) fn optional_numbers(&self, name: &str) -> Result<Vec<Option<f64>>, FrameError> {
        let column = self.column(name)?;
        let values = column.f64().map_err(|_| self.wrong_type(name, column, "64-bit floats"))?;
        Ok(values.iter().collect())
    }

    /// A column of floats without missing values.
    pub(crate) fn numbers(&self, name: &str) -> Result<Vec<f64>, FrameError> {
        self.complete(name, self.optional_numbers(name)?)
    }

    /// A column of numbers without missing values that are finite and not negative.
    pub(crate) fn measures(&self, name: &str) -> Result<Vec<f64>, FrameError> {
        let values = self.numbers(name)?;
        match values.iter().position(|value| !value.is_finite() || *value < 0.0) {
            None => Ok(values),
            Some(row) => Err(self.content_error(format!(
                "`{name}` in row {} is {}, expected a number that is not negative",
                self.before + row + 1,
                values[row]
            ))),
        }
    }

    /// A column of counts, values may be missing.
    pub(crate) fn optional_counts(&self, name: &str) -> Result<Vec<Option<u32>>, FrameError> {
        let column = self.column(name)?;
        let values = column.u32().map_err(|_| self.wrong_type(name, column, "unsigned 32-bit integers"))?;
        Ok(values.iter().collect())
    }

    /// A column of counts without missing values.
    pub(crate) fn counts(&self, name: &str) -> Result<Vec<u32>, FrameError> {
        self.complete(name, self.optional_counts(name)?)
    }

    /// A column of yes and no, values may be missing.
    fn optional_switches(&self, name: &str) -> Result<Vec<Option<bool>>, FrameError> {
        let column = self.column(name)?;
        let values = column.bool().map_err(|_| self.wrong_type(name, column, "yes or no"))?;
        Ok(values.iter().collect())
    }

    /// A column of yes and no without missing values.
    pub(crate) fn switches(&self, name: &str) -> Result<Vec<bool>, FrameError> {
        self.complete(name, self.optional_switches(name)?)
    }

    /// A column of yes and no, values may be missing; nothing but these where the column is not there.
    pub(crate) fn extra_optional_switches(&self, name: &str) -> Result<Vec<Option<bool>>, FrameError> {
        if self.has(name) { self.optional_switches(name) } else { Ok(vec![None; self.height()]) }
    }

    /// A column of yes and no without missing values; nothing but these where the column is not there.
    pub(crate) fn extra_switches(&self, name: &str) -> Result<Vec<Option<bool>>, FrameError> {
        if self.has(name) {
            Ok(self.switches(name)?.into_iter().map(Some).collect())
        } else {
            Ok(vec![None; self.height()])
        }
    }

    fn complete<T>(&self, name: &str, values: Vec<Option<T>>) -> Result<Vec<T>, FrameError> {
        let total = values.len();
        let present: Vec<T> = values.into_iter().flatten().collect();
        let count = total - present.len();
        if count > 0 {
            return Err(FrameError::MissingValue { path: self.path.clone(), column: name.to_owned(), count });
        }
        Ok(present)
    }
}

fn is_text(dtype: &DataType) -> bool {
    matches!(dtype, DataType::String | DataType::Enum(..) | DataType::Categorical(..))
}
