//! Edits of a call's argument list.

use std::ops::Range;

use nbrevive_pysource::ast::{Expr, ExprCall};
use nbrevive_pysource::edits::Edit;
use nbrevive_pysource::parse::Parsed;
use nbrevive_pysource::text_size::{Ranged, TextRange};

/// One argument as it stands in the text.
#[derive(Debug, Clone)]
pub(crate) struct Argument<'a> {
    /// Its keyword; `None` for a positional argument, and for `*a` and `**k`.
    pub(crate) keyword: Option<&'a str>,
    /// Its value.
    pub(crate) value: &'a Expr,
    /// True for `*a` and `**k`.
    pub(crate) starred: bool,
    span: Range<usize>,
    value_start: usize,
    text: Option<String>,
    removed: bool,
}

/// The arguments of a call in the order of the text, with the changes made so far.
pub(crate) struct CallEdit<'a> {
    source: &'a str,
    inside: Range<usize>,
    arguments: Vec<Argument<'a>>,
    appended: Vec<String>,
}

impl<'a> CallEdit<'a> {
    pub(crate) fn new(parsed: &'a Parsed, call: &'a ExprCall) -> Self {
        let source = parsed.source();
        let list = call.arguments.range();
        let inside =
            list.start().to_usize() + 1..list.end().to_usize().saturating_sub(1).max(list.start().to_usize() + 1);
        let mut arguments: Vec<Argument<'a>> = Vec::new();
        for value in &call.arguments.args {
            let span = with_parentheses(source, value.range(), &inside);
            let starred = value.is_starred_expr();
            arguments.push(Argument {
                keyword: None,
                value,
                starred,
                value_start: span.start,
                span,
                text: None,
                removed: false,
            });
        }
        for keyword in &call.arguments.keywords {
            let value = with_parentheses(source, keyword.value.range(), &inside);
            let start = keyword.range().start().to_usize();
            arguments.push(Argument {
                keyword: keyword.arg.as_ref().map(|arg| arg.as_str()),
                value: &keyword.value,
                starred: keyword.arg.is_none(),
                value_start: value.start,
                span: start..value.end.max(keyword.range().end().to_usize()),
                text: None,
                removed: false,
            });
        }
        arguments.sort_by_key(|argument| argument.span.start);
        Self { source, inside, arguments, appended: Vec::new() }
    }

    /// The arguments that are still there, with their numbers.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = (usize, &Argument<'a>)> {
        self.arguments.iter().enumerate().filter(|(_, argument)| !argument.removed)
    }

    /// Numbers of the positional arguments.
    pub(crate) fn positional(&self) -> Vec<usize> {
        self.arguments().filter(|(_, a)| a.keyword.is_none() && !a.starred).map(|(number, _)| number).collect()
    }

    /// The number of a keyword argument.
    pub(crate) fn find(&self, keyword: &str) -> Option<usize> {
        self.arguments().find(|(_, argument)| argument.keyword == Some(keyword)).map(|(number, _)| number)
    }

    /// The text of an argument's value, parentheses included.
    pub(crate) fn value_text(&self, number: usize) -> &'a str {
        let argument = &self.arguments[number];
        self.source.get(argument.value_start..argument.span.end).unwrap_or_default()
    }

    /// The value of an argument.
    pub(crate) fn value(&self, number: usize) -> &'a Expr {
        self.arguments[number].value
    }

    pub(crate) fn remove(&mut self, number: usize) {
        self.arguments[number].removed = true;
    }

    /// Writes an argument anew.
    pub(crate) fn set(&mut self, number: usize, text: impl Into<String>) {
        self.arguments[number].text = Some(text.into());
    }

    /// Whether an argument was written anew.
    pub(crate) fn is_set(&self, number: usize) -> bool {
        self.arguments[number].text.is_some()
    }

    /// Gives an argument (positional or not) a keyword.
    pub(crate) fn name(&mut self, number: usize, keyword: &str) {
        let text = format!("{keyword}={}", self.value_text(number));
        self.set(number, text);
    }

    /// Adds an argument at the end.
    pub(crate) fn append(&mut self, text: impl Into<String>) {
        self.appended.push(text.into());
    }

    /// The argument list's text as it would be, without the parentheses.
    pub(crate) fn render(&self) -> String {
        let mut parts: Vec<String> = Vec::new();
        for argument in self.arguments.iter().filter(|argument| !argument.removed) {
            parts.push(
                argument
                    .text
                    .clone()
                    .unwrap_or_else(|| self.source.get(argument.span.clone()).unwrap_or_default().to_owned()),
            );
        }
        parts.extend(self.appended.iter().cloned());
        parts.join(", ")
    }

    /// The edits; small ones where nothing is removed, else the list from its first to its last argument.
    pub(crate) fn finish(self) -> Vec<Edit> {
        let Some(last) = self.arguments.last() else {
            let text = self.render();
            return if text.is_empty() {
                Vec::new()
            } else {
                vec![Edit { range: self.inside.start..self.inside.start, text }]
            };
        };
        if self.arguments.iter().any(|argument| argument.removed) {
            let whole = self.arguments[0].span.start..last.span.end;
            let text = self.render();
            if text.is_empty() {
                return vec![Edit { range: self.inside.clone(), text }];
            }
            return vec![Edit { range: whole, text }];
        }
        let mut edits: Vec<Edit> = Vec::new();
        for argument in &self.arguments {
            if let Some(text) = &argument.text {
                edits.push(Edit { range: argument.span.clone(), text: text.clone() });
            }
        }
        let end = last.span.end;
        for text in &self.appended {
            edits.push(Edit { range: end..end, text: format!(", {text}") });
        }
        edits
    }
}

/// A range together with the parentheses around it, as far as they lie within a limit.
fn with_parentheses(source: &str, range: TextRange, limit: &Range<usize>) -> Range<usize> {
    let mut span: Range<usize> = range.into();
    loop {
        let (Some(before), Some(after)) = (source.get(limit.start..span.start), source.get(span.end..limit.end)) else {
            return span;
        };
        let (before, after) = (before.trim_end(), after.trim_start());
        if !before.ends_with('(') || !after.starts_with(')') {
            return span;
        }
        span.start = limit.start + before.len() - 1;
        span.end = limit.end - after.len() + 1;
    }
}

/// The text of the receiver of an attribute, parentheses included: what stands before `.attr`.
pub(crate) fn receiver_text<'a>(parsed: &'a Parsed, attribute: &nbrevive_pysource::ast::ExprAttribute) -> &'a str {
    let range = TextRange::new(attribute.range().start(), attribute.attr.range().start());
    parsed.text(range).trim_end().trim_end_matches('.').trim_end()
}
