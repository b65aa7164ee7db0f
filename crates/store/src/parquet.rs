//! Parquet files: zstd-compressed, in row groups of about one size, each appearing whole or not at all.

use std::fs::File;
use std::path::{Path, PathBuf};

use polars::prelude::{Column, DataFrame, DataType, FrozenCategories, PolarsError};
use polars_io::parquet::write::{ParquetCompression, ParquetWriter};
use polars_parquet::write::ZstdLevel;

/// The zstd level: its own default, small files at little time.
const LEVEL: i32 = 3;

/// About how many rows stand in a row group, which is what a reader has to hold at once; polars makes groups of equal size.
const ROW_GROUP: usize = 50_000;

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
    /// The columns make no table: lengths differ, or a name stands twice.
    #[error("cannot write {path}: {source}")]
    Columns {
        /// The file.
        path: PathBuf,
        /// What polars said.
        source: PolarsError,
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
    /// The categories of an enum column are no set.
    #[error("the categories of column `{column}` are not usable: {source}")]
    Categories {
        /// The column.
        column: String,
        /// What polars said.
        source: PolarsError,
    },
}

/// Writes columns of one length as a parquet file at `path`, replacing what is there.
///
/// The rows stand as given: callers sort them, so that the same rows give the same bytes. The file is written under another
/// name in the same folder, synced and renamed.
///
/// # Errors
/// When the columns make no table or the file cannot be written; nothing is left behind then.
pub fn write(path: &Path, columns: Vec<Column>) -> Result<(), ParquetError> {
    let refused = |source| ParquetError::Columns { path: path.to_owned(), source };
    let height = columns.first().map_or(0, Column::len);
    let mut frame = DataFrame::new(height, columns).map_err(refused)?;
    let partial = path.with_added_extension(format!("{}.partial", std::process::id()));
    let written = write_frame(path, &partial, &mut frame).and_then(|()| {
        std::fs::rename(&partial, path).map_err(|source| ParquetError::Unwritable { path: path.to_owned(), source })
    });
    if written.is_err() {
        // The first error is the one to report, whatever becomes of the remains.
        let _ = std::fs::remove_file(&partial);
    }
    written
}

fn write_frame(path: &Path, partial: &Path, frame: &mut DataFrame) -> Result<(), ParquetError> {
    let unwritable = |source| ParquetError::Unwritable { path: path.to_owned(), source };
    let refused = |source| ParquetError::Columns { path: path.to_owned(), source };
    let file = File::create(partial).map_err(unwritable)?;
    let level = ZstdLevel::try_new(LEVEL).map_err(refused)?;
    ParquetWriter::new(&file)
        .with_compression(ParquetCompression::Zstd(Some(level)))
        .with_row_group_size(Some(ROW_GROUP))
        .finish(frame)
        .map_err(refused)?;
    file.sync_all().map_err(unwritable)
}

/// A column of words with fixed categories, in whose order the words sort; `None` is a missing value.
///
/// # Errors
/// When a value is none of the categories, or a category stands twice.
pub fn enum_column(name: &str, values: &[Option<&str>], categories: &[&str]) -> Result<Column, ParquetError> {
    if let Some(value) = values.iter().flatten().find(|value| !categories.contains(value)) {
        // A cast would turn it into a missing value.
        return Err(ParquetError::UnknownCategory {
            column: name.to_owned(),
            value: (*value).to_owned(),
            categories: categories.join(", "),
        });
    }
    let failed = |source| ParquetError::Categories { column: name.to_owned(), source };
    let frozen = FrozenCategories::new(categories.iter().copied()).map_err(failed)?;
    Column::new(name.into(), values).cast(&DataType::from_frozen_categories(frozen)).map_err(failed)
}

#[cfg(test)]
mod tests {
    use polars_io::SerReader;
    use polars_io::parquet::read::ParquetReader;

    use super::*;

    fn columns() -> Vec<Column> {
        let words = [Some("low"), None, Some("high")];
        vec![
            Column::new("name".into(), ["a", "b", "c"]),
            enum_column("level", &words, &["low", "high"]).unwrap(),
            Column::new("value".into(), [Some(0.5), None, Some(f64::INFINITY)]),
            Column::new("count".into(), [1_u32, 2, 3]),
        ]
    }

    fn read(path: &Path) -> DataFrame {
        ParquetReader::new(File::open(path).unwrap()).finish().unwrap()
    }

    #[test]
    fn what_is_written_reads_again_with_its_types() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.parquet");
        write(&path, columns()).unwrap();
        let frame = read(&path);
        assert_eq!(frame.get_column_names(), ["name", "level", "value", "count"]);
        assert!(matches!(frame.column("level").unwrap().dtype(), DataType::Enum(..)));
        let level = frame.column("level").unwrap().cast(&DataType::String).unwrap();
        let level: Vec<Option<&str>> = level.str().unwrap().iter().collect();
        assert_eq!(level, [Some("low"), None, Some("high")]);
        let value: Vec<Option<f64>> = frame.column("value").unwrap().f64().unwrap().iter().collect();
        assert_eq!(value, [Some(0.5), None, Some(f64::INFINITY)]);
    }

    #[test]
    fn the_same_rows_give_the_same_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let (first, second) = (folder.path().join("a.parquet"), folder.path().join("b.parquet"));
        write(&first, columns()).unwrap();
        write(&second, columns()).unwrap();
        assert_eq!(std::fs::read(first).unwrap(), std::fs::read(second).unwrap());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "a partial file is left");
    }

    #[test]
    fn no_rows_are_a_file_with_its_columns() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.parquet");
        let empty = vec![
            Column::new("name".into(), Vec::<&str>::new()),
            enum_column("level", &[], &["low", "high"]).unwrap(),
            Column::new("value".into(), Vec::<f64>::new()),
        ];
        write(&path, empty).unwrap();
        let frame = read(&path);
        assert_eq!((frame.height(), frame.width()), (0, 3));
        assert_eq!(*frame.column("value").unwrap().dtype(), DataType::Float64);
    }

    #[test]
    fn a_value_outside_the_categories_is_an_error_and_not_a_missing_value() {
        let error = enum_column("level", &[Some("middle")], &["low", "high"]).unwrap_err();
        assert_eq!(error.to_string(), "value `middle` of column `level` is none of its categories (low, high)");
    }

    #[test]
    fn columns_of_other_lengths_leave_the_old_file_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.parquet");
        write(&path, columns()).unwrap();
        let before = std::fs::read(&path).unwrap();
        let uneven = vec![Column::new("a".into(), [1_u32]), Column::new("b".into(), [1_u32, 2])];
        assert!(matches!(write(&path, uneven), Err(ParquetError::Columns { .. })));
        assert_eq!(std::fs::read(&path).unwrap(), before);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_folder_that_is_not_there_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let error = write(&folder.path().join("none/a.parquet"), columns()).unwrap_err();
        assert!(error.to_string().contains("none/a.parquet"), "{error}");
    }

    #[test]
    fn many_rows_are_split_into_row_groups() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.parquet");
        let rows = u32::try_from(ROW_GROUP * 3).unwrap();
        write(&path, vec![Column::new("n".into(), (0..rows).collect::<Vec<u32>>())]).unwrap();
        let mut reader = ParquetReader::new(File::open(&path).unwrap());
        assert_eq!(reader.get_metadata().unwrap().row_groups.len(), 3);
        let values: Vec<u32> = read(&path).column("n").unwrap().u32().unwrap().into_no_null_iter().collect();
        assert!(values.into_iter().eq(0..rows));
    }
}
