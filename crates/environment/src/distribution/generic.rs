//! Names that people give their own files (`data/generic_names.csv`).
//!
//! `import utils` means a file that is missing, and yet the index has a distribution `utils`, as it has one for
//! nearly every short word. Such names are resolved by the table of import names or not at all.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::table::rows;

/// The names, and the patterns with `*` at one end.
pub(super) struct Generic {
    pub(super) names: HashMap<&'static str, &'static str>,
    /// What a name begins with, and why.
    starts: Vec<(&'static str, &'static str)>,
    /// What a name ends with, and why.
    ends: Vec<(&'static str, &'static str)>,
}

pub(super) static GENERIC: LazyLock<Generic> = LazyLock::new(|| {
    let mut generic = Generic { names: HashMap::new(), starts: Vec::new(), ends: Vec::new() };
    for row in rows(include_str!("../../data/generic_names.csv"), 2) {
        match (row[0].strip_prefix('*'), row[0].strip_suffix('*')) {
            (Some(end), _) => generic.ends.push((end, row[1])),
            (None, Some(start)) => generic.starts.push((start, row[1])),
            (None, None) => {
                generic.names.insert(row[0], row[1]);
            }
        }
    }
    generic
});

/// What a file of such a name usually holds; `None` for a name of another kind.
pub(super) fn reason(top: &str) -> Option<&'static str> {
    let name = top.to_ascii_lowercase();
    let start = || GENERIC.starts.iter().find(|(start, _)| name.starts_with(start));
    let end = || GENERIC.ends.iter().find(|(end, _)| name.ends_with(end));
    GENERIC.names.get(name.as_str()).copied().or_else(|| start().or_else(end).map(|found| found.1))
}
