//! The percent form: a notebook's sources as one Python text, each cell behind a `# %%` line.
//!
//! # The format
//!
//! - `# %%` starts a code cell, `# %% [markdown]` (or `[md]`) and `# %% [raw]` start the others. Text after `# %%` that
//!   is not in brackets is a title and has no meaning; blanks between `#`, `%%` and the bracket are free.
//! - A code cell's lines follow as they are, magics too. The lines of other cells follow behind `# `, an empty line as
//!   `#` alone.
//! - One empty line before the next marker belongs to the layout and to no cell.
//! - **Escape rule.** A line of a cell that would read as a marker gets a backslash before `%%`: `# \%%`. A line that
//!   has backslashes at that place already gets one more, and reading takes one away; so every source survives.
//! - Line ends are `\n`. When the first marker ends in `\r\n` the text was converted and one `\r` is taken off each line.
//!
//! A markdown cell written as one triple-quoted string, which some tools and models do, is read as well.

mod apply;
mod parse;

use std::borrow::Cow;
use std::fmt::Write as _;

pub use apply::apply;
pub use parse::{PercentError, parse};

use crate::document::{Cell, CellKind, Notebook};

/// The kind of a cell in percent form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PercentKind {
    /// Code.
    Code,
    /// Markdown.
    Markdown,
    /// Raw text.
    Raw,
}

impl From<&CellKind> for PercentKind {
    fn from(kind: &CellKind) -> Self {
        match kind {
            CellKind::Code { .. } => Self::Code,
            CellKind::Markdown { .. } => Self::Markdown,
            CellKind::Raw { .. } => Self::Raw,
        }
    }
}

/// A cell as the percent form holds it: no outputs, no metadata.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PercentCell {
    /// Its kind.
    pub kind: PercentKind,
    /// Its source.
    pub source: String,
    /// The line of its marker in the parsed text, from 1.
    pub line: u32,
}

/// The percent form of `notebook`. [`parse`] gives the same kinds and sources back.
#[must_use]
pub fn render(notebook: &Notebook) -> String {
    let mut text = String::new();
    for (index, cell) in notebook.cells.iter().enumerate() {
        if index > 0 {
            text.push('\n');
        }
        render_cell(cell, &mut text);
    }
    text
}

fn render_cell(cell: &Cell, text: &mut String) {
    let kind = PercentKind::from(&cell.kind);
    text.push_str(match kind {
        PercentKind::Code => "# %%\n",
        PercentKind::Markdown => "# %% [markdown]\n",
        PercentKind::Raw => "# %% [raw]\n",
    });
    if cell.source.is_empty() {
        return;
    }
    for line in cell.source.split('\n') {
        let line = match kind {
            PercentKind::Code => Cow::Borrowed(line),
            PercentKind::Markdown | PercentKind::Raw if line.is_empty() => Cow::Borrowed("#"),
            PercentKind::Markdown | PercentKind::Raw => Cow::Owned(format!("# {line}")),
        };
        match MarkerLine::of(&line) {
            Some(marker) => {
                let (before, after) = line.split_at(marker.percent);
                writeln!(text, "{before}\\{after}").expect("writing to a string cannot fail");
            }
            None => {
                text.push_str(&line);
                text.push('\n');
            }
        }
    }
}

/// A line of the shape of a marker, with any number of escaping backslashes.
struct MarkerLine<'a> {
    /// Offset of `%%`.
    percent: usize,
    /// Whether at least one backslash stands before `%%`.
    escaped: bool,
    /// What follows `%%`, trimmed.
    rest: &'a str,
}

impl<'a> MarkerLine<'a> {
    fn of(line: &'a str) -> Option<Self> {
        let after_hash = line.strip_prefix('#')?.trim_start_matches([' ', '\t']);
        let after_escape = after_hash.trim_start_matches('\\');
        let rest = after_escape.strip_prefix("%%")?;
        let ends = rest.is_empty() || rest.starts_with([' ', '\t', '\r', '[']);
        ends.then_some(Self {
            percent: line.len() - after_escape.len(),
            escaped: after_escape.len() < after_hash.len(),
            rest: rest.trim(),
        })
    }
}

#[cfg(test)]
mod tests;
