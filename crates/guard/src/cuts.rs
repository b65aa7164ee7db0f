//! How much work a notebook asks for, and what of it a patch cuts.
//!
//! Epochs, rounds, steps, estimators, folds, tries, rows and the counts of loops, as far as they are written as numbers (or as names that
//! are given one number). A patch is measured against the original, never against the patch before it.

use std::collections::BTreeMap;

use nbrevive_pysource::ast::visitor::{Visitor, walk_stmt};
use nbrevive_pysource::ast::{Expr, ExprCall, Number, Stmt};
use nbrevive_pysource::text_size::Ranged;
use serde::{Deserialize, Serialize};

use super::code::{Calls, Code};

/// Keywords that say how much is done, each with the name that it is measured under: keywords that were renamed are one.
const MEASURES: &[(&str, &str)] = &[
    ("epochs", "epochs"),
    ("nb_epoch", "epochs"),
    ("num_epochs", "epochs"),
    ("steps_per_epoch", "steps_per_epoch"),
    ("validation_steps", "validation_steps"),
    ("num_boost_round", "num_boost_round"),
    ("iterations", "iterations"),
    ("n_estimators", "n_estimators"),
    ("max_iter", "max_iter"),
    ("n_iter", "max_iter"),
    ("n_splits", "folds"),
    ("n_folds", "folds"),
    ("cv", "folds"),
    ("nrows", "rows"),
];

/// A measure that is smaller than in the original.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cut {
    /// What is cut: a keyword, or `loop` for the count of a loop.
    pub what: String,
    /// What the original asks for; none where it sets no limit.
    pub was: Option<i64>,
    /// What the patch asks for.
    pub now: i64,
    /// The cell of the patched notebook, from 0.
    pub cell: usize,
    /// The line in that cell, from 1.
    pub line: u32,
}

impl Cut {
    /// Whether less than one of `most` parts is left.
    #[must_use]
    pub fn is_deeper_than(&self, most: u32) -> bool {
        self.was.is_some_and(|was| self.now.saturating_mul(i64::from(most)) < was)
    }
}

impl std::fmt::Display for Cut {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.was {
            Some(was) => write!(formatter, "{} from {was} to {}", self.what, self.now),
            None => write!(formatter, "{} to {}", self.what, self.now),
        }
    }
}

/// One measure where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Measure {
    value: i64,
    cell: usize,
    line: u32,
}

/// All measures of a code, by their names, in the order of the text.
pub(super) type Measures = BTreeMap<&'static str, Vec<Measure>>;

/// The measures of a code.
pub(super) fn measures(code: &Code) -> Measures {
    let numbers = numbers(code);
    let value = |expression: &Expr| match expression {
        Expr::Name(name) => numbers.get(name.id.as_str()).copied().flatten(),
        other => integer(other),
    };
    let mut found = Measures::new();
    for source in code.cells.iter().filter(|source| source.is_sound()) {
        let mut add = |name: &'static str, number: &Expr| {
            let line = source.parsed.line(number.range().start());
            let measure = |value| Measure { value, cell: source.cell, line };
            found.entry(name).or_default().extend(value(number).map(measure));
        };
        let mut visit = |call: &ExprCall| {
            for keyword in &call.arguments.keywords {
                let name = keyword.arg.as_ref().map(|arg| arg.as_str());
                let row = MEASURES.iter().find(|(known, _)| name == Some(known));
                if let Some((_, measure)) = row {
                    add(measure, &keyword.value);
                }
            }
        };
        let mut calls = Calls(&mut visit);
        source.parsed.body().iter().for_each(|statement| calls.visit_stmt(statement));
        let mut loops = Loops(&mut add);
        source.parsed.body().iter().for_each(|statement| loops.visit_stmt(statement));
    }
    found
}

/// Counts of loops: the last argument of `range` that says how far it goes.
struct Loops<'v>(&'v mut dyn FnMut(&'static str, &Expr));

impl<'a> Visitor<'a> for Loops<'_> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        if let Stmt::For(block) = statement
            && let Expr::Call(call) = block.iter.as_ref()
            && matches!(call.func.as_ref(), Expr::Name(name) if matches!(name.id.as_str(), "range" | "xrange"))
        {
            let arguments = &call.arguments.args;
            let end = if arguments.len() > 1 { arguments.get(1) } else { arguments.first() };
            end.iter().for_each(|end| (self.0)("loop", end));
        }
        walk_stmt(self, statement);
    }
}

/// Names that are given one number, and no other; `None` for those that are given several.
fn numbers(code: &Code) -> BTreeMap<String, Option<i64>> {
    let mut numbers: BTreeMap<String, Option<i64>> = BTreeMap::new();
    code.statements(&mut |_, statement| {
        let Stmt::Assign(assign) = statement else { return };
        for name in assign.targets.iter().filter_map(Expr::as_name_expr) {
            let value = integer(&assign.value);
            let known = numbers.entry(name.id.to_string()).or_insert(value);
            if *known != value {
                *known = None;
            }
        }
    });
    numbers
}

fn integer(expression: &Expr) -> Option<i64> {
    let Expr::NumberLiteral(literal) = expression else { return None };
    match &literal.value {
        Number::Int(value) => value.as_i64(),
        _ => None,
    }
}

/// What of the original's work a patched code cuts. Measures of a name are compared one by one where there are as many as before; else
/// the largest with the largest. A limit of rows that the original had not is a cut as well.
pub(super) fn cuts(original: &Measures, patched: &Measures) -> Vec<Cut> {
    let mut cuts = Vec::new();
    for (what, now) in patched {
        let was = original.get(what).map(Vec::as_slice).unwrap_or_default();
        let mut add = |was: Option<i64>, now: &Measure| {
            if was.is_none_or(|was| now.value < was) {
                cuts.push(Cut { what: (*what).to_owned(), was, now: now.value, cell: now.cell, line: now.line });
            }
        };
        if was.len() == now.len() {
            was.iter().zip(now).for_each(|(was, now)| add(Some(was.value), now));
        } else if let (Some(most), Some(now)) =
            (was.iter().map(|one| one.value).max(), now.iter().max_by_key(|one| one.value))
        {
            add(Some(most), now);
        } else if *what == "rows" {
            now.iter().for_each(|now| add(None, now));
        }
    }
    cuts
}

#[cfg(test)]
mod tests {
    use nbrevive_notebook::{Cell, Notebook};

    use super::*;

    fn found(before: &str, after: &str) -> Vec<String> {
        let of = |text: &str| measures(&Code::of(&Notebook::from_cells(vec![Cell::code(text)])));
        cuts(&of(before), &of(after)).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn cuts_are_measured_against_the_original() {
        assert_eq!(found("m.fit(X, y, epochs=1000)", "m.fit(X, y, epochs=20)"), ["epochs from 1000 to 20"]);
        assert_eq!(found("m.fit(X, nb_epoch=1000)", "m.fit(X, epochs=1000)"), [""; 0]);
        assert_eq!(
            found("m.fit_generator(g, steps_per_epoch=342)", "m.fit(g, steps_per_epoch=1)"),
            ["steps_per_epoch from 342 to 1"]
        );
        assert_eq!(found("n = 500\nf(n_estimators=n)", "n = 5\nf(n_estimators=n)"), ["n_estimators from 500 to 5"]);
        assert_eq!(found("for i in range(342):\n    step()", "for i in range(1):\n    step()"), ["loop from 342 to 1"]);
        assert_eq!(found("f(cv=10)\nf(cv=5)", "f(cv=10)\nf(cv=3)"), ["folds from 5 to 3"]);
        assert_eq!(found("d = read('a')", "d = read('a', nrows=100)"), ["rows to 100"]);
    }

    #[test]
    fn what_is_not_less_is_no_cut() {
        for (before, after) in [
            ("m.fit(X, epochs=10)", "m.fit(X, epochs=10, verbose=0)"),
            ("m.fit(X, epochs=10)", "m.fit(X, epochs=n())"),
            ("f(max_iter=5)", "f(max_iter=1000)"),
            ("f()", "f(n_estimators=10)"),
            ("n = 1\nn = 2\nf(epochs=n)", "f(epochs=1)"),
        ] {
            assert_eq!(found(before, after), [""; 0], "{before} -> {after}");
        }
    }
}
