//! When the notebooks of a repository ran last.
//!
//! The last commit is often of years later: files are moved, a spelling is mended, a robot edits all of them. The Python that saved a notebook
//! tells more. From a release of Python to the first commit in which a notebook shows it, half took at most 260 days, three of four
//! [`DAYS`], and nine of ten 795 (1,416 pairs of notebook and release in the histories of twelve repositories of teaching material).

use jiff::{SignedDuration, Timestamp};

use crate::declared::{DeclaredRequirement, RepositoryDeclarations};
use crate::index::{Index, IndexError, Lookup};
use crate::inferred::InferredNames;
use crate::interpreter::released;

/// Days after a release of Python by which three of four notebooks that it saved were committed.
const DAYS: i64 = 500;

/// A day by which the notebooks of a repository ran last, as far as can be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastRun {
    /// The day.
    pub date: Timestamp,
    /// Why it is before the last commit; `None` where it is that.
    pub why: Option<String>,
}

impl LastRun {
    /// The last commit; or 500 days after the release of Python that half of the notebooks were saved by or before, if that is earlier; or the
    /// day of what is declared exactly, if that is between the two: of four such releases three were there, so that what a robot raised later
    /// does not count.
    ///
    /// # Errors
    /// When the index cannot tell of what is declared exactly.
    pub fn of(
        inferred: &InferredNames,
        declared: &RepositoryDeclarations,
        index: &Index,
        committed: Timestamp,
    ) -> Result<Self, IndexError> {
        let median = median_release(inferred);
        let until = median.and_then(|(day, _)| day.checked_add(SignedDuration::from_hours(24 * DAYS)).ok());
        let (Some((released, version)), Some(until)) = (median, until.filter(|until| *until < committed)) else {
            return Ok(Self { date: committed, why: None });
        };
        let pinned = day_of_pins(declared, index)?.filter(|day| *day > until);
        if pinned.is_some_and(|day| day >= committed) {
            return Ok(Self { date: committed, why: None });
        }
        let why = format!(
            "versions are of {} and not of {}, the last commit: half of the notebooks were saved by Python {version} ({}) or older{}",
            day(pinned.unwrap_or(until)),
            day(committed),
            day(released),
            if pinned.is_some() { ", but the repository names versions that are younger" } else { "" }
        );
        Ok(Self { date: pinned.unwrap_or(until), why: Some(why) })
    }
}

/// The release of Python in the middle of those that saved the notebooks, and when it came out.
fn median_release(inferred: &InferredNames) -> Option<(Timestamp, &str)> {
    let known = inferred.releases.iter().filter_map(|text| Some((released(&text.parse().ok()?)?, text.as_str())));
    let mut known: Vec<(Timestamp, &str)> = known.collect();
    known.sort_unstable();
    known.get(known.len() / 2).copied()
}

/// The day at which three of four releases that are declared exactly were there.
fn day_of_pins(declared: &RepositoryDeclarations, index: &Index) -> Result<Option<Timestamp>, IndexError> {
    let mut days = Vec::new();
    for row in declared.counting().filter(|row| row.requirement.is_exact()) {
        days.extend(uploaded(row, index)?);
    }
    days.sort_unstable();
    Ok(days.get(days.len().saturating_sub(1) * 3 / 4).copied())
}

/// When the release that is named exactly appeared, as far as the index knows it.
fn uploaded(row: &DeclaredRequirement, index: &Index) -> Result<Option<Timestamp>, IndexError> {
    match index.history(&row.requirement.name)? {
        Lookup::Known { history, .. } => {
            let named = history.releases.iter().find(|release| row.requirement.admits(&release.version));
            Ok(named.map(|release| release.uploaded))
        }
        Lookup::Absent => Ok(None),
    }
}

fn day(of: Timestamp) -> String {
    of.strftime("%Y-%m-%d").to_string()
}

#[cfg(test)]
mod tests {
    use nbrevive_files::Folder;

    use super::*;
    use crate::declared::RepositoryTree;
    use crate::plan::fixture::{PURE, World};

    fn last_run(releases: &[&str], requirements: &str, committed: &str) -> (String, Option<String>) {
        let place = tempfile::tempdir().unwrap();
        std::fs::write(place.path().join("requirements.txt"), requirements).unwrap();
        let tree = RepositoryTree::walk(Folder::open(place.path()).unwrap()).unwrap();
        let world = World::new()
            .add("numpy 1.11.0", "2016-03-27", &[PURE], &[])
            .add("numpy 1.16.0", "2019-01-13", &[PURE], &[])
            .add("pandas 0.24.0", "2019-01-25", &[PURE], &[])
            .add("tqdm 4.19.0", "2017-09-01", &[PURE], &[])
            .add("pillow 9.0.1", "2022-02-03", &[PURE], &[]);
        let index = Index::fixed(world.entries().collect());
        let releases = releases.iter().map(|text| (*text).to_owned()).collect();
        let inferred = InferredNames { releases, ..InferredNames::default() };
        let committed = format!("{committed}T12:00:00Z").parse().unwrap();
        let found = LastRun::of(&inferred, &RepositoryDeclarations::read(&tree), &index, committed).unwrap();
        (found.date.strftime("%Y-%m-%d").to_string(), found.why)
    }

    #[test]
    fn it_is_the_last_commit_unless_python_tells_that_it_was_long_before() {
        let (date, why) = last_run(&["3.5.2"; 12], "", "2024-03-31");
        assert_eq!(date, "2017-11-08");
        insta::assert_snapshot!(why.unwrap(), @"versions are of 2017-11-08 and not of 2024-03-31, the last commit: half of the notebooks were saved by Python 3.5.2 (2016-06-26) or older");
        for releases in [&["3.6.5"][..], &[], &["3.99.1", "word", "", "2"]] {
            assert_eq!(last_run(releases, "", "2018-06-01"), ("2018-06-01".to_owned(), None), "{releases:?}");
        }
        // The newer one of two, and the middle one of three.
        assert_eq!(last_run(&["3.7.0", "3.5.2"], "", "2024-03-31").0, "2019-11-09");
        assert_eq!(last_run(&["3.11.0", "2.7.9", "3.6.0"], "", "2024-03-31").0, "2018-05-07");
    }

    #[test]
    fn what_is_declared_exactly_was_there_when_they_ran() {
        let (date, why) = last_run(&["3.5.2"], "numpy==1.16.0\ntqdm>=4\n", "2024-03-31");
        assert_eq!(date, "2019-01-13");
        insta::assert_snapshot!(why.unwrap(), @"versions are of 2019-01-13 and not of 2024-03-31, the last commit: half of the notebooks were saved by Python 3.5.2 (2016-06-26) or older, but the repository names versions that are younger");
        // One of four that a robot raised is not when the notebooks ran.
        let raised = "numpy==1.16.0\npandas==0.24.0\ntqdm==4.19.0\npillow==9.0.1\n";
        assert_eq!(last_run(&["3.5.2"], raised, "2024-03-31").0, "2019-01-25");
        // Older ones, bounds and unknown releases tell nothing; the last commit stays the last day.
        for tells_nothing in ["numpy==1.11.0\n", "pillow>=9.0.1\n", "numpy==9.9\n"] {
            assert_eq!(last_run(&["3.5.2"], tells_nothing, "2024-03-31").0, "2017-11-08", "{tells_nothing}");
        }
        assert_eq!(last_run(&["3.5.2"], "numpy==1.16.0\n", "2018-12-01"), ("2018-12-01".to_owned(), None));
    }
}
