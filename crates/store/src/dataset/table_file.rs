//! Rows in, a parquet file out, a group of rows at a time: memory holds two groups, however long the table is.

use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::JoinHandle;

use super::folder::Staging;
use super::manifest::ManifestFile;
use super::row_groups::RowGroups;
use crate::columns::Column;
use crate::parquet::{ParquetError, ROW_GROUP};

/// Bytes of texts that wait to be written, about; then they are, however few rows they are of.
const HEAVY: usize = 32 << 20;

/// A table that is being written by a thread of its own: while it packs one group of rows, the next one is gathered.
///
/// It may have parts, each of which stands whole before the next one: rows come for any of them.
pub(crate) struct TableFile {
    /// The columns of each part's group, and those of none.
    groups: Vec<Vec<Column>>,
    empty: Vec<Column>,
    /// Where whole groups go, with the number of their part; gone when there are no more.
    full: Option<SyncSender<(usize, Vec<Column>)>>,
    /// Gone when it has been asked how it ended.
    writer: Option<JoinHandle<Result<ManifestFile, ParquetError>>>,
}

impl TableFile {
    /// Begins the table of this name, with its columns of no rows.
    ///
    /// # Errors
    /// When the columns are not those of the schema, or the file cannot be made.
    pub(crate) fn create(staging: &Staging, name: &str, empty: Vec<Column>) -> Result<Self, ParquetError> {
        TableFile::in_parts(staging, name, 1, empty)
    }

    /// Begins a table of so many parts.
    ///
    /// # Errors
    /// As [`TableFile::create`].
    fn in_parts(staging: &Staging, name: &str, parts: usize, empty: Vec<Column>) -> Result<Self, ParquetError> {
        let mut file = RowGroups::create(staging, name, parts, empty.clone())?;
        // Nothing lies in the channel: a group that is full waits until the one before it is written.
        let (full, groups) = sync_channel::<(usize, Vec<Column>)>(0);
        let write = move || {
            groups.iter().try_for_each(|(part, group)| file.write(part, group))?;
            file.finish()
        };
        let writer = std::thread::Builder::new().name(name.to_owned()).spawn(write);
        let writer = writer.map_err(|source| ParquetError::Unwritable { path: staging.path(name), source })?;
        Ok(TableFile { groups: vec![empty.clone(); parts], empty, full: Some(full), writer: Some(writer) })
    }

    /// Adds the columns of some rows: few, since a group is not parted within them.
    ///
    /// # Errors
    /// When a group of rows could not be written.
    pub(crate) fn append(&mut self, rows: &[Column]) -> Result<(), ParquetError> {
        self.append_to(0, rows)
    }

    /// Adds them to a part.
    ///
    /// # Errors
    /// As [`TableFile::append`].
    fn append_to(&mut self, part: usize, rows: &[Column]) -> Result<(), ParquetError> {
        let group = &mut self.groups[part];
        group.iter_mut().zip(rows).for_each(|(column, more)| column.values.append(&more.values));
        let bytes: usize = group.iter().map(|column| column.values.text_bytes()).sum();
        if height(group) >= ROW_GROUP || bytes >= HEAVY { self.send(part) } else { Ok(()) }
    }

    fn send(&mut self, part: usize) -> Result<(), ParquetError> {
        let group = std::mem::replace(&mut self.groups[part], self.empty.clone());
        let sent = self.full.as_ref().is_some_and(|full| full.send((part, group)).is_ok());
        // A writer that takes no more has failed.
        if sent { Ok(()) } else { self.ended().map(|_| ()) }
    }

    /// Writes what waits and the end of the file.
    ///
    /// # Errors
    /// When the rest cannot be written.
    pub(crate) fn finish(mut self, staging: &Staging) -> Result<(), ParquetError> {
        for part in 0..self.groups.len() {
            if height(&self.groups[part]) > 0 {
                self.send(part)?;
            }
        }
        staging.note(self.ended()?);
        Ok(())
    }

    /// Waits for the writer.
    fn ended(&mut self) -> Result<ManifestFile, ParquetError> {
        self.full = None;
        let writer = self.writer.take().expect("a table is asked once how it ended");
        writer.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

impl Drop for TableFile {
    fn drop(&mut self) {
        // An export that gave up removes its folder: nobody may still be writing into it then.
        self.full = None;
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}

/// Rows of a group.
fn height(group: &[Column]) -> usize {
    group.first().map_or(0, |column| column.values.len())
}

/// So many rows, or bytes of their long texts, become columns at once, about: few rows are still near the processor then, and long texts do
/// not add up.
pub(crate) const ROWS_AT_ONCE: usize = 128;
pub(crate) const BYTES_AT_ONCE: usize = 1 << 20;

/// A table that is made row by row; it may have parts, as a [`TableFile`].
pub(crate) struct RowFile<R, C> {
    file: TableFile,
    /// The rows of each part.
    waiting: Vec<Waiting<R>>,
    columns: C,
    bytes: fn(&R) -> usize,
}

/// Rows that are not columns yet.
struct Waiting<R> {
    rows: Vec<R>,
    bytes: usize,
}

impl<R, C: Fn(&[R]) -> Result<Vec<Column>, ParquetError>> RowFile<R, C> {
    /// Begins the table of this name. `columns` makes columns of rows; also of none, which tells their types.
    ///
    /// # Errors
    /// As [`TableFile::create`].
    pub(crate) fn create(staging: &Staging, name: &str, columns: C) -> Result<Self, ParquetError> {
        RowFile::in_parts(staging, name, 1, columns)
    }

    /// Begins a table of so many parts.
    ///
    /// # Errors
    /// As [`TableFile::create`].
    pub(crate) fn in_parts(staging: &Staging, name: &str, parts: usize, columns: C) -> Result<Self, ParquetError> {
        let file = TableFile::in_parts(staging, name, parts, columns(&[])?)?;
        let waiting = || Waiting { rows: Vec::with_capacity(ROWS_AT_ONCE), bytes: 0 };
        Ok(RowFile { file, waiting: (0..parts).map(|_| waiting()).collect(), columns, bytes: |_| 0 })
    }

    /// Says how many bytes a row has in texts that may be of any length; of other rows only the number counts.
    pub(crate) fn weighed(self, bytes: fn(&R) -> usize) -> Self {
        RowFile { bytes, ..self }
    }

    /// Adds a row.
    ///
    /// # Errors
    /// As [`TableFile::append`]; also when the rows make no columns.
    pub(crate) fn push(&mut self, row: R) -> Result<(), ParquetError> {
        self.push_to(0, row)
    }

    /// Adds a row to a part.
    ///
    /// # Errors
    /// As [`RowFile::push`].
    pub(crate) fn push_to(&mut self, part: usize, row: R) -> Result<(), ParquetError> {
        let waiting = &mut self.waiting[part];
        waiting.bytes += (self.bytes)(&row);
        waiting.rows.push(row);
        if waiting.rows.len() >= ROWS_AT_ONCE || waiting.bytes >= BYTES_AT_ONCE { self.flush(part) } else { Ok(()) }
    }

    fn flush(&mut self, part: usize) -> Result<(), ParquetError> {
        let Waiting { rows, bytes } = &mut self.waiting[part];
        self.file.append_to(part, &(self.columns)(rows)?)?;
        rows.clear();
        *bytes = 0;
        Ok(())
    }

    /// Writes what waits and the end of the file.
    ///
    /// # Errors
    /// When the rest cannot be written.
    pub(crate) fn finish(mut self, staging: &Staging) -> Result<(), ParquetError> {
        (0..self.waiting.len()).try_for_each(|part| self.flush(part))?;
        self.file.finish(staging)
    }
}

/// Writes a table whose rows are in memory.
///
/// # Errors
/// As [`RowFile`].
pub(crate) fn write_table<R>(
    staging: &Staging,
    name: &str,
    rows: impl IntoIterator<Item = R>,
    columns: impl Fn(&[R]) -> Result<Vec<Column>, ParquetError>,
) -> Result<(), ParquetError> {
    let mut file = RowFile::create(staging, name, columns)?;
    rows.into_iter().try_for_each(|row| file.push(row))?;
    file.finish(staging)
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;
    use crate::columns::text;
    use crate::dataset::Variant;

    #[test]
    fn long_texts_do_not_wait_for_many_rows() {
        let folder = tempfile::tempdir().unwrap();
        let staging = Staging::open(&folder.path().join("data"), Variant::Full).unwrap();
        let made = RefCell::new(Vec::new());
        let columns = |rows: &[String]| {
            made.borrow_mut().push(rows.len());
            Ok(["environment", "distribution", "release"].map(|name| text(name, rows.iter())).to_vec())
        };
        let mut file = RowFile::create(&staging, "locks", columns).unwrap().weighed(String::len);
        for length in [BYTES_AT_ONCE, 3, 5, BYTES_AT_ONCE - 8, 7] {
            file.push("x".repeat(length)).unwrap();
        }
        file.finish(&staging).unwrap();
        // Of none first, which tells the types; and of what was left.
        assert_eq!(*made.borrow(), [0, 1, 3, 1]);
    }
}
