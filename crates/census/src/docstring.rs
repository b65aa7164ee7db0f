//! What documentation in numpy's form says of parameters and attributes.

use std::collections::{BTreeMap, BTreeSet};

use nbrevive_pysource::ast::Stmt;

use crate::words::{self, Words};

/// Longest note that is kept, in bytes.
const LONGEST_NOTE: usize = 400;

#[derive(Debug, Clone, Default)]
pub(crate) struct Docstring {
    pub(crate) words: BTreeMap<String, Words>,
    /// What is deprecated of parameters and attributes, by name.
    pub(crate) notes: BTreeMap<String, String>,
    /// Documented attributes.
    pub(crate) attributes: BTreeSet<String>,
    /// What is deprecated altogether.
    pub(crate) deprecated: Option<String>,
}

impl Docstring {
    /// Reads the documentation at the head of a body.
    pub(crate) fn of(body: &[Stmt]) -> Self {
        let Some(Stmt::Expr(first)) = body.first() else { return Self::default() };
        first.value.as_string_literal_expr().map(|text| Self::read(text.value.to_str())).unwrap_or_default()
    }

    fn read(text: &str) -> Self {
        let lines: Vec<&str> = text.lines().collect();
        let mut found = Self::default();
        let (mut section, mut indent, mut entry) = ("", 0, None::<String>);
        let mut at = 0;
        while let Some(line) = lines.get(at) {
            let bare = line.trim();
            let underlined = lines.get(at + 1).is_some_and(|next| {
                let next = next.trim();
                next.len() >= 3 && next.chars().all(|letter| letter == '-' || letter == '=')
            });
            if underlined && !bare.is_empty() {
                (section, indent, entry) = (bare, depth(line), None);
                at += 2;
                continue;
            }
            if bare.starts_with(".. deprecated::") {
                let note = note(&lines, at);
                match (&entry, section) {
                    (Some(name), _) => {
                        let known = found.notes.entry(name.clone()).or_default();
                        known.push_str(&note);
                        known.push(' ');
                    }
                    (None, "") => found.deprecated = Some(note),
                    _ => {}
                }
            } else if matches!(section, "Parameters" | "Attributes" | "Other Parameters")
                && depth(line) == indent
                && !bare.is_empty()
            {
                entry = found.entry(section, &lines, at);
            }
            at += 1;
        }
        found
    }

    /// A line such as `loss : {'ls', 'lad'}, default='ls'`.
    fn entry(&mut self, section: &str, lines: &[&str], at: usize) -> Option<String> {
        let line = lines.get(at)?.trim();
        let (names, kind) = line.split_once(':').map_or((line, ""), |(names, kind)| (names.trim(), kind.trim()));
        let name = names.split(',').next().unwrap_or_default().trim().trim_start_matches('*');
        let is_name = !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
        if !is_name {
            return None;
        }
        if section == "Attributes" {
            self.attributes.insert(name.to_owned());
        }
        let mut kind = kind.to_owned();
        // Long lists go on in the next lines.
        for next in lines.iter().skip(at + 1).take(6) {
            if !kind.contains('{') || kind.contains('}') {
                break;
            }
            kind.push(' ');
            kind.push_str(next.trim().trim_end_matches('\\'));
        }
        if let Some(words) = words::of_documentation(&kind) {
            self.words.insert(name.to_owned(), words);
        }
        Some(name.to_owned())
    }
}

fn depth(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The words behind a mark of deprecation, as far as they are indented below it.
fn note(lines: &[&str], at: usize) -> String {
    let Some(first) = lines.get(at) else { return String::new() };
    let mut text = first.trim().trim_start_matches(".. deprecated::").trim().to_owned();
    let indent = depth(first);
    for line in lines.iter().skip(at + 1).take_while(|line| line.trim().is_empty() || depth(line) > indent).take(8) {
        if !line.trim().is_empty() {
            text.push(' ');
            text.push_str(line.trim());
        }
    }
    text.truncate(text.floor_char_boundary(LONGEST_NOTE));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_and_attributes_of_numpys_form_are_read() {
        let found = Docstring::read(
            "Fits.\n\n    .. deprecated:: 0.18\n       Use B instead.\n\n    Parameters\n    ----------\n    loss : {'ls',\n        'lad'}, default='ls'\n        The loss.\n    \
             n : int\n        .. deprecated:: 0.20\n            Use m.\n\n    Attributes\n    ----------\n    coef_ : array\n",
        );
        assert_eq!(found.words["loss"].texts.len(), 2);
        assert_eq!(found.notes["n"], "0.20 Use m. ");
        assert_eq!(found.deprecated.as_deref(), Some("0.18 Use B instead."));
        assert!(found.attributes.contains("coef_"));
    }
}
