//! Points in time of the world, and the ways in which Kaggle writes them.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::Offset;

/// A point in time in milliseconds since 1970, UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(pub i64);

impl Moment {
    /// Midnight (UTC) of a date.
    pub(crate) fn of(year: i16, month: i8, day: i8) -> Self {
        let date = DateTime::constant(year, month, day, 0, 0, 0, 0);
        Self(Offset::UTC.to_timestamp(date).map_or(0, Timestamp::as_millisecond))
    }

    /// This many seconds later; parts of a millisecond are dropped.
    pub fn plus_seconds(self, seconds: f64) -> Self {
        Self(self.0 + (seconds * 1000.0) as i64)
    }

    fn civil(self) -> DateTime {
        Offset::UTC.to_datetime(Timestamp::from_millisecond(self.0).unwrap_or(Timestamp::UNIX_EPOCH))
    }

    /// The year, UTC.
    pub fn year(self) -> i16 {
        self.civil().year()
    }

    /// As the API writes it: `2022-03-02T10:11:12.347Z`, without a fraction when it is zero.
    pub fn iso(self) -> String {
        let at = self.civil();
        let fraction = match self.0.rem_euclid(1000) {
            0 => String::new(),
            milliseconds => format!(".{milliseconds:03}"),
        };
        format!(
            "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}{fraction}Z",
            at.year(),
            at.month(),
            at.day(),
            at.hour(),
            at.minute(),
            at.second()
        )
    }

    /// As the old API writes some of its dates: with seven digits behind the second.
    pub(crate) fn iso_long(self) -> String {
        let fraction = self.0.rem_euclid(1000);
        let whole = Self(self.0 - fraction).iso();
        format!("{}.{fraction:03}1234Z", whole.trim_end_matches('Z'))
    }

    /// As the dump writes it: `03/02/2022 10:11:12`.
    pub fn dump(self) -> String {
        let at = self.civil();
        let (hour, minute, second) = (at.hour(), at.minute(), at.second());
        format!("{} {hour:02}:{minute:02}:{second:02}", self.dump_date())
    }

    /// As the dump writes a day: `03/02/2022`.
    pub fn dump_date(self) -> String {
        let at = self.civil();
        format!("{:02}/{:02}/{:04}", at.month(), at.day(), at.year())
    }

    /// As headers write it: `Wed, 02 Mar 2022 10:11:12 GMT`.
    pub(crate) fn http_date(self) -> String {
        nbrevive_loopback::http_date(Timestamp::from_millisecond(self.0).unwrap_or(Timestamp::UNIX_EPOCH))
    }

    /// The present, for headers that clients measure against their own clock.
    pub(crate) fn now() -> Self {
        Self(Timestamp::now().as_millisecond())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_written_in_every_way_of_the_facts() {
        let moment = Moment(Moment::of(2022, 3, 2).0 + 36_672_347);
        assert_eq!(moment.iso(), "2022-03-02T10:11:12.347Z");
        assert_eq!(moment.iso_long(), "2022-03-02T10:11:12.3471234Z");
        assert_eq!(Moment::of(2022, 3, 5).plus_seconds(1.0).iso(), "2022-03-05T00:00:01Z");
        assert_eq!(moment.dump(), "03/02/2022 10:11:12");
        assert_eq!(moment.dump_date(), "03/02/2022");
        assert_eq!(moment.http_date(), "Wed, 02 Mar 2022 10:11:12 GMT");
        assert_eq!(moment.year(), 2022);
    }
}
