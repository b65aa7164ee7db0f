//! What the text of one CSV field means: missing, a number, a truth value, a label.

/// The spellings of a missing value that pandas knows by default.
const MISSING: [&str; 19] = [
    "", "NA", "NaN", "nan", "null", "NULL", "None", "N/A", "n/a", "#N/A", "#NA", "#N/A N/A", "<NA>", "-nan", "-NaN",
    "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN",
];

/// Whether pandas would read `text` as a missing value.
#[inline]
pub(crate) fn is_missing(text: &str) -> bool {
    match text.as_bytes() {
        // Nearly every cell is one of these.
        [b'0' | b'2'..=b'9', ..] => false,
        bytes => bytes.len() <= 8 && MISSING.contains(&text),
    }
}

/// The text without blanks around it: those that C knows.
#[inline]
pub(crate) fn trimmed(text: &str) -> &str {
    const fn is_blank(byte: u8) -> bool {
        matches!(byte, b' ' | b'\t'..=b'\r')
    }
    match text.as_bytes() {
        [first, .., last] if !is_blank(*first) && !is_blank(*last) => text,
        _ => text.trim_matches(|character: char| u8::try_from(character).is_ok_and(is_blank)),
    }
}

/// The number that `text` spells, with blanks around it allowed. NaN and infinities are numbers here, and so are truth
/// values: `True` is 1.
pub(crate) fn number(text: &str) -> Option<f64> {
    if is_missing(text) {
        return Some(f64::NAN);
    }
    trimmed(text).parse().ok().or_else(|| truth(text).map(|truth| f64::from(u8::from(truth))))
}

/// The truth value that `text` spells, as pandas knows them.
pub(crate) fn truth(text: &str) -> Option<bool> {
    match text.len() {
        4 if text.eq_ignore_ascii_case("true") => Some(true),
        5 if text.eq_ignore_ascii_case("false") => Some(false),
        _ => None,
    }
}

/// A class label. Numbers are equal however they are spelled: `1`, `1.0` and `01` are one label.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Label {
    /// No value: every spelling of it is the same label.
    Missing,
    /// A whole number.
    Whole(i128),
    /// Any other finite number, by its bits.
    Fraction(u64),
    /// Anything else, as it stands.
    Word(Box<str>),
}

impl Label {
    /// The label that `text` spells; truth values are words.
    pub(crate) fn read(text: &str) -> Self {
        if is_missing(text) {
            return Label::Missing;
        }
        let trimmed = trimmed(text);
        if let Ok(whole) = trimmed.parse() {
            return Label::Whole(whole);
        }
        match trimmed.parse::<f64>() {
            Ok(number) if number.fract() == 0.0 && number.abs() < 1e38 => Label::Whole(number as i128),
            Ok(number) if number.is_finite() => Label::Fraction(number.to_bits()),
            _ => Label::Word(text.into()),
        }
    }

    /// The label that `text` spells where truth values stand for 1 and 0.
    pub(crate) fn read_with_truth(text: &str) -> Self {
        truth(text).map_or_else(|| Label::read(text), |truth| Label::Whole(i128::from(truth)))
    }

    pub(crate) const fn is_number(&self) -> bool {
        matches!(self, Label::Whole(_) | Label::Fraction(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_labels_by_value() {
        for spelling in ["1", "1.0", "01", "+1", " 1 ", "1e0", "1."] {
            assert_eq!(Label::read(spelling), Label::Whole(1), "{spelling}");
        }
        assert_eq!(Label::read("-0"), Label::read("0.0"));
        assert_eq!(Label::read("0.50"), Label::read(".5"));
        assert_eq!(Label::read("18446744073709551615"), Label::Whole(i128::from(u64::MAX)));
        assert_ne!(Label::read("9007199254740993"), Label::read("9007199254740992"));
    }

    #[test]
    fn words_stay_as_they_are() {
        for word in ["a", " a", "0x10", "1_0", "inf", "1e999", "True", "0,5"] {
            assert_eq!(Label::read(word), Label::Word(word.into()), "{word}");
        }
        assert_eq!(Label::read("None"), Label::read(""));
        assert_eq!(Label::read_with_truth("TRUE"), Label::Whole(1));
    }

    #[test]
    fn numbers_as_pandas_reads_them() {
        for (text, expected) in
            [(".5", 0.5), ("5.", 5.0), (" -2e3 ", -2000.0), ("007", 7.0), ("True", 1.0), ("false", 0.0)]
        {
            assert_eq!(number(text), Some(expected), "{text}");
        }
        assert_eq!(number("-Infinity"), Some(f64::NEG_INFINITY));
        assert!(number("N/A").is_some_and(f64::is_nan));
        for text in ["0x10", "1_0", "0,5", "one", "1 2", "\u{ff11}"] {
            assert_eq!(number(text), None, "{text}");
        }
    }
}
