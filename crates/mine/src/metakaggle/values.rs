//! Fields of the dump as values: numbers that may be written as reals (`12.0`), `True` and `False`,
//! dates as `MM/DD/YYYY` or `MM/DD/YYYY HH:MM:SS` in UTC. An empty field has no value.
//!
//! Written by hand: these run for every row of tables of millions of rows, in debug builds too.

use jiff::Timestamp;

/// A field that does not hold what its column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BadValue;

/// Seconds of a day.
const DAY: i64 = 86_400;

/// A whole number from 0; `12.0` counts, as tools leave it that know no missing whole numbers.
pub(super) fn whole(field: &[u8]) -> Result<Option<u64>, BadValue> {
    let digits = match field.iter().position(|byte| *byte == b'.') {
        Some(point) if field[point + 1..].iter().all(|byte| *byte == b'0') => &field[..point],
        Some(_) => return Err(BadValue),
        None => field,
    };
    if digits.is_empty() {
        return if field.is_empty() { Ok(None) } else { Err(BadValue) };
    }
    let mut number = 0_u64;
    for byte in digits {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return Err(BadValue);
        }
        number = number.checked_mul(10).and_then(|tens| tens.checked_add(u64::from(digit))).ok_or(BadValue)?;
    }
    Ok(Some(number))
}

/// A finite real number; `inf` and `nan`, which the dump holds, are no value.
pub(super) fn real(field: &[u8]) -> Result<Option<f64>, BadValue> {
    if field.is_empty() {
        return Ok(None);
    }
    let text = std::str::from_utf8(field).map_err(|_| BadValue)?;
    let number: f64 = text.parse().map_err(|_| BadValue)?;
    Ok(number.is_finite().then_some(number))
}

/// `True` or `False`.
pub(super) fn flag(field: &[u8]) -> Result<Option<bool>, BadValue> {
    match field {
        b"" => Ok(None),
        b"True" | b"true" | b"1" => Ok(Some(true)),
        b"False" | b"false" | b"0" => Ok(Some(false)),
        _ => Err(BadValue),
    }
}

/// A text; empty is none.
pub(super) fn text(field: &[u8]) -> Result<Option<&str>, BadValue> {
    let text = std::str::from_utf8(field).map_err(|_| BadValue)?;
    Ok((!text.is_empty()).then_some(text))
}

/// Seconds since 1970 of a date.
pub(super) fn seconds(field: &[u8]) -> Result<Option<i64>, BadValue> {
    let (date, time) = match field.len() {
        0 => return Ok(None),
        10 => (field, None),
        19 if field[10] == b' ' => (&field[..10], Some(&field[11..])),
        _ => return Err(BadValue),
    };
    if date[2] != b'/' || date[5] != b'/' {
        return Err(BadValue);
    }
    let (month, day) = (digits(&date[..2])?, digits(&date[3..5])?);
    let year = digits(&date[6..])?;
    if !(1..=12).contains(&month) || day == 0 || day > length(year, month) {
        return Err(BadValue);
    }
    let of_day = time.map_or(Ok(0), clock)?;
    Ok(Some(days(year, month, day) * DAY + of_day))
}

/// Seconds of a day from `HH:MM:SS`.
fn clock(time: &[u8]) -> Result<i64, BadValue> {
    let (hour, minute, second) = (digits(&time[..2])?, digits(&time[3..5])?, digits(&time[6..])?);
    let fits = time[2] == b':' && time[5] == b':' && hour < 24 && minute < 60 && second < 60;
    if fits { Ok((hour * 60 + minute) * 60 + second) } else { Err(BadValue) }
}

/// A point in time from its seconds since 1970.
pub(super) fn timestamp(seconds: i64) -> Option<Timestamp> {
    Timestamp::from_second(seconds).ok()
}

fn digits(bytes: &[u8]) -> Result<i64, BadValue> {
    bytes.iter().try_fold(0, |number, byte| {
        if byte.is_ascii_digit() { Ok(number * 10 + i64::from(byte - b'0')) } else { Err(BadValue) }
    })
}

fn length(year: i64, month: i64) -> i64 {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 => 28 + i64::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days since 1970-01-01 of a Gregorian date from year 0 on: years begin in March, so that the leap day is the last, and
/// 400 years have 146,097 days.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * month + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use jiff::civil::DateTime;
    use jiff::tz::Offset;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_are_whole_even_if_written_as_reals() {
        assert_eq!(whole(b"12"), Ok(Some(12)));
        assert_eq!(whole(b"12.0"), Ok(Some(12)));
        assert_eq!(whole(b"18446744073709551615"), Ok(Some(u64::MAX)));
        assert_eq!(whole(b""), Ok(None));
        for wrong in ["-1", "12.5", ".", ".0", "1e3", " 1", "18446744073709551616", "x", "\u{0661}"] {
            assert_eq!(whole(wrong.as_bytes()), Err(BadValue), "{wrong}");
        }
    }

    #[test]
    fn infinite_scores_are_no_scores() {
        assert_eq!(real(b"0.5"), Ok(Some(0.5)));
        assert_eq!(real(b"-1e3"), Ok(Some(-1000.0)));
        for none in ["", "inf", "-inf", "NaN"] {
            assert_eq!(real(none.as_bytes()), Ok(None), "{none}");
        }
        assert_eq!(real(b"0,5"), Err(BadValue));
    }

    #[test]
    fn wrong_dates_are_refused() {
        for wrong in
            ["2022-03-02", "13/01/2022", "02/29/2023", "01/00/2022", "01/01/2022 24:00:00", "01/01/2022T00:00:00"]
        {
            assert_eq!(seconds(wrong.as_bytes()), Err(BadValue), "{wrong}");
        }
        assert_eq!(seconds(b"02/29/2024"), Ok(Some(1_709_164_800)));
    }

    proptest! {
        #[test]
        fn dates_are_those_of_the_calendar(second in -60_000_000_000_i64..250_000_000_000) {
            let civil: DateTime = Offset::UTC.to_datetime(Timestamp::from_second(second).unwrap());
            let written = civil.strftime("%m/%d/%Y %H:%M:%S").to_string();
            prop_assert_eq!(seconds(written.as_bytes()), Ok(Some(second)), "{}", written);
            let midnight = second - second.rem_euclid(DAY);
            prop_assert_eq!(seconds(written.split(' ').next().unwrap().as_bytes()), Ok(Some(midnight)));
        }

        #[test]
        fn no_field_does_harm(field in proptest::collection::vec(any::<u8>(), 0..24)) {
            let _ = (whole(&field), real(&field), flag(&field), text(&field), seconds(&field));
        }
    }
}
