//! The text of a file, and the places of cells in it.

use crate::scanner::Field;

/// A text that is kept once, whatever columns are made of it; cells with doubled quotes are kept beside it as they read.
#[derive(Debug, Default)]
pub(crate) struct Source {
    pub(crate) text: String,
    unquoted: String,
}

/// Where a cell stands; places beyond the text are those of what is kept beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    start: u32,
    end: u32,
}

impl Span {
    /// A cell that is not there.
    pub(crate) const NONE: Span = Span { start: u32::MAX, end: u32::MAX };

    /// A cell without text.
    pub(crate) const BLANK: Span = Span { start: 0, end: 0 };

    /// A cell of a text that is short enough, see [`Spans::new`].
    pub(crate) const fn new(start: usize, end: usize) -> Self {
        Span { start: start as u32, end: end as u32 }
    }

    #[cfg(test)]
    pub(crate) fn of(self, text: &str) -> &str {
        &text[self.start as usize..self.end as usize]
    }
}

/// The places of cells of one text, while it is scanned.
pub(crate) struct Spans {
    text: usize,
    unquoted: String,
}

impl Spans {
    /// None when the text is too long for places in it.
    pub(crate) fn new(text: &str) -> Option<Self> {
        // What is kept beside the text is never longer than it.
        (text.len() < (u32::MAX / 2) as usize).then(|| Spans { text: text.len(), unquoted: String::new() })
    }

    /// The place of a field that a scanner of the text found.
    pub(crate) fn of(&mut self, field: &Field<'_>) -> Span {
        let start = field.start().unwrap_or_else(|| {
            self.unquoted += field;
            self.text + self.unquoted.len() - field.len()
        });
        Span::new(start, start + field.len())
    }

    /// What is to be kept beside the text.
    pub(crate) fn unquoted(self) -> String {
        self.unquoted
    }
}

impl Source {
    pub(crate) const fn new(text: String, unquoted: String) -> Self {
        Source { text, unquoted }
    }

    /// The text of a cell that is there.
    pub(crate) fn get(&self, span: Span) -> &str {
        let (start, end) = (span.start as usize, span.end as usize);
        match start.checked_sub(self.text.len()) {
            None => &self.text[start..end],
            Some(start) => &self.unquoted[start..end - self.text.len()],
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::scanner::{Fields, Scanner};

    proptest! {
        /// Whatever quotes there are: also those that read otherwise than they stand.
        #[test]
        fn cells_are_found_in_the_text_and_beside_it(text in "\u{feff}?[ab,\"\n\ré]{0,40}") {
            let mut scanner = Scanner::new(&text, 100);
            let (mut fields, mut spans) = (Fields::new(), Spans::new(&text).unwrap());
            let mut found = Vec::new();
            while let Ok(Some(_)) = scanner.next_row(&mut fields) {
                found.extend(fields.iter().map(|field| (field.to_string(), spans.of(field))));
            }
            let source = Source::new(text.clone(), spans.unquoted());
            for (cell, span) in found {
                prop_assert_eq!(source.get(span), cell);
            }
        }
    }
}
