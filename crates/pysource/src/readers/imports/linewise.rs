//! Imports line by line: the last resort for texts that no grammar reads whole, or that none can be given because they
//! are too long or nested too deeply. Linear in the length of the text.

use super::{How, Import, of_module};
use crate::magics::module::{Lines, end_of_string, with_module};

/// The import statements that stand at the start of a line outside of strings, each read on its own. Indented ones count
/// as conditional: what is around them is not known.
pub(super) fn collect(text: &str) -> Vec<Import> {
    let lines = Lines::of(text);
    let mut found = Vec::new();
    for start in line_starts(text) {
        let indent = text[start..].len() - text[start..].trim_start_matches([' ', '\t']).len();
        let statement = start + indent;
        let rest = &text[statement..];
        if !(rest.starts_with("import ") || rest.starts_with("from ")) {
            continue;
        }
        let before = lines.line(statement) - 1;
        for mut import in of_statement(&rest[..end_of_statement(rest)]) {
            import.line += before;
            if indent > 0 {
                import.how = How::Conditional;
            }
            found.push(import);
        }
    }
    found
}

/// The imports of one statement, none when it cannot be read.
pub(super) fn of_statement(statement: &str) -> Vec<Import> {
    let read = |text: &str| {
        with_module(text, |module| module.errors().is_empty().then(|| of_module(text, module.suite()))).flatten()
    };
    // Something unreadable may follow on the line (`import a; print b`).
    let first = || statement.split_once(';').and_then(|(first, _)| read(first));
    read(statement).or_else(first).unwrap_or_default()
}

/// The offsets of the lines that do not start inside a string. Comments are no strings.
fn line_starts(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let mut starts = vec![0];
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'#' => at = text[at..].find('\n').map_or(bytes.len(), |length| at + length),
            b'"' | b'\'' => at = end_of_string(bytes, at),
            byte => {
                at += 1;
                if byte == b'\n' {
                    starts.push(at);
                }
            }
        }
    }
    starts
}

/// Where the statement at the start of `text` ends: with its line, or behind the bracket that it opens.
pub(super) fn end_of_statement(text: &str) -> usize {
    /// No list of names is longer; an unclosed bracket must not make the search quadratic.
    const LONGEST: usize = 1 << 14;
    let mut is_open = false;
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().enumerate().take(LONGEST) {
        match byte {
            b'(' => is_open = true,
            b')' => is_open = false,
            b'\n' if !is_open && at.checked_sub(1).is_none_or(|before| bytes[before] != b'\\') => return at,
            _ => {}
        }
    }
    let end = bytes.len().min(LONGEST);
    text[..end.min(text.floor_char_boundary(end))].find('\n').unwrap_or(text.floor_char_boundary(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_read_line_by_line() {
        let text = "\
import a, b.c; print 'x'
x = '''
import no
'''
if x:
    from d import (e,
      f)
# import no
from here we go
from g import \\
  h
import the data
'
import i";
        let found: Vec<String> = collect(text)
            .iter()
            .map(|import| format!("{} {}[{}] {:?}", import.line, import.module, import.names.join(","), import.how))
            .collect();
        let expected =
            ["1 a[] Statement", "1 b.c[] Statement", "6 d[e,f] Conditional", "10 g[h] Statement", "14 i[] Statement"];
        assert_eq!(found, expected);
    }

    #[test]
    fn unclosed_brackets_end_with_their_line() {
        assert_eq!(end_of_statement(&format!("from a import (b\n{}", "x\n".repeat(20_000))), 16);
        assert_eq!(end_of_statement("import a"), 8);
    }
}
