//! The table of CPython's final releases, and which of them a date asks for.

use std::sync::LazyLock;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use nbrevive_notebook::PythonVersion;
use pep440_rs::Version;

use crate::table::rows;

/// One final release of CPython.
#[derive(Debug, Clone)]
struct PythonRelease {
    minor: PythonVersion,
    version: Version,
    /// Start of the day of release, UTC.
    released: Timestamp,
}

static RELEASES: LazyLock<Vec<PythonRelease>> = LazyLock::new(|| {
    let read = |row: Vec<&str>| {
        let date: Date = row[2].parse().ok()?;
        let released = date.to_zoned(TimeZone::UTC).ok()?.timestamp();
        Some(PythonRelease { minor: row[0].parse().ok()?, version: row[1].parse().ok()?, released })
    };
    rows(include_str!("../../data/python-releases.csv"), 3)
        .map(|row| read(row).expect("the committed table is well formed"))
        .collect()
});

/// When Python 2.7.0 appeared: no environment of before is planned.
#[must_use]
pub fn first_supported() -> Timestamp {
    let of_two_seven = RELEASES.iter().filter(|release| release.minor == PythonVersion::new(2, 7));
    of_two_seven.map(|release| release.released).min().expect("the committed table has Python 2.7")
}

/// When a release appeared: the start of its day, UTC. `None` for one that the table does not have.
#[must_use]
pub fn released(version: &Version) -> Option<Timestamp> {
    RELEASES.iter().find(|release| release.version == *version).map(|release| release.released)
}

/// Which Python a notebook of that time would have run on (paper, section 2.2.1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PythonChoice {
    /// The minor.
    pub minor: PythonVersion,
    /// The newest release of the major before the submission, if there was one.
    pub newest_before: Option<Version>,
    /// The latest patch of the minor: the one that the paper installs.
    pub latest_patch: Version,
}

/// The newest minor of `major` released before the submission, but at least the minor that the syntax demands.
///
/// A minor is released at the start (UTC) of its day, strictly before the submission. Where the major had no
/// release yet, its oldest minor is taken. `None` for a major without releases (neither 2 nor 3).
#[must_use]
pub fn python_at(submitted: Timestamp, major: u32, minimum_minor: u32) -> Option<PythonChoice> {
    let of_major = || RELEASES.iter().filter(move |release| release.minor.major == major);
    let before = of_major().filter(|release| release.released < submitted);
    let newest = before.max_by(|one, other| one.minor.cmp(&other.minor).then_with(|| one.version.cmp(&other.version)));
    let by_date = newest.map(|release| release.minor);
    let oldest = of_major().map(|release| release.minor).min()?;
    let minimum = PythonVersion::new(major, minimum_minor);
    let wanted = by_date.unwrap_or(oldest).max(minimum);
    // A minimum beyond the table means the newest minor known.
    let minor = of_major()
        .map(|release| release.minor)
        .filter(|minor| *minor >= wanted)
        .min()
        .or_else(|| of_major().map(|release| release.minor).max())?;
    let latest_patch =
        of_major().filter(|release| release.minor == minor).map(|release| &release.version).max()?.clone();
    Some(PythonChoice { minor, newest_before: newest.map(|release| release.version.clone()), latest_patch })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(submitted: &str, major: u32, minimum: u32) -> String {
        let choice = python_at(submitted.parse().unwrap(), major, minimum).unwrap();
        format!("{} {}", choice.minor, choice.latest_patch)
    }

    #[test]
    fn the_newest_minor_before_the_submission_in_its_latest_patch() {
        assert_eq!(chosen("2021-03-01T12:00:00Z", 3, 0), "3.9 3.9.25");
        assert_eq!(chosen("2018-06-27T00:00:00Z", 3, 0), "3.6 3.6.15");
        assert_eq!(chosen("2018-06-27T00:00:01Z", 3, 0), "3.7 3.7.17");
        assert_eq!(chosen("2018-06-27T00:00:01Z", 2, 0), "2.7 2.7.18");
        assert_eq!(chosen("2016-08-15T00:00:00Z", 3, 0), "3.5 3.5.10");
    }

    #[test]
    fn syntax_raises_the_minor() {
        assert_eq!(chosen("2016-08-15T00:00:00Z", 3, 6), "3.6 3.6.15");
        assert_eq!(chosen("2022-01-01T00:00:00Z", 3, 6), "3.10 3.10.20");
        assert_eq!(chosen("2022-01-01T00:00:00Z", 3, 99), "3.14 3.14.7");
    }
}
