//! Which characters are dangerous to show, and what stands in their place.

use std::fmt;

/// Writes a text as part of one line: what would steer a terminal, end the line or change the order in which it is read is written as
/// Rust writes it in a literal (`\n`, `\u{1b}`).
pub(crate) fn inline(text: &str, out: &mut impl fmt::Write) -> fmt::Result {
    escaped(text, out, |found| is_dangerous(found) || matches!(found, '\n' | '\t'))
}

/// Writes a text of several lines: as [`inline`], but line ends and tabs stay.
pub(crate) fn block(text: &str, out: &mut impl fmt::Write) -> fmt::Result {
    escaped(text, out, is_dangerous)
}

/// Writes JSON: what is dangerous can only stand in its strings, and is written as JSON writes it there (`\u001b`).
pub(crate) fn json(text: &str, out: &mut impl fmt::Write) -> fmt::Result {
    replaced(text, out, is_dangerous, |found, out| {
        let mut units = [0_u16; 2];
        found.encode_utf16(&mut units).iter().try_for_each(|unit| write!(out, "\\u{unit:04x}"))
    })
}

fn escaped<Out: fmt::Write>(text: &str, out: &mut Out, is_escaped: impl Fn(char) -> bool) -> fmt::Result {
    replaced(text, out, is_escaped, |found, out| write!(out, "{}", found.escape_default()))
}

fn replaced<Out: fmt::Write>(
    text: &str,
    out: &mut Out,
    is_replaced: impl Fn(char) -> bool,
    replacement: impl Fn(char, &mut Out) -> fmt::Result,
) -> fmt::Result {
    let mut rest = text;
    while let Some(at) = rest.find(&is_replaced) {
        let (plain, tail) = rest.split_at(at);
        out.write_str(plain)?;
        let mut letters = tail.chars();
        if let Some(found) = letters.next() {
            replacement(found, out)?;
        }
        rest = letters.as_str();
    }
    out.write_str(rest)
}

/// Whether a character does more than take its place in a line: controls (C0, DEL, C1), separators of lines and paragraphs, marks that
/// turn the direction of reading (Unicode, UAX #9; "Trojan Source", CVE-2021-42574), letters without width and tags, which hide text.
/// Line ends and tabs are for the caller to judge.
fn is_dangerous(found: char) -> bool {
    match found {
        '\n' | '\t' => false,
        _ => {
            found.is_control()
                || matches!(found, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
                || matches!(found, '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
        }
    }
}
