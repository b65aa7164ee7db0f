//! A Python minor (`3.9`) and the table of CPython's final releases.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use pep440_rs::Version;
use serde::{Deserialize, Serialize};

use crate::table::rows;

/// A Python minor such as 3.9.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Minor {
    /// 2 or 3.
    pub major: u32,
    /// The number after the dot.
    pub minor: u32,
}

/// A text that is no Python minor.
#[derive(Debug, thiserror::Error)]
#[error("{0:?} is no Python minor such as 3.9")]
pub struct NotAMinor(String);

impl FromStr for Minor {
    type Err = NotAMinor;

    /// Reads `3.9`; a patch (`3.9.1`) is allowed and dropped.
    fn from_str(text: &str) -> Result<Self, NotAMinor> {
        let mut parts = text.trim().split('.').map(str::parse);
        match (parts.next(), parts.next()) {
            (Some(Ok(major)), Some(Ok(minor))) => Ok(Self { major, minor }),
            _ => Err(NotAMinor(text.to_owned())),
        }
    }
}

impl TryFrom<String> for Minor {
    type Error = NotAMinor;

    fn try_from(text: String) -> Result<Self, NotAMinor> {
        text.parse()
    }
}

impl From<Minor> for String {
    fn from(minor: Minor) -> Self {
        minor.to_string()
    }
}

impl fmt::Display for Minor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}", self.major, self.minor)
    }
}

/// One final release of CPython.
#[derive(Debug, Clone)]
struct PythonRelease {
    minor: Minor,
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
    let of_two_seven = RELEASES.iter().filter(|release| release.minor == Minor { major: 2, minor: 7 });
    of_two_seven.map(|release| release.released).min().expect("the committed table has Python 2.7")
}

/// Which Python a notebook of that time would have run on (paper, section 2.2.1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PythonChoice {
    /// The minor.
    pub minor: Minor,
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
    let minimum = Minor { major, minor: minimum_minor };
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

    #[test]
    fn minors_are_ordered_as_numbers() {
        let minor = |text: &str| text.parse::<Minor>().unwrap();
        assert!(minor("3.9") < minor("3.10") && minor("2.7.18") < minor("3.0"));
        assert!("three".parse::<Minor>().is_err() && "3".parse::<Minor>().is_err());
    }
}
