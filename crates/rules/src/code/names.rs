//! What local names stand for: the notebook's imports, flow-insensitive.

use std::collections::HashMap;

use nbrevive_pysource::ast::{Expr, Stmt};
use nbrevive_pysource::parse::Parsed;

use crate::walk;

/// Local name → dotted name, over all cells. A later import of the same local name wins.
#[derive(Debug, Default, Clone)]
pub(crate) struct Names {
    bound: HashMap<String, String>,
    modules: Vec<String>,
    /// What a run found other names to stand for.
    held: HashMap<String, String>,
}

impl Names {
    /// Reads the imports of all cells.
    pub(crate) fn of<'p>(cells: impl Iterator<Item = &'p Parsed>) -> Self {
        let mut names = Self::default();
        for parsed in cells {
            walk::statements(parsed.body(), &mut |statement, _| names.read(statement));
        }
        names
    }

    fn read(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Import(import) => {
                for alias in &import.names {
                    self.bind_module(alias.name.as_str(), alias.asname.as_ref().map(|name| name.as_str()));
                }
            }
            Stmt::ImportFrom(import) if import.level == 0 => {
                let module = import.module.as_ref().map(|name| name.as_str()).unwrap_or_default();
                for alias in &import.names {
                    let local = alias.asname.as_ref().unwrap_or(&alias.name);
                    self.bound.insert(local.to_string(), format!("{module}.{}", alias.name.as_str()));
                }
            }
            _ => {}
        }
    }

    fn bind_module(&mut self, module: &str, local: Option<&str>) {
        self.modules.push(module.to_owned());
        if let Some(local) = local {
            self.bound.insert(local.to_owned(), module.to_owned());
        } else if let Some(root) = module.split('.').next() {
            self.bound.entry(root.to_owned()).or_insert_with(|| root.to_owned());
        }
    }

    /// Notes what a run found a name to stand for, which no import binds.
    pub(crate) fn hold(&mut self, local: &str, dotted: &str) {
        if !self.bound.contains_key(local) {
            self.held.insert(local.to_owned(), dotted.to_owned());
        }
    }

    /// The dotted name that a chain of names stands for, when its root is imported, or was found by a run.
    pub(crate) fn qualified(&self, expression: &Expr) -> Option<String> {
        match expression {
            Expr::Name(name) => {
                let local = name.id.as_str();
                self.bound.get(local).or_else(|| self.held.get(local)).cloned()
            }
            Expr::Attribute(attribute) => {
                let mut full = self.qualified(&attribute.value)?;
                full.push('.');
                full.push_str(attribute.attr.as_str());
                Some(full)
            }
            _ => None,
        }
    }

    /// What a local name is bound to.
    pub(crate) fn bound(&self, local: &str) -> Option<&str> {
        self.bound.get(local).map(String::as_str)
    }

    /// The text by which a dotted name can be used, given the imports: `numpy.prod` → `np.prod`. `None` when no
    /// import covers it.
    pub(crate) fn spelling(&self, dotted: &str) -> Option<String> {
        let mut best: Option<(usize, String)> = None;
        for (local, full) in &self.bound {
            let rest = match dotted.strip_prefix(full.as_str()) {
                Some("") => String::new(),
                Some(rest) if rest.starts_with('.') => rest.to_owned(),
                _ => continue,
            };
            if local == full && !self.reaches(full, &rest) {
                continue;
            }
            let candidate = (full.len(), format!("{local}{rest}"));
            let better = match &best {
                Some(found) => {
                    candidate.0 > found.0
                        || candidate.0 == found.0 && candidate.1.len() < found.1.len()
                        || candidate.0 == found.0 && candidate.1.len() == found.1.len() && candidate.1 < found.1
                }
                None => true,
            };
            if better {
                best = Some(candidate);
            }
        }
        best.map(|(_, text)| text)
    }

    /// A bare `import a` reaches `a.b`, but `a.b.c` only when `a.b` was imported too.
    fn reaches(&self, root: &str, rest: &str) -> bool {
        let inner = rest.rsplit_once('.').map_or("", |(inner, _)| inner);
        inner.is_empty() || self.modules.iter().any(|module| module.starts_with(&format!("{root}{inner}")))
    }
}
