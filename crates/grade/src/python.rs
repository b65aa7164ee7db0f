//! What Python makes of text: the graders read numbers and words with it.

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

/// The number that `float()` reads: also `nan`, `inf`, and underscores between digits.
pub(crate) fn float(text: &str) -> Option<f64> {
    plain(text)?.parse().ok()
}

/// The text without blanks around it and without the underscores that are allowed; none when one stands elsewhere.
fn plain(text: &str) -> Option<std::borrow::Cow<'_, str>> {
    let text = text.trim_matches(is_blank);
    if !text.contains('_') {
        return Some(text.into());
    }
    let bytes = text.as_bytes();
    let digit = |place: Option<usize>| place.and_then(|place| bytes.get(place)).is_some_and(u8::is_ascii_digit);
    let between = |(place, _): (usize, &str)| digit(place.checked_sub(1)) && digit(Some(place + 1));
    text.match_indices('_').all(between).then(|| text.replace('_', "").into())
}

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
        assert_eq!([whole("_1"), whole("1__0"), whole("2.0"), whole("")], [None; 4]);
        assert_eq!(
            [float("1_300"), float("3.5e3"), float("-inf")],
            [Some(1300.0), Some(3500.0), Some(f64::NEG_INFINITY)]
        );
        assert!(float("nan").is_some_and(f64::is_nan));
        assert_eq!([float("0x10"), float("1_"), float("a")], [None; 3]);
    }

    #[test]
    fn floats_as_python_writes_them() {
        let found = [5.0, 0.1, 1e16, 1e15, 1.5e-5, 1e-4, -2.5e300, 0.0].map(float_text);
        assert_eq!(found, ["5.0", "0.1", "1e+16", "1000000000000000.0", "1.5e-05", "0.0001", "-2.5e+300", "0.0"]);
    }
}
