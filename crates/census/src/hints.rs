//! Names that a module may make when it is asked for them: the words that stand beside its `__getattr__`.

use std::collections::BTreeSet;

use nbrevive_pysource::ast::visitor::{Visitor, walk_expr};
use nbrevive_pysource::ast::{Expr, Stmt};

use crate::deprecation::is_identifier;
use crate::syntax;

/// The words of a module's own level and of its `__getattr__`, without those that it lists as gone.
pub(crate) fn of(body: &[Stmt]) -> BTreeSet<String> {
    let mut words = Words::default();
    for statement in body {
        let lists_gone = match statement {
            Stmt::Assign(assign) => assign.targets.iter().filter_map(syntax::name).any(is_gone),
            Stmt::AnnAssign(assign) => syntax::name(&assign.target).is_some_and(is_gone),
            Stmt::FunctionDef(function) => function.name.as_str() != "__getattr__",
            Stmt::ClassDef(_) | Stmt::Expr(_) => true,
            _ => false,
        };
        if !lists_gone {
            words.visit_stmt(statement);
        }
    }
    words.0
}

fn is_gone(name: &str) -> bool {
    ["former", "expired", "removed"].iter().any(|word| name.contains(word))
}

#[derive(Default)]
struct Words(BTreeSet<String>);

impl<'a> Visitor<'a> for Words {
    fn visit_expr(&mut self, expression: &'a Expr) {
        if let Some(word) = syntax::text(expression).filter(|word| is_identifier(word)) {
            self.0.insert(word.to_owned());
        }
        walk_expr(self, expression);
    }
}
