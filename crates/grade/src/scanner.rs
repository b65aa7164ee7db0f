//! Rows and fields of CSV text, as pandas reads them with its defaults.
//!
//! A field is a place in the text, and only the scanner makes places.
//!
//! Written here and not taken from the `csv` crate (which its tests compare it with): that closes a quote that is open at the
//! end, takes a line of blanks for a row and cannot tell it from a quoted one, counts no line that ends in CR, and copies every
//! field, which takes it two to three times as long. Here an unclosed quote is an error with its line, the number of fields is
//! bounded before they are stored, and nothing but fields with doubled quotes is copied.

/// What is wrong with a line of CSV.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Malformation {
    /// A quote is opened and never closed.
    #[error("the quote that opens in field {field} is never closed")]
    OpenQuote {
        /// The place of the field, from 1.
        field: usize,
    },
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

/// Where a field stands in the text; places beyond it are those of what is kept beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    start: u32,
    end: u32,
}

impl Span {
    /// A cell that is not there.
    pub(crate) const NONE: Span = Span { start: u32::MAX, end: u32::MAX };

    /// A field without text.
    pub(crate) const BLANK: Span = Span { start: 0, end: 0 };

    /// The bytes between two places of a text that is no longer than [`LONGEST`](crate::whole_file::LONGEST).
    pub(crate) const fn new(start: usize, end: usize) -> Self {
        Span { start: start as u32, end: end as u32 }
    }

    /// What stands there, in a text with what is kept beside it.
    #[inline]
    pub(crate) fn of<'t>(self, text: &'t str, beside: &'t str) -> &'t str {
        let (start, end) = (self.start as usize, self.end as usize);
        match start.checked_sub(text.len()) {
            Some(start) if start < end => &beside[start..end - text.len()],
            _ => &text[start..end],
        }
    }

    const fn is_blank(self) -> bool {
        self.start == self.end
    }
}

/// The fields of one row; those with doubled quotes are kept beside the text as they read.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fields<'t> {
    text: &'t str,
    spans: Vec<Span>,
    unquoted: String,
}

impl<'t> Fields<'t> {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// How many there are.
    pub(crate) const fn len(&self) -> usize {
        self.spans.len()
    }

    /// The text of a field; none beyond the last.
    pub(crate) fn get(&self, place: usize) -> Option<&str> {
        self.spans.get(place).map(|span| span.of(self.text, &self.unquoted))
    }

    /// The text of a field; a row that is too short ends in empty ones.
    pub(crate) fn cell(&self, place: usize) -> &str {
        self.get(place).unwrap_or_default()
    }

    /// The texts of all fields.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        self.spans.iter().map(|span| span.of(self.text, &self.unquoted))
    }

    /// The place of a field where what is kept beside the text is kept in `beside`; a blank one beyond the last.
    pub(crate) fn keep(&self, place: usize, beside: &mut String) -> Span {
        match self.spans.get(place) {
            Some(span) if span.start as usize >= self.text.len() && !span.is_blank() => {
                let start = self.text.len() + beside.len();
                *beside += span.of(self.text, &self.unquoted);
                Span::new(start, self.text.len() + beside.len())
            }
            Some(span) => *span,
            None => Span::BLANK,
        }
    }

    fn start_row(&mut self, text: &'t str) {
        self.text = text;
        self.spans.clear();
        self.unquoted.clear();
    }

    fn before_zero(&self, field: Span) -> Span {
        let length = field.of(self.text, &self.unquoted).find('\0');
        length.map_or(field, |length| Span::new(field.start as usize, field.start as usize + length))
    }

    /// The last field with one more part of the text.
    fn join(&mut self, field: Span, part: Span) -> Span {
        if field.is_blank() || part.is_blank() {
            return if field.is_blank() { part } else { field };
        }
        if (field.start as usize) < self.text.len() {
            let start = self.text.len() + self.unquoted.len();
            self.unquoted += field.of(self.text, "");
            return self.join(Span::new(start, self.text.len() + self.unquoted.len()), part);
        }
        self.unquoted += part.of(self.text, "");
        Span::new(field.start as usize, self.text.len() + self.unquoted.len())
    }
}

/// Reads rows one after the other. Lines of nothing but blanks are skipped; CR, LF and CRLF end a line.
pub(crate) struct Scanner<'t> {
    text: &'t str,
    place: usize,
    line: u64,
    most_fields: usize,
    /// Whether a field ends at its first zero byte.
    cut_at_zero: bool,
    /// Blank lines before this place are rows.
    blank_rows_until: usize,
}

impl<'t> Scanner<'t> {
    /// A scanner at the start of `text`, for rows of at most `most_fields` fields. A byte order mark is skipped.
    pub(crate) fn new(text: &'t str, most_fields: usize) -> Self {
        let mark = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Scanner { text, place: mark, line: 1, most_fields, cut_at_zero: false, blank_rows_until: 0 }
    }

    /// The same, where a field ends at its first zero byte, as pandas hands fields on.
    pub(crate) fn cut_at_zero(text: &'t str, most_fields: usize) -> Self {
        Scanner { cut_at_zero: true, ..Self::new(text, most_fields) }
    }

    /// Where the next row starts in the text.
    pub(crate) const fn place(&self) -> usize {
        self.place
    }

    /// From now on rows may have at most `most_fields` fields.
    pub(crate) fn limit_fields(&mut self, most_fields: usize) {
        self.most_fields = most_fields;
    }

    /// Puts the next row into `fields` and returns its line, counted from 1; none at the end.
    pub(crate) fn next_row(&mut self, fields: &mut Fields<'t>) -> Result<Option<u64>, Malformed> {
        fields.start_row(self.text);
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
                let open = Malformation::OpenQuote { field: fields.len() + 1 };
                self.quoted(fields).ok_or_else(|| malformed(open))?
            } else {
                self.plain()
            };
            fields.spans.push(if self.cut_at_zero { fields.before_zero(field) } else { field });
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

    /// Takes what stands here, of this length.
    fn take(&mut self, length: usize) -> Span {
        let start = self.place;
        self.place += length;
        Span::new(start, self.place)
    }

    /// The text up to the next separator or line end.
    fn plain(&mut self) -> Span {
        let rest = &self.text.as_bytes()[self.place..];
        self.take(memchr::memchr3(b',', b'\n', b'\r', rest).unwrap_or(rest.len()))
    }

    /// A field that starts with a quote: a doubled quote stands for one, and what follows the closing quote belongs to the
    /// field as it stands. None when the quote is never closed.
    fn quoted(&mut self, fields: &mut Fields<'t>) -> Option<Span> {
        self.place += 1;
        let mut field = Span::BLANK;
        loop {
            let length = memchr::memchr(b'"', &self.text.as_bytes()[self.place..])?;
            let part = self.take(length);
            self.line += line_ends(part.of(self.text, "").as_bytes());
            field = fields.join(field, part);
            self.place += 1;
            if self.byte() != Some(b'"') {
                return Some(fields.join(field, self.plain()));
            }
            field = fields.join(field, self.take(1));
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
        if self.place < self.blank_rows_until {
            return;
        }
        let (mut start, mut start_line) = (self.place, self.line);
        loop {
            let rest = &self.text.as_bytes()[self.place..];
            let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
            match rest.get(blanks) {
                Some(b'\r' | b'\n') => self.place += blanks,
                // As in pandas, blank lines that end in CR alone are rows where the row after them starts with a blank.
                Some(_) if blanks > 0 => {
                    self.blank_rows_until = self.place;
                    (self.place, self.line) = (start, start_line);
                    return;
                }
                Some(_) => return,
                None => {
                    self.place = self.text.len();
                    return;
                }
            }
            self.end_line();
            if self.text.as_bytes()[self.place - 1] == b'\n' {
                (start, start_line) = (self.place, self.line);
            }
        }
    }
}

/// How many lines end in a part of a text.
pub(crate) fn line_ends(bytes: &[u8]) -> u64 {
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
            rows.push((line, fields.iter().map(str::to_owned).collect()));
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
        let after = rows("a\n\r b\n").unwrap();
        assert_eq!(after, [(1, owned(&["a"])), (2, owned(&[""])), (3, owned(&[" b"]))]);
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
        assert_eq!(rows("a,b\n1,\"2\n3,4\n"), Err(Malformed { line: 2, reason: Malformation::OpenQuote { field: 2 } }));
    }

    #[test]
    fn a_field_ends_at_a_zero_byte_where_that_is_asked_for() {
        let mut fields = Fields::new();
        Scanner::cut_at_zero("1\0x,\0,\"a\"\"\0b\",c", 9).next_row(&mut fields).unwrap();
        assert_eq!(fields.iter().collect::<Vec<_>>(), ["1", "", "a\"", "c"]);
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
