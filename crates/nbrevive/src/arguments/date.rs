//! Dates as people type them.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

/// Reads `2018-05-01`, which means its first instant in UTC, or an instant with a zone.
pub(crate) fn instant(text: &str) -> Result<Timestamp, String> {
    let day = |date: Date| date.to_zoned(TimeZone::UTC).ok().map(|start| start.timestamp());
    if let Some(start) = text.parse::<Date>().ok().filter(|_| text.len() <= 10).and_then(day) {
        return Ok(start);
    }
    text.parse().map_err(|_| "not a date such as 2018-05-01, nor an instant such as 2018-05-01T12:00:00Z".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_its_first_instant_in_utc() {
        assert_eq!(instant("2018-05-01").unwrap().to_string(), "2018-05-01T00:00:00Z");
        assert_eq!(instant("2018-05-01T12:00:00+02:00").unwrap().to_string(), "2018-05-01T10:00:00Z");
        for wrong in ["", "2018", "2018-13-01", "yesterday", "2018-05-01T12:00:00"] {
            assert!(instant(wrong).is_err(), "{wrong}");
        }
    }
}
