//! Prompts of interactive sessions pasted into a cell: `>>> `, `... ` and `In [3]: `.
//!
//! IPython takes them off before Python sees the cell, when its first line has one; of a cell that is indented as a whole it takes off the
//! indentation. Here they are taken off as well when
//! they stand further down in a cell that cannot be read with them. Lines that show results (`Out[3]: `) become empty.

use std::borrow::Cow;
use std::ops::Range;

/// A cell without prompts, or without its indentation.
#[derive(Clone, Debug)]
pub(crate) struct Unprompted<'a> {
    text: Cow<'a, str>,
    /// Where in `text` something was left out, and how many bytes up to there.
    cuts: Vec<(usize, usize)>,
}

impl<'a> Unprompted<'a> {
    /// The cell as IPython reads it: without prompts when its first line that is not blank has one, without the indentation of
    /// that line otherwise.
    pub(crate) fn of(source: &'a str) -> Self {
        let first = source.lines().find(|line| !line.trim().is_empty()).unwrap_or("");
        let indentation = &first[..first.len() - first.trim_start_matches([' ', '\t']).len()];
        match indentation {
            _ if starts_session(first) => Self::without(source, prompt),
            "" => Self::unchanged(source),
            _ => Self::without(source, |line| if line.starts_with(indentation) { indentation.len() } else { 0 }),
        }
    }

    /// The cell without all prompts; `None` when no line opens with one.
    pub(crate) fn forced(source: &'a str) -> Option<Self> {
        let is_suspect = source.contains(">>>") || source.contains("In [");
        (is_suspect && source.lines().any(starts_session)).then(|| Self::without(source, prompt))
    }

    fn unchanged(source: &'a str) -> Self {
        Self { text: Cow::Borrowed(source), cuts: Vec::new() }
    }

    /// The cell without the bytes at the start of each line that `cut` counts.
    fn without(source: &'a str, cut: impl Fn(&str) -> usize) -> Self {
        let mut text = String::with_capacity(source.len());
        let (mut cuts, mut removed) = (Vec::new(), 0);
        for line in source.split_inclusive('\n') {
            let length = cut(line);
            if length > 0 {
                removed += length;
                cuts.push((text.len(), removed));
            }
            text.push_str(&line[length..]);
        }
        Self { text: Cow::Owned(text), cuts }
    }

    /// The text to read; it has the lines of the cell.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The bytes of the cell that hold a range of the text.
    pub(crate) fn original(&self, range: &Range<usize>) -> Range<usize> {
        self.offset(range.start)..self.offset(range.end)
    }

    fn offset(&self, at: usize) -> usize {
        let before = self.cuts.partition_point(|(cut, _)| *cut <= at);
        at + before.checked_sub(1).map_or(0, |last| self.cuts[last].1)
    }
}

/// Whether a line opens a pasted session.
fn starts_session(line: &str) -> bool {
    let line = line.trim_start();
    classic(line, ">>>").is_some() || numbered(line, "In [").is_some()
}

/// The bytes to leave out at the start of a line: white space and prompt, or all of a result line but its end.
fn prompt(line: &str) -> usize {
    let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
    let rest = &line[indent..];
    if let Some(length) = numbered(rest, "In [") {
        // A session copied out of an old console may hold both kinds.
        let inner = classic(&rest[length..], ">>>").unwrap_or(0);
        return indent + length + inner;
    }
    if numbered(rest, "Out[").is_some() {
        return line.trim_end_matches(['\r', '\n']).len();
    }
    let length = classic(rest, ">>>").or_else(|| classic(rest, "...")).or_else(|| continued(rest));
    length.map_or(0, |length| indent + length)
}

/// The length of `>>> ` or `... `; the sign alone stands on an empty line.
fn classic(line: &str, sign: &str) -> Option<usize> {
    let rest = line.strip_prefix(sign)?;
    match rest.bytes().next() {
        Some(b' ') => Some(sign.len() + 1),
        None | Some(b'\r' | b'\n') => Some(sign.len()),
        Some(_) => None,
    }
}

/// The length of `In [3]: ` or `Out[3]: `.
fn numbered(line: &str, open: &str) -> Option<usize> {
    let inside = line.strip_prefix(open)?;
    let digits = inside.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b' ').count();
    let rest = inside[digits..].strip_prefix("]:")?;
    Some(open.len() + digits + 2 + usize::from(rest.starts_with(' ')))
}

/// The length of IPython's `   ...: `.
fn continued(line: &str) -> Option<usize> {
    let dots = line.bytes().take_while(|byte| *byte == b'.').count();
    let rest = line[dots..].strip_prefix(':').filter(|_| dots >= 3)?;
    Some(dots + 1 + usize::from(rest.starts_with(' ')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prompts_are_taken_off() {
        let cases = [
            (">>> import a\n>>> for x in y:\n...     f(x)\n...\n>>>\n", "import a\nfor x in y:\n    f(x)\n\n\n"),
            ("\n  >>> a\n  ... b", "\na\nb"),
            ("In [3]: import a\n   ...: b\nOut[3]: 4\r\nIn [ ]:\n", "import a\nb\n\r\n\n"),
            ("In [12]: >>> a", "a"),
            ("a = 1\n>>> b", "a = 1\n>>> b"),
            (">>>x\n...y", ">>>x\n...y"),
            ("In [x]: a", "In [x]: a"),
            ("\n  if a:\n    b\n c\n", "\nif a:\n  b\n c\n"),
        ];
        for (source, expected) in cases {
            assert_eq!(Unprompted::of(source).text(), expected);
        }
        assert_eq!(
            Unprompted::forced("a = 1\n>>> b").map(|plain| plain.text().to_owned()).as_deref(),
            Some("a = 1\nb")
        );
        assert!(Unprompted::forced("a >>> b").is_none());
    }

    #[test]
    fn places_point_into_the_cell() {
        let source = ">>> ab\nc\n... d\n";
        let plain = Unprompted::of(source);
        for (word, expected) in [("ab", 4..6), ("c", 7..8), ("d", 13..14)] {
            let at = plain.text().find(word).expect("kept");
            assert_eq!(plain.original(&(at..at + word.len())), expected, "{word}");
        }
        assert_eq!(Unprompted::of("ab").original(&(0..2)), 0..2);
    }
}
