//! HTML: text that stays text, tables, the template, and the policy that lets nothing else run.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use crate::tables::{Grid, one_line};

/// Text that means nothing to HTML, in elements and in quoted attributes.
pub(crate) fn escaped(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    one_line(text).chars().for_each(|character| escape(character, &mut result));
    result
}

/// Text of several lines that means nothing to HTML: line ends and tabs stay, other control characters stand as their codes.
pub(crate) fn block(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' | '\t' => result.push(character),
            _ if character.is_control() => result.push_str(&code(character)),
            _ => escape(character, &mut result),
        }
    }
    result
}

fn escape(character: char, to: &mut String) {
    match character {
        '<' => to.push_str("&lt;"),
        '>' => to.push_str("&gt;"),
        '&' => to.push_str("&amp;"),
        '"' => to.push_str("&quot;"),
        '\'' => to.push_str("&#39;"),
        _ if is_invisible(character) => to.push_str(&code(character)),
        _ => to.push(character),
    }
}

fn code(character: char) -> String {
    format!("⟨U+{:04X}⟩", u32::from(character))
}

/// Characters that turn the direction of text, break its lines or hide in it; the page's script shows the same ones as their codes.
const fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
    )
}

/// The template with its parts: `{{name}}` is replaced by the part of that name, once; what stands in a part is not looked at.
pub(crate) fn filled(template: &str, parts: &[(&str, String)]) -> String {
    let mut pieces = template.split("{{");
    let mut result = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (name, rest) = piece.split_once("}}").expect("the template closes its names");
        let (_, part) = parts.iter().find(|(part, _)| *part == name).expect("the template names parts that there are");
        result.push_str(part);
        result.push_str(rest);
    }
    result
}

/// What the page may do (Content Security Policy, level 3): run its own script, show its own style, and nothing else; no string
/// becomes markup or code. One without a script shows the pictures that it holds.
pub(crate) fn policy(script: Option<&str>, style: &str) -> String {
    let hash = |text: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)));
    let (more, style) = match script {
        Some(script) => (format!("script-src {}", hash(script)), hash(style)),
        None => ("img-src data:".to_owned(), hash(style)),
    };
    format!(
        "default-src 'none'; {more}; style-src {style}; base-uri 'none'; form-action 'none'; \
         require-trusted-types-for 'script'; trusted-types 'none'"
    )
}

/// A table that opens when its title is pressed.
pub(super) fn folded_table(name: &str, grid: &Grid) -> String {
    let title = escaped(&grid.title);
    format!("<details class=\"fold\" id=\"{name}\"><summary>{title}</summary>\n{}</details>\n", table(grid))
}

/// A table with its notes; wide ones scroll by themselves.
pub(super) fn table(grid: &Grid) -> String {
    let title = escaped(&grid.title);
    let class = |column: usize| if column < grid.word_columns { "" } else { " class=\"number\"" };
    let head: String = grid
        .header
        .iter()
        .enumerate()
        .map(|(column, cell)| format!("<th scope=\"col\"{}>{}</th>", class(column), escaped(cell)))
        .collect();
    let row = |cells: &Vec<String>| {
        let cells: String = cells.iter().enumerate().map(|(column, text)| cell(column, class(column), text)).collect();
        format!("<tr>{cells}</tr>\n")
    };
    let rows: String = grid.rows.iter().map(row).collect();
    let notes: String = grid.notes.iter().map(|note| format!("<p class=\"note\">{}</p>\n", escaped(note))).collect();
    format!(
        "<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"{title}\"><table>\n<caption class=\"unseen\">{title}</caption>\n\
         <thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n{notes}"
    )
}

/// The first cell of a row names it.
fn cell(column: usize, class: &str, text: &str) -> String {
    let text = escaped(text);
    if column == 0 { format!("<th scope=\"row\">{text}</th>") } else { format!("<td{class}>{text}</td>") }
}
