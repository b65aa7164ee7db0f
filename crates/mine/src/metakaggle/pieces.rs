//! Cuts a stream of CSV into pieces that end where a row ends, so that threads can parse them side by side. Quoted texts
//! hold line breaks; a quote opens a text only at the beginning of a field, as for the `csv` crate (RFC 4180).
//!
//! A quoted text that does not end would swallow the rest of the file. Its row is given up where it passes
//! [`LONGEST_ROW`] or meets the end of the file: the row's first line is dropped and reported, and the next line counts
//! as the beginning of a row again.

use std::io::{self, Read};

use memchr::{memchr, memchr_iter, memrchr};

/// How many bytes a piece has, about.
const PIECE: usize = 4 << 20;
/// Longest row that is taken, in bytes. Descriptions of data sets are the longest texts of the dump.
pub(super) const LONGEST_ROW: usize = 16 << 20;
/// Rows without end after which a file counts as no CSV at all: each costs a search through [`LONGEST_ROW`] bytes.
const MOST_ENDLESS: u32 = 200;

/// Some whole rows.
#[derive(Debug)]
pub(super) struct Piece {
    /// Their bytes.
    pub(super) bytes: Vec<u8>,
    /// The line of the file on which they begin, from 1.
    pub(super) line: u64,
}

/// The pieces of a stream.
#[derive(Debug)]
pub(super) struct Pieces<R> {
    source: R,
    rest: Vec<u8>,
    line: u64,
    size: usize,
    longest: usize,
    ended: bool,
    given_up: u32,
    /// Lines on which rows begin that were given up, since they were last taken.
    pub(super) endless: Vec<u64>,
}

impl<R: Read> Pieces<R> {
    pub(super) fn new(source: R) -> Self {
        Self::sized(source, PIECE, LONGEST_ROW)
    }

    fn sized(source: R, size: usize, longest: usize) -> Self {
        Self { source, rest: Vec::new(), line: 1, size, longest, ended: false, given_up: 0, endless: Vec::new() }
    }

    /// The next piece; `None` at the end.
    pub(super) fn next(&mut self) -> io::Result<Option<Piece>> {
        loop {
            self.fill()?;
            let cut = cut(&self.rest);
            if self.ended && !cut.is_open {
                return Ok((!self.rest.is_empty()).then(|| self.take(self.rest.len())));
            }
            if cut.end > 0 {
                return Ok(Some(self.take(cut.end)));
            }
            if self.ended || self.rest.len() > self.longest {
                self.give_up()?;
            }
        }
    }

    fn fill(&mut self) -> io::Result<()> {
        if self.ended {
            return Ok(());
        }
        let wanted = self.size as u64;
        let read = self.source.by_ref().take(wanted).read_to_end(&mut self.rest)?;
        self.ended = (read as u64) < wanted;
        Ok(())
    }

    fn take(&mut self, end: usize) -> Piece {
        let rest = self.rest.split_off(end);
        let piece = Piece { bytes: std::mem::replace(&mut self.rest, rest), line: self.line };
        self.line += memchr_iter(b'\n', &piece.bytes).count() as u64;
        piece
    }

    /// Drops the first line of what is left.
    fn give_up(&mut self) -> io::Result<()> {
        self.given_up += 1;
        if self.given_up > MOST_ENDLESS {
            let text = format!("it is no CSV: more than {MOST_ENDLESS} quoted texts in it do not end");
            return Err(io::Error::new(io::ErrorKind::InvalidData, text));
        }
        self.endless.push(self.line);
        self.line += 1;
        loop {
            if let Some(line_break) = memchr(b'\n', &self.rest) {
                self.rest.drain(..=line_break);
                return Ok(());
            }
            self.rest.clear();
            if self.ended {
                return Ok(());
            }
            self.fill()?;
        }
    }
}

/// Where rows end.
#[derive(Debug, PartialEq, Eq)]
struct Cut {
    /// Behind the last line break that ends a row.
    end: usize,
    /// Whether the bytes end inside a quoted text.
    is_open: bool,
}

/// Finds the last end of a row in bytes that begin with a row.
fn cut(bytes: &[u8]) -> Cut {
    let (mut end, mut outside) = (0, 0);
    loop {
        let open = opening(bytes, outside);
        let region = &bytes[outside..open.unwrap_or(bytes.len())];
        if let Some(line_break) = memrchr(b'\n', region) {
            end = outside + line_break + 1;
        }
        match open.map(|open| closing(bytes, open + 1)) {
            None => return Cut { end, is_open: false },
            Some(None) => return Cut { end, is_open: true },
            Some(Some(behind)) => outside = behind,
        }
    }
}

/// The next quote at the beginning of a field.
fn opening(bytes: &[u8], from: usize) -> Option<usize> {
    let begins = |place: usize| place == 0 || matches!(bytes[place - 1], b',' | b'\n' | b'\r');
    memchr_iter(b'"', &bytes[from..]).map(|place| from + place).find(|place| begins(*place))
}

/// The place behind the quote that ends a text; two quotes in a row are one of the text's own.
fn closing(bytes: &[u8], mut from: usize) -> Option<usize> {
    loop {
        let quote = from + memchr(b'"', &bytes[from..])?;
        if bytes.get(quote + 1) != Some(&b'"') {
            return Some(quote + 1);
        }
        from = quote + 2;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn pieces(text: &[u8], size: usize, longest: usize) -> (Vec<Piece>, Vec<u64>) {
        let mut pieces = Pieces::sized(text, size, longest);
        let mut all = Vec::new();
        while let Some(piece) = pieces.next().unwrap() {
            all.push(piece);
        }
        (all, pieces.endless)
    }

    fn rows(text: &[u8]) -> Vec<Vec<Vec<u8>>> {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text);
        reader.byte_records().map(|record| record.unwrap().iter().map(<[u8]>::to_vec).collect()).collect()
    }

    #[test]
    fn a_piece_ends_with_a_row_and_knows_its_line() {
        let (all, endless) = pieces(b"1,\"a\n\"\"b\"\n2,c\n3,\"d\"\n", 4, 100);
        let shown: Vec<_> = all.iter().map(|piece| (piece.line, String::from_utf8_lossy(&piece.bytes))).collect();
        assert_eq!(shown, [(1, "1,\"a\n\"\"b\"\n".into()), (3, "2,c\n".into()), (4, "3,\"d\"\n".into())]);
        assert!(endless.is_empty());
    }

    #[test]
    fn a_text_without_end_costs_its_line_alone() {
        let (all, endless) = pieces(b"1,a\n2,\"b\n3,c\n4,d\n", 6, 1000);
        let whole: Vec<u8> = all.into_iter().flat_map(|piece| piece.bytes).collect();
        assert_eq!((&*whole, &*endless), (&b"1,a\n3,c\n4,d\n"[..], &[2][..]));
        let long = format!("1,\"{}\n2,b\n", "x".repeat(200));
        let (all, endless) = pieces(long.as_bytes(), 16, 64);
        assert_eq!((all.last().unwrap().line, endless), (2, vec![1]));
    }

    #[test]
    fn a_file_that_is_no_csv_is_refused() {
        let text = "x\"y,\"z\n".repeat(400);
        let mut pieces = Pieces::sized(text.as_bytes(), 16, 64);
        let error = loop {
            match pieces.next() {
                Ok(piece) => assert!(piece.is_some()),
                Err(error) => break error.to_string(),
            }
        };
        assert!(error.contains("it is no CSV"), "{error}");
    }

    proptest! {
        #[test]
        fn pieces_have_the_rows_of_the_whole(text in "[ab,\"\n\r]{0,60}", size in 1_usize..20) {
            let (all, endless) = pieces(text.as_bytes(), size, 1000);
            if endless.is_empty() {
                let parts: Vec<_> = all.iter().flat_map(|piece| rows(&piece.bytes)).collect();
                prop_assert_eq!(parts, rows(text.as_bytes()));
                let whole: Vec<u8> = all.into_iter().flat_map(|piece| piece.bytes).collect();
                prop_assert_eq!(whole, text.as_bytes());
            }
        }

        #[test]
        fn lines_are_counted_through_everything(text in "[ab,\"\n]{0,60}", size in 1_usize..20, longest in 1_usize..30) {
            for piece in pieces(text.as_bytes(), size, longest).0 {
                let before = text.as_bytes().split_inclusive(|byte| *byte == b'\n').take(piece.line as usize - 1);
                let offset: usize = before.map(<[u8]>::len).sum();
                prop_assert_eq!(&text.as_bytes()[offset..offset + piece.bytes.len()], &*piece.bytes);
            }
        }
    }
}
