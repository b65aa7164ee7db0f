//! Marks of deprecation: decorators and warnings.

use std::collections::BTreeMap;

use nbrevive_pysource::ast::{Expr, ExprCall};
use nbrevive_pysource::local::is_identifier;

use crate::syntax;

/// Longest text that is kept, in bytes.
const LONGEST: usize = 400;

/// What is deprecated of a function or class.
#[derive(Debug, Clone, Default)]
pub(crate) struct Marks {
    pub(crate) deprecated: Option<String>,
    /// Old names of parameters that are still taken, and the new ones.
    pub(crate) aliases: BTreeMap<String, Option<String>>,
    /// What is said of single parameters.
    pub(crate) notes: BTreeMap<String, String>,
}

impl Marks {
    /// Reads a decorator by its last name.
    pub(crate) fn decorator(&mut self, last: &str, call: Option<&ExprCall>) {
        let renames = last.contains("deprecate_kwarg") || last.contains("rename_parameter") || last.contains("renamed");
        if renames {
            let words = call.map(arguments).unwrap_or_default();
            // Versions come before or behind the names.
            let names: Vec<&String> = words.iter().filter(|word| is_identifier(word)).collect();
            if let [old, rest @ ..] = names.as_slice() {
                self.aliases.insert((*old).clone(), rest.first().map(|new| (*new).clone()));
            }
            return;
        }
        if !last.contains("deprecat") || last.contains("positional") || last.contains("nonkeyword") {
            return;
        }
        let text = call.map(message_of).unwrap_or_default();
        if last.contains("parameter") || last.contains("arg") {
            if let Some(name) = call.map(arguments).unwrap_or_default().iter().find(|word| is_identifier(word)) {
                self.notes.insert(name.clone(), text);
            }
            return;
        }
        self.deprecated = Some(if text.is_empty() { "deprecated".to_owned() } else { text });
    }
}

/// The texts among the arguments of a decorator, keywords last.
fn arguments(call: &ExprCall) -> Vec<String> {
    let named = call.arguments.keywords.iter().map(|keyword| &keyword.value);
    call.arguments.args.iter().chain(named).filter_map(syntax::text).map(str::to_owned).collect()
}

/// What a decorator says in words; an alternative that it names is said as an advice.
fn message_of(call: &ExprCall) -> String {
    let mut text: Vec<String> = call.arguments.args.iter().map(|one| syntax::message(one, 0)).collect();
    for keyword in &call.arguments.keywords {
        let said = syntax::message(&keyword.value, 0);
        match keyword.arg.as_ref().map(|name| name.as_str()) {
            Some("alternative" | "replacement" | "new_name") if !said.is_empty() => {
                text.push(format!("use {said} instead"));
            }
            _ => text.push(said),
        }
    }
    text.retain(|one| !one.is_empty());
    cut(&text.join("; "))
}

fn cut(text: &str) -> String {
    let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    text.truncate(text.floor_char_boundary(LONGEST));
    text
}

/// What a call warns of, if it warns that something will go.
pub(crate) fn warning(last: &str, call: &ExprCall) -> Option<String> {
    let warns = last == "warn" || last == "warn_explicit";
    let deprecates = last.contains("warn_deprecated") || last.contains("deprecation_warning");
    if !warns && !deprecates {
        return None;
    }
    let categories = call.arguments.args.iter().skip(1).chain(call.arguments.keywords.iter().map(|one| &one.value));
    let lasting = |expression: &Expr| {
        syntax::dotted(expression).is_some_and(|name| name.contains("Deprecat") || name.contains("FutureWarning"))
    };
    let text = message_of(call);
    let said = text.to_ascii_lowercase();
    let speaks = deprecates || categories.clone().any(lasting) || said.contains("deprecated");
    (speaks && !text.is_empty()).then_some(text)
}

/// Whether a message names a parameter: in quotes, or with its `=`.
pub(crate) fn speaks_of(message: &str, name: &str) -> bool {
    message.match_indices(name).any(|(at, _)| {
        let before = message.get(..at).and_then(|text| text.chars().next_back());
        let after = message.get(at + name.len()..).and_then(|text| text.chars().next());
        let quote = |letter: Option<char>| matches!(letter, Some('\'' | '"' | '`'));
        quote(before) && (quote(after) || after == Some('='))
            || before.is_none_or(|letter| letter == ' ') && after == Some('=')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_parameters_in_quotes() {
        assert!(speaks_of("the 'n' argument", "n") && speaks_of("use `n=3`", "n") && speaks_of("passing n=3", "n"));
        assert!(!speaks_of("an argument", "n") && !speaks_of("nn='x'", "n"));
    }
}
