//! Statements: what they bind, and the ways they can go.

use std::collections::HashMap;
use std::rc::Rc;

use nbrevive_pysource::ast::{ExceptHandler, Expr, Parameters, Stmt, StmtAssign, StmtFor, StmtImportFrom};
use nbrevive_pysource::text_size::Ranged;

use crate::evidence::Use;
use crate::follow::arguments::Given;
use crate::follow::value::{Body, Function, Origin, Value};
use crate::follow::{DEEPEST_CALL, Follower, ShownValue};

/// Elements of a literal list for which a loop's body is gone through.
const MOST_TURNS: usize = 40;

impl Follower {
    pub(super) fn body(&mut self, body: &[Stmt], is_cell: bool) {
        let last = body.len().saturating_sub(1);
        for (index, statement) in body.iter().enumerate() {
            if !self.step() {
                return;
            }
            self.stand_at(statement.start());
            self.statement(statement, is_cell && index == last);
        }
    }

    fn statement(&mut self, statement: &Stmt, is_last: bool) {
        match statement {
            Stmt::Expr(expression) => {
                let value = self.value(&expression.value);
                if is_last {
                    self.show(value, true);
                }
            }
            Stmt::Assign(assignment) => self.assignment(assignment),
            Stmt::AnnAssign(assignment) => {
                if let Some(value) = &assignment.value {
                    let value = self.value(value);
                    self.assign(&assignment.target, value);
                }
            }
            Stmt::AugAssign(assignment) => {
                let (left, right) = (self.value(&assignment.target), self.value(&assignment.value));
                let value = self.operation(&left, &right, assignment.op);
                self.assign(&assignment.target, value);
            }
            Stmt::For(found) => self.loop_over(found),
            Stmt::While(found) => {
                self.value(&found.test);
                self.body(&found.body, false);
                self.body(&found.orelse, false);
            }
            Stmt::If(found) => {
                self.value(&found.test);
                self.body(&found.body, false);
                for clause in &found.elif_else_clauses {
                    if let Some(test) = &clause.test {
                        self.value(test);
                    }
                    self.body(&clause.body, false);
                }
            }
            Stmt::With(found) => {
                for item in &found.items {
                    let value = self.value(&item.context_expr);
                    if let Some(target) = &item.optional_vars {
                        self.assign(target, value);
                    }
                }
                self.body(&found.body, false);
            }
            Stmt::Try(found) => {
                self.body(&found.body, false);
                for ExceptHandler::ExceptHandler(handler) in &found.handlers {
                    self.body(&handler.body, false);
                }
                self.body(&found.orelse, false);
                self.body(&found.finalbody, false);
            }
            Stmt::FunctionDef(found) => {
                let body = Body::Statements(found.body.iter().cloned().collect());
                let parameters = Some(found.parameters.clone());
                self.bind(&found.name, Value::Function(Rc::new(Function { cell: self.cell, parameters, body })));
            }
            Stmt::Return(found) => {
                let value = found.value.as_ref().map_or(Value::Nothing, |value| self.value(value));
                if let Some(returned) = self.returned.last_mut() {
                    returned.push(value);
                }
            }
            Stmt::Assert(found) => self.assertion(&found.test),
            Stmt::Import(found) => {
                for alias in &found.names {
                    let (name, bound) = (alias.name.as_str(), alias.asname.as_ref());
                    let top = name.split('.').next().unwrap_or(name);
                    let (bound, meant) = bound.map_or((top, top), |bound| (bound.as_str(), name));
                    self.bind(bound, Value::Name(meant.to_owned()));
                }
            }
            Stmt::ImportFrom(found) => self.import_from(found),
            Stmt::Delete(found) => found.targets.iter().for_each(|target| drop(self.value(target))),
            Stmt::Raise(_) | Stmt::ClassDef(_) | Stmt::Match(_) => {}
            _ => {}
        }
    }

    /// Keeps what a cell shows.
    pub(super) fn show(&mut self, value: Value, is_result: bool) {
        // A frame as it is now: it may be changed later.
        let value = match value {
            Value::Frame(frame) => self.derived(frame, |_| {}),
            Value::About(of, about) => match *of {
                Value::Frame(frame) => Value::About(Box::new(self.derived(frame, |_| {})), about),
                of => Value::About(Box::new(of), about),
            },
            value => value,
        };
        if matches!(value, Value::Frame(_) | Value::Column(_) | Value::About(..)) {
            self.shown.push(ShownValue { cell: self.cell, value, is_result });
        }
    }

    fn import_from(&mut self, found: &StmtImportFrom) {
        let module = found.module.as_ref().map_or("", |module| module.as_str());
        for alias in &found.names {
            let bound = alias.asname.as_ref().unwrap_or(&alias.name);
            self.bind(bound.as_str(), Value::Name(format!("{module}.{}", alias.name.as_str())));
        }
    }

    /// `assert df.shape == (200, 4)` and the like are comparisons, which [`Follower::value`] knows.
    fn assertion(&mut self, test: &Expr) {
        self.value(test);
    }

    fn assignment(&mut self, assignment: &StmtAssign) {
        let value = self.value(&assignment.value);
        for target in &assignment.targets {
            self.assign(target, value.clone());
        }
    }

    pub(super) fn assign(&mut self, target: &Expr, value: Value) {
        match target {
            Expr::Name(name) => self.bind(&name.id, value),
            Expr::Starred(starred) => self.assign(&starred.value, Value::Unknown),
            Expr::Tuple(tuple) => self.unpack(&tuple.elts, &value),
            Expr::List(list) => self.unpack(&list.elts, &value),
            Expr::Attribute(attribute) => {
                let owner = self.value(&attribute.value);
                self.set_attribute(&owner, attribute.attr.as_str(), value);
            }
            Expr::Subscript(subscript) => {
                let (owner, key) = (self.value(&subscript.value), self.value(&subscript.slice));
                self.set_item(&owner, &key, value, &subscript.value);
            }
            _ => {}
        }
    }

    fn unpack(&mut self, targets: &[Expr], value: &Value) {
        if let Value::Frame(frame) = value
            && self.frames[*frame].is_by_place
        {
            for (place, target) in targets.iter().enumerate() {
                let element = self.by_place(*frame, isize::try_from(place).unwrap_or(0), "unpacked");
                self.assign(target, element);
            }
            return;
        }
        let elements = value.elements();
        let is_list = matches!(value, Value::List(_)) && elements.len() == targets.len();
        for (index, target) in targets.iter().enumerate() {
            let element = if is_list { elements[index].clone() } else { self.element(value) };
            self.assign(target, element);
        }
    }

    fn set_attribute(&mut self, owner: &Value, name: &str, value: Value) {
        let Value::Frame(frame) = owner else { return };
        match name {
            "columns" => self.name_columns(*frame, &value),
            "index" => {}
            _ => drop(self.frames[*frame].names.insert(name.to_owned(), Origin::Made(value))),
        }
    }

    fn set_item(&mut self, owner: &Value, key: &Value, value: Value, written: &Expr) {
        match (owner, key) {
            (Value::Frame(frame), Value::Text(name)) => {
                self.frames[*frame].dropped.remove(name);
                self.frames[*frame].names.insert(name.clone(), Origin::Made(value));
            }
            (Value::Frame(frame), Value::List(keys)) => {
                if let Value::Frame(parts) = value
                    && let Some(id) = self.frames[parts].cut_of
                {
                    let at = self.here("cut");
                    self.findings.note(id, Use::Parts(keys.len()), &at);
                }
                for name in keys.iter().filter_map(Value::text) {
                    self.frames[*frame].names.insert(name.to_owned(), Origin::Made(value.clone()));
                }
            }
            // `df.loc[rows, "name"] = value`: the column may be new.
            (Value::Accessor(frame, "loc" | "at" | "ix"), Value::List(keys)) => {
                if let (Value::Frame(frame), Some(Value::Text(name))) = (&**frame, keys.last())
                    && !self.is_column(*frame, name)
                {
                    self.frames[*frame].names.insert(name.clone(), Origin::Made(value));
                }
            }
            (Value::Dict(entries), key) => {
                let mut entries = entries.clone();
                entries.push((key.clone(), value));
                if let Expr::Name(name) = written {
                    self.bind(&name.id, Value::Dict(entries));
                }
            }
            _ => {}
        }
    }

    fn loop_over(&mut self, found: &StmtFor) {
        let iterated = self.value(&found.iter);
        let turns = match &iterated {
            Value::Unknown => self.ends_of_range(&found.iter).unwrap_or_else(|| vec![Value::Unknown]),
            Value::List(elements) if !elements.is_empty() => elements.iter().take(MOST_TURNS).cloned().collect(),
            Value::Dict(entries) if !entries.is_empty() => {
                entries.iter().take(MOST_TURNS).map(|(key, _)| key.clone()).collect()
            }
            other => vec![self.element(other)],
        };
        for element in turns {
            self.stand_at(found.start());
            self.assign(&found.target, element);
            self.body(&found.body, false);
        }
        self.body(&found.orelse, false);
    }

    /// The first and the last number of a range that is too long to go through.
    fn ends_of_range(&mut self, iterated: &Expr) -> Option<Vec<Value>> {
        let call = iterated.as_call_expr()?;
        if call.func.as_name_expr()?.id.as_str() != "range" {
            return None;
        }
        let bounds: Option<Vec<isize>> = call.arguments.args.iter().map(|bound| self.value(bound).whole()).collect();
        let (start, end) = match bounds?.as_slice() {
            [end] => (0, *end),
            [start, end, ..] => (*start, *end),
            [] => return None,
        };
        let number = |number: isize| i32::try_from(number).ok().map(|number| Value::Number(f64::from(number)));
        Some(vec![number(start)?, number(end - 1)?])
    }

    /// Calls a function of the notebook.
    pub(super) fn enter(&mut self, function: &Rc<Function>, given: &Given) -> Value {
        if self.returned.len() >= DEEPEST_CALL || !self.step() {
            return Value::Unknown;
        }
        let mut scope = HashMap::new();
        if let Some(parameters) = &function.parameters {
            self.parameters(parameters, given, &mut scope);
        }
        // A lambda sees what the function around it has.
        if let (Body::Expression(_), [_, .., around]) = (&function.body, self.scopes.as_slice()) {
            scope = around.clone().into_iter().chain(scope).collect();
        }
        let place = (self.cell, self.line);
        self.cell = function.cell;
        self.scopes.push(scope);
        self.returned.push(Vec::new());
        let value = match &function.body {
            Body::Statements(body) => {
                self.body(body, false);
                None
            }
            Body::Expression(expression) => Some(self.value(expression)),
        };
        self.scopes.pop();
        let returned = self.returned.pop().unwrap_or_default();
        (self.cell, self.line) = place;
        let known = || returned.iter().rev().find(|value| value.is_known() && !matches!(value, Value::Nothing));
        value.or_else(|| known().cloned()).unwrap_or(Value::Unknown)
    }

    fn parameters(&mut self, parameters: &Parameters, given: &Given, scope: &mut HashMap<String, Value>) {
        let places = parameters.posonlyargs.iter().chain(&parameters.args);
        for (place, parameter) in places.clone().enumerate() {
            let name = parameter.parameter.name.as_str();
            let value = given.get(place, name).cloned();
            let default = parameter.default.as_ref();
            let value = value.unwrap_or_else(|| default.map_or(Value::Unknown, |default| self.value(default)));
            scope.insert(name.to_owned(), value);
        }
        for parameter in &parameters.kwonlyargs {
            let name = parameter.parameter.name.as_str();
            let default = parameter.default.as_ref();
            let value = given.named(name).cloned();
            let value = value.unwrap_or_else(|| default.map_or(Value::Unknown, |default| self.value(default)));
            scope.insert(name.to_owned(), value);
        }
        if let Some(rest) = &parameters.vararg {
            let rest_of = given.places.get(places.count()..).unwrap_or_default().to_vec();
            scope.insert(rest.name.as_str().to_owned(), Value::List(rest_of));
        }
    }

    /// Calls whatever is given as a function, with one element of a column or a row.
    pub(super) fn apply(&mut self, function: &Value, argument: Value) -> Value {
        match function {
            Value::Function(function) => self.enter(&Rc::clone(function), &Given::of(vec![argument])),
            Value::Name(name) => self.call_name(name, &Given::of(vec![argument])),
            Value::Dict(entries) => {
                let keys = entries.iter().filter_map(|(key, _)| key.literal()).collect();
                self.note(&argument, &Use::OnlyValues(keys), "mapped");
                match argument {
                    Value::Column(column) => Value::Column(column.changed()),
                    _ => Value::Unknown,
                }
            }
            _ => Value::Unknown,
        }
    }
}
