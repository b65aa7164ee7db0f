//! Signs that an error is meant: tutorials show what goes wrong, and people stop a notebook by force.
//!
//! The labelled crashes that we learn from have no intended one, so that these signs are few, narrow, and written from what such cells look
//! like; the learnt crashes say only that a sign is not met by accident.

use nbrevive_pysource::ast::visitor::{self, Visitor};
use nbrevive_pysource::ast::{Expr, Stmt};
use nbrevive_pysource::parse::parse;

use super::super::traceback::{Frame, Place};
use super::{Seen, missing_name};

/// Words of comments that announce an error, whatever stands around them.
const ANNOUNCED: [&str; 18] = [
    "will fail",
    "this fails",
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
    "is wrong",
    "out of scope",
    "this breaks",
];

/// Words that name an error. They announce one at the beginning of a comment, or behind one of [`ANNOUNCING`]: elsewhere they are what
/// models make and people measure (`# mean squared error`).
const ERROR_WORDS: [&str; 3] = ["error", "errors", "exception"];
const ANNOUNCING: [&str; 13] = [
    "an",
    "gives",
    "give",
    "throws",
    "throw",
    "raise",
    "causes",
    "cause",
    "produces",
    "produce",
    "generates",
    "yields",
    "expect",
];

/// Values of errors that change what cannot be changed: what lessons on tuples, texts, indices and arrays of JAX show.
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

/// Names of exceptions that lessons on the language show with a line or two.
const OF_LESSONS: [&str; 4] = ["typeerror", "valueerror", "indexerror", "zerodivisionerror"];

/// Names that stop a notebook when they are run.
const STOPS: [&str; 10] =
    ["stop", "end", "halt", "exit", "done", "finish", "finished", "quit", "stop_here", "break_here"];

/// Names that lessons use where they mean none.
const IN_EXAMPLES: [&str; 12] = [
    "foo",
    "bar",
    "baz",
    "asdf",
    "blah",
    "does_not_exist",
    "doesnt_exist",
    "nonexistent",
    "not_defined",
    "undefined",
    "undefined_name",
    "undefined_variable",
];

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
    if seen.platform != "kaggle" && IMMUTABLE.iter().any(|words| seen.value.contains(words)) {
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
    if in_cell && missing_name(&seen.ename, &seen.value).is_some_and(|name| IN_EXAMPLES.contains(&name.as_str())) {
        return Some("a name that nobody gives to anything but in examples is not defined");
    }
    if in_cell && seen.ename == "notimplementederror" && seen.traceback.deepest().is_some_and(raises) {
        return Some("an exercise that is left to do raises it");
    }
    if in_cell && at_top && Simple::of(statement).is_some_and(|simple| simple.names.is_empty() && simple.computes) {
        return Some("the line computes with constants alone");
    }
    if seen.platform != "kaggle" && shows_operation(seen, statement) {
        return Some("the cell does nothing but show what an operator makes of its operands");
    }
    let may_be_lesson = in_cell && seen.platform != "kaggle" && OF_LESSONS.contains(&seen.ename.as_str());
    if may_be_lesson && is_lesson(seen) {
        return Some("the cell calls, with constants alone, a function of a line that fails");
    }
    let is_example =
        seen.platform != "kaggle" && at_top && matches!(&seen.traceback.frames[..], [frame] if is_example(frame));
    is_example.then_some("the cell is a small example that needs nothing but its own constants")
}

/// What operators raise.
const OF_OPERATORS: [&str; 2] = ["typeerror", "valueerror"];

/// Whether the line that raised is the whole cell, and an operation.
fn shows_operation(seen: &Seen<'_>, statement: &Stmt) -> bool {
    let is_whole =
        matches!(&seen.traceback.frames[..], [frame] if matches!(&frame.code[..], [line] if line.number == 1));
    is_whole
        && OF_OPERATORS.contains(&seen.ename.as_str())
        && matches!(statement, Stmt::Expr(shown) if is_operation(&shown.value))
}

/// Whether code puts names and constants together by operators, and does nothing else: `M + a`, `A or B`.
fn is_operation(expression: &Expr) -> bool {
    let is_operand = |part: &Expr| match part {
        Expr::Name(_) | Expr::NumberLiteral(_) | Expr::StringLiteral(_) => true,
        part => is_operation(part),
    };
    match expression {
        Expr::BinOp(operation) => is_operand(&operation.left) && is_operand(&operation.right),
        Expr::BoolOp(operation) => operation.values.iter().all(is_operand),
        Expr::Compare(operation) => is_operand(&operation.left) && operation.comparators.iter().all(is_operand),
        _ => false,
    }
}

/// Lines of a small example.
const LONGEST_EXAMPLE: usize = 8;

/// Whether a cell gives names to constants, and then fails in a line that needs no other names.
fn is_example(cell: &Frame<'_>) -> bool {
    let Some(at) = cell.code.iter().position(|line| line.is_blamed) else { return false };
    let is_shown_from_its_beginning = cell.code.first().is_some_and(|line| line.number == 1);
    if at == 0 || cell.code.len() > LONGEST_EXAMPLE || !is_shown_from_its_beginning {
        return false;
    }
    let before: Vec<&str> = cell.code[..at].iter().map(|line| line.text).collect();
    let before = parse(&before.join("\n"));
    if !before.errors().is_empty() {
        return false;
    }
    let mut known: Vec<&str> = Vec::new();
    for statement in before.body() {
        match statement {
            Stmt::Assign(assign)
                if assign.targets.iter().all(Expr::is_name_expr) && Needs::of_expr(&assign.value).names.is_empty() =>
            {
                known.extend(assign.targets.iter().filter_map(Expr::as_name_expr).map(|name| name.id.as_str()));
            }
            Stmt::Expr(shown)
                if Needs::of_expr(&shown.value).names.iter().all(|name| known.contains(&name.as_str())) => {}
            _ => return false,
        }
    }
    let needs = Needs::of_line(cell.code[at].text);
    !known.is_empty() && !needs.names.is_empty() && needs.names.iter().all(|name| known.contains(&name.as_str()))
}

/// The names that code needs, but for those of Python.
#[derive(Default)]
struct Needs {
    names: Vec<String>,
}

impl Needs {
    fn of_line(line: &str) -> Self {
        let mut needs = Self::default();
        parse(line).body().iter().for_each(|statement| needs.visit_stmt(statement));
        needs
    }

    fn of_expr(expression: &Expr) -> Self {
        let mut needs = Self::default();
        needs.visit_expr(expression);
        needs
    }
}

impl<'tree> Visitor<'tree> for Needs {
    fn visit_expr(&mut self, expression: &'tree Expr) {
        if let Expr::Name(name) = expression
            && name.ctx.is_load()
            && !nbrevive_pysource::names::is_builtin(&name.id)
        {
            self.names.push(name.id.to_string());
        }
        visitor::walk_expr(self, expression);
    }
}

/// Whether the line that stopped a frame does nothing but raise.
fn raises(frame: &Frame<'_>) -> bool {
    parse(frame.blamed().unwrap_or("")).body().first().is_some_and(Stmt::is_raise_stmt)
}

/// Whether the line that raised is one of a function that computes with names of one or two letters, which the cell calls with constants alone:
/// formulas of other functions have short names as well.
fn is_lesson(seen: &Seen<'_>) -> bool {
    let (Some(frame), Some(cell)) = (seen.traceback.deepest(), seen.traceback.own_line()) else { return false };
    if frame.function.is_none() || Needs::of_line(cell).names.len() != 1 {
        return false;
    }
    let parsed = parse(frame.blamed().unwrap_or(""));
    let simple = parsed.body().first().and_then(Simple::of).filter(|simple| simple.computes);
    simple.is_some_and(|simple| simple.names.iter().all(|name| name.len() <= 2))
}

/// Whether the blamed line, or the one before it, has a comment with a word of error.
fn is_announced(cell: &Frame<'_>) -> bool {
    let Some(at) = cell.code.iter().position(|line| line.is_blamed) else { return false };
    let comment = |text: &str| text.split_once('#').map(|(_, comment)| comment.to_lowercase());
    let before = at.checked_sub(1).map(|before| cell.code[before].text.trim()).filter(|text| text.starts_with('#'));
    let comments = [comment(cell.code[at].text), before.and_then(comment)];
    comments.into_iter().flatten().any(|comment| announces(&comment))
}

/// Whether a comment or another text, in lower case, announces an error.
pub(in super::super) fn announces(comment: &str) -> bool {
    let words: Vec<&str> =
        comment.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let is_error = |word: &str| ERROR_WORDS.contains(&word);
    // `# error`, `# error: no such name`, but no `# error of the test set`.
    let begins = comment.trim_start_matches([' ', '!', '>', '-', '<', '=']);
    let begins = ERROR_WORDS.iter().any(|word| {
        begins
            .strip_prefix(word)
            .is_some_and(|rest| rest.trim().is_empty() || rest.starts_with([':', '!', ',', ';', '.']))
    });
    let is_told = words.windows(2).any(|pair| ANNOUNCING.contains(&pair[0]) && is_error(pair[1]));
    // `KeyError`, as Python's own are called.
    let is_named =
        words.iter().any(|word| word.ends_with("error") && super::super::names::of_exception(word).is_some());
    begins || is_told || is_named || ANNOUNCED.iter().any(|words| comment.contains(words))
}

/// A statement of constants, names and functions of Python alone.
#[derive(Default)]
struct Simple {
    names: Vec<String>,
    /// Whether it does something with them.
    computes: bool,
    is_other: bool,
}

impl Simple {
    fn of(statement: &Stmt) -> Option<Self> {
        let value = match statement {
            Stmt::Expr(expression) => &expression.value,
            Stmt::Assign(assign) => &assign.value,
            Stmt::Return(returned) => returned.value.as_ref()?,
            _ => return None,
        };
        let mut simple = Self::default();
        simple.visit_expr(value);
        (!simple.is_other).then_some(simple)
    }
}

impl<'tree> Visitor<'tree> for Simple {
    fn visit_expr(&mut self, expression: &'tree Expr) {
        match expression {
            Expr::Call(call) => {
                self.is_other |= !call.func.as_name_expr().is_some_and(|name| BUILT_IN.contains(&name.id.as_str()));
                self.computes |= !call.arguments.args.is_empty();
                call.arguments.args.iter().for_each(|argument| self.visit_expr(argument));
                return;
            }
            Expr::Name(name) => self.names.push(name.id.to_string()),
            Expr::BinOp(_) | Expr::Subscript(_) | Expr::Compare(_) | Expr::BoolOp(_) => self.computes = true,
            Expr::Attribute(_) | Expr::Lambda(_) | Expr::Await(_) => self.is_other = true,
            _ => {}
        }
        visitor::walk_expr(self, expression);
    }
}

/// Functions of Python that lessons call.
const BUILT_IN: [&str; 10] = ["int", "float", "str", "len", "sum", "max", "min", "abs", "list", "tuple"];
