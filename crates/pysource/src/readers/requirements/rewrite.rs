//! A cell without its install commands.

use std::ops::Range;

use super::one_line;
use super::sites::{Site, SiteKind, find};
use crate::prompts::Unprompted;

/// What the comment that takes a command's place starts with.
const NOTE: &str = "# (nbrevive) installed before execution: ";

/// The same cell with every install command taken out.
///
/// A line that only installs becomes a comment that quotes it, behind `pass` where it is indented, so that no block is
/// left empty. Of a line or statement that does more, the command alone is replaced: by `true` in the shell, by the
/// program `true` in calls. The number of lines stays as it was; a cell without installs is returned unchanged.
#[must_use]
pub fn without_installs(cell: &str) -> String {
    let plain = Unprompted::of(cell);
    let sites = find(plain.text());
    let edits = sites.iter().flat_map(|site| edits_of(plain.text(), site));
    let mut edits: Vec<(Range<usize>, String)> =
        edits.map(|(range, replacement)| (plain.original(&range), replacement)).collect();
    edits.sort_by_key(|(range, _)| range.start);
    let mut text = String::with_capacity(cell.len());
    let mut done = 0;
    for (range, replacement) in edits {
        if range.start < done {
            continue;
        }
        text.push_str(&cell[done..range.start]);
        text.push_str(&replacement);
        done = range.end;
    }
    text.push_str(&cell[done..]);
    text
}

fn edits_of(cell: &str, site: &Site) -> Vec<(Range<usize>, String)> {
    let quoted = &cell[site.range.clone()];
    let note = format!("{NOTE}{}", one_line(quoted));
    match &site.kind {
        SiteKind::Escape { assigned: true } => vec![replace(cell, &site.range, "[]", &format!("  {note}"))],
        SiteKind::Escape { assigned: false } | SiteKind::Statement => vec![statement(cell, &site.range, &note)],
        SiteKind::EscapeParts(parts) => parts.iter().map(|part| replace_in_line(cell, part)).collect(),
        SiteKind::ShellCell { whole_line: true } => vec![replace(cell, &site.range, "true", &format!("  {note}"))],
        SiteKind::ShellCell { whole_line: false } => vec![replace_in_line(cell, &site.range)],
        SiteKind::Command { argument, is_list: true } => vec![replace(cell, argument, "[\"true\"", "]")],
        SiteKind::Command { argument, is_list: false } => vec![replace(cell, argument, "\"true\"", "")],
        SiteKind::Value(call) => vec![replace(cell, call, "(0", ")")],
    }
}

/// A statement that is to do nothing any more.
fn statement(cell: &str, range: &Range<usize>, note: &str) -> (Range<usize>, String) {
    let before = cell[..range.start].rsplit('\n').next().unwrap_or("");
    let after = cell[range.end..].split('\n').next().unwrap_or("").trim();
    let is_alone = before.trim().is_empty() && (after.is_empty() || after.starts_with('#'));
    match (is_alone, before.is_empty()) {
        (true, true) => replace(cell, range, note, ""),
        (true, false) => replace(cell, range, "pass", &format!("  {note}")),
        // Other statements share the line: a comment would swallow them, and continued lines must stay joined.
        (false, _) => (range.clone(), format!("pass{}", " \\\n".repeat(line_ends(cell, range)))),
    }
}

/// `first` and `last` with as many line ends as the range had: behind `last`, or between the two where `last` closes a
/// bracket.
fn replace(cell: &str, range: &Range<usize>, first: &str, last: &str) -> (Range<usize>, String) {
    let ends = "\n".repeat(line_ends(cell, range));
    let text = match last {
        "]" | ")" => format!("{first}{ends}{last}"),
        _ => format!("{first}{last}{ends}"),
    };
    (range.clone(), text)
}

/// `true` in a shell line; continued lines stay joined.
fn replace_in_line(cell: &str, range: &Range<usize>) -> (Range<usize>, String) {
    (range.clone(), format!("true{}", " \\\n".repeat(line_ends(cell, range))))
}

fn line_ends(cell: &str, range: &Range<usize>) -> usize {
    cell[range.clone()].matches('\n').count()
}
