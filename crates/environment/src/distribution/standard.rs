//! The standard library, by minor (`data/stdlib.csv`).

use std::collections::HashMap;
use std::sync::LazyLock;

use nbrevive_notebook::PythonVersion;

use super::top_level;
use crate::table::rows;

/// A span of minors that had a module.
pub(super) struct Span {
    added: PythonVersion,
    removed: Option<PythonVersion>,
}

pub(super) static STANDARD: LazyLock<HashMap<&str, Vec<Span>>> = LazyLock::new(|| {
    let mut modules: HashMap<&str, Vec<Span>> = HashMap::new();
    for row in rows(include_str!("../../data/stdlib.csv"), 3) {
        let added = row[1].parse().expect("the table's minors are numbers");
        let removed = Some(row[2])
            .filter(|text| !text.is_empty())
            .map(|text| text.parse().expect("the table's minors are numbers"));
        modules.entry(row[0]).or_default().push(Span { added, removed });
    }
    modules
});

/// Whether a module's top level belongs to the standard library of that minor (Linux).
#[must_use]
pub fn is_standard(module: &str, minor: PythonVersion) -> bool {
    let within = |span: &Span| span.added <= minor && span.removed.is_none_or(|removed| minor < removed);
    STANDARD.get(top_level(module)).is_some_and(|found| found.iter().any(within))
}

/// Whether any minor has a top-level module in its standard library.
pub(super) fn in_some_minor(top: &str) -> bool {
    STANDARD.contains_key(top)
}
