//! The text of a traceback without what only steers a display.

use std::borrow::Cow;

/// Takes out control sequences (`ESC [ … letter`), other control characters but line ends and tabs, the links around numbers of lines that
/// VS Code saves, and, of a traceback that was saved as HTML, the tags.
#[must_use]
pub fn plain(text: &str) -> Cow<'_, str> {
    let is_control = |byte: u8| byte < b' ' && !matches!(byte, b'\n' | b'\t') || byte == 0x7f;
    let text = if text.bytes().any(is_control) { Cow::Owned(without_controls(text)) } else { Cow::Borrowed(text) };
    let text = if text.contains(LINK) { Cow::Owned(without_links(&text)) } else { text };
    if is_html(&text) { Cow::Owned(without_tags(&text)) } else { text }
}

/// How a link begins, and where those lead that are no part of the code.
const LINK: &str = "<a href='";
const LEADS: [&str; 2] = ["vscode-notebook-cell:", "file:///"];

/// The text with `<a href='vscode-notebook-cell:/a.ipynb#W1?line=2'>3</a>` as `3`.
fn without_links(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(LINK) {
        out.push_str(&rest[..at]);
        rest = &rest[at + LINK.len()..];
        let close = rest.find(['<', '>', '\n']).filter(|&end| rest[end..].starts_with('>'));
        let is_link = LEADS.iter().any(|leads| rest.starts_with(leads));
        let Some(close) = close.filter(|_| is_link) else {
            out.push_str(LINK);
            continue;
        };
        rest = &rest[close + 1..];
        let number = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
        out.push_str(&rest[..number]);
        rest = rest[number..].strip_prefix("</a>").unwrap_or(&rest[number..]);
    }
    out.push_str(rest);
    out
}

fn without_controls(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(|letter: char| letter.is_ascii_control() && !matches!(letter, '\n' | '\t')) {
        out.push_str(&rest[..at]);
        let escape = rest[at..].starts_with("\u{1b}[");
        rest = &rest[at + 1..];
        if escape {
            let code = rest[1..].trim_start_matches(|letter: char| (' '..='?').contains(&letter));
            rest = code.get(code.chars().next().map_or(0, char::len_utf8)..).unwrap_or("");
        }
    }
    out.push_str(rest);
    out
}

/// Tags in which notebooks of other front ends keep tracebacks.
fn is_html(text: &str) -> bool {
    let start = text.trim_start();
    start.starts_with('<') && ["<div", "<span", "<pre", "<p>", "<html"].iter().any(|tag| start.starts_with(tag))
}

/// The text between tags; what looks like no tag stays.
fn without_tags(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let is_tag = rest[1..].starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '/');
        // The next tag ends the search: no text is gone through twice.
        let close = rest[1..].find(['<', '>', '\n']).map(|at| at + 1);
        let end = close.filter(|&end| is_tag && rest[end..].starts_with('>'));
        if rest.starts_with("<br") {
            out.push('\n');
        }
        let taken = end.map_or(1, |end| end + 1);
        if end.is_none() {
            out.push('<');
        }
        rest = &rest[taken..];
    }
    out.push_str(rest);
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&nbsp;", " "), ("&amp;", "&")];
    entities.iter().fold(out, |text, (entity, letter)| text.replace(entity, letter))
}
