//! Parquet files: zstd-compressed, in row groups of about one size.

use std::fs::File;
use std::path::{Path, PathBuf};

use polars::prelude::{Column, DataFrame, PolarsError};
use polars_io::parquet::write::{ParquetCompression, ParquetWriter};
use polars_parquet::write::{CompressionOptions, StatisticsOptions, Version, WriteOptions, ZstdLevel};

/// The zstd level: its own default, small files at little time.
const LEVEL: i32 = 3;

/// About the most rows of a row group, which is what a writer and a reader have to hold at once.
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
    /// What the store has for a column cannot be read.
    #[error("what the store has for column `{column}` cannot be read: {source}")]
    Unreadable {
        /// The column.
        column: String,
        /// What is wrong with it.
        source: serde_json::Error,
    },
}

/// What writes a parquet file at `path`, as all of ours are written.
///
/// # Errors
/// When the file cannot be made.
pub(crate) fn writer(path: &Path) -> Result<ParquetWriter<File>, ParquetError> {
    let file = File::create(path).map_err(|source| ParquetError::Unwritable { path: path.to_owned(), source })?;
    Ok(ParquetWriter::new(file).with_compression(ParquetCompression::Zstd(level())).with_statistics(STATISTICS))
}

/// Writes a table of text columns, in the place of a file of ours that may lie there.
///
/// # Errors
/// When the columns are not of one length, or the file cannot be written.
pub fn write_texts(path: &Path, columns: Vec<(&'static str, Vec<String>)>) -> Result<(), ParquetError> {
    let failed = |source| ParquetError::Columns { path: path.to_owned(), source };
    let rows = columns.first().map_or(0, |(_, values)| values.len());
    let columns = columns.into_iter().map(|(name, values)| Column::new(name.into(), values)).collect();
    let mut frame = DataFrame::new(rows, columns).map_err(failed)?;
    writer(path)?.finish(&mut frame).map_err(failed)?;
    Ok(())
}

/// How pages of such a file are written.
pub(crate) fn options() -> WriteOptions {
    let compression = CompressionOptions::Zstd(level());
    WriteOptions { statistics: STATISTICS, version: Version::V1, compression, data_page_size: None }
}

fn level() -> Option<ZstdLevel> {
    ZstdLevel::try_new(LEVEL).ok()
}

/// What is told of every column of a row group.
const STATISTICS: StatisticsOptions = StatisticsOptions {
    min_value: true,
    max_value: true,
    distinct_count: false,
    null_count: true,
    binary_statistics_truncate_length: None,
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_is_not_there_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let error = writer(&folder.path().join("none/a.parquet")).err().unwrap();
        assert!(error.to_string().contains("none/a.parquet"), "{error}");
    }
}
