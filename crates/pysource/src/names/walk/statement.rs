//! Statements.

use ruff_python_ast::visitor::{Visitor, walk_stmt};
use ruff_python_ast::{
    ExceptHandler, Expr, Parameters, Stmt, StmtAnnAssign, StmtAssign, StmtClassDef, StmtFunctionDef, StmtImportFrom,
    StmtTry, TypeParam, TypeParams,
};
use ruff_text_size::Ranged;

use super::super::bindings::{Bindings, bound_by_import, type_names};
use super::super::{Acts, Binder, Body, NameAct, UnknownCause};
use super::Walk;
use crate::readers::imports::catches;

/// Errors of which one in a handler keeps a missing name from doing harm.
const NAME_ERRORS: [&str; 3] = ["NameError", "Exception", "BaseException"];

impl<'a> Walk<'a> {
    pub(super) fn statement(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::FunctionDef(function) => self.function(function),
            Stmt::ClassDef(class) => self.class(class),
            Stmt::Assign(assignment) => self.assignment(assignment),
            Stmt::AnnAssign(assignment) => self.annotated(assignment),
            Stmt::AugAssign(sum) => {
                self.read_target(&sum.target);
                self.visit_expr(&sum.value);
                self.visit_expr(&sum.target);
            }
            Stmt::For(inner) => {
                self.visit_expr(&inner.iter);
                self.twins(&inner.target, &inner.iter, true);
                self.maybe(|walk| {
                    walk.visit_expr(&inner.target);
                    walk.visit_body(&inner.body);
                    walk.visit_body(&inner.orelse);
                });
            }
            Stmt::While(inner) => {
                self.visit_expr(&inner.test);
                self.maybe(|walk| {
                    walk.visit_body(&inner.body);
                    walk.visit_body(&inner.orelse);
                });
            }
            Stmt::If(inner) => {
                self.visit_expr(&inner.test);
                self.maybe(|walk| {
                    walk.visit_body(&inner.body);
                    inner.elif_else_clauses.iter().for_each(|clause| walk.visit_elif_else_clause(clause));
                });
            }
            Stmt::Try(inner) => self.try_statement(inner),
            Stmt::Assert(inner) => {
                self.visit_expr(&inner.test);
                self.maybe(|walk| inner.msg.iter().for_each(|message| walk.visit_expr(message)));
            }
            Stmt::Import(import) => {
                for alias in &import.names {
                    self.bind(bound_by_import(alias), Binder::Import, alias.range);
                    if alias.name.as_str() == "__main__" {
                        self.unknown(UnknownCause::Namespace("import __main__".to_owned()), alias.range);
                    }
                }
            }
            Stmt::ImportFrom(import) => self.import_from(import),
            Stmt::TypeAlias(alias) => {
                let Expr::Name(name) = &*alias.name else { return };
                self.lazily(alias.type_params.as_deref(), Some(&name.id), alias, |walk| walk.visit_expr(&alias.value));
                self.bind(&name.id, Binder::Value, name.range);
                self.bind_body(self.bodies.len().checked_sub(1));
            }
            _ => walk_stmt(self, statement),
        }
    }

    fn import_from(&mut self, import: &'a StmtImportFrom) {
        let module = import.module.as_ref().map_or("", |module| module.as_str());
        for alias in &import.names {
            let name = alias.asname.as_ref().unwrap_or(&alias.name);
            if module == "__future__" && alias.name.as_str() == "annotations" {
                self.defers_annotations = true;
            }
            if alias.name.as_str() == "*" {
                let dots = ".".repeat(import.level as usize);
                self.unknown(UnknownCause::StarImport(format!("{dots}{module}")), alias.range);
            } else {
                self.bind(name, Binder::Import, alias.range);
            }
        }
    }

    /// A lambda that is assigned to a name is a function of that name.
    fn assignment(&mut self, assignment: &'a StmtAssign) {
        let before = self.top.events.len();
        self.visit_expr(&assignment.value);
        let is_alias = matches!((&*assignment.value, assignment.targets.as_slice()), (Expr::Name(_), [Expr::Name(_)]));
        if is_alias && self.current.is_none() && self.scopes.is_namespace() {
            self.top.aliases.extend(before..self.top.events.len());
        }
        assignment.targets.iter().for_each(|target| self.twins(target, &assignment.value, false));
        let (Expr::Lambda(_), [Expr::Name(name)]) = (&*assignment.value, assignment.targets.as_slice()) else {
            return assignment.targets.iter().for_each(|target| self.visit_expr(target));
        };
        self.bind(&name.id, Binder::Function, name.range);
        if let (None, Some(body)) = (self.current, self.bodies.len().checked_sub(1)) {
            self.bodies[body].name = Some(name.id.to_string());
            self.bind_body(Some(body));
        }
    }

    /// The value, the target, and then the annotation, which stays unread in functions.
    fn annotated(&mut self, assignment: &'a StmtAnnAssign) {
        assignment.value.iter().for_each(|value| self.visit_expr(value));
        if assignment.value.is_some() || !assignment.target.is_name_expr() {
            self.visit_expr(&assignment.target);
        }
        if self.scopes.annotates() {
            self.visit_annotation(&assignment.annotation);
        }
    }

    fn try_statement(&mut self, inner: &'a StmtTry) {
        let is_guarded = inner.handlers.iter().any(|handler| catches(handler, &NAME_ERRORS));
        if is_guarded {
            self.guarded(|walk| walk.visit_body(&inner.body));
        } else {
            self.maybe(|walk| walk.visit_body(&inner.body));
        }
        self.maybe(|walk| {
            inner.handlers.iter().for_each(|handler| walk.handler(handler));
            walk.visit_body(&inner.orelse);
        });
        self.visit_body(&inner.finalbody);
    }

    /// The name of an exception lives as long as its handler.
    fn handler(&mut self, handler: &'a ExceptHandler) {
        let ExceptHandler::ExceptHandler(inner) = handler;
        inner.type_.iter().for_each(|kind| self.visit_expr(kind));
        let Some(name) = &inner.name else { return self.visit_body(&inner.body) };
        self.bind(name, Binder::Exception, name.range);
        self.visit_body(&inner.body);
        self.delete(name, name.range);
    }

    fn function(&mut self, function: &'a StmtFunctionDef) {
        function.decorator_list.iter().for_each(|decorator| self.visit_expr(&decorator.expression));
        self.defaults(Some(&function.parameters));
        let bindings = Bindings::of_body(&function.body).with_parameters(Some(&function.parameters));
        let is_lazy = function.is_async || bindings.yields;
        self.typed(function.type_params.as_deref(), function, |walk| {
            for parameter in &*function.parameters {
                parameter.annotation().into_iter().for_each(|annotation| walk.visit_annotation(annotation));
            }
            function.returns.iter().for_each(|annotation| walk.visit_annotation(annotation));
            let new = |walk: &Self| Body {
                is_lazy,
                is_decorated: !function.decorator_list.is_empty(),
                ..walk.new_body(Some(&function.name), function)
            };
            walk.body(new, |walk| {
                walk.scopes.enter_function(bindings);
                walk.visit_body(&function.body);
                walk.scopes.leave();
            });
        });
        let body = self.bodies.len().checked_sub(1);
        if let (None, Some(body)) = (self.current, body) {
            let is_parameter = |name: &String| function.parameters.iter().any(|one| one.name().as_str() == name);
            self.bodies[body].changed.retain(is_parameter);
        }
        self.bind(&function.name, Binder::Function, function.name.range);
        self.bind_body(body);
    }

    fn class(&mut self, class: &'a StmtClassDef) {
        class.decorator_list.iter().for_each(|decorator| self.visit_expr(&decorator.expression));
        let first = self.bodies.len();
        let is_outermost = self.current.is_none() && self.scopes.class().is_none();
        self.typed(class.type_params.as_deref(), class, |walk| {
            class.arguments.iter().for_each(|arguments| walk.visit_arguments(arguments));
            walk.scopes.enter_class(&class.name, Bindings::of_body(&class.body));
            walk.visit_body(&class.body);
            walk.scopes.leave();
        });
        self.bind(&class.name, Binder::Class, class.name.range);
        if is_outermost {
            (first..self.bodies.len()).for_each(|body| self.bind_body(Some(body)));
        }
    }

    /// Walks with type parameters in scope; what bounds them is computed when it is asked for.
    fn typed(&mut self, types: Option<&'a TypeParams>, owner: &'a impl Ranged, walk: impl FnOnce(&mut Self)) {
        let Some(types) = types else { return walk(self) };
        self.scopes.enter_types(type_names(types));
        let is_bounded = |parameter: &TypeParam| {
            parameter.default().is_some() || parameter.as_type_var().is_some_and(|variable| variable.bound.is_some())
        };
        if types.iter().any(is_bounded) {
            let new = |walk: &Self| walk.new_body(None, owner);
            self.body(new, |walk| walk.visit_type_params(types));
        }
        walk(self);
        self.scopes.leave();
    }

    /// Walks what a type alias stands for.
    fn lazily(
        &mut self,
        types: Option<&'a TypeParams>,
        name: Option<&str>,
        owner: &'a impl Ranged,
        walk: impl FnOnce(&mut Self),
    ) {
        self.scopes.enter_types(types.map(type_names).unwrap_or_default());
        let new = |walk: &Self| Body { is_lazy: true, ..walk.new_body(name, owner) };
        self.body(new, |inner| {
            types.into_iter().for_each(|types| inner.visit_type_params(types));
            walk(inner);
        });
        self.scopes.leave();
    }

    /// Default values are computed where the function is defined.
    pub(super) fn defaults(&mut self, parameters: Option<&'a Parameters>) {
        for default in parameters.into_iter().flatten().filter_map(|parameter| parameter.default()) {
            self.visit_expr(default);
        }
    }

    pub(super) fn new_body(&self, name: Option<&str>, place: &impl Ranged) -> Body {
        let (line, span) = self.places.of(place.range());
        Body {
            name: name.map(str::to_owned),
            class: self.scopes.class().map(str::to_owned),
            binding: None,
            is_lazy: false,
            is_decorated: false,
            changed: Vec::new(),
            line,
            span,
            acts: Acts::default(),
        }
    }

    /// Ties a body to the event just noted, if that binds a name of the namespace for it.
    fn bind_body(&mut self, body: Option<usize>) {
        let last = self.top.events.len().checked_sub(1);
        let is_binding = |at: &usize| matches!(self.top.events[*at].act, NameAct::Bind(_));
        if let (None, Some(body), true) = (self.current, body, self.scopes.is_namespace()) {
            self.bodies[body].binding = last.filter(is_binding);
        }
    }
}
