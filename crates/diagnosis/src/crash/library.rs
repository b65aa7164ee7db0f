//! Libraries: the paper's 24 of machine learning.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::LazyLock;

use nbrevive_pysource::ast::visitor::{self, Visitor};
use nbrevive_pysource::ast::{Alias, Stmt};
use nbrevive_pysource::parse::parse;

/// A library of Table 2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MlLibrary {
    /// The name that is imported.
    pub name: &'static str,
    /// The paper's theme for it.
    pub theme: &'static str,
    /// The share of Kaggle's notebooks that use it, in percent.
    pub usage: f64,
}

/// The libraries of Table 2, in its order.
pub fn ml_libraries() -> impl Iterator<Item = MlLibrary> {
    let lines = include_str!("../../data/ml-libraries.tsv").lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| {
        let mut fields = line.split('\t');
        let (name, theme, usage) = (fields.next()?, fields.next()?, fields.next()?);
        Some(MlLibrary { name, theme, usage: usage.parse().ok()? })
    })
}

/// Whether a package is one of them, by the name that is imported.
pub(super) fn is_ml_library(name: &str) -> bool {
    static NAMES: LazyLock<HashSet<&str>> = LazyLock::new(|| ml_libraries().map(|library| library.name).collect());
    NAMES.contains(name)
}

/// What each name that imports bind stands for, over all cells: the first part of the module (`pd` is `pandas`).
#[derive(Clone, Debug, Default)]
pub struct ImportedNames(BTreeMap<String, String>);

impl ImportedNames {
    /// Reads the import statements of the cells, at any depth.
    #[must_use]
    pub fn of(cells: &[&str]) -> Self {
        let mut bound = Bound::default();
        for cell in cells.iter().filter(|cell| cell.contains("import")) {
            parse(cell).body().iter().for_each(|statement| bound.visit_stmt(statement));
        }
        Self(bound.0)
    }

    /// The modules that are imported.
    #[must_use]
    pub fn modules(&self) -> BTreeSet<&str> {
        self.0.values().map(String::as_str).collect()
    }
}

#[derive(Default)]
struct Bound(BTreeMap<String, String>);

impl Bound {
    fn add(&mut self, module: &str, alias: &Alias, takes_name: bool) {
        let root = module.split('.').next().unwrap_or(module);
        let name = match &alias.asname {
            Some(name) => name.as_str(),
            None if takes_name => alias.name.as_str(),
            None => root,
        };
        if !root.is_empty() {
            self.0.insert(name.to_owned(), root.to_owned());
        }
    }
}

impl<'tree> Visitor<'tree> for Bound {
    fn visit_stmt(&mut self, statement: &'tree Stmt) {
        match statement {
            Stmt::Import(import) => import.names.iter().for_each(|alias| self.add(&alias.name, alias, false)),
            Stmt::ImportFrom(import) if import.level == 0 => {
                let module = import.module.as_deref().unwrap_or("");
                import.names.iter().for_each(|alias| self.add(module, alias, true));
            }
            _ => visitor::walk_stmt(self, statement),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_that_of_the_paper() {
        let all: Vec<MlLibrary> = ml_libraries().collect();
        assert_eq!(all.len(), 24);
        assert_eq!(all.iter().map(|library| library.theme).collect::<BTreeSet<_>>().len(), 7);
        assert!((all[0].usage - 82.2).abs() < 1e-9);
    }

    #[test]
    fn imports_are_found_at_any_depth() {
        let names = ImportedNames::of(&[
            "import pandas as pd, os.path\nfrom sklearn.svm import SVC",
            "def f():\n    import torch",
        ]);
        assert_eq!(names.modules().into_iter().collect::<Vec<_>>(), ["os", "pandas", "sklearn", "torch"]);
    }
}
