//! Rows and fields of CSV text, as pandas reads them with its defaults.
//!
//! Written here and not taken from the `csv` crate (which its tests compare it with) because of what a hostile file can do:
//! an unclosed quote must be an error with its line, the number of fields must be bounded before they are stored,
//! and nothing but fields with doubled quotes may be copied.

use std::borrow::Cow;
use std::ops::Deref;

/// What is wrong with a line of CSV.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Malformation {
    /// A quote is opened and never closed.
    #[error("a quote that opens here is never closed")]
    OpenQuote,
    /// A line has more fields than the header, or the header more than are allowed.
    #[error("there are more than {most} fields")]
    TooManyFields {
        /// The largest number of fields that the line may have.
        most: usize,
    },
    /// A line of answers is no annotated question in JSON.
    #[error("it is not JSON with example_id and annotations")]
    NotAQuestion,
}

/// A malformation with the line on which its row starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Malformed {
    pub(crate) line: u64,
    pub(crate) reason: Malformation,
}

/// The text of one field, and where it stands.
#[derive(Debug, Clone, Default)]
pub(crate) struct Field<'t> {
    text: Cow<'t, str>,
    start: usize,
}

impl Field<'_> {
    /// The byte of the whole text at which it starts; none where it reads otherwise than it stands there, as quotes are doubled.
    pub(crate) const fn start(&self) -> Option<usize> {
        match self.text {
            Cow::Borrowed(_) => Some(self.start),
            Cow::Owned(_) => None,
        }
    }
}

impl<'t> Field<'t> {
    fn append(&mut self, part: Field<'t>) {
        if self.is_empty() {
            *self = part;
        } else if !part.is_empty() {
            self.text.to_mut().push_str(&part);
        }
    }
}

impl Deref for Field<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

/// The fields of one row.
pub(crate) type Fields<'t> = Vec<Field<'t>>;

/// Reads rows one after the other. Lines of nothing but blanks are skipped; CR, LF and CRLF end a line.
pub(crate) struct Scanner<'t> {
    text: &'t str,
    /// The length of the byte order mark before the text.
    mark: usize,
    place: usize,
    line: u64,
    most_fields: usize,
}

impl<'t> Scanner<'t> {
    /// A scanner at the start of `text`, for rows of at most `most_fields` fields. A byte order mark is skipped.
    pub(crate) fn new(text: &'t str, most_fields: usize) -> Self {
        let rest = text.strip_prefix('\u{feff}').unwrap_or(text);
        Scanner { text: rest, mark: text.len() - rest.len(), place: 0, line: 1, most_fields }
    }

    /// Where the next row starts in the text, with its byte order mark if it has one.
    pub(crate) const fn place(&self) -> usize {
        self.mark + self.place
    }

    /// From now on rows may have at most `most_fields` fields.
    pub(crate) fn limit_fields(&mut self, most_fields: usize) {
        self.most_fields = most_fields;
    }

    /// Puts the next row into `fields` and returns its line, counted from 1; none at the end.
    pub(crate) fn next_row(&mut self, fields: &mut Fields<'t>) -> Result<Option<u64>, Malformed> {
        fields.clear();
        self.skip_blank_lines();
        if self.place == self.text.len() {
            return Ok(None);
        }
        let line = self.line;
        let malformed = |reason| Malformed { line, reason };
        loop {
            if fields.len() == self.most_fields {
                return Err(malformed(Malformation::TooManyFields { most: self.most_fields }));
            }
            let field = if self.byte() == Some(b'"') {
                self.quoted().ok_or_else(|| malformed(Malformation::OpenQuote))?
            } else {
                self.plain()
            };
            fields.push(field);
            if self.byte() != Some(b',') {
                self.end_line();
                return Ok(Some(line));
            }
            self.place += 1;
        }
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.place).copied()
    }

    /// Takes what stands here, of this length: the one way in which a field gets its place.
    fn take(&mut self, length: usize) -> Field<'t> {
        let start = self.place;
        self.place += length;
        Field { text: Cow::Borrowed(&self.text[start..self.place]), start: self.mark + start }
    }

    /// The text up to the next separator or line end.
    fn plain(&mut self) -> Field<'t> {
        let rest = &self.text.as_bytes()[self.place..];
        self.take(memchr::memchr3(b',', b'\n', b'\r', rest).unwrap_or(rest.len()))
    }

    /// A field that starts with a quote: a doubled quote stands for one, and what follows the closing quote belongs to the
    /// field as it stands. None when the quote is never closed.
    fn quoted(&mut self) -> Option<Field<'t>> {
        self.place += 1;
        let mut field = Field::default();
        loop {
            let length = memchr::memchr(b'"', &self.text.as_bytes()[self.place..])?;
            let part = self.take(length);
            self.line += line_ends(&part);
            field.append(part);
            self.place += 1;
            if self.byte() != Some(b'"') {
                field.append(self.plain());
                return Some(field);
            }
            field.append(self.take(1));
        }
    }

    fn end_line(&mut self) {
        let ending = &self.text.as_bytes()[self.place..];
        let length = match ending {
            [b'\r', b'\n', ..] => 2,
            [] => return,
            _ => 1,
        };
        self.place += length;
        self.line += 1;
    }

    fn skip_blank_lines(&mut self) {
        loop {
            let rest = &self.text.as_bytes()[self.place..];
            let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
            match rest.get(blanks) {
                Some(b'\r' | b'\n') => self.place += blanks,
                Some(_) => return,
                None => {
                    self.place = self.text.len();
                    return;
                }
            }
            self.end_line();
        }
    }
}

fn line_ends(part: &str) -> u64 {
    let bytes = part.as_bytes();
    let ends = |place: usize| match bytes[place] {
        b'\n' => true,
        b'\r' => bytes.get(place + 1) != Some(&b'\n'),
        _ => false,
    };
    (0..bytes.len()).filter(|&place| ends(place)).count() as u64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rows(text: &str) -> Result<Vec<(u64, Vec<String>)>, Malformed> {
        let mut scanner = Scanner::new(text, 100);
        let (mut fields, mut rows) = (Fields::new(), Vec::new());
        while let Some(line) = scanner.next_row(&mut fields)? {
            rows.push((line, fields.iter().map(|field| field.to_string()).collect()));
        }
        Ok(rows)
    }

    fn owned(fields: &[&str]) -> Vec<String> {
        fields.iter().map(|&field| field.to_owned()).collect()
    }

    #[test]
    fn line_ends_blank_lines_and_the_mark() {
        let found = rows("\u{feff}a,b\r\n\n \t\r1,\rx,y").unwrap();
        assert_eq!(found, [(1, owned(&["a", "b"])), (4, owned(&["1", ""])), (5, owned(&["x", "y"]))]);
        assert!(rows("").unwrap().is_empty());
        assert!(rows(" \n\r\n").unwrap().is_empty());
    }

    #[test]
    fn quotes_hold_separators_and_lines() {
        let found = rows("\"a,\"\"b\"\"\nc\",d\"e\n\"f\"g,\"\"\n").unwrap();
        assert_eq!(found, [(1, owned(&["a,\"b\"\nc", "d\"e"])), (3, owned(&["fg", ""]))]);
        assert_eq!(rows("\"\"\"\",\"\"\"a\",\"b\"\"\"").unwrap(), [(1, owned(&["\"", "\"a", "b\""]))]);
    }

    #[test]
    fn an_open_quote_names_the_row_it_opens_in() {
        assert_eq!(rows("a,b\n1,\"2\n3,4\n"), Err(Malformed { line: 2, reason: Malformation::OpenQuote }));
    }

    #[test]
    fn fields_are_bounded() {
        let text = ",".repeat(100);
        assert_eq!(rows(&text), Err(Malformed { line: 1, reason: Malformation::TooManyFields { most: 100 } }));
        assert_eq!(rows(&text[1..]).unwrap()[0].1.len(), 100);
    }

    proptest! {
        /// The `csv` crate reads the same, apart from lines of blanks and quotes that stay open.
        #[test]
        fn agrees_with_the_csv_crate(text in "[ab,\"\n\ré]{0,40}") {
            let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
            let expected: Vec<Vec<String>> =
                reader.records().map(|record| record.unwrap().iter().map(str::to_owned).collect()).collect();
            if let Ok(found) = rows(&text) {
                let found: Vec<Vec<String>> = found.into_iter().map(|(_, fields)| fields).collect();
                prop_assert_eq!(found, expected);
            } else {
                prop_assert!(text.contains('"'));
            }
        }
    }
}
