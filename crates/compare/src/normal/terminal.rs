//! Text as a terminal shows it in the end: carriage returns and backspaces applied, colours and other control sequences gone.

use std::borrow::Cow;

/// Applies to each line what moves the cursor within it. A return without a line end writes over the line from its beginning, a
/// backspace steps back one character, and what is not written over stays, as in Jupyter's own view.
#[must_use]
pub fn settled_text(text: &str) -> Cow<'_, str> {
    if !text.bytes().any(|byte| matches!(byte, b'\r' | 0x08 | 0x1b)) {
        return Cow::Borrowed(text);
    }
    let mut settled = String::with_capacity(text.len());
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            settled.push('\n');
        }
        settle(line.trim_end_matches('\r'), &mut settled);
    }
    Cow::Owned(settled)
}

/// One line without its end. The first of several states that are longer than a later one shows behind it, as on a terminal.
fn settle(line: &str, to: &mut String) {
    if !line.bytes().any(|byte| matches!(byte, b'\r' | 0x08 | 0x1b)) {
        to.push_str(line);
        return;
    }
    let (mut cells, mut cursor): (Vec<char>, usize) = (Vec::new(), 0);
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\r' => cursor = 0,
            '\u{8}' => cursor = cursor.saturating_sub(1),
            '\u{1b}' => {
                let erased = control(&mut letters);
                if erased != Erased::Nothing {
                    cells.truncate(cursor);
                }
                if erased == Erased::Line {
                    cells.fill(' ');
                }
            }
            _ => {
                match cells.get_mut(cursor) {
                    Some(cell) => *cell = letter,
                    None => cells.push(letter),
                }
                cursor += 1;
            }
        }
    }
    to.extend(cells);
}

/// What a control sequence erases of its line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Erased {
    Nothing,
    /// What is behind the cursor.
    Rest,
    /// All of it; the cursor stays where it is.
    Line,
}

/// Reads the rest of a control sequence, of ECMA-48's form `ESC [ parameters final`, a command such as a link (`ESC ] … ESC \`) or two
/// letters, and says what it erases (`K`).
fn control(letters: &mut std::str::Chars<'_>) -> Erased {
    let rest = letters.as_str();
    if let Some(command) = rest.strip_prefix(']') {
        let behind = &command[command.find(['\u{7}', '\u{1b}']).unwrap_or(command.len())..];
        let end = behind.strip_prefix('\u{7}').or_else(|| behind.strip_prefix("\u{1b}\\"));
        *letters = end.unwrap_or(behind).chars();
        return Erased::Nothing;
    }
    let Some(parameters) = rest.strip_prefix('[') else {
        letters.next();
        return Erased::Nothing;
    };
    let end = parameters.find(|letter: char| !(' '..='?').contains(&letter));
    let Some((end, last)) = end.and_then(|end| Some((end, parameters[end..].chars().next()?))) else {
        *letters = "".chars();
        return Erased::Nothing;
    };
    *letters = parameters[end + last.len_utf8()..].chars();
    match (last, &parameters[..end]) {
        ('K', "" | "0") => Erased::Rest,
        ('K', "2") => Erased::Line,
        _ => Erased::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn returns_and_backspaces_write_over() {
        let cases = [
            ("a\r\nb\r\n", "a\nb\n"),
            ("10%\r50%\r100%\n", "100%\n"),
            ("abcdef\rxy", "xycdef"),
            ("abcdef\rxy\u{1b}[K", "xy"),
            ("abcdef\r\u{1b}[2Kxy", "xy"),
            ("abcdef\u{1b}[2K\rxy\u{1b}[K", "xy"),
            ("ab\u{1b}[2Kc", "  c"),
            ("a\u{1b}]8;id=1;http://h/x\u{1b}\\b\u{1b}]8;;\u{7}c\u{1b}]0;d", "abc"),
            ("1/3\u{8}\u{8}\u{8}2/3", "2/3"),
            ("\u{1b}[1;31mred\u{1b}[0m", "red"),
            ("\u{8}\u{8}a", "a"),
            ("a\u{1b}", "a"),
            ("a\u{1b}[12", "a"),
            ("a\u{1b}[é b", "a b"),
        ];
        for (text, shown) in cases {
            assert_eq!(settled_text(text), shown, "{text:?}");
        }
    }
}
