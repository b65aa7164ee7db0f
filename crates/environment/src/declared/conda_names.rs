//! What conda's names mean to an index of Python (`data/conda_names.csv`).
//!
//! Most packages of conda have the name that the index has. Those of another name, those that are no Python, and those of Python that no
//! index has are in the table, each with where it can be checked. A name that is in no row stands for itself, with a note.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::table::rows;

/// What a name of conda means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CondaMeaning<'name> {
    /// A distribution of the index.
    Distribution {
        name: &'name str,
        /// Whether conda's versions of it are the index's.
        keeps_version: bool,
    },
    /// No Python: a library, a program, a compiler. With what it is.
    Other(&'static str),
    /// Python that no index has. With what it is.
    CondaOnly(&'static str),
}

struct Names {
    whole: HashMap<&'static str, Row>,
    /// What a name begins with.
    starts: Vec<(&'static str, Row)>,
    /// What a name ends with.
    ends: Vec<(&'static str, Row)>,
}

#[derive(Clone, Copy)]
struct Row {
    kind: &'static str,
    index: &'static str,
    note: &'static str,
}

static NAMES: LazyLock<Names> = LazyLock::new(|| {
    let mut names = Names { whole: HashMap::new(), starts: Vec::new(), ends: Vec::new() };
    for row in rows(include_str!("../../data/conda_names.csv"), 5) {
        let read = Row { kind: row[1], index: row[2], note: row[3] };
        match (row[0].strip_suffix('*'), row[0].strip_prefix('*')) {
            (Some(start), _) => names.starts.push((start, read)),
            (None, Some(end)) => names.ends.push((end, read)),
            (None, None) => {
                names.whole.insert(row[0], read);
            }
        }
    }
    names
});

/// What a name of conda means.
pub(super) fn conda_meaning(name: &str) -> CondaMeaning<'_> {
    let lower = name.to_ascii_lowercase();
    let start = || NAMES.starts.iter().find(|(start, _)| lower.starts_with(start)).map(|found| &found.1);
    let end = || NAMES.ends.iter().find(|(end, _)| lower.ends_with(end)).map(|found| &found.1);
    match NAMES.whole.get(lower.as_str()).or_else(start).or_else(end) {
        None => CondaMeaning::Distribution { name, keeps_version: true },
        Some(row) => match row.kind {
            "same" => CondaMeaning::Distribution { name, keeps_version: true },
            "renamed" => CondaMeaning::Distribution { name: row.index, keeps_version: true },
            "other-versions" => CondaMeaning::Distribution { name: row.index, keeps_version: false },
            "conda-only" => CondaMeaning::CondaOnly(row.note),
            _ => CondaMeaning::Other(row.note),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::versions::is_name;

    #[test]
    fn names_are_renamed_left_or_told_to_be_something_else() {
        let named = |name| CondaMeaning::Distribution { name, keeps_version: true };
        assert_eq!(conda_meaning("pytorch"), named("torch"));
        assert_eq!(conda_meaning("numpy"), named("numpy"));
        assert_eq!(conda_meaning("matplotlib-base"), named("matplotlib"));
        assert!(matches!(conda_meaning("opencv"), CondaMeaning::Distribution { keeps_version: false, .. }));
        for other in ["cudatoolkit", "mkl", "gcc_linux-64", "libgcc-ng", "r-base", "_libgcc_mutex", "m2w64-gcc-libs"] {
            assert!(matches!(conda_meaning(other), CondaMeaning::Other(_)), "{other}");
        }
        assert!(matches!(conda_meaning("anaconda"), CondaMeaning::CondaOnly(_)));
        // Python for all their beginning.
        for python in ["librosa", "libcst", "pyqt", "lime"] {
            assert!(matches!(conda_meaning(python), CondaMeaning::Distribution { .. }), "{python}");
        }
    }

    #[test]
    fn every_row_has_a_kind_and_a_source() {
        let table = include_str!("../../data/conda_names.csv");
        let mut seen = std::collections::BTreeSet::new();
        for row in rows(table, 5) {
            assert_eq!(row.len(), 5, "{row:?}");
            assert!(["same", "renamed", "other-versions", "conda-only", "other"].contains(&row[1]), "{row:?}");
            assert_eq!(matches!(row[1], "renamed" | "other-versions"), is_name(row[2]), "{row:?}");
            assert!(!row[3].is_empty() && !row[4].is_empty() && seen.insert(row[0]), "{row:?}");
        }
    }
}
