//! Which lines of code the errors blame.

use std::collections::{BTreeSet, HashSet};

use nbrevive_pysource::text_size::TextRange;

use crate::CellFeedback;
use crate::view::Source;

/// Lines that stand in tracebacks: by cell and number, and by their text, which also finds a line of a function
/// that was defined in another cell.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    lines: BTreeSet<(usize, u32)>,
    texts: HashSet<String>,
}

impl Faults {
    /// Reads the tracebacks.
    pub(crate) fn of(errors: &[&CellFeedback]) -> Self {
        let mut faults = Self::default();
        for error in errors {
            if let Some(line) = error.line {
                faults.lines.insert((error.cell, line));
            }
            for line in without_colour(&error.traceback).lines() {
                if let Some((_, text)) = blamed(line) {
                    faults.texts.insert(text);
                }
            }
        }
        faults
    }

    /// Whether a line of the range is blamed.
    pub(crate) fn blame(&self, source: &Source, range: TextRange) -> bool {
        let blamed = |first, last| self.lines.range((source.cell, first)..=(source.cell, last)).next().is_some();
        if self.texts.is_empty() && !blamed(0, u32::MAX) {
            return false;
        }
        let (first, last) = (source.parsed.line(range.start()), source.parsed.line(range.end()));
        blamed(first, last)
            || !self.texts.is_empty()
                && (first..=last).any(|line| self.texts.contains(source.parsed.line_text(line).trim()))
    }
}

/// The numbers of the lines through which an error came, by the arrows of its traceback.
#[must_use]
pub fn lines_on_the_way(error: &CellFeedback) -> Vec<u32> {
    without_colour(&error.traceback).lines().filter_map(|line| Some(blamed(line)?.0)).collect()
}

/// Number and code of a traceback line with an arrow, as in `----> 3 df.ix[0]`.
fn blamed(line: &str) -> Option<(u32, String)> {
    let rest = line.trim_start().strip_prefix("--")?.trim_start_matches('-').strip_prefix('>')?.trim_start();
    let code = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = rest.get(..rest.len() - code.len())?.parse().ok()?;
    (!code.trim().is_empty()).then(|| (number, code.trim().to_owned()))
}

/// The text without terminal escapes (`ESC [ … m`).
fn without_colour(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\u{1b}') {
        result.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(end) = rest.find(|c: char| c.is_ascii_alphabetic()) {
            rest = &rest[end + 1..];
        }
    }
    result.push_str(rest);
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use nbrevive_pysource::parse::parse;

    #[test]
    fn an_arrow_blames_the_line_by_its_text() {
        let error = CellFeedback {
            cell: 3,
            ename: "AttributeError".to_owned(),
            evalue: String::new(),
            traceback: "\u{1b}[0;32m----> 2\u{1b}[0m \u{1b}[0mdf\u{1b}[0m.ix[0]\n      3 x\n".to_owned(),
            line: None,
        };
        let faults = Faults::of(&[&error]);
        let source = Source { cell: 1, parsed: parse("def f(df):\n    df.ix[0]\n") };
        let whole = TextRange::up_to((source.parsed.source().len() as u32 - 1).into());
        assert!(faults.blame(&source, whole));
        assert_eq!(lines_on_the_way(&error), [2]);
        let other = Source { cell: 1, parsed: parse("df.ix[1]\n") };
        assert!(!faults.blame(&other, TextRange::up_to(8.into())));
    }
}
