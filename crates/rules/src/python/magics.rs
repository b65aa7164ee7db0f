//! Magics whose Python expression goes on in the next line.

use nbrevive_pysource::edits::Edit;
use nbrevive_pysource::text_size::TextSize;

use crate::change::Change;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::signature::sig;
use crate::view::{Place, View};

pub(super) static RULES: &[Rule] = &[Rule::new(
    "ipython-magic-lines",
    ("ipython", "7.0"),
    "a magic ends with its line, whatever brackets are open",
    Trigger::Error(&[sig("SyntaxError", ""), sig("IndentationError", "unexpected indent")]),
    Rewrite::Code(one_line),
    example(
        "x = [1, 2]\n%timeit sum((i + 1 for i in x),\n            start=0)\n",
        ("IndentationError", "unexpected indent (1.py, line 3)"),
        "x = [1, 2]\n%timeit sum((i + 1 for i in x), start=0)\n",
    ),
)
.certain()];

/// An expression longer than this is none.
const MOST_LINES: usize = 40;

fn one_line(view: &View<'_>, change: &mut Change<'_>) {
    for (position, source) in view.code.cells.iter().enumerate() {
        let text = source.parsed.source();
        let mut start = 0;
        while start < text.len() {
            let end = line_end(text, start);
            let line = text[start..end].trim_start();
            let magic = line.starts_with('%') && !line.starts_with("%%");
            let breaks = if magic { open_breaks(text, start) } else { None };
            start = match breaks {
                Some(breaks) if !breaks.is_empty() => {
                    let last = breaks.last().map_or(end, |gap| gap.end);
                    let edits = breaks.into_iter().map(|range| Edit { range, text: " ".to_owned() }).collect();
                    change.edit(Place(position), TextSize::try_from(start).unwrap_or_default(), edits);
                    line_end(text, last)
                }
                _ => end,
            } + 1;
        }
    }
}

fn line_end(text: &str, start: usize) -> usize {
    text[start..].find('\n').map_or(text.len(), |at| start + at)
}

/// The line breaks, with the indentation behind them, up to where the brackets that a line opens are closed; `None`
/// when they never are.
fn open_breaks(text: &str, start: usize) -> Option<Vec<std::ops::Range<usize>>> {
    let mut breaks = Vec::new();
    let (mut depth, mut quote) = (0_usize, None);
    let mut characters = text[start..].char_indices().map(|(at, one)| (start + at, one));
    while let Some((at, one)) = characters.next() {
        match (quote, one) {
            (Some(_), '\\') => {
                characters.next();
            }
            (Some(open), one) if one == open => quote = None,
            (_, '\n') if depth == 0 => return Some(breaks),
            (Some(_), '\n') => return None,
            (None, '\n') => {
                let indentation = text[at + 1..].len() - text[at + 1..].trim_start_matches([' ', '\t']).len();
                breaks.push(at..at + 1 + indentation);
                if breaks.len() > MOST_LINES {
                    return None;
                }
            }
            (None, '\'' | '"') => quote = Some(one),
            (None, '#') if depth > 0 => return None,
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    (depth == 0).then_some(breaks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_inside_of_brackets_are_joined() {
        let found = |text: &str| open_breaks(text, 0).map(|breaks| breaks.len());
        assert_eq!(found("%timeit f(a,\n  b)\nx\n"), Some(1));
        assert_eq!(found("%timeit f('(')\n  b\n"), Some(0));
        assert_eq!(found("%cd it's\nx = (1)\n"), Some(0));
        assert_eq!(found("%timeit f(a,\n  # why\n  b)\n"), None);
        assert_eq!(found("%timeit f(a,\n"), None);
    }
}
