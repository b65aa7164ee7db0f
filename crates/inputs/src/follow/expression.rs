//! Expressions: what is known of their values.

use std::rc::Rc;

use nbrevive_pysource::ast::{Comprehension, Expr, ExprAttribute, ExprCall, ExprSubscript, Number};
use nbrevive_pysource::ast::{ExprFString, InterpolatedStringElement, UnaryOp};
use nbrevive_pysource::text_size::Ranged;

use crate::evidence::Use;
use crate::follow::arguments::Given;
use crate::follow::value::{About, Body, Function, Value};
use crate::follow::{DEEPEST_EXPRESSION, Follower};

/// Elements of a list that code adds one by one.
const LONGEST_LIST: usize = 100;

impl Follower {
    /// The value of an expression. What stands in it is looked at whether or not the value is known.
    pub(super) fn value(&mut self, expression: &Expr) -> Value {
        if !self.step() || self.depth >= DEEPEST_EXPRESSION {
            return Value::Unknown;
        }
        self.depth += 1;
        let value = self.value_of(expression);
        self.depth -= 1;
        if matches!(value, Value::Frame(_) | Value::Column(_) | Value::Group(..)) {
            // Of an expression of several lines both its line and that of its statement may be named by an error.
            self.touch_value(&value);
            let line = self.line;
            self.stand_at(expression.start());
            if self.line != line {
                self.touch_value(&value);
                self.line = line;
            }
        }
        value
    }

    fn value_of(&mut self, expression: &Expr) -> Value {
        match expression {
            Expr::Name(name) => self.of_name(&name.id),
            Expr::StringLiteral(text) => Value::Text(text.value.to_str().to_owned()),
            Expr::NumberLiteral(number) => of_number(&number.value),
            Expr::BooleanLiteral(flag) => Value::Flag(flag.value),
            Expr::NoneLiteral(_) => Value::Nothing,
            Expr::FString(text) => self.of_fstring(text),
            Expr::List(list) => self.list(&list.elts),
            Expr::Tuple(tuple) => self.list(&tuple.elts),
            Expr::Set(set) => self.list(&set.elts),
            Expr::Dict(dict) => {
                let mut entries = Vec::new();
                for item in &dict.items {
                    let key = item.key.as_ref().map_or(Value::Unknown, |key| self.value(key));
                    let value = self.value(&item.value);
                    entries.push((key, value));
                }
                Value::Dict(entries)
            }
            Expr::Attribute(attribute) => self.of_attribute(attribute),
            Expr::Subscript(subscript) => self.of_subscript(subscript),
            Expr::Slice(slice) => {
                let mut bound =
                    |bound: &Option<Box<Expr>>| bound.as_ref().map_or(Value::Nothing, |one| self.value(one));
                let (lower, upper) = (bound(&slice.lower), bound(&slice.upper));
                Value::Slice(Box::new((lower, upper)))
            }
            Expr::Call(call) => self.of_call(call),
            Expr::BinOp(operation) => {
                let (left, right) = (self.value(&operation.left), self.value(&operation.right));
                self.operation(&left, &right, operation.op)
            }
            Expr::UnaryOp(operation) => {
                let value = self.value(&operation.operand);
                match (operation.op, value) {
                    (UnaryOp::USub, Value::Number(number)) => Value::Number(-number),
                    (_, Value::Column(column)) => Value::Column(column.changed()),
                    (UnaryOp::Not | UnaryOp::UAdd | UnaryOp::Invert | UnaryOp::USub, _) => Value::Unknown,
                }
            }
            Expr::BoolOp(operation) => {
                let mut values: Vec<Value> = operation.values.iter().map(|value| self.value(value)).collect();
                values.retain(Value::is_known);
                values.pop().unwrap_or(Value::Unknown)
            }
            Expr::Compare(comparison) => {
                let mut left = self.value(&comparison.left);
                for (operator, right) in comparison.ops.iter().zip(&comparison.comparators) {
                    let right = self.value(right);
                    self.comparison(&left, &right, *operator);
                    left = right;
                }
                Value::Unknown
            }
            Expr::If(choice) => {
                self.value(&choice.test);
                let (then, otherwise) = (self.value(&choice.body), self.value(&choice.orelse));
                if then.is_known() { then } else { otherwise }
            }
            Expr::Named(named) => {
                let value = self.value(&named.value);
                self.assign(&named.target, value.clone());
                value
            }
            Expr::Lambda(lambda) => {
                let body = Body::Expression(lambda.body.clone());
                Value::Function(Rc::new(Function { cell: self.cell, parameters: lambda.parameters.clone(), body }))
            }
            Expr::ListComp(found) => self.comprehension(&found.generators, &found.elt),
            Expr::SetComp(found) => self.comprehension(&found.generators, &found.elt),
            Expr::Generator(found) => self.comprehension(&found.generators, &found.elt),
            Expr::DictComp(found) => {
                if let Some(key) = &found.key {
                    self.comprehension(&found.generators, key);
                }
                self.comprehension(&found.generators, &found.value);
                Value::Unknown
            }
            Expr::Starred(starred) => self.value(&starred.value),
            Expr::Await(found) => self.value(&found.value),
            _ => Value::Unknown,
        }
    }

    fn list(&mut self, elements: &[Expr]) -> Value {
        let mut values = Vec::with_capacity(elements.len());
        for element in elements {
            let value = self.value(element);
            match (element, value) {
                (Expr::Starred(_), Value::List(inner)) => values.extend(inner),
                (_, value) => values.push(value),
            }
        }
        Value::List(values)
    }

    fn of_fstring(&mut self, text: &ExprFString) -> Value {
        let mut whole = Some(String::new());
        for part in &text.value {
            if let Some(literal) = part.as_literal() {
                whole = whole.map(|whole| whole + &literal.value);
                continue;
            }
            for element in part.as_f_string().into_iter().flat_map(|part| part.elements.iter()) {
                let piece = match element {
                    InterpolatedStringElement::Literal(literal) => Some(literal.value.to_string()),
                    InterpolatedStringElement::Interpolation(found) => self.value(&found.expression).literal(),
                };
                whole = whole.zip(piece).map(|(whole, piece)| whole + &piece);
            }
        }
        whole.map_or(Value::Unknown, Value::Text)
    }

    /// A list of what the element is for each turn of the first literal list; else of what it is once.
    fn comprehension(&mut self, generators: &[Comprehension], element: &Expr) -> Value {
        let Some((first, rest)) = generators.split_first() else { return self.value(element) };
        let iterated = self.value(&first.iter);
        let turns = match &iterated {
            Value::List(elements) if elements.len() <= 40 => elements.clone(),
            Value::Dict(entries) => entries.iter().take(40).map(|(key, _)| key.clone()).collect(),
            other => vec![self.element(other)],
        };
        let is_list = matches!(iterated, Value::List(_) | Value::Dict(_));
        let mut values = Vec::new();
        for turn in turns {
            self.assign(&first.target, turn);
            for condition in &first.ifs {
                self.value(condition);
            }
            values.push(self.comprehension(rest, element));
        }
        match values.pop() {
            Some(Value::Column(column)) if !is_list => Value::Column(column.changed()),
            Some(one @ Value::Json(..)) if !is_list && rest.is_empty() => Value::List(vec![one]),
            last if is_list && rest.is_empty() => Value::List(values.into_iter().chain(last).collect()),
            _ => Value::Unknown,
        }
    }

    fn of_attribute(&mut self, attribute: &ExprAttribute) -> Value {
        let owner = self.value(&attribute.value);
        self.attribute(owner, attribute.attr.as_str())
    }

    fn of_subscript(&mut self, subscript: &ExprSubscript) -> Value {
        let owner = self.value(&subscript.value);
        let key = match (&owner, &*subscript.slice) {
            // `df[df.a > 0]`: a condition, whatever it gives.
            (Value::Frame(_) | Value::Accessor(..), slice @ (Expr::Compare(_) | Expr::UnaryOp(_) | Expr::BinOp(_))) => {
                match self.value(slice) {
                    value @ (Value::Number(_) | Value::Text(_)) => value,
                    _ => Value::Unknown,
                }
            }
            (_, slice) => self.value(slice),
        };
        self.item(&owner, &key)
    }

    fn of_call(&mut self, call: &ExprCall) -> Value {
        let function = self.value(&call.func);
        let mut given = Given::default();
        for argument in &call.arguments.args {
            let value = self.value(argument);
            match (argument, value) {
                (Expr::Starred(_), Value::List(inner)) => given.places.extend(inner),
                (_, value) => given.places.push(value),
            }
        }
        for keyword in &call.arguments.keywords {
            let value = self.value(&keyword.value);
            match (&keyword.arg, value) {
                (Some(name), value) => given.names.push((name.as_str().to_owned(), value)),
                (None, Value::Dict(entries)) => given.names.extend(
                    entries.into_iter().filter_map(|(key, value)| key.text().map(|key| (key.to_owned(), value))),
                ),
                (None, _) => {}
            }
        }
        self.stand_at(call.start());
        if let (Value::Method(owner, method), Expr::Attribute(attribute)) = (&function, &*call.func)
            && let (Value::List(elements), Expr::Name(list)) = (&**owner, &*attribute.value)
            && let Some(grown) = grown(elements, method, &given)
        {
            self.bind_again(&list.id, Value::List(grown));
            return Value::Nothing;
        }
        self.call(&function, &given)
    }

    pub(super) fn call(&mut self, function: &Value, given: &Given) -> Value {
        match function {
            Value::Name(name) => self.call_name(name, given),
            Value::Function(function) => self.enter(&Rc::clone(function), given),
            Value::Method(owner, name) => self.call_method(owner, name, given),
            // What is not known may still plot a frame: `f(x="a", data=df)`.
            Value::Accessor(owner, "plot") => self.plot_of(owner, given),
            _ => {
                self.unknown_call(given);
                Value::Unknown
            }
        }
    }

    /// One of what a value holds, as a loop meets it.
    pub(super) fn element(&mut self, value: &Value) -> Value {
        match value {
            Value::List(elements) => elements.iter().find(|one| one.is_known()).cloned().unwrap_or(Value::Unknown),
            Value::Column(_) => value.clone(),
            Value::About(of, About::Unique) => (**of).clone(),
            Value::Handle(file) | Value::Line(file) => Value::Line(*file),
            Value::Json(file, pointer) => Value::Json(*file, format!("{pointer}/*")),
            Value::Frame(frame) if self.frames[*frame].is_by_place => value.clone(),
            Value::Method(owner, name) if matches!(name.as_str(), "iterrows" | "itertuples" | "items") => {
                self.call_method(&owner.clone(), name, &Given::default())
            }
            Value::Group(frame, _) => Value::List(vec![Value::Unknown, Value::Frame(*frame)]),
            _ => Value::Unknown,
        }
    }

    /// Says of a function that is not known what a frame and names of its columns say together.
    pub(super) fn unknown_call(&mut self, given: &Given) {
        let frame = given.all().find_map(|value| match value {
            Value::Frame(frame) => Some(*frame),
            _ => None,
        });
        if let Some(frame) = frame {
            self.names_beside(frame, given);
        }
        for value in given.all() {
            self.note(value, &Use::Named, "handed on");
        }
    }
}

/// A list to which something is added.
fn grown(elements: &[Value], method: &str, given: &Given) -> Option<Vec<Value>> {
    let added = match (method, given.first()?) {
        ("append" | "add", one) => vec![one.clone()],
        ("extend", Value::List(more)) => more.clone(),
        _ => return None,
    };
    (elements.len() + added.len() <= LONGEST_LIST).then(|| [elements, &added].concat())
}

#[expect(clippy::cast_precision_loss, reason = "a literal in code is as good as its nearest float")]
fn of_number(number: &Number) -> Value {
    match number {
        Number::Int(whole) => whole.as_i64().map_or(Value::Unknown, |whole| Value::Number(whole as f64)),
        Number::Float(number) => Value::Number(*number),
        Number::Complex { .. } => Value::Unknown,
    }
}
