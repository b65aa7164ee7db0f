//! Official examples of releases: which ran in their time, which still run, and which come back.

use std::collections::{BTreeMap, BTreeSet};

use nbrevive_compare::{Agreement, CameBack};
use nbrevive_corpus::Role;

use crate::kinds::Kinds;
use crate::outputs::{NotebookRow, Outputs};
use crate::rows::{Data, OutcomeRow};

/// What is known of an example under a condition: the fate of its run, and of what it is documented to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fate {
    /// Whether it ran to its end without an error.
    pub(crate) runs: bool,
    /// Whether all that it is documented to show came out at level `value` as well; never where nothing is documented.
    pub(crate) shows: bool,
}

impl Fate {
    fn of(row: &NotebookRow) -> Self {
        let (runs, documented) = (row.is_error_free(), row.cells.comparable());
        Fate { runs, shows: runs && documented > 0 && row.cells.at(Agreement::Value) == documented }
    }
}

/// An example under the three conditions; none where it did not come to one yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Example {
    /// The year of its release; none where nobody told it.
    pub(crate) year: Option<u16>,
    /// In the environment of today.
    pub(crate) today: Fate,
    /// In one of the release's time.
    pub(crate) then: Option<Fate>,
    /// In that of today, repaired.
    pub(crate) repaired: Option<Fate>,
}

impl Example {
    /// Whether it is known to have run in its time.
    pub(crate) fn ran(&self) -> bool {
        self.then.is_some_and(|fate| fate.runs)
    }

    /// Whether it runs today as it is, or repaired; none where it fails and was not repaired yet.
    pub(crate) fn runs_at_last(&self) -> Option<bool> {
        if self.today.runs { Some(true) } else { self.repaired.map(|fate| fate.runs) }
    }

    /// Whether it is known to have shown in its time what is documented.
    pub(crate) fn showed(&self) -> bool {
        self.then.is_some_and(|fate| fate.shows)
    }
}

/// The examples of one sort of one release, by the name of their repository.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ExampleSource {
    /// `gallery` or `documentation`.
    pub(crate) sort: String,
    /// Library and release.
    pub(crate) release: String,
}

impl ExampleSource {
    /// By the name that mining gives to the repository of a release: `library/version/sort`.
    fn of(repository: &str) -> Option<Self> {
        let mut parts = repository.split('/');
        let (library, version, sort) = (parts.next()?, parts.next()?, parts.next()?);
        let is_sort = parts.next().is_none() && matches!(sort, "gallery" | "documentation");
        is_sort.then(|| Self { sort: sort.to_owned(), release: format!("{library} {version}") })
    }
}

/// The examples of a study by their sources; none where a notebook is of anything else.
pub(crate) fn examples(data: &Data, outputs: &Outputs, kinds: &Kinds) -> Option<BTreeMap<ExampleSource, Vec<Example>>> {
    let under = |role: Role| -> BTreeMap<&str, Fate> {
        let rows = outputs.under(data.condition(role));
        rows.map(|row| (row.run.version.as_str(), Fate::of(row))).collect()
    };
    let (then, repaired) = (under(Role::Backport), under(Role::Modernize));
    let is_same = |row: &&OutcomeRow| row.came_back == Some(CameBack::Same);
    let same: BTreeSet<&str> = data.of(Role::Modernize).filter(is_same).map(|row| row.version.as_str()).collect();
    let mut found: BTreeMap<ExampleSource, Vec<Example>> = BTreeMap::new();
    for row in outputs.under(data.condition(Role::Baseline)) {
        let version = row.run.version.as_str();
        let source = ExampleSource::of(row.repository.as_deref()?)?;
        let fate = |under: &BTreeMap<&str, Fate>| under.get(version).copied();
        let year = kinds.years.get(version).copied();
        // What changed code shows is compared by the loop itself.
        let repaired = fate(&repaired).map(|fate| Fate { shows: fate.runs && same.contains(version), ..fate });
        let example = Example { year, today: Fate::of(row), then: fate(&then), repaired };
        found.entry(source).or_default().push(example);
    }
    (!found.is_empty()).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_runs_today_needs_no_repair() {
        let fate = |runs| Fate { runs, shows: false };
        let example = |today, repaired: Option<bool>| Example {
            year: None,
            today: fate(today),
            then: None,
            repaired: repaired.map(fate),
        };
        let all = [(true, None), (false, Some(true)), (false, Some(false)), (false, None)];
        let found = all.map(|(today, repaired)| example(today, repaired).runs_at_last());
        assert_eq!(found, [Some(true), Some(true), Some(false), None]);
    }

    #[test]
    fn a_source_is_told_by_its_name() {
        let source = ExampleSource::of("pandas/0.23.4/documentation").unwrap();
        assert_eq!((source.release.as_str(), source.sort.as_str()), ("pandas 0.23.4", "documentation"));
        for other in ["norvig/pytudes", "a/b/c", "a/b/gallery/d", "gallery", ""] {
            assert_eq!(ExampleSource::of(other), None, "{other}");
        }
    }
}
