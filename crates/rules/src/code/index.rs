//! The expressions of all cells, walked once and then looked at by every rule.

use std::ops::Range;

use nbrevive_pysource::ast::{Expr, ExprCall, Stmt};

use crate::view::{Place, Source};
use crate::walk::{self, Surroundings};
use crate::words::Words;

/// Expressions in the order of the text, outer ones first, with what stands around each.
///
/// A cell that does not parse cannot run anyway, and the ranges of what was recovered from it are not to be trusted: its
/// words are known, its expressions are not.
#[derive(Default)]
pub(crate) struct Index<'a> {
    nodes: Vec<Node<'a>>,
    /// Calls, each with its number among the nodes.
    calls: Vec<(usize, &'a ExprCall)>,
    /// The ways down to the nodes, one after the other. Trees are no deeper than the parser's limit, and neighbours
    /// share theirs, so that this stays short.
    parents: Vec<&'a Expr>,
    statements: Vec<&'a Stmt>,
    /// The words of all cells.
    pub(crate) words: Words<'a>,
}

/// One expression, and the ranges of its surroundings among `parents` and `statements`.
struct Node<'a> {
    place: Place,
    expression: &'a Expr,
    parents: Range<usize>,
    statements: Range<usize>,
}

impl<'a> Index<'a> {
    /// Walks over all cells.
    pub(crate) fn of(cells: &'a [Source]) -> Self {
        let mut index = Self::default();
        for (position, source) in cells.iter().enumerate() {
            let body = source.parsed.body();
            let sound = source.parsed.errors().is_empty();
            walk::statements(body, &mut |statement, _| index.words.read_statement(statement));
            walk::expressions(body, &mut |expression, around| {
                index.words.read_expression(expression);
                if sound {
                    index.push(Place(position), expression, around);
                }
            });
        }
        index
    }

    fn push(&mut self, place: Place, expression: &'a Expr, around: &Surroundings<'a, '_>) {
        let last = self.nodes.last();
        let parents = way(&mut self.parents, last.map(|node| &node.parents), around.parents);
        let statements = way(&mut self.statements, last.map(|node| &node.statements), around.statements);
        if let Expr::Call(call) = expression {
            self.calls.push((self.nodes.len(), call));
        }
        self.nodes.push(Node { place, expression, parents, statements });
    }

    /// Visits every expression.
    pub(crate) fn expressions(&self, mut visit: impl FnMut(Place, &'a Expr, &Surroundings<'a, '_>)) {
        for node in &self.nodes {
            visit(node.place, node.expression, &self.around(node));
        }
    }

    /// Visits every call.
    pub(crate) fn calls(&self, mut visit: impl FnMut(Place, &'a ExprCall, &Surroundings<'a, '_>)) {
        for (number, call) in &self.calls {
            let node = &self.nodes[*number];
            visit(node.place, call, &self.around(node));
        }
    }

    fn around(&self, node: &Node<'a>) -> Surroundings<'a, '_> {
        Surroundings {
            parents: &self.parents[node.parents.clone()],
            statements: &self.statements[node.statements.clone()],
        }
    }
}

/// The range of a way down; the last node's when it ends at the same place, else a new one.
fn way<'a, T>(all: &mut Vec<&'a T>, last: Option<&Range<usize>>, now: &[&'a T]) -> Range<usize> {
    if let (Some(last), Some(end)) = (last, now.last())
        && all[last.clone()].last().is_some_and(|known| std::ptr::eq(*known, *end))
    {
        return last.clone();
    }
    let start = all.len();
    all.extend_from_slice(now);
    start..all.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_stand_where_a_walk_finds_them() {
        let cells = [
            Source::new(0, "import a\nif f(x[1:2] + g(y), *z):\n    q = [h(w) for w in v]\n"),
            Source::new(1, "broken = = 1\nu(1)\n"),
            Source::new(2, "def f(x=k(1)):\n    return k(x).y(l(2))(3)\n"),
        ];
        let index = Index::of(&cells);
        let mut wanted = Vec::new();
        for (position, source) in cells.iter().enumerate().filter(|(_, source)| source.parsed.errors().is_empty()) {
            walk::expressions(source.parsed.body(), &mut |expression, around| {
                wanted.push(told(Place(position), expression, around));
            });
        }
        let mut found = Vec::new();
        index.expressions(|place, expression, around| found.push(told(place, expression, around)));
        assert_eq!(found, wanted);
        let mut calls = Vec::new();
        index.calls(|place, call, around| calls.push(format!("{place:?} {call:?} {}", told_around(around))));
        assert_eq!(calls.len(), 8);
        let is_wanted = |call: &String| wanted.iter().any(|(_, _, text)| text == call);
        assert!(calls.iter().all(is_wanted), "{calls:?}");
    }

    fn told(place: Place, expression: &Expr, around: &Surroundings<'_, '_>) -> (Place, bool, String) {
        let text = match expression {
            Expr::Call(call) => format!("{place:?} {call:?} {}", told_around(around)),
            _ => format!("{place:?} {expression:?} {}", told_around(around)),
        };
        (place, expression.is_call_expr(), text)
    }

    fn told_around(around: &Surroundings<'_, '_>) -> String {
        format!("{:?} {:?}", around.parents, around.statements)
    }
}
