//! The words of the code, by which most tables are seen to have nothing to say, without a look at any expression.

use std::collections::HashSet;

use nbrevive_pysource::ast::{Expr, Stmt};

use crate::receiver::Callee;
use crate::shape;

/// Parts of dotted names, names of attributes and keywords, and the keys of dicts, which may reach a call as `**options`.
#[derive(Default)]
pub(crate) struct Words<'a>(HashSet<&'a str>);

impl<'a> Words<'a> {
    /// Notes what an import names.
    pub(crate) fn read_statement(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::Import(import) => {
                self.0.extend(import.names.iter().flat_map(|alias| alias.name.as_str().split('.')));
            }
            Stmt::ImportFrom(import) => {
                self.0.extend(import.module.iter().flat_map(|module| module.as_str().split('.')));
                self.0.extend(import.names.iter().map(|alias| alias.name.as_str()));
            }
            _ => {}
        }
    }

    /// Notes the words of an expression itself, without those of its parts.
    pub(crate) fn read_expression(&mut self, expression: &'a Expr) {
        match expression {
            Expr::Name(name) => self.0.extend([name.id.as_str()]),
            Expr::Attribute(attribute) => self.0.extend([attribute.attr.as_str()]),
            Expr::Call(call) => {
                self.0.extend(call.arguments.keywords.iter().filter_map(|one| Some(one.arg.as_ref()?.as_str())));
            }
            Expr::Dict(dict) => {
                self.0.extend(dict.items.iter().filter_map(|item| shape::text(item.key.as_ref()?)));
            }
            _ => {}
        }
    }

    /// Whether the code has this word.
    pub(crate) fn contain(&self, word: &str) -> bool {
        self.0.contains(word)
    }

    /// Whether the code has all words of a callee's name.
    pub(crate) fn name_callee(&self, callee: Callee) -> bool {
        match callee {
            Callee::Function(root, last) => (last == "*" || self.0.contains(last)) && self.0.contains(root),
            Callee::Method(_, name) => self.0.contains(name),
        }
    }
}
