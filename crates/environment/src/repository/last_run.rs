//! When the notebooks of a repository ran last.
//!
//! The last commit is often of years later: files are moved, a spelling is mended, a robot edits all of them. The Python that saved a notebook
//! tells more. From a release of Python to the first commit in which a notebook shows it, half took at most 260 days, three of four
//! [`DAYS`], and nine of ten 795 (1,416 pairs of notebook and release in the histories of twelve repositories of teaching material).

use jiff::{SignedDuration, Timestamp};

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
    /// The last commit, or 500 days after the release of Python that half of the notebooks were saved by or before, if that is earlier.
    #[must_use]
    pub fn of(inferred: &InferredNames, committed: Timestamp) -> Self {
        let known = inferred.releases.iter().filter_map(|text| Some((released(&text.parse().ok()?)?, text)));
        let mut known: Vec<(Timestamp, &String)> = known.collect();
        known.sort_unstable();
        let median = known.get(known.len() / 2);
        let until = median.and_then(|(day, _)| day.checked_add(SignedDuration::from_hours(24 * DAYS)).ok());
        match (median, until.filter(|until| *until < committed)) {
            (Some((released, version)), Some(date)) => {
                let day = |of: &Timestamp| of.strftime("%Y-%m-%d").to_string();
                let why = format!(
                    "versions are of {} and not of {}, the last commit: half of the notebooks were saved by Python {version} ({}) or older",
                    day(&date),
                    day(&committed),
                    day(released)
                );
                Self { date, why: Some(why) }
            }
            _ => Self { date: committed, why: None },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn last_run(releases: &[&str], committed: &str) -> (String, Option<String>) {
        let releases = releases.iter().map(|text| (*text).to_owned()).collect();
        let inferred = InferredNames { releases, ..InferredNames::default() };
        let found = LastRun::of(&inferred, format!("{committed}T12:00:00Z").parse().unwrap());
        (found.date.strftime("%Y-%m-%d").to_string(), found.why)
    }

    #[test]
    fn it_is_the_last_commit_unless_python_tells_that_it_was_long_before() {
        let (date, why) = last_run(&["3.5.2"; 12], "2024-03-31");
        assert_eq!(date, "2017-11-08");
        insta::assert_snapshot!(why.unwrap(), @"versions are of 2017-11-08 and not of 2024-03-31, the last commit: half of the notebooks were saved by Python 3.5.2 (2016-06-26) or older");
        for releases in [&["3.6.5"][..], &[], &["3.99.1", "word", "", "2"]] {
            assert_eq!(last_run(releases, "2018-06-01"), ("2018-06-01".to_owned(), None), "{releases:?}");
        }
        // The newer one of two, and the middle one of three.
        assert_eq!(last_run(&["3.7.0", "3.5.2"], "2024-03-31").0, "2019-11-09");
        assert_eq!(last_run(&["3.11.0", "2.7.9", "3.6.0"], "2024-03-31").0, "2018-05-07");
    }
}
