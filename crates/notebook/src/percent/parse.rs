//! Percent text to cells.

use std::borrow::Cow;

use super::{MarkerLine, PercentCell, PercentKind};

/// Characters of an unknown kind that are kept.
const LONGEST_KIND: usize = 60;

/// Why a text is not in percent form. Lines count from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PercentError {
    /// Not a single marker.
    #[error("no cell: a line `# %%` must start each cell")]
    NoCells,
    /// Something else than empty lines before the first marker.
    #[error("line {line}: text before the first `# %%` line")]
    TextBeforeFirstCell {
        /// The line.
        line: u32,
    },
    /// A marker with a kind other than `[markdown]`, `[md]`, `[raw]`, `[code]`.
    #[error("line {line}: unknown cell kind `{kind}`, known are [markdown] and [raw]")]
    UnknownKind {
        /// The line.
        line: u32,
        /// What stands in the brackets, with them, cut to 60 characters.
        kind: String,
    },
    /// A line without `#` in a markdown or raw cell: most likely code whose marker is missing.
    #[error("line {line}: a line of a markdown or raw cell does not start with `#`")]
    Uncommented {
        /// The line.
        line: u32,
    },
}

/// Reads the percent form; see the module's page for what is accepted.
///
/// # Errors
///
/// When there is no cell, text before the first, an unknown kind, or an uncommented line in a text cell.
pub fn parse(text: &str) -> Result<Vec<PercentCell>, PercentError> {
    let lines = lines_of(text);
    let mut cells: Vec<PercentCell> = Vec::new();
    let mut body: Vec<&str> = Vec::new();
    for (index, line) in lines.iter().copied().enumerate() {
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        match MarkerLine::of(line).filter(|marker| !marker.escaped) {
            Some(marker) => {
                drop_layout_line(&mut body);
                finish(&mut cells, &mut body)?;
                cells.push(PercentCell { kind: kind_of(marker.rest, number)?, source: String::new(), line: number });
            }
            None if cells.is_empty() && !line.trim().is_empty() => {
                return Err(PercentError::TextBeforeFirstCell { line: number });
            }
            None => body.push(line),
        }
    }
    if cells.is_empty() {
        return Err(PercentError::NoCells);
    }
    finish(&mut cells, &mut body)?;
    Ok(cells)
}

/// The lines without their ends; the line end at the end of the text opens no further line.
fn lines_of(text: &str) -> Vec<&str> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines: Vec<&str> = text.split('\n').collect();
    if lines.last().is_some_and(|last| last.is_empty()) {
        lines.pop();
    }
    let first_marker = lines.iter().find(|line| MarkerLine::of(line).is_some());
    if first_marker.is_some_and(|line| line.ends_with('\r')) {
        for line in &mut lines {
            *line = line.strip_suffix('\r').unwrap_or(line);
        }
    }
    lines
}

fn drop_layout_line(body: &mut Vec<&str>) {
    if body.last().is_some_and(|last| last.is_empty()) {
        body.pop();
    }
}

fn kind_of(rest: &str, line: u32) -> Result<PercentKind, PercentError> {
    // A title may precede the kind, as in `# %% Results [markdown]`.
    let kind = rest.rfind('[').filter(|_| rest.ends_with(']')).map_or("", |start| &rest[start..]);
    match kind.to_ascii_lowercase().as_str() {
        "[markdown]" | "[md]" => Ok(PercentKind::Markdown),
        "[raw]" => Ok(PercentKind::Raw),
        "" | "[code]" => Ok(PercentKind::Code),
        // The kind is shown in a message, and nobody reads a megabyte.
        _ => Err(PercentError::UnknownKind { line, kind: kind.chars().take(LONGEST_KIND).collect() }),
    }
}

/// Gives the lines read since the last marker to its cell.
fn finish(cells: &mut [PercentCell], body: &mut Vec<&str>) -> Result<(), PercentError> {
    if let Some(cell) = cells.last_mut() {
        cell.source = match cell.kind {
            PercentKind::Code => join(body.iter().map(|line| unescape(line))),
            PercentKind::Markdown | PercentKind::Raw => match quoted(body) {
                Some(text) => text,
                None => commented(body, cell.line + 1)?,
            },
        };
    }
    body.clear();
    Ok(())
}

fn join<'a>(lines: impl Iterator<Item = Cow<'a, str>>) -> String {
    let mut text = String::new();
    for (index, line) in lines.enumerate() {
        if index > 0 {
            text.push('\n');
        }
        text.push_str(&line);
    }
    text
}

fn unescape(line: &str) -> Cow<'_, str> {
    match MarkerLine::of(line) {
        Some(marker) if marker.escaped => {
            Cow::Owned(format!("{}{}", &line[..marker.percent - 1], &line[marker.percent..]))
        }
        _ => Cow::Borrowed(line),
    }
}

/// The text behind the `#` of each line. Empty lines between are kept, those at the end are layout.
fn commented(body: &[&str], first_line: u32) -> Result<String, PercentError> {
    let used = body.iter().rposition(|line| !line.trim().is_empty()).map_or(0, |last| last + 1);
    let mut lines = Vec::with_capacity(used);
    for (line, number) in body[..used].iter().zip(first_line..) {
        let line = unescape(line);
        lines.push(match line.strip_prefix('#') {
            Some(text) => text.strip_prefix(' ').unwrap_or(text).to_owned(),
            None if line.trim().is_empty() => String::new(),
            None => return Err(PercentError::Uncommented { line: number }),
        });
    }
    Ok(join(lines.into_iter().map(Cow::Owned)))
}

/// The text of a cell that is one triple-quoted string.
fn quoted(body: &[&str]) -> Option<String> {
    let text = body.join("\n");
    let text = text.trim();
    let inner = ["\"\"\"", "'''"].iter().find_map(|quotes| text.strip_prefix(quotes)?.strip_suffix(quotes))?;
    let inner = inner.strip_prefix('\n').unwrap_or(inner);
    Some(inner.strip_suffix('\n').unwrap_or(inner).to_owned())
}
