//! Rows in, a parquet file out, a group of rows at a time: memory holds two groups, however long the table is.

use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::JoinHandle;

use polars::prelude::Column;

use super::folder::Staging;
use super::manifest::FileEntry;
use super::row_groups::RowGroups;
use crate::parquet::{ParquetError, ROW_GROUP};

/// Bytes of rows that wait to be written, about; then they are, however few they are.
const HEAVY: usize = 32 << 20;

/// A row of a table, or some rows of one origin.
pub(crate) trait Heft {
    /// About how many bytes its long texts have; 0 for rows of numbers and short words.
    fn heft(&self) -> usize {
        0
    }

    /// How many rows it is.
    fn rows(&self) -> usize {
        1
    }
}

/// A table that is being written by a thread of its own: while it packs one group of rows, the next one is read.
pub(crate) struct TableFile<R> {
    groups: Group<R>,
    /// Where whole groups go; gone when there are no more.
    full: Option<SyncSender<Vec<R>>>,
    /// Gone when it has been asked how it ended.
    writer: Option<JoinHandle<Result<FileEntry, ParquetError>>>,
}

impl<R: Heft + Send + 'static> TableFile<R> {
    /// Begins the table of this name.
    ///
    /// # Errors
    /// When the columns are not those of the schema, or the file cannot be made.
    pub(crate) fn create<C>(staging: &Staging, name: &str, columns: C) -> Result<Self, ParquetError>
    where
        C: Fn(&[R]) -> Result<Vec<Column>, ParquetError> + Send + 'static,
    {
        let mut file = RowGroups::create(staging, name, columns)?;
        // Nothing lies in the channel: a group that is full waits until the one before it is written.
        let (full, groups) = sync_channel::<Vec<R>>(0);
        let write = move || {
            groups.iter().try_for_each(|group| file.write(&group))?;
            file.finish()
        };
        let writer = std::thread::Builder::new().name(name.to_owned()).spawn(write);
        let writer = writer.map_err(|source| ParquetError::Unwritable { path: staging.path(name), source })?;
        Ok(TableFile { groups: Group::default(), full: Some(full), writer: Some(writer) })
    }

    /// Adds a row.
    ///
    /// # Errors
    /// When a group of rows could not be written.
    pub(crate) fn push(&mut self, row: R) -> Result<(), ParquetError> {
        match self.groups.push(row) {
            Some(group) => self.send(group),
            None => Ok(()),
        }
    }

    fn send(&mut self, group: Vec<R>) -> Result<(), ParquetError> {
        let sent = self.full.as_ref().is_some_and(|full| full.send(group).is_ok());
        // A writer that takes no more has failed.
        if sent { Ok(()) } else { self.ended().map(|_| ()) }
    }

    /// Writes what waits and the end of the file.
    ///
    /// # Errors
    /// When the rest cannot be written.
    pub(crate) fn finish(mut self, staging: &Staging) -> Result<(), ParquetError> {
        let rest = self.groups.take();
        if !rest.is_empty() {
            self.send(rest)?;
        }
        staging.note(self.ended()?);
        Ok(())
    }

    /// Waits for the writer.
    fn ended(&mut self) -> Result<FileEntry, ParquetError> {
        self.full = None;
        let writer = self.writer.take().expect("a table is asked once how it ended");
        writer.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

impl<R> Drop for TableFile<R> {
    fn drop(&mut self) {
        // An export that gave up removes its folder: nobody may still be writing into it then.
        self.full = None;
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}

/// Rows on their way to a group.
struct Group<R> {
    rows: Vec<R>,
    count: usize,
    heft: usize,
}

impl<R> Default for Group<R> {
    fn default() -> Self {
        Group { rows: Vec::new(), count: 0, heft: 0 }
    }
}

impl<R: Heft> Group<R> {
    /// Adds a row; gives the group when it is full.
    fn push(&mut self, row: R) -> Option<Vec<R>> {
        self.count += row.rows();
        self.heft += row.heft();
        self.rows.push(row);
        (self.count >= ROW_GROUP || self.heft >= HEAVY).then(|| self.take())
    }

    fn take(&mut self) -> Vec<R> {
        std::mem::take(self).rows
    }
}

/// Writes a table whose rows are in memory.
///
/// # Errors
/// As [`TableFile`].
pub(crate) fn write_table<R: Heft>(
    staging: &Staging,
    name: &str,
    rows: impl IntoIterator<Item = R>,
    columns: impl Fn(&[R]) -> Result<Vec<Column>, ParquetError>,
) -> Result<(), ParquetError> {
    let mut file = RowGroups::create(staging, name, columns)?;
    let mut groups = Group::default();
    for row in rows {
        if let Some(group) = groups.push(row) {
            file.write(&group)?;
        }
    }
    let rest = groups.take();
    if !rest.is_empty() {
        file.write(&rest)?;
    }
    staging.note(file.finish()?);
    Ok(())
}
