//! Numbers as people read them.

pub(crate) use nbrevive_corpus::thousands;

/// What stands where there is nothing to say.
pub(crate) const NOTHING: &str = "–";

/// A fraction with six decimals: what machines read must not depend on the last digits of a machine's arithmetic.
pub(crate) fn rounded(fraction: Option<f64>) -> Option<f64> {
    fraction.map(|fraction| (fraction * 1e6).round() / 1e6)
}

/// A number with so many decimals; one that rounds to zero has no sign.
pub(crate) fn decimals(value: f64, places: usize) -> String {
    let text = format!("{value:.places$}");
    match text.strip_prefix('-') {
        Some(zero) if zero.bytes().all(|byte| matches!(byte, b'0' | b'.')) => zero.to_owned(),
        _ => text,
    }
}

/// A share in percent with one decimal; a share that is not quite nothing or all does not look so.
pub(crate) fn percent(share: Option<f64>) -> String {
    match share {
        None => NOTHING.to_owned(),
        Some(share) if share > 0.0 && share < 0.0005 => "< 0.1 %".to_owned(),
        Some(share) if (0.9995..1.0).contains(&share) => "> 99.9 %".to_owned(),
        Some(share) => format!("{:.1} %", share * 100.0),
    }
}

/// A count with its noun.
pub(crate) fn plural(count: u64, noun: &str) -> String {
    let ending = match (count, noun.ends_with('x') || noun.ends_with("sh")) {
        (1, _) => "",
        (_, true) => "es",
        (_, false) => "s",
    };
    format!("{} {noun}{ending}", thousands(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_has_no_sign() {
        let texts = [-0.0004, -0.0006, 0.0, -0.0, -12.0].map(|value| decimals(value, 3));
        assert_eq!(texts, ["0.000", "-0.001", "0.000", "0.000", "-12.000"]);
    }
}
