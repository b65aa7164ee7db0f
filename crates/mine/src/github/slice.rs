//! Ranges of stars and dates, and the slices into which a search is cut: it gives no more than its first 1,000 results
//! (the site's documentation of search), so that a longer one is halved until each half has fewer.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::Deserialize;

/// More stars than any repository has.
const MOST_STARS: u64 = 10_000_000;
/// The year in which the site opened.
const FIRST_DAY: Date = jiff::civil::date(2008, 1, 1);
/// A day that nothing was created after; a fixed one, so that a search has one name whenever it is made.
const LAST_DAY: Date = jiff::civil::date(2039, 12, 31);

/// A range of stars, both ends included: `10..99`, `1000..`, `5`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct StarRange {
    least: u64,
    most: u64,
}

/// A range of days of creation, both ends included: `2015-01-01..2019-12-31`, `2015-01-01..`, `..2019-12-31`, `..`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct CreatedRange {
    from: Date,
    to: Date,
}

/// A text that is no range.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{shown}` is no range of {what}, such as `{example}`")]
pub struct NotARange {
    shown: String,
    what: &'static str,
    example: &'static str,
}

impl StarRange {
    fn refused(text: &str) -> NotARange {
        NotARange { shown: super::name::harmless(text), what: "stars", example: "10..99" }
    }
}

impl CreatedRange {
    fn refused(text: &str) -> NotARange {
        NotARange { shown: super::name::harmless(text), what: "dates", example: "2015-01-01..2019-12-31" }
    }
}

impl Default for CreatedRange {
    fn default() -> Self {
        Self { from: FIRST_DAY, to: LAST_DAY }
    }
}

impl FromStr for StarRange {
    type Err = NotARange;

    fn from_str(text: &str) -> Result<Self, NotARange> {
        let number = |text: &str| text.trim().parse::<u64>().ok().filter(|stars| *stars <= MOST_STARS);
        let range = match text.split_once("..") {
            None => number(text).map(|stars| (stars, stars)),
            Some((least, "")) => number(least).map(|least| (least, MOST_STARS)),
            Some((least, most)) => number(least).zip(number(most)),
        };
        let (least, most) = range.filter(|(least, most)| least <= most).ok_or_else(|| Self::refused(text))?;
        Ok(Self { least, most })
    }
}

impl FromStr for CreatedRange {
    type Err = NotARange;

    fn from_str(text: &str) -> Result<Self, NotARange> {
        let day = |text: &str, open: Date| if text.is_empty() { Some(open) } else { text.trim().parse().ok() };
        let (from, to) = text.split_once("..").ok_or_else(|| Self::refused(text))?;
        let range = day(from, FIRST_DAY).zip(day(to, LAST_DAY));
        let (from, to) = range.filter(|(from, to)| from <= to).ok_or_else(|| Self::refused(text))?;
        if from < FIRST_DAY || to > LAST_DAY { Err(Self::refused(text)) } else { Ok(Self { from, to }) }
    }
}

impl TryFrom<String> for StarRange {
    type Error = NotARange;

    fn try_from(text: String) -> Result<Self, NotARange> {
        text.parse()
    }
}

impl TryFrom<String> for CreatedRange {
    type Error = NotARange;

    fn try_from(text: String) -> Result<Self, NotARange> {
        text.parse()
    }
}

impl fmt::Display for StarRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.least, self.most) {
            (least, MOST_STARS) => write!(f, "{least}.."),
            (least, most) if least == most => write!(f, "{least}"),
            (least, most) => write!(f, "{least}..{most}"),
        }
    }
}

impl fmt::Display for CreatedRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let from = if self.from == FIRST_DAY { String::new() } else { self.from.to_string() };
        let to = if self.to == LAST_DAY { String::new() } else { self.to.to_string() };
        write!(f, "{from}..{to}")
    }
}

/// A part of a search: from a number of stars to another, created from one second to another, all included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SearchSlice {
    stars: (u64, u64),
    seconds: (i64, i64),
}

impl SearchSlice {
    pub(crate) fn new(stars: StarRange, created: CreatedRange) -> Self {
        let second = |day: Date| day.to_zoned(TimeZone::UTC).map_or(0, |time| time.timestamp().as_second());
        let to = second(created.to).saturating_add(24 * 3600 - 1);
        Self { stars: (stars.least, stars.most), seconds: (second(created.from), to) }
    }

    /// Its two halves: by stars where they differ (few have many, so the half is that of the orders of magnitude), else
    /// by time; none for one second of one number of stars.
    pub(crate) fn halves(&self) -> Option<[Self; 2]> {
        let ((least, most), (from, to)) = (self.stars, self.seconds);
        if least < most {
            let middle = (least + 1).saturating_mul(most + 1).isqrt().saturating_sub(1).clamp(least, most - 1);
            return Some([Self { stars: (least, middle), ..*self }, Self { stars: (middle + 1, most), ..*self }]);
        }
        let middle = from + to.saturating_sub(from) / 2;
        let halves = [Self { seconds: (from, middle), ..*self }, Self { seconds: (middle + 1, to), ..*self }];
        (from < to).then_some(halves)
    }

    /// Its qualifiers in a query.
    pub(crate) fn query(&self) -> String {
        let time = |second: i64| {
            let time = Timestamp::from_second(second).unwrap_or(Timestamp::UNIX_EPOCH);
            time.strftime("%Y-%m-%dT%H:%M:%S+00:00").to_string()
        };
        let stars = match self.stars {
            (least, MOST_STARS) => format!(">={least}"),
            (least, most) if least == most => least.to_string(),
            (least, most) => format!("{least}..{most}"),
        };
        format!("stars:{stars} created:{}..{}", time(self.seconds.0), time(self.seconds.1))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn slice(stars: &str, created: &str) -> SearchSlice {
        SearchSlice::new(stars.parse().unwrap(), created.parse().unwrap())
    }

    #[test]
    fn a_slice_says_its_ranges_as_the_search_wants_them() {
        let query = slice("10..99", "2015-01-01..2019-12-31").query();
        assert_eq!(query, "stars:10..99 created:2015-01-01T00:00:00+00:00..2019-12-31T23:59:59+00:00");
        assert!(slice("1000..", "..").query().starts_with("stars:>=1000 created:2008-01-01T"));
        assert!(slice("5", "..").query().starts_with("stars:5 created:"));
    }

    #[test]
    fn what_is_no_range_is_refused() {
        for text in ["", "..", "9..1", "-1..", "1...2", "1e3..", "99999999999999999999"] {
            assert!(text.parse::<StarRange>().is_err(), "{text}");
        }
        for text in ["", "2015", "2015-01-01", "2019-01-01..2015-01-01", "1999-01-01..", "..2040-01-01"] {
            assert!(text.parse::<CreatedRange>().is_err(), "{text}");
        }
    }

    #[test]
    fn many_halvings_come_to_an_end() {
        let mut slice = slice("0..", "..");
        let mut count = 0;
        while let Some([first, _]) = slice.halves() {
            (slice, count) = (first, count + 1);
        }
        assert!(count < 64, "{count}");
    }

    proptest! {
        #[test]
        fn halves_are_whole_and_apart(least in 0..2000_u64, more in 0..2000_u64, from in 0..1_000_000_i64, later in 0..1_000_000_i64) {
            let whole = SearchSlice { stars: (least, least + more), seconds: (from, from + later) };
            let Some([first, second]) = whole.halves() else {
                prop_assert!(more == 0 && later == 0);
                return Ok(());
            };
            let size = |slice: SearchSlice| {
                prop_assert!(slice.stars.0 <= slice.stars.1 && slice.seconds.0 <= slice.seconds.1);
                let stars = i128::from(slice.stars.1 - slice.stars.0) + 1;
                Ok(stars * (i128::from(slice.seconds.1 - slice.seconds.0) + 1))
            };
            prop_assert_eq!(size(first)? + size(second)?, size(whole)?);
            prop_assert!(first.stars.1 < second.stars.0 || first.seconds.1 < second.seconds.0);
        }

        #[test]
        fn ranges_are_shown_as_they_are_read(least in 0..5000_u64, more in 0..5000_u64, open: bool) {
            let text = if open { format!("{least}..") } else { format!("{least}..{}", least + more) };
            let range: StarRange = text.parse().unwrap();
            prop_assert_eq!(range.to_string().parse::<StarRange>(), Ok(range));
        }
    }
}
