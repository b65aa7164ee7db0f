//! Signs that an error is meant: tutorials show what goes wrong, and people stop a notebook by force.
//!
//! The labelled crashes that we learn from have no intended one, so that these signs are few, narrow, and written from what such cells look
//! like; the learnt crashes say only that a sign is not met by accident.

use nbrevive_pysource::ast::visitor::{self, Visitor};
use nbrevive_pysource::ast::{Expr, Stmt};
use nbrevive_pysource::parse::parse;

use super::super::traceback::{Frame, Place};
use super::Seen;

/// Words of comments that announce an error.
const ANNOUNCED: [&str; 24] = [
    "error",
    "fails",
    "will fail",
    "won't work",
    "will not work",
    "wont work",
    "doesn't work",
    "does not work",
    "not allowed",
    "not possible",
    "can't do",
    "cannot do",
    "raises",
    "will raise",
    "illegal",
    "immutable",
    "exception",
    "invalid",
    "is wrong",
    "incorrect",
    "crash",
    "out of scope",
    "not defined",
    "this breaks",
];

/// Values of errors that change what cannot be changed: what lessons on tuples, texts and arrays of JAX show.
const IMMUTABLE: [&str; 8] = [
    "'tuple' object does not support item",
    "'str' object does not support item",
    "'tuple' object doesn't support item",
    "'str' object doesn't support item",
    "'bytes' object does not support item",
    "are immutable",
    "does not support mutable operations",
    "cannot assign to field",
];

/// Names that stop a notebook when they are run.
const STOPS: [&str; 10] =
    ["stop", "end", "halt", "exit", "done", "finish", "finished", "quit", "stop_here", "break_here"];

/// The first sign that is met.
pub(super) fn sign(seen: &Seen<'_>) -> Option<&'static str> {
    if seen.ename == "systemexit" && !matches!(&*seen.value, "2") {
        return Some("the code ends the program itself");
    }
    if seen.ename == "keyboardinterrupt" {
        return Some("somebody stopped it");
    }
    let cell = seen.traceback.of_notebook().next()?;
    let line = cell.blamed().unwrap_or("");
    let in_cell = seen.traceback.frames.iter().all(|frame| matches!(frame.place, Place::Cell(_)));
    if in_cell && IMMUTABLE.iter().any(|words| seen.value.contains(words)) {
        return Some("it shows that the object cannot be changed");
    }
    if in_cell && is_announced(cell) {
        return Some("a comment beside the line announces the error");
    }
    let parsed = parse(line);
    let statement = parsed.body().first()?;
    let at_top =
        cell.function.is_none() && cell.code.iter().any(|line| line.is_blamed && !line.text.starts_with([' ', '\t']));
    match statement {
        Stmt::Raise(_) if at_top => return Some("the cell does nothing but raise it"),
        Stmt::Raise(_) if seen.ename == "notimplementederror" => {
            return Some("an exercise that is left to do raises it");
        }
        Stmt::Expr(expression) => {
            if let Expr::Name(name) = &*expression.value
                && seen.ename == "nameerror"
                && STOPS.contains(&name.id.to_ascii_lowercase().as_str())
            {
                return Some("a word that is no name stops the notebook");
            }
        }
        _ => {}
    }
    (in_cell && at_top && is_literal(statement)).then_some("the line computes with constants alone")
}

/// Whether the blamed line, or the one before it, has a comment with a word of error.
fn is_announced(cell: &Frame<'_>) -> bool {
    let Some(at) = cell.code.iter().position(|line| line.is_blamed) else { return false };
    let comment = |text: &str| text.split_once('#').map(|(_, comment)| comment.to_lowercase());
    let before = at.checked_sub(1).map(|before| cell.code[before].text.trim()).filter(|text| text.starts_with('#'));
    let comments = [comment(cell.code[at].text), before.and_then(comment)];
    comments.into_iter().flatten().any(|comment| ANNOUNCED.iter().any(|word| comment.contains(word)))
}

/// Whether a statement computes with nothing but constants, as `1 / 0` and `int("a")` do, and is no look at a file or a library.
fn is_literal(statement: &Stmt) -> bool {
    struct Names(bool, bool);
    impl<'tree> Visitor<'tree> for Names {
        fn visit_expr(&mut self, expression: &'tree Expr) {
            match expression {
                Expr::Call(call) => {
                    self.0 &= call.func.as_name_expr().is_some_and(|name| BUILT_IN.contains(&name.id.as_str()));
                    self.1 = true;
                    call.arguments.args.iter().for_each(|argument| self.visit_expr(argument));
                    return;
                }
                Expr::Name(_) | Expr::Attribute(_) => self.0 = false,
                Expr::BinOp(_) | Expr::Subscript(_) | Expr::Compare(_) => self.1 = true,
                _ => {}
            }
            visitor::walk_expr(self, expression);
        }
    }
    let value = match statement {
        Stmt::Expr(expression) => &expression.value,
        Stmt::Assign(assign) => &assign.value,
        _ => return false,
    };
    let mut names = Names(true, false);
    names.visit_expr(value);
    names.0 && names.1
}

/// Functions of Python that lessons call with constants.
const BUILT_IN: [&str; 12] =
    ["int", "float", "str", "len", "print", "sum", "max", "min", "abs", "list", "tuple", "set"];
