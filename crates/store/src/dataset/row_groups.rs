//! A parquet file that grows by groups of rows.

use std::fs::File;
use std::path::PathBuf;

use polars::prelude::Column;
use polars_io::parquet::write::BatchedWriter;

use super::Variant;
use super::conform::frame;
use super::folder::Staging;
use super::manifest::FileEntry;
use super::schema::{Schema, Table};
use crate::parquet::{ParquetError, writer};

/// The file of a table. `C` makes columns of rows; also of none, which tells their types.
pub(super) struct RowGroups<C> {
    table: &'static Table,
    variant: Variant,
    path: PathBuf,
    writer: BatchedWriter<File>,
    columns: C,
    rows: u64,
}

impl<C> RowGroups<C> {
    /// Begins the table of this name.
    ///
    /// # Errors
    /// When the columns are not those of the schema, or the file cannot be made.
    pub(super) fn create<R>(staging: &Staging, name: &str, columns: C) -> Result<Self, ParquetError>
    where
        C: Fn(&[R]) -> Result<Vec<Column>, ParquetError>,
    {
        let unknown = || ParquetError::Unknown { table: name.to_owned() };
        let table = Schema::get().table(name).ok_or_else(unknown)?;
        let path = staging.path(&table.file());
        let empty = frame(table, staging.variant(), columns(&[])?)?;
        let writer = writer(&path)?
            .batched(empty.schema())
            .map_err(|source| ParquetError::Columns { path: path.clone(), source })?;
        Ok(RowGroups { table, variant: staging.variant(), path, writer, columns, rows: 0 })
    }

    /// Writes a group.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn write<R>(&mut self, rows: &[R]) -> Result<(), ParquetError>
    where
        C: Fn(&[R]) -> Result<Vec<Column>, ParquetError>,
    {
        let frame = frame(self.table, self.variant, (self.columns)(rows)?)?;
        self.rows += frame.height() as u64;
        self.writer.write_batch(&frame).map_err(|source| ParquetError::Columns { path: self.path.clone(), source })
    }

    /// Writes the end of the file; gives what the manifest says of it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn finish(self) -> Result<FileEntry, ParquetError> {
        let unwritable = |source| ParquetError::Unwritable { path: self.path.clone(), source };
        self.writer.finish().map_err(|source| ParquetError::Columns { path: self.path.clone(), source })?;
        File::open(&self.path).and_then(|file| file.sync_all()).map_err(unwritable)?;
        FileEntry::of(self.table, &self.path, self.rows).map_err(unwritable)
    }
}
