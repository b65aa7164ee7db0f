//! When two numbers count as the same.

use super::lexer::Numeral;

/// How far numbers may be apart and still have the same value.
///
/// Two numbers agree when they are at most `relative` times the larger of their sizes apart, or at most `absolute`. NaN agrees with NaN,
/// infinities with themselves. Two numbers that are both written as integers say their values exactly, and agree only when equal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Share of the larger number's size; 1e-6 by default.
    pub relative: f64,
    /// For numbers around zero, where what is left of a sum that should vanish has no digit in common from machine to machine; 1e-12
    /// by default.
    pub absolute: f64,
}

impl Default for Tolerance {
    fn default() -> Self {
        Self { relative: 1e-6, absolute: 1e-12 }
    }
}

impl Tolerance {
    /// Whether two numbers agree.
    #[must_use]
    pub fn accepts(&self, saved: f64, new: f64) -> bool {
        if saved == new || (saved.is_nan() && new.is_nan()) {
            return true;
        }
        let apart = (saved - new).abs();
        apart.is_finite() && apart <= self.absolute.max(self.relative * saved.abs().max(new.abs()))
    }

    /// The same of numbers as they were written.
    pub(crate) fn accepts_written(&self, saved: &Numeral<'_>, new: &Numeral<'_>) -> bool {
        if saved.is_integer && new.is_integer {
            return digits(saved.text) == digits(new.text);
        }
        self.accepts(saved.value, new.value)
    }
}

/// An integer without what does not count: `007`, `+7`, `-0`.
fn digits(integer: &str) -> (bool, &str) {
    let (is_negative, digits) = match integer.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, integer.strip_prefix('+').unwrap_or(integer)),
    };
    let digits = digits.trim_start_matches('0');
    (is_negative && !digits.is_empty(), digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_agree_by_their_size_and_near_zero() {
        let tolerance = Tolerance::default();
        let agree =
            [(1.0, 1.000_000_9), (1e-13, -5e-13), (f64::NAN, f64::NAN), (f64::INFINITY, f64::INFINITY), (0.0, -0.0)];
        for (saved, new) in agree {
            assert!(tolerance.accepts(saved, new) && tolerance.accepts(new, saved), "{saved} {new}");
        }
        let differ = [(1.0, 1.000_002), (1e-9, 2e-9), (f64::NAN, 0.0), (f64::INFINITY, f64::MAX), (f64::MAX, f64::MIN)];
        for (saved, new) in differ {
            assert!(!tolerance.accepts(saved, new) && !tolerance.accepts(new, saved), "{saved} {new}");
        }
    }

    #[test]
    fn integers_are_exact() {
        assert_eq!(digits("-007"), (true, "7"));
        assert_eq!(digits("-0"), digits("+00"));
    }
}
