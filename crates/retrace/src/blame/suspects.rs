//! What in the code could have given another value: statements, and the constants in them.

use std::ops::{Range, RangeInclusive};

use nbrevive_pysource::ast::visitor::{Visitor, walk_expr, walk_stmt};
use nbrevive_pysource::ast::{Expr, Stmt};
use nbrevive_pysource::parse::{Parsed, parse};
use nbrevive_pysource::text_size::Ranged as _;

use super::shown::ShownTexts;

/// What a statement can have to do with a value that is another, the likeliest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SuspectKind {
    /// It has a constant that is shown, and was not saved.
    Visible,
    /// It has constants of its own.
    Constant,
    /// It calculates something without any.
    Calculation,
    /// It passes on what names have, or imports.
    Passing,
}

/// A statement, without those that it holds.
#[derive(Debug, Clone)]
pub(super) struct Suspect {
    /// Its lines in the cell, from 1.
    pub lines: RangeInclusive<u32>,
    /// Its first line.
    pub text: String,
    pub kind: SuspectKind,
    pub constants: Vec<Constant>,
}

/// A number, a text, `True` or `False`.
#[derive(Debug, Clone)]
pub(super) struct Constant {
    /// Where it stands in the cell, in bytes.
    pub range: Range<usize>,
    /// As it is written.
    pub text: String,
}

impl Constant {
    /// Whether it is a text.
    pub(super) fn is_text(&self) -> bool {
        self.text.ends_with(['\'', '"'])
    }
}

/// Functions that only show what they are handed.
const SHOWING: &[&str] = &["print", "display"];

/// The statements within a range of a cell, and those that they hold.
pub(super) fn suspects(source: &str, within: &Range<usize>, texts: &ShownTexts) -> Vec<Suspect> {
    let parsed = parse(source);
    let mut taken = Taken { parsed: &parsed, texts, found: Vec::new(), open: Vec::new() };
    for statement in parsed.body().iter().filter(|statement| within.contains(&statement.start().to_usize())) {
        taken.visit_stmt(statement);
    }
    taken.found
}

struct Taken<'p> {
    parsed: &'p Parsed,
    texts: &'p ShownTexts,
    found: Vec<Suspect>,
    /// Those that hold what is looked at, the innermost last.
    open: Vec<usize>,
}

impl<'p> Visitor<'p> for Taken<'p> {
    fn visit_stmt(&mut self, statement: &'p Stmt) {
        if matches!(statement, Stmt::Expr(expression) if expression.value.is_string_literal_expr()) {
            return;
        }
        let (first, last) = (self.parsed.line(statement.start()), self.parsed.line(statement.end()));
        let text = self.parsed.text_of(statement).lines().next().unwrap_or_default().to_owned();
        self.open.push(self.found.len());
        self.found.push(Suspect { lines: first..=last, text, kind: SuspectKind::Passing, constants: Vec::new() });
        walk_stmt(self, statement);
        self.open.pop();
    }

    fn visit_expr(&mut self, expression: &'p Expr) {
        let text = self.parsed.text_of(expression);
        let kind = self.kind(expression, text);
        if let Some(suspect) = self.open.last().and_then(|at| self.found.get_mut(*at)) {
            suspect.kind = suspect.kind.min(kind);
            if is_constant(expression) {
                let range = expression.start().to_usize()..expression.end().to_usize();
                suspect.constants.push(Constant { range, text: text.to_owned() });
            }
        }
        walk_expr(self, expression);
    }
}

impl Taken<'_> {
    fn kind(&self, expression: &Expr, text: &str) -> SuspectKind {
        match expression {
            Expr::NumberLiteral(_) if self.texts.is_new(text) => SuspectKind::Visible,
            Expr::StringLiteral(text) if self.texts.is_new(text.value.to_str()) => SuspectKind::Visible,
            // What is shown as it was saved is no other text.
            Expr::StringLiteral(text) if self.texts.is_saved(text.value.to_str()) => SuspectKind::Passing,
            _ if is_constant(expression) => SuspectKind::Constant,
            Expr::Attribute(_) | Expr::BinOp(_) | Expr::Compare(_) | Expr::Subscript(_) | Expr::UnaryOp(_) => {
                SuspectKind::Calculation
            }
            Expr::Call(call) if !call.func.as_name_expr().is_some_and(|name| SHOWING.contains(&name.id.as_str())) => {
                SuspectKind::Calculation
            }
            _ => SuspectKind::Passing,
        }
    }
}

fn is_constant(expression: &Expr) -> bool {
    matches!(expression, Expr::NumberLiteral(_) | Expr::StringLiteral(_) | Expr::BooleanLiteral(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(source: &str, shown: &str, saved: &str) -> Vec<(u32, SuspectKind, Vec<String>)> {
        let found = suspects(source, &(0..source.len()), &ShownTexts::new(shown, saved));
        let one = |suspect: Suspect| {
            let constants = suspect.constants.into_iter().map(|constant| constant.text).collect();
            (*suspect.lines.start(), suspect.kind, constants)
        };
        found.into_iter().map(one).collect()
    }

    #[test]
    fn statements_that_only_pass_on_are_the_last_to_be_suspected() {
        use SuspectKind::{Calculation, Constant, Passing, Visible};
        let source = "import numpy as np\na = b\nprint('mean', a)\nc = np.mean(a)\nd = a * 2\nprint('sun', d)";
        let kinds: Vec<SuspectKind> = of(source, "mean sun", "mean sum").into_iter().map(|(_, kind, _)| kind).collect();
        assert_eq!(kinds, [Passing, Passing, Passing, Calculation, Constant, Visible]);
    }

    #[test]
    fn statements_have_the_constants_of_their_own_lines() {
        let source =
            "def f(n=3):\n    'says nothing'\n    for i in range(5):\n        n += i * 2.5\n    return n, True";
        let constants =
            |line: u32| of(source, "", "").into_iter().find(|(at, ..)| *at == line).map(|(.., found)| found);
        assert_eq!(constants(1), Some(vec!["3".to_owned()]));
        assert_eq!((constants(2), constants(3)), (None, Some(vec!["5".to_owned()])));
        assert_eq!((constants(4), constants(5)), (Some(vec!["2.5".to_owned()]), Some(vec!["True".to_owned()])));
    }
}
