//! What releases require without saying so.
//!
//! The wheels of scikit-learn before 0.20 declare nothing, and still do not import without scipy: whoever installed
//! them then had it. A small table (`data/undeclared.csv`) adds what they need; what it does not know is learnt when
//! the imports are tried ([`crate::plan::UnrequiredModule`]).

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use pep440_rs::Version;

use crate::metadata::Metadata;
use crate::requirement::Requirement;
use crate::table::rows;

struct Row {
    at_least: Option<Version>,
    below: Option<Version>,
    requires: &'static str,
}

static ROWS: LazyLock<HashMap<&str, Vec<Row>>> = LazyLock::new(|| {
    let bound = |text: &str| {
        Some(text).filter(|text| !text.is_empty()).map(|text| text.parse().expect("the table's bounds are versions"))
    };
    let mut table: HashMap<&str, Vec<Row>> = HashMap::new();
    for row in rows(include_str!("../../data/undeclared.csv"), 5) {
        let read = Row { at_least: bound(row[1]), below: bound(row[2]), requires: row[3] };
        table.entry(row[0]).or_default().push(read);
    }
    table
});

/// The metadata of a release, with what the table adds.
pub(super) fn completed(name: &str, version: &Version, metadata: Arc<Metadata>) -> Arc<Metadata> {
    let Some(rows) = ROWS.get(name) else { return metadata };
    let holds = |row: &&Row| {
        row.at_least.as_ref().is_none_or(|first| first <= version) && row.below.as_ref().is_none_or(|end| version < end)
    };
    let declared = |name: &str| metadata.requirements().iter().any(|requirement| requirement.name == name);
    let added: Vec<String> = rows
        .iter()
        .filter(holds)
        .filter(|row| Requirement::read(row.requires).is_some_and(|requirement| !declared(&requirement.name)))
        .map(|row| row.requires.to_owned())
        .collect();
    if added.is_empty() {
        return metadata;
    }
    let requires = metadata.requires.iter().cloned().chain(added).collect();
    let mut completed = Metadata::new(requires, metadata.source);
    completed.build_requires.clone_from(&metadata.build_requires);
    completed.modules.clone_from(&metadata.modules);
    Arc::new(completed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::MetadataSource;

    fn requires(name: &str, version: &str, declared: &[&str]) -> Vec<String> {
        let declared = declared.iter().map(ToString::to_string).collect();
        let metadata = Arc::new(Metadata::new(declared, MetadataSource::Wheel));
        completed(name, &version.parse().unwrap(), metadata).requires.clone()
    }

    #[test]
    fn the_table_adds_what_is_not_declared() {
        assert_eq!(requires("scikit-learn", "0.19.1", &[]), ["numpy", "scipy"]);
        assert_eq!(requires("scikit-learn", "0.19.1", &["numpy>=1.8"]), ["numpy>=1.8", "scipy"]);
        assert!(requires("scikit-learn", "0.20.0", &[]).is_empty());
        assert!(requires("keras", "1.0.8", &[]).is_empty() && requires("six", "1.0", &[]).is_empty());
    }

    #[test]
    fn every_row_is_a_requirement_with_bounds() {
        assert!(ROWS.values().flatten().all(|row| Requirement::read(row.requires).is_some()));
        assert!(ROWS.keys().all(|name| crate::versions::normalise(name) == **name));
    }
}
