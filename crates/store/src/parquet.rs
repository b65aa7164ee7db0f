//! Parquet files: zstd-compressed, in row groups of about one size.

use std::fs::File;
use std::path::{Path, PathBuf};

use polars::prelude::{
    Categorical8Type, CategoricalChunked, Column, DataType, FrozenCategories, IntoColumn, NewChunkedArray, PolarsError,
    UInt8Chunked,
};
use polars_io::parquet::write::{ParquetCompression, ParquetWriter};
use polars_parquet::write::ZstdLevel;

/// The zstd level: its own default, small files at little time.
const LEVEL: i32 = 3;

/// The most rows of a row group, which is what a writer and a reader have to hold at once.
pub(crate) const ROW_GROUP: usize = 50_000;

/// Why a parquet file cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum ParquetError {
    /// The file system refused.
    #[error("cannot write {path}: {source}")]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The columns make no table, or cannot be written.
    #[error("cannot write {path}: {source}")]
    Columns {
        /// The file.
        path: PathBuf,
        /// What polars said.
        source: PolarsError,
    },
    /// The schema has no such table.
    #[error("table `{table}` is not in the schema of the dataset")]
    Unknown {
        /// The table.
        table: String,
    },
    /// A column is not what the schema promises.
    #[error("column `{column}` of table `{table}` is not as the schema says: {problem}")]
    Schema {
        /// The table.
        table: String,
        /// The column.
        column: String,
        /// What is wrong.
        problem: String,
    },
    /// A value of an enum column is none of its categories.
    #[error("value `{value}` of column `{column}` is none of its categories ({categories})")]
    UnknownCategory {
        /// The column.
        column: String,
        /// The value.
        value: String,
        /// The categories, joined by commas.
        categories: String,
    },
    /// What cells have of their execution cannot be put into a column.
    #[error("column `{column}` of the cells cannot be made: {source}")]
    Cells {
        /// The column.
        column: String,
        /// What polars said.
        source: PolarsError,
    },
    /// What the store has for a column cannot be read.
    #[error("what the store has for column `{column}` cannot be read: {source}")]
    Unreadable {
        /// The column.
        column: String,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// The categories of an enum column are no set.
    #[error("the categories of column `{column}` are not usable: {source}")]
    Categories {
        /// The column.
        column: String,
        /// What polars said.
        source: PolarsError,
    },
}

/// What writes a parquet file at `path`, as all of ours are written.
///
/// # Errors
/// When the file cannot be made.
pub(crate) fn writer(path: &Path) -> Result<ParquetWriter<File>, ParquetError> {
    let file = File::create(path).map_err(|source| ParquetError::Unwritable { path: path.to_owned(), source })?;
    let level = ZstdLevel::try_new(LEVEL).map_err(|source| ParquetError::Columns { path: path.to_owned(), source })?;
    Ok(ParquetWriter::new(file).with_compression(ParquetCompression::Zstd(Some(level))))
}

/// A column of words with fixed categories, in whose order the words sort; `None` is a missing value.
///
/// # Errors
/// When a value is none of the categories, or a category stands twice.
pub fn enum_column(name: &str, values: &[Option<&str>], categories: &[&str]) -> Result<Column, ParquetError> {
    let failed = |source| ParquetError::Categories { column: name.to_owned(), source };
    let frozen = FrozenCategories::new(categories.iter().copied()).map_err(failed)?;
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
    let codes = values.iter().map(|value| value.map(code).transpose()).collect::<Result<Vec<Option<u8>>, _>>()?;
    let codes = UInt8Chunked::from_iter_options(name.into(), codes.into_iter());
    let words =
        CategoricalChunked::<Categorical8Type>::from_cats_and_dtype(codes, DataType::from_frozen_categories(frozen));
    Ok(words.into_column())
}

#[cfg(test)]
mod tests {
    use polars::prelude::DataFrame;
    use polars_io::SerReader;
    use polars_io::parquet::read::ParquetReader;

    use super::*;

    #[test]
    fn what_is_written_reads_again_with_its_types() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.parquet");
        let words = [Some("low"), None, Some("high")];
        let columns = vec![
            Column::new("name".into(), ["a", "b", "c"]),
            enum_column("level", &words, &["low", "high"]).unwrap(),
            Column::new("value".into(), [Some(0.5), None, Some(f64::INFINITY)]),
        ];
        writer(&path).unwrap().finish(&mut DataFrame::new(3, columns).unwrap()).unwrap();
        let frame = ParquetReader::new(File::open(&path).unwrap()).finish().unwrap();
        assert_eq!(frame.get_column_names(), ["name", "level", "value"]);
        assert!(matches!(frame.column("level").unwrap().dtype(), DataType::Enum(..)));
        let level = frame.column("level").unwrap().cast(&DataType::String).unwrap();
        let level: Vec<Option<&str>> = level.str().unwrap().iter().collect();
        assert_eq!(level, words);
        let value: Vec<Option<f64>> = frame.column("value").unwrap().f64().unwrap().iter().collect();
        assert_eq!(value, [Some(0.5), None, Some(f64::INFINITY)]);
    }

    #[test]
    fn a_value_outside_the_categories_is_an_error_and_not_a_missing_value() {
        let error = enum_column("level", &[Some("middle")], &["low", "high"]).unwrap_err();
        assert_eq!(error.to_string(), "value `middle` of column `level` is none of its categories (low, high)");
    }

    #[test]
    fn a_folder_that_is_not_there_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let error = writer(&folder.path().join("none/a.parquet")).err().unwrap();
        assert!(error.to_string().contains("none/a.parquet"), "{error}");
    }
}
