//! Reads a table row by row: pieces of it side by side, in the order of the file, and nothing of a row but the columns that
//! are asked for. What a caller does not keep is never held, so that a join begins in the scan.
//!
//! A row with a wrong number of fields, or with a field that does not hold what its column holds, is left out and counted;
//! the first few are reported with their lines. A stray quote makes one row of many lines: where such a row has a wrong
//! number of fields, its second line counts as the beginning of a row again.

use std::ops::ControlFlow;

use csv::{ByteRecord, Reader, ReaderBuilder};
use memchr::memchr;
use rayon::prelude::*;
use serde::Serialize;

use super::error::DumpError;
use super::file::TableFile;
use super::pieces::{LONGEST_ROW, Piece, Pieces};
use super::values::{self, BadValue};

/// Bad rows of a table that are reported one by one.
const REPORTED: usize = 5;
/// How often a piece is begun again behind a stray quote; each time can cost a reading of all that is left of it.
const RESTARTS: u32 = 50;
/// Pieces that a thread gets at a time.
const PIECES: usize = 2;

/// A row that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BadRow {
    /// The line on which it begins, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub why: String,
}

/// The rows of a table that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct BadRows {
    /// How many.
    pub count: u64,
    /// The first few.
    pub first: Vec<BadRow>,
}

impl BadRows {
    fn add(&mut self, line: u64, why: String) {
        self.count += 1;
        if self.first.len() < REPORTED {
            self.first.push(BadRow { line, why });
        }
    }

    fn join(&mut self, next: Self) {
        self.count += next.count;
        self.first.extend(next.first);
        self.first.sort_by_key(|row| row.line);
        self.first.truncate(REPORTED);
    }
}

/// What a scan went through.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Scanned {
    /// Rows that could be read.
    pub(super) rows: u64,
    pub(super) bad: BadRows,
}

/// A table with the columns that are wanted, by name.
#[derive(Debug)]
pub(super) struct Scan<'a, const N: usize> {
    file: &'a TableFile,
    names: [&'static str; N],
    places: [Option<usize>; N],
}

/// The rows of one piece.
pub(super) struct Rows<'a, const N: usize> {
    reader: Reader<&'a [u8]>,
    /// What the reader reads.
    bytes: &'a [u8],
    scan: &'a Scan<'a, N>,
    /// The line on which it begins.
    line: u64,
    restarts: u32,
    is_first: bool,
    scanned: Scanned,
}

/// One row; columns are counted as they were asked for.
pub(super) struct Row<'a, const N: usize> {
    record: &'a ByteRecord,
    scan: &'a Scan<'a, N>,
}

/// A field that cannot be read: its column, and what it should have held.
#[derive(Debug, Clone, Copy)]
pub(super) struct BadField {
    column: &'static str,
    wanted: &'static str,
}

impl<'a, const N: usize> Scan<'a, N> {
    pub(super) fn new(file: &'a TableFile, names: [&'static str; N]) -> Self {
        Self { file, names, places: names.map(|name| file.place(name)) }
    }

    /// Whether the file has a column.
    pub(super) fn has(&self, column: usize) -> bool {
        self.places[column].is_some()
    }

    /// Parses all pieces, `parse` on several threads, and gives their results in order until `take` breaks.
    pub(super) fn sweep<T: Send>(
        &self,
        parse: impl Fn(&mut Rows<'_, N>) -> T + Sync,
        mut take: impl FnMut(T) -> ControlFlow<()>,
    ) -> Result<Scanned, DumpError> {
        let mut pieces = Pieces::new(self.file.open()?);
        let mut whole = Scanned::default();
        let group = rayon::current_num_threads() * PIECES;
        loop {
            let mut some: Vec<Piece> = Vec::with_capacity(group);
            while some.len() < group {
                let Some(piece) = pieces.next().map_err(self.file.unreadable())? else { break };
                some.push(piece);
            }
            for line in pieces.endless.drain(..) {
                whole.bad.add(line, format!("a quoted text does not end, or the row passes {LONGEST_ROW} bytes"));
            }
            if some.is_empty() {
                return Ok(whole);
            }
            let parsed: Vec<(T, Scanned)> = some.par_iter().map(|piece| self.piece(piece, &parse)).collect();
            for (result, scanned) in parsed {
                whole.rows += scanned.rows;
                whole.bad.join(scanned.bad);
                if take(result).is_break() {
                    return Ok(whole);
                }
            }
        }
    }

    /// All that `parse` makes of rows, in order; rows for which it gives `None` are left out.
    pub(super) fn collect<T: Send>(
        &self,
        parse: impl Fn(&Row<'_, N>) -> Result<Option<T>, BadField> + Sync,
    ) -> Result<(Vec<T>, Scanned), DumpError> {
        let mut all = Vec::new();
        let scanned = self.sweep(
            |rows| {
                let mut some = Vec::new();
                rows.each(|row| {
                    some.extend(parse(row)?);
                    Ok(())
                });
                some
            },
            |some| {
                all.extend(some);
                ControlFlow::Continue(())
            },
        )?;
        Ok((all, scanned))
    }

    fn piece<T>(&self, piece: &Piece, parse: &impl Fn(&mut Rows<'_, N>) -> T) -> (T, Scanned) {
        let mut rows = Rows {
            reader: reader(&piece.bytes),
            bytes: &piece.bytes,
            scan: self,
            line: piece.line,
            restarts: 0,
            is_first: piece.line == 1,
            scanned: Scanned::default(),
        };
        let parsed = parse(&mut rows);
        (parsed, rows.scanned)
    }
}

fn reader(bytes: &[u8]) -> Reader<&[u8]> {
    ReaderBuilder::new().has_headers(false).flexible(true).buffer_capacity(64 << 10).from_reader(bytes)
}

impl<const N: usize> Rows<'_, N> {
    /// Goes through the rows. An error of `take` makes a row a bad one.
    pub(super) fn each(&mut self, mut take: impl FnMut(&Row<'_, N>) -> Result<(), BadField>) {
        let mut record = ByteRecord::new();
        let width = self.scan.file.width();
        // Reading bytes from memory does not fail.
        while self.reader.read_byte_record(&mut record).unwrap_or(false) {
            if std::mem::take(&mut self.is_first) {
                continue;
            }
            if record.len() != width {
                let why = format!("it has {} fields, the header has {width}", record.len());
                let (start, line) = self.start(&record);
                self.scanned.bad.add(line, why);
                self.restart(start, line);
                continue;
            }
            match take(&Row { record: &record, scan: self.scan }) {
                Ok(()) => self.scanned.rows += 1,
                Err(bad) => {
                    let why = format!("the column {} does not hold {}", bad.column, bad.wanted);
                    let line = self.start(&record).1;
                    self.scanned.bad.add(line, why);
                }
            }
        }
    }

    /// Where a row begins in the bytes, and on which line of the file. The reader tells the end of the row before, which can
    /// be in the middle of a line break, or before empty lines.
    fn start(&self, record: &ByteRecord) -> (usize, u64) {
        let (byte, line) = record.position().map_or((0, 1), |position| (position.byte() as usize, position.line()));
        let breaks = self.bytes[byte..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
        let (count, lines) = breaks.fold((0, 0), |(count, lines), byte| (count + 1, lines + u64::from(*byte == b'\n')));
        (byte + count, self.line + line - 1 + lines)
    }

    /// Goes back to the second line of the row that was read, if it has one.
    fn restart(&mut self, start: usize, line: u64) {
        let end = self.reader.position().byte() as usize;
        let row = self.bytes[start..end].trim_ascii_end();
        let Some(line_break) = memchr(b'\n', row).filter(|_| self.restarts < RESTARTS) else { return };
        self.restarts += 1;
        self.bytes = &self.bytes[start + line_break + 1..];
        self.line = line + 1;
        self.reader = reader(self.bytes);
    }
}

impl<const N: usize> Row<'_, N> {
    /// The field of a column; empty where the file has no such column.
    fn field(&self, column: usize) -> &[u8] {
        self.scan.places[column].and_then(|place| self.record.get(place)).unwrap_or_default()
    }

    fn read<'f, T>(
        &'f self,
        column: usize,
        wanted: &'static str,
        parse: impl Fn(&'f [u8]) -> Result<T, BadValue>,
    ) -> Result<T, BadField> {
        parse(self.field(column)).map_err(|BadValue| BadField { column: self.scan.names[column], wanted })
    }

    /// A number that must be there.
    pub(super) fn id(&self, column: usize) -> Result<u64, BadField> {
        let bad = BadField { column: self.scan.names[column], wanted: "a number" };
        self.whole(column)?.ok_or(bad)
    }

    pub(super) fn whole(&self, column: usize) -> Result<Option<u64>, BadField> {
        self.read(column, "a whole number", values::whole)
    }

    pub(super) fn real(&self, column: usize) -> Result<Option<f64>, BadField> {
        self.read(column, "a number", values::real)
    }

    pub(super) fn flag(&self, column: usize) -> Result<Option<bool>, BadField> {
        self.read(column, "`True` or `False`", values::flag)
    }

    /// Seconds since 1970.
    pub(super) fn seconds(&self, column: usize) -> Result<Option<i64>, BadField> {
        self.read(column, "a date such as 03/02/2022 10:11:12", values::seconds)
    }

    pub(super) fn text(&self, column: usize) -> Result<Option<&str>, BadField> {
        self.read(column, "text in UTF-8", values::text)
    }

    pub(super) fn owned(&self, column: usize) -> Result<Option<String>, BadField> {
        Ok(self.text(column)?.map(str::to_owned))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tables::DumpTable;
    use super::*;

    type Users = Vec<(u64, Option<String>)>;

    fn users(text: &[u8]) -> (Users, Scanned) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("Users.csv"), text).unwrap();
        let file = TableFile::find(folder.path(), DumpTable::Users).unwrap().unwrap();
        Scan::new(&file, ["Id", "UserName"]).collect(|row| Ok(Some((row.id(0)?, row.owned(1)?)))).unwrap()
    }

    fn written(rows: &[(u64, String)], terminator: csv::Terminator) -> Vec<u8> {
        let mut writer = csv::WriterBuilder::new().terminator(terminator).from_writer(Vec::new());
        writer.write_record(["DisplayName", "Id", "UserName"]).unwrap();
        for (id, name) in rows {
            writer.write_record(["x, \"y\"", &id.to_string(), name]).unwrap();
        }
        writer.into_inner().unwrap()
    }

    #[test]
    fn a_stray_quote_costs_its_row_alone() {
        let (rows, scanned) =
            users(b"Id,UserName,DisplayName\r\n1,a,\r\n\"2,b,\r\n3,c,\r\n4,\"d\",\r\n5,e\r\nx,f,\r\n6,g,");
        let ids: Vec<u64> = rows.iter().map(|row| row.0).collect();
        let bad: Vec<u64> = scanned.bad.first.iter().map(|row| row.line).collect();
        assert_eq!((ids, bad), (vec![1, 3, 4, 6], vec![3, 6, 7]), "{scanned:?}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn what_is_written_is_read(
            rows in proptest::collection::vec((any::<u64>(), "[a,\"\n\r é]{0,12}"), 0..20),
            is_windows in any::<bool>(),
        ) {
            let terminator = if is_windows { csv::Terminator::CRLF } else { csv::Terminator::Any(b'\n') };
            let (found, scanned) = users(&written(&rows, terminator));
            let full = |(id, name): &(u64, String)| (*id, Some(name.clone()).filter(|name| !name.is_empty()));
            prop_assert_eq!(found, rows.iter().map(full).collect::<Vec<_>>());
            prop_assert_eq!(scanned, Scanned { rows: rows.len() as u64, bad: BadRows::default() });
        }

        #[test]
        fn no_table_does_harm(text in proptest::collection::vec(prop_oneof![
            Just(b'"'), Just(b','), Just(b'\n'), Just(b'\r'), Just(b'1'), any::<u8>(),
        ], 0..120)) {
            let whole = [b"Id,UserName,DisplayName\n", &*text].concat();
            let lines = whole.split(|byte| *byte == b'\n').count() as u64;
            let (_, scanned) = users(&whole);
            prop_assert!(scanned.bad.first.iter().all(|bad| (2..=lines).contains(&bad.line)), "{:?}", scanned);
        }
    }
}
