//! Expressions.

use ruff_python_ast::visitor::{Visitor, walk_expr};
use ruff_python_ast::{Comprehension, Expr, ExprCall, ExprContext, ExprLambda};
use ruff_text_size::Ranged;

use super::super::bindings::{Bindings, targets};
use super::super::outside::{self, HandedValues};
use super::super::{Body, NameAct, Part, UnknownCause, change};
use super::Walk;

/// What stands around a value that an attribute or a subscript takes a part of.
#[derive(Clone, Copy)]
struct Around<'a> {
    act: NameAct,
    /// Whether the part is called.
    is_called: bool,
    /// The subscript of `loc` or `at`.
    slice: Option<&'a Expr>,
}

impl<'a> Walk<'a> {
    pub(super) fn expression(&mut self, expression: &'a Expr) {
        match expression {
            Expr::Attribute(_) | Expr::Subscript(_) => {
                self.part(expression, Around { act: NameAct::Read, is_called: false, slice: None });
            }
            Expr::Call(call) => self.call(call),
            Expr::Lambda(lambda) => self.lambda(lambda),
            Expr::ListComp(inner) => self.comprehension(&inner.generators, [Some(&*inner.elt), None]),
            Expr::SetComp(inner) => self.comprehension(&inner.generators, [Some(&*inner.elt), None]),
            Expr::Generator(inner) => self.comprehension(&inner.generators, [Some(&*inner.elt), None]),
            Expr::DictComp(inner) => {
                self.comprehension(&inner.generators, [inner.key.as_deref(), Some(&*inner.value)]);
            }
            Expr::BoolOp(inner) => self.first_surely(&inner.values),
            Expr::Compare(inner) => {
                self.visit_expr(&inner.left);
                self.first_surely(&inner.comparators);
            }
            Expr::If(inner) => {
                self.visit_expr(&inner.test);
                self.maybe(|walk| {
                    walk.visit_expr(&inner.body);
                    walk.visit_expr(&inner.orelse);
                });
            }
            Expr::StringLiteral(text) => self.outside(outside::mentioned(text.value.to_str())),
            Expr::FString(text) => {
                let literals = text.value.elements().filter_map(|element| element.as_literal());
                self.outside(literals.filter_map(|literal| outside::mentioned(&literal.value)));
                walk_expr(self, expression);
            }
            _ => walk_expr(self, expression),
        }
    }

    fn first_surely(&mut self, expressions: &'a [Expr]) {
        let Some((first, others)) = expressions.split_first() else { return };
        self.visit_expr(first);
        self.maybe(|walk| walk.sequence(others));
    }

    /// The first iterable is computed outside, at once.
    fn comprehension(&mut self, generators: &'a [Comprehension], elements: [Option<&'a Expr>; 2]) {
        let Some((first, others)) = generators.split_first() else { return };
        self.visit_expr(&first.iter);
        self.scopes.enter_comprehension(targets(generators));
        self.maybe(|walk| {
            walk.visit_expr(&first.target);
            walk.sequence(&first.ifs);
            others.iter().for_each(|generator| walk.visit_comprehension(generator));
            elements.into_iter().flatten().for_each(|element| walk.visit_expr(element));
        });
        self.scopes.leave();
    }

    fn lambda(&mut self, lambda: &'a ExprLambda) {
        let parameters = lambda.parameters.as_deref();
        self.defaults(parameters);
        let bindings = Bindings::of_expression(&lambda.body).with_parameters(parameters);
        let is_lazy = bindings.yields;
        let new = |walk: &Self| Body { is_lazy, ..walk.new_body(None, lambda) };
        self.body(new, |walk| {
            walk.scopes.enter_function(bindings);
            walk.visit_expr(&lambda.body);
            walk.scopes.leave();
        });
    }

    fn call(&mut self, call: &'a ExprCall) {
        self.outside(outside::written(call));
        self.handed(call);
        match &*call.func {
            Expr::Name(name) => {
                self.read(&name.id, NameAct::Call, None, name.range);
                self.builtin(&name.id, call);
            }
            Expr::Attribute(method) => {
                self.acts().methods.push(method.attr.to_string());
                let act = if change::changes_owner(call, &method.attr) { NameAct::Change } else { NameAct::Read };
                self.part(&call.func, Around { act, is_called: true, slice: None });
                self.of_shell(call);
            }
            function => self.visit_expr(function),
        }
        let arguments = &call.arguments;
        let changed = arguments.args.first().filter(|_| change::changes_argument(call));
        changed.into_iter().for_each(|first| self.changed(first));
        self.sequence(arguments.args.get(usize::from(changed.is_some())..).unwrap_or_default());
        arguments.keywords.iter().for_each(|keyword| self.visit_expr(&keyword.value));
    }

    /// Which names are handed to a function or method, in case it changes them.
    fn handed(&mut self, call: &'a ExprCall) {
        let (callee, owner) = match &*call.func {
            Expr::Name(name) => (&*name.id, None),
            Expr::Attribute(method) => (method.attr.as_str(), outside::root(&method.value)),
            _ => return,
        };
        let arguments = &call.arguments;
        let values = arguments.args.iter().chain(arguments.keywords.iter().map(|keyword| &keyword.value));
        let of_namespace = |name: &&str| self.scopes.reads(name);
        let names: Vec<String> = values.flat_map(outside::roots).filter(of_namespace).map(str::to_owned).collect();
        let owner = owner.filter(of_namespace).map(str::to_owned);
        if owner.is_some() || !names.is_empty() {
            let found = HandedValues { callee: callee.to_owned(), owner, names };
            self.acts().handed.push(found);
        }
    }

    /// A value that is handed to what changes it.
    fn changed(&mut self, expression: &'a Expr) {
        match expression {
            Expr::Name(name) => self.read(&name.id, NameAct::Change, None, name.range),
            Expr::Attribute(_) | Expr::Subscript(_) => {
                self.part(expression, Around { act: NameAct::Change, is_called: false, slice: None });
            }
            _ => self.visit_expr(expression),
        }
    }

    /// The target of an augmented assignment is looked up first. Attributes and subscripts are looked up as they are written.
    pub(super) fn read_target(&mut self, target: &'a Expr) {
        if let Expr::Name(name) = target {
            self.read(&name.id, NameAct::Read, None, name.range);
        }
    }

    /// An attribute or a subscript: what is done with it is done with a part of what stands first.
    fn part(&mut self, expression: &'a Expr, around: Around<'a>) {
        let (value, context) = match expression {
            Expr::Attribute(attribute) => (&*attribute.value, attribute.ctx),
            Expr::Subscript(subscript) => (&*subscript.value, subscript.ctx),
            _ => return self.visit_expr(expression),
        };
        let act = if context == ExprContext::Load { around.act } else { NameAct::Change };
        if act == NameAct::Change && is_search_path(expression) {
            self.outside([outside::moved()]);
        }
        match value {
            Expr::Name(name) => {
                let parts = parts(expression, around);
                if parts.is_empty() {
                    self.read(&name.id, act, None, name.range);
                }
                for part in parts {
                    self.read(&name.id, act, Some(part), name.range);
                }
            }
            _ => {
                let slice = expression.as_subscript_expr().map(|subscript| &*subscript.slice);
                self.part(value, Around { act, is_called: false, slice });
            }
        }
        if let Expr::Subscript(subscript) = expression {
            self.visit_expr(&subscript.slice);
        }
    }

    /// Builtins that reach the namespace by other ways than names.
    fn builtin(&mut self, name: &str, call: &'a ExprCall) {
        if !self.scopes.reads(name) {
            return;
        }
        let arguments = &call.arguments;
        // With a namespace of their own they reach no other.
        let has_namespace = arguments.args.len() > 1 || arguments.keywords.iter().any(|keyword| keyword.arg.is_some());
        let is_top = self.scopes.is_top() && arguments.is_empty();
        let cause = match name {
            "exec" if !has_namespace => UnknownCause::Exec,
            "eval" if !has_namespace => UnknownCause::Eval,
            "globals" => UnknownCause::Namespace("globals()".to_owned()),
            "locals" | "vars" if is_top => UnknownCause::Namespace(format!("{name}()")),
            "dir" if is_top => UnknownCause::Listing,
            _ => return,
        };
        self.unknown(cause, call.range());
    }
}

/// `sys.path`, or a method of it.
fn is_search_path(expression: &Expr) -> bool {
    let Expr::Attribute(path) = expression else { return false };
    path.attr.as_str() == "path" && path.value.as_name_expr().is_some_and(|module| module.id == "sys")
}

/// The parts of a named value that an attribute or subscript of it means; none for the value as a whole.
fn parts(expression: &Expr, around: Around<'_>) -> Vec<Part> {
    let items = |keys: Vec<&str>| keys.into_iter().map(|key| Part::Item(key.to_owned())).collect();
    match expression {
        Expr::Subscript(subscript) => items(change::keys(&subscript.slice)),
        Expr::Attribute(attribute) => match (attribute.attr.as_str(), around.slice) {
            (name, _) if around.is_called => vec![Part::Method(name.to_owned())],
            ("loc" | "at" | "iloc" | "iat", slice) => items(slice.map(change::column_keys).unwrap_or_default()),
            (name, _) => vec![Part::Attribute(name.to_owned())],
        },
        _ => Vec::new(),
    }
}
