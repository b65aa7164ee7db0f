//! Old syntax in a cell that the Python 3 parser rejects: by the tolerant grammar, and by tokens for what that grammar
//! has no node for.

use tree_sitter::{Node, Tree};

use super::{OldSyntax, Sign};
use crate::magics::module::{Lines, walk_nodes};

/// The old syntax of a text without magics, with lines; `tree` is that of the tolerant grammar.
pub(super) fn old_signs(text: &str, tree: Option<&Tree>) -> Vec<(Sign, u32)> {
    let lines = Lines::of(text);
    let mut found = old_tokens(text);
    if let Some(tree) = tree {
        // One of a kind is enough, and looking at neighbours is slow in a tree with many.
        let mut seen = Vec::new();
        walk_nodes(tree, |node| {
            let Some(syntax) = of_node(node, text) else { return };
            if !seen.contains(&syntax) && !node.has_error() && stands_alone(node) {
                seen.push(syntax);
                found.push((syntax, node.start_byte()));
            }
        });
    }
    found.into_iter().map(|(syntax, offset)| (Sign::OldSyntax(syntax), lines.line(offset))).collect()
}

fn of_node(node: Node<'_>, text: &str) -> Option<OldSyntax> {
    match node.kind() {
        "print_statement" => follows_blank(node, text, "print").then_some(OldSyntax::PrintStatement),
        "exec_statement" => follows_blank(node, text, "exec").then_some(OldSyntax::ExecStatement),
        "except_clause" => {
            let values = node.children_by_field_name("value", &mut node.walk()).count();
            (values == 2).then_some(OldSyntax::ExceptComma)
        }
        "raise_statement" => {
            let exception = node.named_child(0)?;
            (exception.kind() == "expression_list").then_some(OldSyntax::RaiseComma)
        }
        "tuple_pattern" => {
            let parent = node.parent()?;
            matches!(parent.kind(), "parameters" | "lambda_parameters").then_some(OldSyntax::TupleParameter)
        }
        "for_in_clause" => {
            let values = node.children_by_field_name("right", &mut node.walk()).filter(Node::is_named).count();
            (values > 1).then_some(OldSyntax::BareTupleInComprehension)
        }
        _ => None,
    }
}

/// Whether the keyword is not called: `print (x)` is both a statement and a call.
fn follows_blank(node: Node<'_>, text: &str, keyword: &str) -> bool {
    let rest = text.get(node.byte_range()).and_then(|text| text.strip_prefix(keyword)).unwrap_or("(");
    !rest.trim_start().starts_with('(')
}

/// Whether nothing unreadable stands on the node's line: prose such as `print the results` reads as a statement with
/// something behind it.
fn stands_alone(node: Node<'_>) -> bool {
    let is_error = |other: Option<Node<'_>>, row: usize, near: fn(Node<'_>) -> usize| {
        other.is_some_and(|other| other.is_error() && near(other) == row)
    };
    !node.parent().is_some_and(|parent| parent.is_error())
        && !is_error(node.next_sibling(), node.end_position().row, |other| other.start_position().row)
        && !is_error(node.prev_sibling(), node.start_position().row, |other| other.end_position().row)
}

/// Tokens that only Python 2 has, with their offsets, outside of strings and comments.
fn old_tokens(text: &str) -> Vec<(OldSyntax, usize)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            b'#' => at = text[at..].find('\n').map_or(bytes.len(), |length| at + length),
            b'"' | b'\'' => at = crate::magics::module::end_of_string(bytes, at),
            b'`' => {
                found.push((OldSyntax::Backquotes, start));
                at += 1;
            }
            b'<' if bytes.get(at + 1) == Some(&b'>') => {
                found.push((OldSyntax::AngleInequality, start));
                at += 2;
            }
            byte if is_word(byte) => {
                at += bytes[at..].iter().take_while(|byte| is_word(**byte)).count();
                let after_dot = start > 0 && bytes[start - 1] == b'.';
                let syntax = old_word(&text[start..at], bytes.get(at).copied());
                found.extend(syntax.filter(|_| !after_dot).map(|syntax| (syntax, start)));
            }
            _ => at += 1,
        }
    }
    found
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn old_word(word: &str, next: Option<u8>) -> Option<OldSyntax> {
    if word.eq_ignore_ascii_case("ur") && matches!(next, Some(b'"' | b'\'')) {
        return Some(OldSyntax::UnicodeRawString);
    }
    if !word.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let digits = word.strip_suffix(['l', 'L']);
    let is_long = digits.is_some_and(|digits| match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hexadecimal) => !hexadecimal.is_empty() && hexadecimal.bytes().all(|byte| byte.is_ascii_hexdigit()),
        None => digits.bytes().all(|byte| byte.is_ascii_digit()),
    });
    if is_long {
        return Some(OldSyntax::LongLiteral);
    }
    // Two digits are more often a date without quotes (`2019-01-05`) than an octal number.
    let is_octal = word.len() >= 3
        && word.starts_with('0')
        && word.bytes().all(|byte| matches!(byte, b'0'..=b'7'))
        && word.bytes().any(|byte| byte != b'0')
        && next != Some(b'.');
    is_octal.then_some(OldSyntax::OctalLiteral)
}

/// Whether some lines are indented by tabs and some by blanks.
pub(super) fn mixes_tabs(text: &str) -> bool {
    text.lines().any(|line| line.starts_with(' ') || line.starts_with("\t "))
        && text.lines().any(|line| line.starts_with('\t') || line.trim_start_matches(' ').starts_with('\t'))
}

/// The text with the tabs of indentations replaced as Python 2 counts them.
pub(super) fn with_tabs_of_eight(text: &str) -> String {
    let mut all = String::with_capacity(text.len() + 64);
    for line in text.split_inclusive('\n') {
        let body = line.trim_start_matches([' ', '\t']);
        let columns = line[..line.len() - body.len()]
            .chars()
            .fold(0, |column, character| if character == '\t' { (column / 8 + 1) * 8 } else { column + 1 });
        all.push_str(&" ".repeat(columns));
        all.push_str(body);
    }
    all
}
