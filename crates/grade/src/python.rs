//! What Python makes of text: the graders read numbers and words with it.

use std::borrow::Cow;
use std::num::IntErrorKind;

/// The words of `text`, as `str.split()` parts them: at Unicode blanks and at the separators U+001C to U+001F.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_blank).filter(|word| !word.is_empty())
}

fn is_blank(character: char) -> bool {
    character.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&character)
}

/// The number that `int()` reads: with a sign, leading zeros and underscores between digits.
pub(crate) fn whole(text: &str) -> Option<i128> {
    plain(text)?.parse().ok()
}

/// [`whole`] of any size: the nearest that 128 bits hold.
pub(crate) fn clamped_whole(text: &str) -> Option<i128> {
    /// Source: CPython's documentation, `sys.int_info.default_max_str_digits`.
    const MOST_DIGITS: usize = 4300;
    let text = plain(text)?;
    match text.parse::<i128>() {
        _ if text.trim_start_matches(['+', '-']).len() > MOST_DIGITS => None,
        Err(error) if *error.kind() == IntErrorKind::PosOverflow => Some(i128::MAX),
        Err(error) if *error.kind() == IntErrorKind::NegOverflow => Some(i128::MIN),
        number => number.ok(),
    }
}

/// What `hash()` makes of a whole number, but that -1 stays itself, as rapidfuzz has it.
pub(crate) const fn whole_hash(number: i128) -> i128 {
    /// Source: CPython's documentation, `sys.hash_info.modulus` of 64 bits.
    const MODULUS: i128 = (1 << 61) - 1;
    match number % MODULUS {
        -1 if number != -1 => -2,
        rest => rest,
    }
}

/// The number that `float()` reads: also `nan`, `inf`, and underscores between digits.
pub(crate) fn float(text: &str) -> Option<f64> {
    plain(text)?.parse().ok()
}

/// The text without blanks around it and without the underscores that are allowed, its digits those of ASCII; none when an
/// underscore stands elsewhere.
fn plain(text: &str) -> Option<Cow<'_, str>> {
    let text = digits(text.trim_matches(is_blank));
    if !text.contains('_') {
        return Some(text);
    }
    let bytes = text.as_bytes();
    let digit = |place: Option<usize>| place.and_then(|place| bytes.get(place)).is_some_and(u8::is_ascii_digit);
    let between = |(place, _): (usize, &str)| digit(place.checked_sub(1)) && digit(Some(place + 1));
    text.match_indices('_').all(between).then(|| text.replace('_', "").into())
}

/// The text with the decimal digits of every script as those of ASCII.
fn digits(text: &str) -> Cow<'_, str> {
    let digit = |character: char| {
        let zero = ZEROS[..ZEROS.partition_point(|&zero| zero <= character as u32)].last()?;
        char::from_digit(character as u32 - zero, 10)
    };
    match text.is_ascii() {
        true => text.into(),
        false => text.chars().map(|character| digit(character).unwrap_or(character)).collect(),
    }
}

/// Where the ten decimal digits of each script but ASCII start. Source: Unicode 14.0.0, general category Nd.
const ZEROS: [u32; 65] = [
    0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0, 0xf20,
    0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0,
    0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10, 0x104a0, 0x10d30, 0x11066, 0x110f0, 0x11136, 0x111d0, 0x112f0,
    0x11450, 0x114d0, 0x11650, 0x116c0, 0x11730, 0x118e0, 0x11950, 0x11c50, 0x11d50, 0x11da0, 0x16a60, 0x16ac0,
    0x16b50, 0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1e140, 0x1e2f0, 0x1e950, 0x1fbf0,
];

/// The text that `str()` gives a float: the shortest that reads back, with an exponent from 1e16 on and below 1e-4.
pub(crate) fn float_text(value: f64) -> String {
    if value.is_nan() {
        return "nan".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    let size = value.abs();
    if size != 0.0 && !(1e-4..1e16).contains(&size) {
        let text = format!("{value:e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |exponent| ('-', exponent));
        return format!("{digits}e{sign}{exponent:0>2}");
    }
    format!("{value:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_end_at_blanks() {
        let found: Vec<&str> = words("a\u{1c}b\u{a0}c\u{200b}d  e\u{85}").collect();
        assert_eq!(found, ["a", "b", "c\u{200b}d", "e"]);
    }

    #[test]
    fn numbers_as_python_reads_them() {
        assert_eq!([whole("+2"), whole("1_0"), whole(" 007 ")], [Some(2), Some(10), Some(7)]);
        assert_eq!([whole("\u{661}\u{660}"), whole("-\u{ff17}"), whole("\u{b2}")], [Some(10), Some(-7), None]);
        assert_eq!([whole("_1"), whole("1__0"), whole("2.0"), whole("")], [None; 4]);
        assert_eq!(
            [float("1_300"), float("3.5e3"), float("-inf")],
            [Some(1300.0), Some(3500.0), Some(f64::NEG_INFINITY)]
        );
        assert!(float("nan").is_some_and(f64::is_nan));
        assert_eq!([float("0x10"), float("1_"), float("a")], [None; 3]);
    }

    #[test]
    fn large_numbers_share_hashes() {
        assert_eq!([7, -1, i64::MAX.into(), -(1 << 61)].map(whole_hash), [7, -1, 3, -2]);
    }

    #[test]
    fn floats_as_python_writes_them() {
        let found = [5.0, 0.1, 1e16, 1e15, 1.5e-5, 1e-4, -2.5e300, 0.0].map(float_text);
        assert_eq!(found, ["5.0", "0.1", "1e+16", "1000000000000000.0", "1.5e-05", "0.0001", "-2.5e+300", "0.0"]);
    }
}
