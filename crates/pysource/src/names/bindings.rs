//! The names that a function's body makes its own: whatever it binds anywhere, unless it declares otherwise.

use std::collections::HashSet;

use ruff_python_ast::visitor::{Visitor, walk_expr, walk_pattern, walk_stmt};
use ruff_python_ast::{Comprehension, ExceptHandler, Expr, ExprContext, Parameters, Pattern, Stmt, TypeParams};

/// What a body binds and declares.
#[derive(Debug, Default)]
pub(super) struct Bindings<'a> {
    /// Names that it binds.
    pub(super) bound: HashSet<&'a str>,
    /// Names that it declares `global`.
    pub(super) globals: HashSet<&'a str>,
    /// Names that it declares `nonlocal`.
    pub(super) nonlocals: HashSet<&'a str>,
    /// Whether it yields, so that a call does not run it.
    pub(super) yields: bool,
}

impl<'a> Bindings<'a> {
    /// Those of a list of statements.
    pub(super) fn of_body(body: &'a [Stmt]) -> Self {
        let mut found = Self::default();
        found.visit_body(body);
        found
    }

    /// Those of a lambda's expression.
    pub(super) fn of_expression(expression: &'a Expr) -> Self {
        let mut found = Self::default();
        found.visit_expr(expression);
        found
    }

    /// Adds the parameters' names.
    pub(super) fn with_parameters(mut self, parameters: Option<&'a Parameters>) -> Self {
        self.bound.extend(parameters.into_iter().flatten().map(|parameter| parameter.name().as_str()));
        self
    }

    /// The names that stay in the body.
    pub(super) fn locals(&self) -> HashSet<&'a str> {
        let is_local = |name: &&&str| !self.globals.contains(**name) && !self.nonlocals.contains(**name);
        self.bound.iter().filter(is_local).copied().collect()
    }

    /// Default values stand outside of the function that they belong to.
    fn defaults(&mut self, parameters: Option<&'a Parameters>) {
        for default in parameters.into_iter().flatten().filter_map(|parameter| parameter.default()) {
            self.visit_expr(default);
        }
    }
}

impl<'a> Visitor<'a> for Bindings<'a> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::FunctionDef(function) => {
                self.bound.insert(&function.name);
                function.decorator_list.iter().for_each(|decorator| self.visit_decorator(decorator));
                self.defaults(Some(&function.parameters));
            }
            Stmt::ClassDef(class) => {
                self.bound.insert(&class.name);
                class.decorator_list.iter().for_each(|decorator| self.visit_decorator(decorator));
                class.arguments.iter().for_each(|arguments| self.visit_arguments(arguments));
            }
            Stmt::Import(import) => self.bound.extend(import.names.iter().map(bound_by_import)),
            Stmt::ImportFrom(import) => {
                self.bound
                    .extend(import.names.iter().map(|alias| alias.asname.as_ref().unwrap_or(&alias.name).as_str()));
            }
            Stmt::Global(global) => self.globals.extend(global.names.iter().map(|name| name.as_str())),
            Stmt::Nonlocal(nonlocal) => self.nonlocals.extend(nonlocal.names.iter().map(|name| name.as_str())),
            _ => walk_stmt(self, statement),
        }
    }

    fn visit_expr(&mut self, expression: &'a Expr) {
        match expression {
            Expr::Name(name) if name.ctx != ExprContext::Load => {
                self.bound.insert(&name.id);
            }
            Expr::Lambda(lambda) => self.defaults(lambda.parameters.as_deref()),
            Expr::Yield(_) | Expr::YieldFrom(_) => {
                self.yields = true;
                walk_expr(self, expression);
            }
            _ => walk_expr(self, expression),
        }
    }

    /// Targets of a comprehension are its own.
    fn visit_comprehension(&mut self, comprehension: &'a Comprehension) {
        self.visit_expr(&comprehension.iter);
        comprehension.ifs.iter().for_each(|test| self.visit_expr(test));
    }

    fn visit_except_handler(&mut self, handler: &'a ExceptHandler) {
        let ExceptHandler::ExceptHandler(inner) = handler;
        self.bound.extend(inner.name.iter().map(|name| name.as_str()));
        ruff_python_ast::visitor::walk_except_handler(self, handler);
    }

    fn visit_pattern(&mut self, pattern: &'a Pattern) {
        self.bound.extend(bound_by_pattern(pattern));
        walk_pattern(self, pattern);
    }

    fn visit_annotation(&mut self, _: &'a Expr) {}
}

/// The name that `import a.b` or `import a.b as c` binds.
pub(super) fn bound_by_import(alias: &ruff_python_ast::Alias) -> &str {
    match &alias.asname {
        Some(name) => name,
        None => alias.name.split('.').next().unwrap_or(&alias.name),
    }
}

/// The name that a pattern binds by itself, without those inside it.
pub(super) fn bound_by_pattern(pattern: &Pattern) -> Option<&str> {
    let name = match pattern {
        Pattern::MatchAs(inner) => inner.name.as_ref(),
        Pattern::MatchStar(inner) => inner.name.as_ref(),
        Pattern::MatchMapping(inner) => inner.rest.as_ref(),
        _ => None,
    };
    name.map(|name| name.as_str())
}

/// The names in the target of a comprehension.
pub(super) fn targets(comprehensions: &[Comprehension]) -> HashSet<&str> {
    let mut found = Bindings::default();
    for comprehension in comprehensions {
        found.visit_expr(&comprehension.target);
    }
    found.bound
}

/// The names of type parameters.
pub(super) fn type_names(parameters: &TypeParams) -> HashSet<&str> {
    parameters.type_params.iter().map(|parameter| parameter.name().as_str()).collect()
}
