//! Names that a module may make when it is asked for them: the words that stand beside its `__getattr__`.

use std::collections::{BTreeMap, BTreeSet};

use nbrevive_pysource::ast::visitor::{Visitor, walk_expr};
use nbrevive_pysource::ast::{Expr, Stmt};
use nbrevive_pysource::local::is_identifier;

use crate::syntax;

/// What stands beside a `__getattr__`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Hints {
    /// Words that may be names which are made.
    pub(crate) made: BTreeSet<String>,
    /// Words that are listed as gone.
    pub(crate) gone: BTreeSet<String>,
    /// Words of lists of which it is not known yet what they are for.
    lists: BTreeMap<String, BTreeSet<String>>,
}

/// The words of a module's own level and of its `__getattr__`, those that it lists as gone apart.
pub(crate) fn of(body: &[Stmt]) -> Hints {
    let mut hints = Hints::default();
    hints.statements(body);
    hints.made.extend(std::mem::take(&mut hints.lists).into_values().flatten());
    hints
}

/// Whether a list is one of names that are gone, or that are not there yet.
fn is_gone(name: &str) -> bool {
    ["former", "expired", "removed", "future"].iter().any(|word| name.contains(word))
}

impl Hints {
    /// Adds what a stub says beside its module.
    pub(crate) fn add(&mut self, other: Self) {
        self.made.extend(other.made);
        self.gone.extend(other.gone);
    }

    fn statements(&mut self, body: &[Stmt]) {
        for statement in body {
            match statement {
                Stmt::Assign(assign) => {
                    let name = assign.targets.iter().find_map(syntax::name);
                    self.list(name, Words::of(|words| words.visit_stmt(statement)));
                }
                Stmt::AnnAssign(assign) => {
                    self.list(syntax::name(&assign.target), Words::of(|words| words.visit_stmt(statement)));
                }
                Stmt::If(block) => {
                    self.statements(&block.body);
                    block.elif_else_clauses.iter().for_each(|clause| self.statements(&clause.body));
                }
                // `__deprecated_attrs__.update({…})`
                Stmt::Expr(expression) if expression.value.is_call_expr() => {
                    let called = expression.value.as_call_expr().and_then(|call| syntax::dotted(&call.func));
                    let name = called.as_deref().and_then(|chain| chain.strip_suffix(".update"));
                    let found = Words::of(|words| words.visit_stmt(statement));
                    match name {
                        Some(name) if is_gone(name) => self.list(Some(name), found),
                        Some(_) => self.made.extend(found.words),
                        None => {}
                    }
                }
                Stmt::FunctionDef(function) if function.name.as_str() != "__getattr__" => {}
                Stmt::ClassDef(_) | Stmt::Expr(_) => {}
                _ => self.made.extend(Words::of(|words| words.visit_stmt(statement)).words),
            }
        }
    }

    /// `__former_attrs__ = {name: … for name, … in _type_info}` lists what `_type_info` does.
    fn list(&mut self, name: Option<&str>, found: Words) {
        match name {
            Some(name) if is_gone(name) => {
                let behind = found.names.iter().filter_map(|name| self.lists.remove(name)).flatten();
                self.gone.extend(behind.chain(found.words));
            }
            Some(name) => self.made.extend(self.lists.insert(name.to_owned(), found.words).unwrap_or_default()),
            None => self.made.extend(found.words),
        }
    }
}

/// The words and the names of an expression.
#[derive(Default)]
struct Words {
    words: BTreeSet<String>,
    names: BTreeSet<String>,
}

impl Words {
    fn of(read: impl FnOnce(&mut Self)) -> Self {
        let mut words = Self::default();
        read(&mut words);
        words
    }
}

impl<'a> Visitor<'a> for Words {
    fn visit_expr(&mut self, expression: &'a Expr) {
        if let Some(word) = syntax::text(expression).filter(|word| is_identifier(word)) {
            self.words.insert(word.to_owned());
        }
        if let Some(name) = syntax::name(expression) {
            self.names.insert(name.to_owned());
        }
        walk_expr(self, expression);
    }
}
