//! One output beside that of the new run, as what it is: a table, a picture, a text.

use nbrevive_compare::{Agreement, HtmlPart, ShownOutput, html_parts};
use serde_json::{Map, Value};

use super::passage::{beside, shortened, sides};
use super::picture::{pictures, shown_picture};
use super::table::tables;
use crate::page::markup::{block, escaped};

/// Longest HTML that is taken apart, in bytes; of a longer one the text of its beginning is shown.
const LONGEST_HTML: usize = 2 << 20;
/// Longest text that stands alone, in characters.
const LONGEST_ALONE: usize = 10_000;

/// The types that are shown, the richest first.
const SHOWN: [&str; 6] = ["text/html", "image/svg+xml", "image/png", "image/jpeg", "text/latex", "text/markdown"];

/// Two outputs of one place.
pub(super) struct Pair {
    pub(super) number: usize,
    pub(super) level: Agreement,
}

impl Pair {
    pub(super) fn beside(&self, saved: &ShownOutput<'_>, new: &ShownOutput<'_>) -> String {
        let number = self.number;
        let (what, shown) = match (saved, new) {
            (ShownOutput::Bundle { data: old, .. }, ShownOutput::Bundle { data: now, .. }) => self.bundles(old, now),
            _ => (String::new(), beside(&text_of(saved), &text_of(new))),
        };
        format!("<p class=\"note\">Output {number}{what}</p>\n{shown}")
    }

    fn bundles(&self, saved: &Map<String, Value>, new: &Map<String, Value>) -> (String, String) {
        let shared = SHOWN.iter().copied().find(|mime| saved.contains_key(*mime) && new.contains_key(*mime));
        let texts = |mime: &str| Some((saved.get(mime)?.as_str()?, new.get(mime)?.as_str()?));
        let told = |mime: &str| format!(": {}", escaped(mime));
        match shared.and_then(|mime| Some((mime, texts(mime)?))) {
            Some((mime, (old, now))) if mime.starts_with("image/") => (told(mime), pictures(mime, old, now)),
            Some(("text/html", (old, now))) if old.len().max(now.len()) <= LONGEST_HTML => {
                (told("text/html"), self.documents(old, now))
            }
            Some((mime, (old, now))) => (told(mime), beside(old, now)),
            None => self.others(saved, new),
        }
    }

    /// Outputs that have none of the types in common that are shown as what they are.
    fn others(&self, saved: &Map<String, Value>, new: &Map<String, Value>) -> (String, String) {
        let is_shown = |data: &Map<String, Value>| SHOWN.iter().any(|mime| data.contains_key(*mime));
        if is_shown(saved) || is_shown(new) {
            return (String::new(), sides(&alone(saved), &alone(new)));
        }
        // The type that both have; plain text last, which for many a thing is only its name.
        let shared = saved.keys().filter(|mime| new.contains_key(*mime)).max_by_key(|mime| *mime != "text/plain");
        match shared {
            Some(mime) => {
                let text = |data: &Map<String, Value>| data.get(mime).map(value_text).unwrap_or_default();
                (format!(": {}", escaped(mime)), beside(&text(saved), &text(new)))
            }
            None => (String::new(), sides(&alone(saved), &alone(new))),
        }
    }

    /// HTML as words and tables.
    fn documents(&self, saved: &str, new: &str) -> String {
        let (old, now) = (html_parts(saved), html_parts(new));
        match (old.as_slice(), now.as_slice()) {
            ([HtmlPart::Table(old)], [HtmlPart::Table(now)]) => tables(old, now, self.level),
            _ => beside(&plain(&old), &plain(&now)),
        }
    }
}

/// An output that has no counterpart.
pub(super) fn one(number: usize, shown: &ShownOutput<'_>, is_saved: bool) -> String {
    let content = match shown {
        ShownOutput::Bundle { data, .. } => alone(data),
        other => format!("<pre>{}</pre>", block(&shortened(&text_of(other), LONGEST_ALONE))),
    };
    let nothing = "<p class=\"note\">nothing</p>";
    let (saved, new) = if is_saved { (content.as_str(), nothing) } else { (nothing, content.as_str()) };
    format!("<p class=\"note\">Output {number}</p>\n{}", sides(saved, new))
}

/// What a bundle shows, without anything beside it.
fn alone(data: &Map<String, Value>) -> String {
    let text = |text: &str| format!("<pre>{}</pre>", block(&shortened(text, LONGEST_ALONE)));
    let found = SHOWN.iter().find_map(|mime| Some((*mime, data.get(*mime)?.as_str()?)));
    match found {
        Some((mime, picture)) if mime.starts_with("image/") => shown_picture(mime, picture, "an output"),
        Some(("text/html", html)) if html.len() <= LONGEST_HTML => text(&plain(&html_parts(html))),
        Some((_, words)) => text(words),
        None => match data.get("text/plain").or_else(|| data.values().next()) {
            Some(value) => text(&value_text(value)),
            None => text(""),
        },
    }
}

/// HTML as text: cells of a row apart, scripts and addresses named.
fn plain(parts: &[HtmlPart]) -> String {
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        match part {
            HtmlPart::Words(words) => {
                let words = words.lines().map(str::trim).filter(|line| !line.is_empty());
                lines.extend(words.map(str::to_owned));
            }
            HtmlPart::Table(table) => lines.extend(table.rows.iter().map(|row| row.join(" | "))),
            HtmlPart::Source(source) => lines.push(format!("[not run, not fetched] {}", source.trim())),
        }
    }
    lines.join("\n")
}

fn text_of(shown: &ShownOutput<'_>) -> String {
    match shown {
        ShownOutput::Printed(text) => text.clone(),
        ShownOutput::Raised { name, message } => format!("{name}: {message}"),
        ShownOutput::Bundle { data, .. } => {
            let found = SHOWN.iter().chain(&["text/plain"]).find_map(|mime| data.get(*mime));
            found.or_else(|| data.values().next()).map(value_text).unwrap_or_default()
        }
    }
}

fn value_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => serde_json::to_string_pretty(other).unwrap_or_default(),
    }
}
