//! Names of modules and what is in them, through the imports of a notebook.

use std::collections::HashMap;

use nbrevive_pysource::ast::visitor::{Visitor, walk_stmt};
use nbrevive_pysource::ast::{Expr, Stmt};

/// Deepest dotted name that is followed.
const LONGEST: usize = 12;

/// A dotted name as it is written; `None` for anything else.
pub(super) fn dotted(expression: &Expr) -> Option<String> {
    let (mut parts, mut at) = (Vec::new(), expression);
    while parts.len() < LONGEST {
        match at {
            Expr::Name(name) => {
                parts.push(name.id.as_str());
                parts.reverse();
                return Some(parts.join("."));
            }
            Expr::Attribute(attribute) => {
                parts.push(attribute.attr.as_str());
                at = &attribute.value;
            }
            _ => return None,
        }
    }
    None
}

/// What imported names stand for.
#[derive(Debug, Default)]
pub(super) struct Imported {
    names: HashMap<String, String>,
}

impl Imported {
    /// Learns the imports of a cell.
    pub(super) fn learn(&mut self, body: &[Stmt]) {
        self.visit_body(body);
    }

    /// A dotted name in full: `np.random.rand` is `numpy.random.rand`. `None` where its first part was never imported.
    pub(super) fn full(&self, expression: &Expr) -> Option<String> {
        let written = dotted(expression)?;
        let (first, rest) = written.split_once('.').unwrap_or((&written, ""));
        let meaning = self.names.get(first)?;
        Some(if rest.is_empty() { meaning.clone() } else { format!("{meaning}.{rest}") })
    }
}

impl Visitor<'_> for Imported {
    fn visit_stmt(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Import(import) => {
                for alias in &import.names {
                    let module = alias.name.as_str();
                    // `import os.path` binds `os`.
                    let bound = module.split('.').next().unwrap_or(module);
                    let (name, meaning) = alias.asname.as_ref().map_or((bound, bound), |name| (name.as_str(), module));
                    self.names.insert(name.to_owned(), meaning.to_owned());
                }
            }
            Stmt::ImportFrom(import) if import.level == 0 => {
                let module = import.module.as_ref().map(|module| module.as_str()).unwrap_or_default();
                for alias in &import.names {
                    let name = alias.asname.as_ref().unwrap_or(&alias.name);
                    self.names.insert(name.to_string(), format!("{module}.{}", alias.name));
                }
            }
            _ => walk_stmt(self, statement),
        }
    }
}
