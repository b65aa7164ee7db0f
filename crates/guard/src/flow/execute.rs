//! Carries out statements.

use nbrevive_pysource::ast::{Expr, ExprSubscript, Operator, Stmt, StmtAugAssign, StmtFor, StmtIf, StmtTry, StmtWith};

use super::evaluate::is_zero;
use super::value::{Environment, Value};
use super::{MOST_STEPS, Machine};
use crate::code::plain;
use crate::truth::truth;

/// Runs of a loop's body after which nothing new is learned, nearly always.
const LOOP_RUNS: usize = 2;
/// Variables that are copied in the time of a step.
pub(super) const VARIABLES_A_STEP: usize = 8;

impl<'a> Machine<'a> {
    pub(super) fn run(&mut self, body: &'a [Stmt]) {
        for statement in body {
            self.steps += 1;
            if self.steps > MOST_STEPS {
                return;
            }
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::Assign(assign) => {
                let value = self.value(&assign.value);
                for target in &assign.targets {
                    self.assign(target, &value, Some(&assign.value));
                }
            }
            Stmt::AnnAssign(assign) => {
                if let Some(written) = &assign.value {
                    let value = self.value(written);
                    self.assign(&assign.target, &value, Some(written));
                }
            }
            Stmt::AugAssign(assign) => self.augmented(assign),
            Stmt::Expr(expression) => {
                self.value(&expression.value);
            }
            Stmt::Return(returned) => {
                let value = returned.value.as_deref().map(|value| self.value(value)).unwrap_or_default();
                if let Some(last) = self.returned.last_mut() {
                    *last = last.joined(&value);
                }
            }
            Stmt::If(choice) => self.choice(choice),
            Stmt::For(repeat) => self.repeat(repeat),
            Stmt::While(repeat) => {
                if truth(&repeat.test) != Some(false) {
                    self.value(&repeat.test);
                    self.maybe(|machine| (0..LOOP_RUNS).for_each(|_| machine.run(&repeat.body)));
                }
                self.run(&repeat.orelse);
            }
            Stmt::With(with) => self.with(with),
            Stmt::Try(attempt) => self.attempt(attempt),
            Stmt::Match(choice) => {
                self.value(&choice.subject);
                for case in &choice.cases {
                    self.maybe(|machine| machine.run(&case.body));
                }
            }
            // Run where they are called; a class's own statements run at once.
            Stmt::ClassDef(class) => {
                self.run(&class.body);
            }
            Stmt::FunctionDef(_)
            | Stmt::Delete(_)
            | Stmt::TypeAlias(_)
            | Stmt::Raise(_)
            | Stmt::Assert(_)
            | Stmt::Import(_)
            | Stmt::ImportFrom(_)
            | Stmt::Global(_)
            | Stmt::Nonlocal(_)
            | Stmt::Pass(_)
            | Stmt::Break(_)
            | Stmt::Continue(_)
            | Stmt::IpyEscapeCommand(_) => {}
        }
    }

    /// A copy of all variables, which costs steps by their number.
    pub(super) fn snapshot(&mut self) -> Environment {
        self.steps += self.environment.len() / VARIABLES_A_STEP;
        self.environment.clone()
    }

    /// Runs something that may not run: what held before may hold after.
    fn maybe(&mut self, run: impl FnOnce(&mut Self)) {
        let before = self.snapshot();
        run(self);
        self.environment.join(&before);
    }

    fn choice(&mut self, choice: &'a StmtIf) {
        self.value(&choice.test);
        let before = self.snapshot();
        let mut ways = Vec::new();
        let mut is_decided = false;
        let first = (Some(&*choice.test), &choice.body[..]);
        let others = choice.elif_else_clauses.iter().map(|clause| (clause.test.as_ref(), &clause.body[..]));
        for (test, body) in std::iter::once(first).chain(others) {
            let holds = test.map_or(Some(true), truth);
            if holds == Some(false) || is_decided {
                continue;
            }
            self.environment = before.clone();
            self.run(body);
            ways.push(self.environment.clone());
            is_decided = holds == Some(true);
        }
        let mut ways = ways.into_iter();
        let start = if is_decided { ways.next() } else { None };
        self.environment = start.unwrap_or(before);
        for way in ways {
            self.environment.join(&way);
        }
    }

    /// Loops are taken to run at least once: an accumulator that is filled in one would look empty otherwise.
    fn repeat(&mut self, repeat: &'a StmtFor) {
        for _ in 0..LOOP_RUNS {
            self.assign_iterated(&repeat.target, &repeat.iter);
            self.run(&repeat.body);
        }
        self.run(&repeat.orelse);
    }

    /// Gives the target of a loop its value. What goes through `zip` and `enumerate` side by side stays apart.
    pub(super) fn assign_iterated(&mut self, target: &'a Expr, iterated: &'a Expr) {
        let whole = Value::plain(self.value(iterated).is_learned());
        let (Expr::Tuple(targets), Expr::Call(call)) = (target, iterated) else {
            self.assign(target, &whole, None);
            return;
        };
        let arguments = &call.arguments.args;
        match (plain(&call.func).as_deref(), &*targets.elts) {
            (Some("zip" | "izip"), targets) if targets.len() == arguments.len() => {
                for (target, argument) in targets.iter().zip(arguments) {
                    self.assign_iterated(target, argument);
                }
            }
            (Some("enumerate"), [number, item]) if !arguments.is_empty() => {
                self.assign(number, &Value::default(), None);
                self.assign_iterated(item, &arguments[0]);
            }
            _ => self.assign(target, &whole, None),
        }
    }

    fn with(&mut self, with: &'a StmtWith) {
        for item in &with.items {
            let value = self.value(&item.context_expr);
            if let Some(target) = &item.optional_vars {
                self.open_file(target, &item.context_expr);
                self.assign(target, &value, None);
            }
        }
        self.run(&with.body);
    }

    fn attempt(&mut self, attempt: &'a StmtTry) {
        let before = self.snapshot();
        self.run(&attempt.body);
        self.run(&attempt.orelse);
        let mut joined = self.environment.clone();
        for handler in &attempt.handlers {
            self.environment = before.clone();
            if let Some(handler) = handler.as_except_handler() {
                self.run(&handler.body);
            }
            joined.join(&self.environment);
        }
        self.environment = joined;
        self.run(&attempt.finalbody);
    }

    fn augmented(&mut self, assign: &'a StmtAugAssign) {
        let old = self.value(&assign.target);
        let new = self.value(&assign.value);
        let is_wiped = matches!(assign.op, Operator::Mult | Operator::Pow | Operator::BitAnd) && is_zero(&assign.value);
        let learned = !is_wiped && (old.is_learned() || new.is_learned());
        let value = if is_wiped { Value::default() } else { Value { learned, ..old.joined(&new) } };
        self.assign(&assign.target, &value, None);
    }

    /// Gives a target its value; `written` is the value's expression where it is known.
    pub(super) fn assign(&mut self, target: &'a Expr, value: &Value, written: Option<&'a Expr>) {
        match target {
            Expr::Name(name) => {
                self.environment.set(name.id.as_str(), value.clone());
                if let Some(written) = written {
                    self.open_file(target, written);
                }
            }
            Expr::Attribute(attribute) => {
                if let Some(name) = plain(target) {
                    self.environment.set(&name, value.clone());
                }
                if let Some(owner) = plain(&attribute.value) {
                    let column = attribute.attr.to_string();
                    let learned = value.is_learned();
                    self.environment.change(&owner, |owner| {
                        if learned || owner.columns.contains_key(&column) || owner.learned {
                            owner.columns.insert(column, learned);
                        }
                    });
                }
            }
            Expr::Subscript(subscript) => self.assign_part(subscript, value),
            Expr::Tuple(targets) => self.assign_each(&targets.elts, value, written),
            Expr::List(targets) => self.assign_each(&targets.elts, value, written),
            Expr::Starred(starred) => self.assign(&starred.value, value, None),
            _ => {}
        }
    }

    fn assign_each(&mut self, targets: &'a [Expr], value: &Value, written: Option<&'a Expr>) {
        if let Some(Expr::Tuple(parts)) = written
            && parts.elts.len() == targets.len()
        {
            let values: Vec<Value> = parts.elts.iter().map(|part| self.value(part)).collect();
            for (target, value) in targets.iter().zip(&values) {
                self.assign(target, value, None);
            }
            return;
        }
        for target in targets {
            self.assign(target, &Value::plain(value.is_learned()), None);
        }
    }

    /// `x[…] = value`, `x.loc[…] = value` and the like.
    fn assign_part(&mut self, subscript: &'a ExprSubscript, value: &Value) {
        let (owner, by_position) = match &*subscript.value {
            Expr::Attribute(attribute) if matches!(attribute.attr.as_str(), "loc" | "at") => (&*attribute.value, false),
            Expr::Attribute(attribute) if matches!(attribute.attr.as_str(), "iloc" | "iat" | "values") => {
                (&*attribute.value, true)
            }
            owner => (owner, false),
        };
        // `df["column"][mask] = value` changes a part of the column.
        if let Expr::Subscript(inner) = owner {
            let learned = value.is_learned() || self.value(owner).is_learned();
            self.assign_part(inner, &Value::plain(learned));
            return;
        }
        let Some(name) = plain(owner) else { return };
        let learned = value.is_learned();
        let (rows, column) = match &*subscript.slice {
            Expr::Tuple(parts) => match &*parts.elts {
                [rows, column] => (Some(rows), Some(column)),
                _ => (None, None),
            },
            single => (None, Some(single)),
        };
        let is_whole = rows.is_none_or(is_full_slice);
        let columns = column.filter(|_| !by_position).map(|column| self.column_names(column)).unwrap_or_default();
        let is_all = column.is_some_and(is_full_slice) && rows.is_none();
        let by_slice = by_position && rows.is_some_and(is_full_slice);
        self.environment.change(&name, |owner| {
            if is_all || by_slice {
                owner.replace_all(learned);
            } else if columns.is_empty() {
                owner.learned |= learned;
            }
            for column in columns {
                let old = owner.column(&column);
                owner.columns.insert(column, learned || (!is_whole && old));
            }
        });
    }

    /// The columns that an index names by texts; empty when it is something else.
    pub(super) fn column_names(&self, index: &Expr) -> Vec<String> {
        match index {
            Expr::StringLiteral(literal) => vec![literal.value.to_str().to_owned()],
            Expr::List(list) => list.elts.iter().flat_map(|one| self.column_names(one)).collect(),
            Expr::Name(name) => match self.code.texts.get(name.id.as_str()).map(Vec::as_slice) {
                Some([text]) => vec![text.clone()],
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }
}

fn is_full_slice(expression: &Expr) -> bool {
    matches!(expression, Expr::Slice(slice) if slice.lower.is_none() && slice.upper.is_none())
}
