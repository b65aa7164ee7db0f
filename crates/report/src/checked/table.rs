//! Tables beside each other, written anew from the words of their cells.

use nbrevive_compare::{Agreement, HtmlTable, OutputComparer};
use nbrevive_notebook::Output;

use super::passage::{shortened, sides};
use crate::page::markup::escaped;

/// Rows that are shown at most, those of the head included.
const MOST_ROWS: usize = 40;
/// Columns that are shown at most.
const MOST_COLUMNS: usize = 30;
/// Rows before the first that differs.
const BEFORE: usize = 5;
/// Longest text of a cell, in characters.
const LONGEST_CELL: usize = 200;

/// Two tables, the cells marked that are not alike at a level.
pub(super) fn tables(saved: &HtmlTable, new: &HtmlTable, level: Agreement) -> String {
    let differs = |row: usize, column: usize| differ(cell(saved, row, column), cell(new, row, column), level);
    let rows = saved.rows.len().max(new.rows.len());
    let width = saved.rows.iter().chain(&new.rows).map(Vec::len).max().unwrap_or(0);
    let first = (0..rows)
        .find(|row| saved.rows.get(*row) != new.rows.get(*row) && (0..width).any(|column| differs(*row, column)));
    // The head, and rows from a little before the first that differs.
    let heads = saved.heads.max(new.heads).clamp(1, 4);
    let from = first.unwrap_or(0).saturating_sub(BEFORE).max(heads);
    let shown: Vec<usize> = (0..heads.min(rows)).chain(from..rows.min(from + MOST_ROWS - heads)).collect();
    let columns: Vec<usize> = (0..width.min(MOST_COLUMNS)).collect();
    let one = |table: &HtmlTable| {
        let mut html = String::from("<table>\n");
        for &row in shown.iter().filter(|row| **row < table.rows.len()) {
            html.push_str("<tr>");
            for &column in
                columns.iter().filter(|column| table.rows.get(row).is_some_and(|cells| **column < cells.len()))
            {
                let text = escaped(&shortened(cell(table, row, column).unwrap_or_default(), LONGEST_CELL));
                let text = if differs(row, column) { format!("<mark>{text}</mark>") } else { text };
                let tag = if row < heads || column == 0 { "th" } else { "td" };
                html.push_str(&format!("<{tag}>{text}</{tag}>"));
            }
            html.push_str("</tr>\n");
        }
        html.push_str("</table>\n");
        html.push_str(&told(table, &shown, width));
        html
    };
    sides(&one(saved), &one(new))
}

fn cell(table: &HtmlTable, row: usize, column: usize) -> Option<&str> {
    table.rows.get(row)?.get(column).map(String::as_str)
}

/// Whether two cells are not alike, as printed texts are compared.
fn differ(saved: Option<&str>, new: Option<&str>, level: Agreement) -> bool {
    if saved == new {
        return false;
    }
    let printed =
        |text: Option<&str>| vec![Output::Stream { name: "stdout".to_owned(), text: text.unwrap_or(" ").to_owned() }];
    let found = OutputComparer::default().outputs(&printed(saved), &printed(new)).agreement;
    !found.is_ok_and(|found| found.holds_at(level))
}

/// How large a table is, where not all of it is shown.
fn told(table: &HtmlTable, shown: &[usize], width: usize) -> String {
    let rows = shown.iter().filter(|row| **row < table.rows.len()).count();
    let mut told = Vec::new();
    if rows < table.rows.len() {
        told.push(format!("{rows} of {} rows are shown", table.rows.len()));
    }
    if width > MOST_COLUMNS {
        told.push(format!("{MOST_COLUMNS} of {width} columns are shown"));
    }
    if let Some((rows, columns)) = table.whole {
        told.push(format!("{rows} rows × {columns} columns in all"));
    }
    if told.is_empty() { String::new() } else { format!("<p class=\"note\">{}</p>", told.join("; ")) }
}
