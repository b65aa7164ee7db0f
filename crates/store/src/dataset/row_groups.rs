//! A parquet file that grows by groups of rows.

use std::fs::File;
use std::path::PathBuf;

use polars::prelude::{Field, PolarsError, PolarsResult, Schema as Fields};
use polars_arrow::array::Array;
use polars_io::parquet::write::{BatchedWriter, ParquetWriter};
use polars_parquet::write::{CompressedPage, Encoding, ParquetType, array_to_columns, compress};

use super::Variant;
use super::conform::conform;
use super::folder::Staging;
use super::manifest::ManifestFile;
use super::schema::{Schema, TableSchema};
use crate::columns::Column;
use crate::parquet::{ParquetError, options, writer};

/// The file of a table.
pub(super) struct RowGroups {
    table: &'static TableSchema,
    variant: Variant,
    path: PathBuf,
    writer: BatchedWriter<File>,
    /// The columns as the file has them.
    types: Vec<ParquetType>,
    rows: u64,
    /// Groups of each part that wait until the parts before it are whole: packed, so they are small.
    waiting: Vec<Vec<Group>>,
}

/// A group of so many rows, and the pages of each column.
type Group = (u64, Vec<Vec<CompressedPage>>);

impl RowGroups {
    /// Begins the table of this name, of so many parts, whose `columns` have no rows yet.
    ///
    /// # Errors
    /// When the columns are not those of the schema, or the file cannot be made.
    pub(super) fn create(
        staging: &Staging,
        name: &str,
        parts: usize,
        columns: Vec<Column>,
    ) -> Result<Self, ParquetError> {
        let unknown = || ParquetError::Unknown { table: name.to_owned() };
        let table = Schema::get().table(name).ok_or_else(unknown)?;
        let path = staging.path(&table.file());
        let variant = staging.variant();
        let columns = conform(table, variant, columns)?;
        let failed = |source| ParquetError::Columns { path: path.clone(), source };
        let (writer, types) = begin(writer(&path)?, &columns).map_err(failed)?;
        Ok(RowGroups {
            table,
            variant,
            path,
            writer,
            types,
            rows: 0,
            waiting: (0..parts).map(|_| Vec::new()).collect(),
        })
    }

    /// Writes a group of a part, or keeps it until that is its turn.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn write(&mut self, part: usize, columns: Vec<Column>) -> Result<(), ParquetError> {
        let columns = conform(self.table, self.variant, columns)?;
        let rows = columns.first().map_or(0, |column| column.values.len()) as u64;
        self.rows += rows;
        let pages = columns.iter().zip(&self.types).map(|(column, kind)| pages(column, kind));
        let pages = pages.collect::<PolarsResult<Vec<_>>>().map_err(|source| self.failed(source))?;
        if part > 0 {
            self.waiting[part].push((rows, pages));
            return Ok(());
        }
        self.write_group(&(rows, pages))
    }

    fn write_group(&mut self, (rows, pages): &Group) -> Result<(), ParquetError> {
        self.writer.write_row_group(*rows, pages).map_err(|source| self.failed(source))
    }

    fn failed(&self, source: PolarsError) -> ParquetError {
        ParquetError::Columns { path: self.path.clone(), source }
    }

    /// Writes the end of the file; gives what the manifest says of it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn finish(mut self) -> Result<ManifestFile, ParquetError> {
        for group in std::mem::take(&mut self.waiting).into_iter().flatten() {
            self.write_group(&group)?;
        }
        self.writer.finish().map_err(|source| self.failed(source))?;
        let unwritable = |source| ParquetError::Unwritable { path: self.path.clone(), source };
        ManifestFile::of(self.table, &self.path, self.rows).map_err(unwritable)
    }
}

/// A new file with these columns, and the types that they have in it.
fn begin(writer: ParquetWriter<File>, columns: &[Column]) -> PolarsResult<(BatchedWriter<File>, Vec<ParquetType>)> {
    let field = |column: &Column| Ok(Field::new(column.name.into(), column.values.dtype()?));
    let fields = columns.iter().map(field).collect::<PolarsResult<Fields>>()?;
    let mut writer = writer.batched(&fields)?;
    let types = writer.parquet_schema().fields().to_vec();
    Ok((writer, types))
}

/// A column of a group, compressed. Each table has a thread of its own, so the columns of one need none.
fn pages(column: &Column, kind: &ParquetType) -> PolarsResult<Vec<CompressedPage>> {
    packed(column.values.array()?, kind)
}

/// The same of what Arrow has, in this layout.
fn packed((array, encoding): (Box<dyn Array>, Encoding), kind: &ParquetType) -> PolarsResult<Vec<CompressedPage>> {
    let options = options();
    let pages = array_to_columns(array, kind.clone(), options, &[encoding])?;
    pages.into_iter().flatten().map(|page| Ok(compress(page?, Vec::new(), options.compression)?)).collect()
}

#[cfg(test)]
mod tests {
    use polars::prelude::{Column as Read, DataType};
    use polars_io::SerReader;
    use polars_io::parquet::read::ParquetReader;

    use super::*;
    use crate::columns::{
        count, enum_column, optional_count, optional_number, optional_switch, optional_text, optional_whole, primitive,
        switch, text,
    };

    /// Every type, with missing values and without.
    fn columns(rows: usize) -> Vec<Column> {
        let some = |row: usize| (row % 3 != 1).then_some(row);
        let words = |row: usize| some(row).map(|row| if row % 2 == 0 { "low" } else { "high" });
        vec![
            text("name", (0..rows).map(|row| format!("row {row}"))),
            optional_text("word", (0..rows).map(words)),
            enum_column("level", (0..rows).map(words), vec!["low", "high"]).unwrap(),
            optional_number("value", (0..rows).map(|row| some(row).map(|row| 1.0 / row as f64))),
            count("count", (0..rows).map(|row| row as u32)),
            optional_whole("whole", (0..rows).map(|row| some(row).map(|row| -(row as i64)))),
            switch("is", (0..rows).map(|row| row % 2 == 0)),
            optional_switch("may-be", (0..rows).map(|row| some(row).map(|row| row % 2 == 0))),
        ]
    }

    #[test]
    fn what_is_written_reads_again_with_its_types() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.parquet");
        let (mut writer, types) = begin(writer(&path).unwrap(), &columns(0)).unwrap();
        let groups = [5, 1, 1000];
        for rows in groups {
            let pages: Vec<_> =
                columns(rows).iter().zip(&types).map(|(column, kind)| pages(column, kind).unwrap()).collect();
            writer.write_row_group(rows as u64, &pages).unwrap();
        }
        writer.finish().unwrap();
        let frame = ParquetReader::new(File::open(&path).unwrap()).finish().unwrap();
        let rows = || groups.iter().flat_map(|rows| 0..*rows);
        let some = || rows().map(|row| (row % 3 != 1).then_some(row));
        let words = || some().map(|row| row.map(|row| if row % 2 == 0 { "low" } else { "high" }));
        let column = |name: &str| frame.column(name).unwrap();
        let texts = |column: &Read| {
            column.str().unwrap().iter().map(|text| text.map(str::to_owned)).collect::<Vec<Option<String>>>()
        };
        assert!(texts(column("name")).into_iter().eq(rows().map(|row| Some(format!("row {row}")))));
        assert_eq!(texts(column("word")), words().map(|word| word.map(str::to_owned)).collect::<Vec<_>>());
        assert!(matches!(column("level").dtype(), DataType::Enum(..)));
        let level = column("level").cast(&DataType::String).unwrap();
        assert_eq!(texts(&level), texts(column("word")));
        assert!(column("value").f64().unwrap().iter().eq(some().map(|row| row.map(|row| 1.0 / row as f64))));
        assert!(column("count").u32().unwrap().iter().eq(rows().map(|row| Some(row as u32))));
        assert!(column("whole").i64().unwrap().iter().eq(some().map(|row| row.map(|row| -(row as i64)))));
        assert!(column("is").bool().unwrap().iter().eq(rows().map(|row| Some(row % 2 == 0))));
        assert!(column("may-be").bool().unwrap().iter().eq(some().map(|row| row.map(|row| row % 2 == 0))));
    }

    /// The bytes of a file with one column, in a layout.
    fn file_of(column: &Column, layout: (Box<dyn Array>, Encoding)) -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.parquet");
        let (mut writer, types) = begin(writer(&path).unwrap(), std::slice::from_ref(column)).unwrap();
        let pages = packed(layout, &types[0]).unwrap();
        writer.write_row_group(column.values.len() as u64, &[pages]).unwrap();
        writer.finish().unwrap();
        std::fs::read(&path).unwrap()
    }

    #[test]
    fn numbers_are_laid_out_as_polars_would() {
        let spread = |rows: usize, different: u32| -> Vec<Option<u32>> {
            (0..different).cycle().take(rows).map(|number| Some(u32::MAX - 7 * number)).collect()
        };
        let mut with_gaps = spread(900, 20);
        with_gaps.iter_mut().step_by(3).for_each(|row| *row = None);
        let far_apart = [Some(0), None, Some(70_000), Some(0), Some(3)].repeat(60);
        for rows in [
            spread(1, 1),
            spread(1000, 1),
            spread(1000, 513),
            spread(1000, 749),
            spread(1000, 750),
            spread(600, 600),
            spread(512, 512),
            with_gaps,
            vec![None; 300],
            far_apart,
        ] {
            let column = optional_count("count", rows.iter().copied());
            let theirs = (primitive(&rows).boxed(), Encoding::RleDictionary);
            let told: Vec<_> = rows.iter().take(4).collect();
            assert!(file_of(&column, column.values.array().unwrap()) == file_of(&column, theirs), "{told:?}…");
            let numbers: Vec<Option<f64>> = rows.iter().map(|row| row.map(|row| f64::from(row) / 3.0)).collect();
            let column = optional_number("number", numbers.iter().copied());
            let theirs = (primitive(&numbers).boxed(), Encoding::RleDictionary);
            assert!(file_of(&column, column.values.array().unwrap()) == file_of(&column, theirs), "{told:?}… / 3");
        }
    }
}
