//! Gives expressions a value.

use nbrevive_pysource::ast::{Comprehension, Expr, ExprBinOp, ExprDict, Number, Operator};

use super::value::Value;
use super::{MOST_STEPS, Machine};
use crate::code::plain;
use crate::truth::truth;

/// Attributes that say something about the form of a value and nothing of what it holds.
const FORM: &[&str] = &[
    "shape",
    "size",
    "index",
    "columns",
    "dtype",
    "dtypes",
    "ndim",
    "empty",
    "nbytes",
    "name",
    "classes_",
    "__class__",
];
impl<'a> Machine<'a> {
    pub(super) fn value(&mut self, expression: &'a Expr) -> Value {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return Value::plain(true);
        }
        match expression {
            Expr::Name(name) => self.environment.get(name.id.as_str()),
            Expr::Attribute(attribute) => self.attribute(expression, &attribute.value, attribute.attr.as_str()),
            Expr::Subscript(subscript) => {
                let whole = self.value(&subscript.value);
                let index = self.value(&subscript.slice);
                self.part(&whole, &index, &subscript.slice)
            }
            Expr::Call(call) => self.call(call),
            Expr::BinOp(operation) => self.operation(operation),
            Expr::If(choice) => match truth(&choice.test) {
                Some(true) => self.value(&choice.body),
                Some(false) => self.value(&choice.orelse),
                None => {
                    let test = self.value(&choice.test);
                    let (one, other) = (self.value(&choice.body), self.value(&choice.orelse));
                    Value { learned: test.is_learned() || one.learned || other.learned, ..one.joined(&other) }
                }
            },
            Expr::Dict(dict) => self.dict(dict),
            Expr::Named(named) => {
                let value = self.value(&named.value);
                self.assign(&named.target, &value, Some(&named.value));
                value
            }
            Expr::ListComp(list) => self.comprehension(&list.generators, &[&list.elt]),
            Expr::SetComp(set) => self.comprehension(&set.generators, &[&set.elt]),
            Expr::Generator(generator) => self.comprehension(&generator.generators, &[&generator.elt]),
            Expr::DictComp(dict) => self.comprehension(&dict.generators, &[&dict.value]),
            Expr::Lambda(lambda) => self.value(&lambda.body),
            Expr::StringLiteral(_) | Expr::NumberLiteral(_) | Expr::BooleanLiteral(_) => Value::default(),
            _ => Value::plain(self.any_inside(expression)),
        }
    }

    /// Whether anything in a list, a tuple, a comparison and so on is learned.
    fn any_inside(&mut self, expression: &'a Expr) -> bool {
        let parts: Vec<&'a Expr> = match expression {
            Expr::List(list) => list.elts.iter().collect(),
            Expr::Tuple(tuple) => tuple.elts.iter().collect(),
            Expr::Set(set) => set.elts.iter().collect(),
            Expr::BoolOp(operation) => operation.values.iter().collect(),
            Expr::UnaryOp(operation) => vec![&operation.operand],
            Expr::Compare(comparison) => std::iter::once(&*comparison.left).chain(&comparison.comparators).collect(),
            Expr::Starred(starred) => vec![&starred.value],
            Expr::Await(waiting) => vec![&waiting.value],
            Expr::Yield(given) => given.value.iter().map(|value| &**value).collect(),
            Expr::YieldFrom(given) => vec![&given.value],
            Expr::Slice(slice) => [&slice.lower, &slice.upper].into_iter().flatten().map(|bound| &**bound).collect(),
            Expr::FString(string) => string
                .value
                .elements()
                .filter_map(|element| element.as_interpolation())
                .map(|hole| &*hole.expression)
                .collect(),
            _ => Vec::new(),
        };
        let mut learned = false;
        for part in parts {
            learned |= self.value(part).is_learned();
        }
        learned
    }

    fn attribute(&mut self, whole: &'a Expr, owner: &'a Expr, name: &str) -> Value {
        if let Some(dotted) = plain(whole)
            && self.environment.knows(&dotted)
        {
            return self.environment.get(&dotted);
        }
        let owner = self.value(owner);
        if FORM.contains(&name) {
            return Value::default();
        }
        match name {
            "loc" | "iloc" | "T" | "at" | "iat" => owner,
            "values" | "array" | "flat" | "str" | "dt" | "cat" | "real" => Value::plain(owner.is_learned()),
            // Of a table an attribute is a column; of anything else it may hold everything.
            column => Value::plain(owner.column(column)),
        }
    }

    /// `whole[index]`.
    fn part(&mut self, whole: &Value, index: &Value, written: &Expr) -> Value {
        let columns = match written {
            Expr::Tuple(parts) => parts.elts.last().map(|last| self.column_names(last)).unwrap_or_default(),
            single => self.column_names(single),
        };
        match columns.as_slice() {
            [] => Value { learned: whole.learned || index.is_learned(), columns: whole.columns.clone() },
            [one] if !matches!(written, Expr::List(_)) => Value::plain(whole.column(one)),
            names => {
                let columns = names.iter().map(|name| (name.clone(), whole.column(name))).collect();
                Value { learned: false, columns }
            }
        }
    }

    fn operation(&mut self, operation: &'a ExprBinOp) -> Value {
        let (left, right) = (self.value(&operation.left), self.value(&operation.right));
        let wipes = match operation.op {
            Operator::Mult | Operator::BitAnd => is_zero(&operation.left) || is_zero(&operation.right),
            Operator::Pow => is_zero(&operation.right),
            Operator::Sub | Operator::Div | Operator::FloorDiv | Operator::BitXor => {
                plain(&operation.left).is_some_and(|left| plain(&operation.right) == Some(left))
            }
            _ => false,
        };
        let learned = !wipes && (left.is_learned() || right.is_learned());
        if wipes { Value::default() } else { Value { learned, ..left } }
    }

    fn dict(&mut self, dict: &'a ExprDict) -> Value {
        let mut value = Value::default();
        for item in &dict.items {
            let part = self.value(&item.value);
            let name = item.key.as_ref().map(|key| self.column_names(key)).unwrap_or_default();
            match name.as_slice() {
                [name] => {
                    value.columns.insert(name.clone(), part.is_learned());
                }
                _ => value = Value { learned: value.learned || part.learned, ..value.joined(&part) },
            }
        }
        value
    }

    fn comprehension(&mut self, generators: &'a [Comprehension], parts: &[&'a Expr]) -> Value {
        let before = self.snapshot();
        for generator in generators {
            self.assign_iterated(&generator.target, &generator.iter);
        }
        let mut learned = false;
        for part in parts {
            learned |= self.value(part).is_learned();
        }
        self.environment = before;
        Value::plain(learned)
    }
}

pub(super) fn is_zero(expression: &Expr) -> bool {
    match expression {
        Expr::NumberLiteral(number) => match &number.value {
            Number::Int(value) => value.as_i64() == Some(0),
            Number::Float(value) => *value == 0.0,
            Number::Complex { .. } => false,
        },
        Expr::BooleanLiteral(literal) => !literal.value,
        _ => false,
    }
}
