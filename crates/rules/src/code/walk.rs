//! Walks over the trees of cells, telling each expression's surroundings.

use nbrevive_pysource::ast::visitor::{Visitor, walk_expr, walk_stmt};
use nbrevive_pysource::ast::{Expr, Stmt};

/// Where an expression stands.
pub(crate) struct Surroundings<'a, 's> {
    /// Expressions around it, outermost first.
    pub(crate) parents: &'s [&'a Expr],
    /// Statements around it, outermost first; never empty.
    pub(crate) statements: &'s [&'a Stmt],
}

impl<'a> Surroundings<'a, '_> {
    /// The expression directly around it.
    pub(crate) fn parent(&self) -> Option<&'a Expr> {
        self.parents.last().copied()
    }

    /// The statement that holds it directly.
    pub(crate) fn statement(&self) -> &'a Stmt {
        self.statements.last().expect("expressions stand in statements")
    }
}

/// Calls `visit` for every expression below the statements, outer ones first.
pub(crate) fn expressions<'a>(body: &'a [Stmt], visit: &mut dyn FnMut(&'a Expr, &Surroundings<'a, '_>)) {
    let mut walker = Walker { parents: Vec::new(), statements: Vec::new(), visit };
    for statement in body {
        walker.visit_stmt(statement);
    }
}

/// Calls `visit` for every statement, outer ones first, with the statements around it.
pub(crate) fn statements<'a>(body: &'a [Stmt], visit: &mut dyn FnMut(&'a Stmt, &[&'a Stmt])) {
    let mut walker = StatementWalker { statements: Vec::new(), visit };
    for statement in body {
        walker.visit_stmt(statement);
    }
}

struct Walker<'a, 'f> {
    parents: Vec<&'a Expr>,
    statements: Vec<&'a Stmt>,
    visit: &'f mut dyn FnMut(&'a Expr, &Surroundings<'a, '_>),
}

impl<'a> Visitor<'a> for Walker<'a, '_> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        self.statements.push(statement);
        let outer = std::mem::take(&mut self.parents);
        walk_stmt(self, statement);
        self.parents = outer;
        self.statements.pop();
    }

    fn visit_expr(&mut self, expression: &'a Expr) {
        if self.statements.is_empty() {
            return;
        }
        (self.visit)(expression, &Surroundings { parents: &self.parents, statements: &self.statements });
        self.parents.push(expression);
        walk_expr(self, expression);
        self.parents.pop();
    }
}

/// Expressions hold no statements, so they are passed over.
struct StatementWalker<'a, 'f> {
    statements: Vec<&'a Stmt>,
    visit: &'f mut dyn FnMut(&'a Stmt, &[&'a Stmt]),
}

impl<'a> Visitor<'a> for StatementWalker<'a, '_> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        (self.visit)(statement, &self.statements);
        self.statements.push(statement);
        walk_stmt(self, statement);
        self.statements.pop();
    }

    fn visit_expr(&mut self, _: &'a Expr) {}
}
