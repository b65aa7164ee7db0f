//! Span-true edits of a source text.
//!
//! Edits name byte ranges of the text as it was. Text that no edit names comes out byte for byte as it went in.
//! Of two edits that overlap the first one added stays, and the other one is reported.

use std::ops::Range;

/// One change: the bytes of `range` become `text`. An empty range inserts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// Byte range in the original text.
    pub range: Range<usize>,
    /// What stands there afterwards.
    pub text: String,
}

/// A set of edits of one text.
///
/// ```
/// use nbrevive_pysource::edits::Edits;
///
/// let mut edits = Edits::default();
/// edits.replace(0..2, "pd");
/// assert_eq!(edits.apply("df.ix"), "pd.ix");
/// ```
#[derive(Debug, Clone, Default)]
pub struct Edits {
    accepted: Vec<Edit>,
    refused: Vec<Edit>,
}

impl Edits {
    /// Replaces a range (`TextRange` or `Range<usize>`). Returns false, and records the edit as refused, when it
    /// overlaps an earlier one.
    pub fn replace(&mut self, range: impl Into<Range<usize>>, text: impl Into<String>) -> bool {
        let edit = Edit { range: range.into(), text: text.into() };
        if edit.range.start > edit.range.end || self.accepted.iter().any(|other| overlap(other, &edit)) {
            self.refused.push(edit);
            return false;
        }
        self.accepted.push(edit);
        true
    }

    /// Inserts text before the byte at `offset`. Several insertions at one place keep their order.
    pub fn insert(&mut self, offset: usize, text: impl Into<String>) -> bool {
        self.replace(offset..offset, text)
    }

    /// Removes a range.
    pub fn delete(&mut self, range: impl Into<Range<usize>>) -> bool {
        self.replace(range, "")
    }

    /// True when all of the edits can be added; then they are added, otherwise none of them is.
    pub fn add_all(&mut self, edits: Vec<Edit>) -> bool {
        let free =
            |edit: &Edit| edit.range.start <= edit.range.end && !self.accepted.iter().any(|other| overlap(other, edit));
        if !edits.iter().all(free) {
            self.refused.extend(edits);
            return false;
        }
        self.accepted.extend(edits);
        true
    }

    /// True when there is nothing to do.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.accepted.is_empty()
    }

    /// The edits that overlapped an earlier one and are left out.
    #[must_use]
    pub fn refused(&self) -> &[Edit] {
        &self.refused
    }

    /// The text with all accepted edits made. Edits beyond its end, or inside a character, are skipped.
    #[must_use]
    pub fn apply(&self, source: &str) -> String {
        let mut order: Vec<&Edit> = self.accepted.iter().collect();
        order.sort_by_key(|edit| (edit.range.start, edit.range.end));
        let mut result = String::with_capacity(source.len() + 64);
        let mut position = 0;
        for edit in order {
            let (Some(before), true) =
                (source.get(position..edit.range.start), source.is_char_boundary(edit.range.end))
            else {
                continue;
            };
            result.push_str(before);
            result.push_str(&edit.text);
            position = edit.range.end;
        }
        result.push_str(source.get(position..).unwrap_or_default());
        result
    }
}

/// Two edits are in each other's way when they share a byte, or when one inserts strictly inside the other.
fn overlap(a: &Edit, b: &Edit) -> bool {
    if a.range.is_empty() && b.range.is_empty() {
        return false;
    }
    a.range.start < b.range.end && b.range.start < a.range.end
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_first_of_two_overlapping_edits_stays() {
        let mut edits = Edits::default();
        assert!(edits.replace(0..3, "x"));
        assert!(!edits.replace(2..5, "y"));
        assert_eq!(edits.apply("abcdef"), "xdef");
        assert_eq!(edits.refused().len(), 1);
    }

    #[test]
    fn insertions_at_one_place_keep_their_order_and_touch_neighbours() {
        let mut edits = Edits::default();
        edits.insert(3, "1");
        edits.insert(3, "2");
        edits.replace(3..4, "D");
        edits.replace(0..3, "ABC");
        assert_eq!(edits.apply("abcde"), "ABC12De");
    }

    #[test]
    fn edits_outside_the_text_are_skipped() {
        let mut edits = Edits::default();
        edits.replace(10..12, "x");
        assert_eq!(edits.apply("abc"), "abc");
    }

    proptest! {
        #[test]
        fn text_outside_of_edits_is_untouched(source in "\\PC{0,40}", first in 0usize..41, second in 0usize..41) {
            let boundaries: Vec<usize> = (0..=source.len()).filter(|at| source.is_char_boundary(*at)).collect();
            let place = |number: usize| boundaries[number % boundaries.len()];
            let (start, end) = (place(first).min(place(second)), place(first).max(place(second)));
            let mut edits = Edits::default();
            edits.replace(start..end, "new");
            let result = edits.apply(&source);
            prop_assert!(result.starts_with(&source[..start]));
            prop_assert!(result.ends_with(&source[end..]));
        }
    }
}
