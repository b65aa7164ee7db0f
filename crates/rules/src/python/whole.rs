//! Which expressions are whole numbers, and which are fractions, as far as the text of a notebook tells.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use nbrevive_pysource::ast::{Comprehension, Expr, ExprCall, ExprContext, Operator, Stmt};
use nbrevive_pysource::text_size::Ranged;

use crate::kind::Kind;
use crate::shape;
use crate::view::View;
use crate::walk::{self, Surroundings};

/// What a name is bound to at one place.
enum Binding<'a> {
    /// The value of an expression.
    Value(&'a Expr),
    /// Elements of an iterable, or with `true` the first of each of its pairs.
    Elements(&'a Expr, bool),
    /// One of the sizes of an array: `rows, columns = x.shape`.
    Size,
    Unknown,
}

/// The names of a notebook, by all that they are bound to.
pub(super) struct Wholes<'v, 'a> {
    view: &'v View<'a>,
    bindings: HashMap<&'a str, Vec<Binding<'a>>>,
    /// Names that are being asked for: a counter is whole when all else that it is bound to is.
    asked: RefCell<HashSet<String>>,
}

impl<'v, 'a> Wholes<'v, 'a> {
    /// Reads what names are bound to.
    pub(super) fn of(view: &'v View<'a>) -> Self {
        let mut bindings: HashMap<&'a str, Vec<Binding<'a>>> = HashMap::new();
        view.expressions(|_, expression, around| match expression {
            Expr::Name(name) if name.ctx == ExprContext::Store => {
                bindings.entry(name.id.as_str()).or_default().push(binding(expression, around));
            }
            Expr::Lambda(lambda) => {
                for parameter in lambda.parameters.iter().flat_map(|parameters| parameters.iter()) {
                    bindings.entry(parameter.name().as_str()).or_default().push(Binding::Unknown);
                }
            }
            _ => {}
        });
        for source in view.code.cells {
            walk::statements(source.parsed.body(), &mut |statement, _| {
                if let Stmt::FunctionDef(function) = statement {
                    for parameter in function.parameters.iter() {
                        bindings.entry(parameter.name().as_str()).or_default().push(Binding::Unknown);
                    }
                }
            });
        }
        Wholes { view, bindings, asked: RefCell::default() }
    }

    /// Whether an expression is a whole number beyond doubt.
    pub(super) fn has(&self, expression: &Expr) -> bool {
        match expression {
            Expr::NumberLiteral(number) => number.value.is_int(),
            Expr::UnaryOp(operation) => self.has(&operation.operand),
            Expr::BinOp(operation) => {
                is_closed(operation.op) && self.has(&operation.left) && self.has(&operation.right)
            }
            Expr::If(choice) => self.has(&choice.body) && self.has(&choice.orelse),
            Expr::Name(name) => self.has_name(name.id.as_str()),
            Expr::Call(call) => self.has_result(call),
            Expr::Subscript(subscript) => {
                matches!(&*subscript.value, Expr::Attribute(attribute) if attribute.attr.as_str() == "shape")
            }
            Expr::Attribute(attribute) => attribute.attr.as_str() == "ndim",
            _ => false,
        }
    }

    /// Whether `/` of Python 2 surely gave what it gives today with this on one side: fractions, and all of pandas.
    pub(super) fn is_fraction(&self, expression: &Expr) -> bool {
        match expression {
            Expr::NumberLiteral(number) => !number.value.is_int(),
            Expr::UnaryOp(operation) => self.is_fraction(&operation.operand),
            Expr::BinOp(operation) => self.is_fraction(&operation.left) || self.is_fraction(&operation.right),
            Expr::If(choice) => self.is_fraction(&choice.body) && self.is_fraction(&choice.orelse),
            Expr::Name(name) => self.is_fraction_name(name.id.as_str()) || self.is_of_pandas(expression),
            Expr::Call(call) => self.gives_fraction(call) || self.is_of_pandas(expression),
            _ => self.is_of_pandas(expression),
        }
    }

    fn gives_fraction(&self, call: &ExprCall) -> bool {
        if let Some(called) = self.view.qualified(&call.func) {
            let (module, name) = called.rsplit_once('.').unwrap_or(("", &called));
            return match module {
                "math" => !matches!(name, "factorial" | "trunc" | "gcd"),
                "time" => name == "time",
                "random" => matches!(name, "random" | "uniform" | "gauss" | "expovariate"),
                "numpy.random" => matches!(name, "rand" | "randn" | "random" | "uniform" | "normal" | "random_sample"),
                "numpy" => FRACTIONS.contains(&name),
                _ => false,
            };
        }
        match shape::name(&call.func) {
            Some(name) => matches!(name, "float" | "round" | "old_round"),
            None => shape::method(call).is_some_and(|(_, name)| matches!(name, "mean" | "std" | "var")),
        }
    }

    fn is_of_pandas(&self, expression: &Expr) -> bool {
        let kinds = self.view.kinds(expression);
        !kinds.is_empty() && kinds.iter().all(|kind| matches!(kind, Kind::Frame | Kind::Series | Kind::Index))
    }

    fn is_fraction_name(&self, name: &str) -> bool {
        self.holds(name, &|binding| matches!(binding, Binding::Value(value) if self.is_fraction(value)))
    }

    fn has_result(&self, call: &ExprCall) -> bool {
        let arguments = &call.arguments.args;
        match shape::name(&call.func) {
            Some("len" | "int" | "long" | "ord") => true,
            Some("abs" | "max" | "min") => !arguments.is_empty() && arguments.iter().all(|one| self.has_or_all(one)),
            Some("sum") => arguments.len() == 1 && self.has_all(&arguments[0]),
            Some(_) => false,
            None => shape::method(call).is_some_and(|(attribute, name)| {
                matches!(name, "count" | "find" | "index")
                    && self.view.kinds(&attribute.value).iter().any(|kind| matches!(kind, Kind::Text | Kind::List(_)))
            }),
        }
    }

    fn has_or_all(&self, expression: &Expr) -> bool {
        self.has(expression) || self.has_all(expression)
    }

    /// Whether all elements of an iterable are whole numbers.
    fn has_all(&self, iterable: &Expr) -> bool {
        match iterable {
            Expr::Call(call) => match shape::name(&call.func) {
                Some("range" | "xrange") => true,
                Some("list" | "sorted" | "reversed" | "set" | "tuple") => {
                    call.arguments.args.first().is_some_and(|inner| self.has_all(inner))
                }
                _ => false,
            },
            _ => shape::elements(iterable)
                .is_some_and(|elements| !elements.is_empty() && elements.iter().all(|one| self.has(one))),
        }
    }

    fn has_name(&self, name: &str) -> bool {
        self.holds(name, &|binding| match binding {
            Binding::Value(value) => self.has(value),
            Binding::Elements(iterable, false) => self.has_all(iterable),
            Binding::Elements(iterable, true) => {
                matches!(iterable, Expr::Call(call) if shape::name(&call.func) == Some("enumerate"))
            }
            Binding::Size => true,
            Binding::Unknown => false,
        })
    }

    /// Whether all that a name is bound to is so.
    fn holds(&self, name: &str, is_so: &dyn Fn(&Binding<'_>) -> bool) -> bool {
        let Some(bindings) = self.bindings.get(name) else { return false };
        if !self.asked.borrow_mut().insert(name.to_owned()) {
            return true;
        }
        let found = bindings.iter().all(is_so);
        self.asked.borrow_mut().remove(name);
        found
    }
}

/// Functions of numpy that give fractions, whatever they are given.
const FRACTIONS: [&str; 22] = [
    "mean",
    "average",
    "std",
    "var",
    "sqrt",
    "exp",
    "log",
    "log2",
    "log10",
    "log1p",
    "sin",
    "cos",
    "tan",
    "tanh",
    "arctan",
    "arctan2",
    "floor",
    "ceil",
    "linspace",
    "percentile",
    "hypot",
    "float64",
];

/// Whether an operation of whole numbers gave one in Python 2.
fn is_closed(operator: Operator) -> bool {
    !matches!(operator, Operator::MatMult | Operator::Pow)
}

/// What a name is bound to where it stands as a target.
fn binding<'a>(name: &'a Expr, around: &Surroundings<'a, '_>) -> Binding<'a> {
    let generators = around.parents.iter().rev().find_map(|parent| match parent {
        Expr::ListComp(comp) => Some(&comp.generators),
        Expr::SetComp(comp) => Some(&comp.generators),
        Expr::DictComp(comp) => Some(&comp.generators),
        Expr::Generator(comp) => Some(&comp.generators),
        _ => None,
    });
    if let Some(generators) = generators {
        let holds = |generator: &&Comprehension| generator.target.range().contains_range(name.range());
        let generator = generators.iter().find(holds);
        return generator.map_or(Binding::Unknown, |generator| elements(name, &generator.target, &generator.iter));
    }
    match around.statement() {
        Stmt::Assign(assign) => {
            let target = assign.targets.iter().find(|target| target.range().contains_range(name.range()));
            target.map_or(Binding::Unknown, |target| value_of(name, target, &assign.value))
        }
        Stmt::AnnAssign(assign) => assign.value.as_deref().map_or(Binding::Unknown, Binding::Value),
        // A power may be a fraction.
        Stmt::AugAssign(assign) if is_closed(assign.op) => Binding::Value(&assign.value),
        Stmt::For(block) => elements(name, &block.target, &block.iter),
        _ => Binding::Unknown,
    }
}

/// `n = value`, and `m, n = one, other`.
fn value_of<'a>(name: &Expr, target: &Expr, value: &'a Expr) -> Binding<'a> {
    if target.range() == name.range() {
        return Binding::Value(value);
    }
    if shape::elements(target).is_some() && matches!(value, Expr::Attribute(shape) if shape.attr.as_str() == "shape") {
        return Binding::Size;
    }
    let pair =
        shape::elements(target).zip(shape::elements(value)).filter(|(targets, values)| targets.len() == values.len());
    let found =
        pair.and_then(|(targets, values)| targets.iter().zip(values).find(|(one, _)| one.range() == name.range()));
    found.map_or(Binding::Unknown, |(_, value)| Binding::Value(value))
}

/// `for n in iterable`, and `for n, other in iterable`.
fn elements<'a>(name: &Expr, target: &Expr, iterable: &'a Expr) -> Binding<'a> {
    if target.range() == name.range() {
        return Binding::Elements(iterable, false);
    }
    let is_first = shape::elements(target).and_then(<[Expr]>::first).is_some_and(|first| first.range() == name.range());
    if is_first { Binding::Elements(iterable, true) } else { Binding::Unknown }
}
