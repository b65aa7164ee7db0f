//! Rows of CSV text as the dump has them.

use std::fmt::Write;

use crate::moment::Moment;

/// A text as a CSV field: in quotes when it needs them.
pub(crate) fn quoted(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

/// Rows of one table, field by field; dates in the dump's way, booleans as `True` and `False`.
#[derive(Debug)]
pub(super) struct Rows {
    text: String,
    columns: usize,
    at: usize,
    float_ids: bool,
}

impl Rows {
    pub(super) fn new(columns: usize, float_ids: bool) -> Self {
        Self { text: String::new(), columns, at: 0, float_ids }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }

    fn next(&mut self) {
        if self.at > 0 {
            self.text.push(',');
        }
        self.at += 1;
    }

    pub(super) fn number(&mut self, number: u64) -> &mut Self {
        self.next();
        let _ = write!(self.text, "{number}");
        self
    }

    /// A number that can be missing.
    pub(super) fn optional(&mut self, number: Option<u64>) -> &mut Self {
        self.next();
        if let Some(number) = number {
            let _ = write!(self.text, "{number}{}", if self.float_ids { ".0" } else { "" });
        }
        self
    }

    /// A real number as short as it can be, with a point.
    pub(super) fn real(&mut self, number: f64) -> &mut Self {
        self.next();
        let _ = write!(self.text, "{number:?}");
        self
    }

    pub(super) fn words(&mut self, words: &str) -> &mut Self {
        self.next();
        self.text.push_str(&quoted(words));
        self
    }

    pub(super) fn flag(&mut self, flag: bool) -> &mut Self {
        self.next();
        self.text.push_str(if flag { "True" } else { "False" });
        self
    }

    pub(super) fn moment(&mut self, moment: Option<Moment>) -> &mut Self {
        self.next();
        if let Some(moment) = moment {
            self.text.push_str(&moment.dump());
        }
        self
    }

    pub(super) fn date(&mut self, moment: Moment) -> &mut Self {
        self.next();
        self.text.push_str(&moment.dump_date());
        self
    }

    /// So many fields without a value.
    pub(super) fn blanks(&mut self, count: usize) -> &mut Self {
        (0..count).for_each(|_| self.next());
        self
    }

    /// Ends the row, which must have a field for every column.
    pub(super) fn end(&mut self) {
        assert_eq!(self.at, self.columns, "a row of the dump has a field for every column");
        self.text.push('\n');
        self.at = 0;
    }
}
