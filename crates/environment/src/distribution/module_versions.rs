//! Modules that appeared or disappeared inside a distribution (`data/module_versions.csv`).
//!
//! They explain to people why an import of an installed distribution fails. They are no bound of any plan: the date
//! decides, as in the paper (section 2.2.1).

use std::collections::HashMap;
use std::sync::LazyLock;

use pep440_rs::Version;

use super::prefixes;
use crate::table::rows;

/// The versions of a distribution that have a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionHint {
    /// The module, dotted.
    pub module: &'static str,
    /// The distribution, normalised.
    pub distribution: &'static str,
    /// The first version with the module; `None` if the oldest have it.
    pub at_least: Option<Version>,
    /// The first version without it; `None` if the newest have it.
    pub below: Option<Version>,
    /// Where this can be checked.
    pub source: &'static str,
}

pub(super) static HINTS: LazyLock<HashMap<&str, VersionHint>> = LazyLock::new(|| {
    let version = |text: &str| (!text.is_empty()).then(|| text.parse().expect("the table's versions are of PEP 440"));
    rows(include_str!("../../data/module_versions.csv"), 5)
        .map(|row| {
            let (at_least, below) = (version(row[2]), version(row[3]));
            (row[0], VersionHint { module: row[0], distribution: row[1], at_least, below, source: row[4] })
        })
        .collect()
});

/// The versions that have a module, where it came or went: by the longest dotted prefix.
#[must_use]
pub fn version_hint(module: &str) -> Option<&'static VersionHint> {
    prefixes(module).find_map(|prefix| HINTS.get(prefix))
}
