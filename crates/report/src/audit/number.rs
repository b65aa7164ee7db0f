//! What a printed number says: not one value, but all values that would have been printed so.

/// All values that a printed number, or a sum of such, may stand for. Both ends belong to it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Bounds {
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Bounds {
    /// A value that is known exactly.
    pub(crate) const fn exact(value: f64) -> Self {
        Bounds { low: value, high: value }
    }

    /// A value that was rounded to a multiple of `unit`.
    pub(crate) fn rounded(value: f64, unit: f64) -> Self {
        Bounds { low: value - unit / 2.0, high: value + unit / 2.0 }
    }

    pub(crate) const fn is_exact(self) -> bool {
        self.low == self.high
    }

    pub(crate) fn plus(self, other: Self) -> Self {
        Bounds { low: self.low + other.low, high: self.high + other.high }
    }

    /// The product; neither is negative.
    pub(crate) fn times(self, other: Self) -> Self {
        Bounds { low: self.low * other.low, high: self.high * other.high }
    }

    /// The quotient; neither is negative. None when the divisor may be 0.
    pub(crate) fn over(self, other: Self) -> Option<Self> {
        (other.low > 0.0).then(|| Bounds { low: self.low / other.high, high: self.high / other.low })
    }

    /// The values that both may stand for; none when there are none, but for the rounding of computers.
    pub(crate) fn and(self, other: Self) -> Option<Self> {
        let both = Bounds { low: self.low.max(other.low), high: self.high.min(other.high) };
        self.may_be_at_most(other).then_some(())?;
        other.may_be_at_most(self).then_some(both)
    }

    /// Whether some value of this one is at most some value of the other.
    pub(crate) fn may_be_at_most(self, other: Self) -> bool {
        self.low <= other.high + 1e-9 * other.high.abs().max(1e-3)
    }
}

/// Reads a number as papers print it; none when the text is none.
///
/// - `4,501`: exactly that; with a decimal point or `%`, or when `rounded`, anything that rounds to it;
/// - `29K`: thousands; `$0.31`: dollars; `95th`: an ordinal;
/// - `~0.5`: at most one unit of the last digit away;
/// - `>80K`, `≥2%`, `<0.05`: anything above or below;
/// - `0.53–0.56`: anything between.
pub(crate) fn read(text: &str, rounded: bool) -> Option<Bounds> {
    if let Some((low, high)) = text.split_once('–') {
        let ends = Bounds { low: digits(low)?.value, high: digits(high)?.value };
        return (ends.low <= ends.high).then_some(ends);
    }
    let mut characters = text.chars();
    let (sign, rest) = match characters.next()? {
        sign @ ('~' | '>' | '≥' | '<') => (sign, characters.as_str()),
        _ => (' ', text),
    };
    let Digits { value, unit, is_count } = digits(rest)?;
    Some(match sign {
        '~' => Bounds { low: value - unit, high: value + unit },
        '>' | '≥' => Bounds { low: value, high: f64::INFINITY },
        '<' => Bounds { low: 0.0, high: value },
        _ if is_count && !rounded => Bounds::exact(value),
        _ => Bounds::rounded(value, unit),
    })
}

/// The digits of a number: what they say, and what the last one counts.
struct Digits {
    value: f64,
    unit: f64,
    is_count: bool,
}

fn digits(text: &str) -> Option<Digits> {
    let text = text.strip_prefix('$').unwrap_or(text);
    let text = text.strip_suffix("th").unwrap_or(text);
    let (text, scale) = match text.chars().last()? {
        '%' => (&text[..text.len() - 1], 0.01),
        'K' => (&text[..text.len() - 1], 1000.0),
        _ => (text, 1.0),
    };
    let plain = text.replace(',', "");
    if plain.is_empty() || !plain.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return None;
    }
    let value: f64 = plain.parse().ok()?;
    let decimals = plain.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let unit = 10_f64.powi(-i32::try_from(decimals).ok()?) * scale;
    Some(Digits { value: value * scale, unit, is_count: decimals == 0 && scale == 1.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(text: &str) -> (f64, f64) {
        let found = read(text, false).unwrap();
        let tidy = |value: f64| (value * 1e9).round() / 1e9;
        (tidy(found.low), tidy(found.high))
    }

    #[test]
    fn every_way_of_printing_a_number() {
        for (text, low, high) in [
            ("4,501", 4501.0, 4501.0),
            ("1365", 1365.0, 1365.0),
            ("35.4%", 0.3535, 0.3545),
            ("0%", -0.005, 0.005),
            ("5.70", 5.695, 5.705),
            ("$0.31", 0.305, 0.315),
            ("~29K", 28_000.0, 30_000.0),
            ("~0.5", 0.4, 0.6),
            (">80K", 80_000.0, f64::INFINITY),
            ("<0.05", 0.0, 0.05),
            ("0.53–0.56", 0.53, 0.56),
            ("95th", 95.0, 95.0),
        ] {
            assert_eq!(ends(text), (low, high), "{text}");
        }
        assert_eq!(read("28,805", true), Some(Bounds { low: 28_804.5, high: 28_805.5 }));
    }

    #[test]
    fn what_is_no_number_is_none() {
        for text in ["", "%", "~", "1.2.3", "a few", "-3", "3–2", "1e5", "–"] {
            assert_eq!(read(text, false), None, "{text}");
        }
    }

    #[test]
    fn bounds_meet_where_rounding_allows() {
        let share = read("35.4%", false).unwrap();
        assert!(share.and(read("35%", false).unwrap()).is_some());
        assert!(share.and(read("36%", false).unwrap()).is_none());
        let quotient = Bounds::exact(4501.0).over(Bounds::exact(12_720.0)).unwrap();
        assert!(share.and(quotient).is_some());
        assert_eq!(Bounds::exact(1.0).over(Bounds::exact(0.0)), None);
    }
}
