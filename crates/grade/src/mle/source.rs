//! The text of a file, and the places of cells in it.

use std::borrow::Cow;

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

    /// A cell of a text that is short enough, see [`Spans::new`].
    pub(crate) const fn new(start: usize, end: usize) -> Self {
        Span { start: start as u32, end: end as u32 }
    }

    #[cfg(test)]
    pub(crate) fn of(self, text: &str) -> &str {
        &text[self.start as usize..self.end as usize]
    }
}

/// Finds the places of cells while a text is scanned.
pub(crate) struct Spans<'t> {
    text: &'t str,
    unquoted: String,
}

impl<'t> Spans<'t> {
    /// None when the text is too long for places in it.
    pub(crate) fn new(text: &'t str) -> Option<Self> {
        // What is kept beside the text is never longer than it.
        (text.len() < (u32::MAX / 2) as usize).then(|| Spans { text, unquoted: String::new() })
    }

    /// The place of a field of the text.
    pub(crate) fn of(&mut self, field: Cow<'t, str>) -> Span {
        let length = field.len();
        let start = match field {
            Cow::Borrowed("") => 0,
            Cow::Borrowed(part) => part.as_ptr() as usize - self.text.as_ptr() as usize,
            Cow::Owned(part) => {
                self.unquoted += &part;
                self.text.len() + self.unquoted.len() - length
            }
        };
        Span::new(start, start + length)
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
    use super::*;

    #[test]
    fn cells_are_found_in_the_text_and_beside_it() {
        let text = "a,b".to_owned();
        let mut spans = Spans::new(&text).unwrap();
        let found =
            [Cow::Borrowed(&text[2..]), Cow::Owned("x\"y".to_owned()), Cow::Borrowed("")].map(|cell| spans.of(cell));
        let unquoted = spans.unquoted();
        let source = Source::new(text, unquoted);
        assert_eq!(found.map(|span| source.get(span)), ["b", "x\"y", ""]);
    }
}
