//! Order, and runs of equal values, on which the corrections for ties rest.

/// How a p-value was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PValueMethod {
    /// By counting every arrangement of the ranks.
    Exact,
    /// By the normal distribution that the statistic tends to, corrected for ties.
    Normal,
}

/// Bits that compare as whole numbers the way the values compare, which sorts faster; both zeros have the same.
///
/// NaN has no place in the order and was refused before.
pub(crate) fn key(value: f64) -> u64 {
    // Adding 0 turns -0 into 0 and leaves every other value alone.
    let bits = (value + 0.0).to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

/// The keys of all values, from the least to the greatest.
pub(crate) fn sorted_keys(values: &[f64]) -> Vec<u64> {
    let mut keys: Vec<u64> = values.iter().copied().map(key).collect();
    keys.sort_unstable();
    keys
}

/// The lengths of the runs of equal neighbours in a sorted list.
pub(crate) fn runs<T>(sorted: &[T], equal: impl Fn(&T, &T) -> bool) -> impl Iterator<Item = u64> {
    sorted.chunk_by(equal).map(|run| run.len() as u64)
}

/// The number of pairs that can be drawn from `count` things.
pub(crate) fn pairs(count: u64) -> u64 {
    count * count.saturating_sub(1) / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_counted_in_order() {
        assert!(runs(&[1, 1, 2, 3, 3, 3], |a, b| a == b).eq([2, 1, 3]));
        assert_eq!(runs::<u8>(&[], |a, b| a == b).count(), 0);
    }

    #[test]
    fn keys_compare_as_the_values_do() {
        let values = [f64::NEG_INFINITY, f64::MIN, -1.0, -f64::MIN_POSITIVE, 0.0, 5e-324, 1.0, f64::MAX, f64::INFINITY];
        assert!(values.map(key).is_sorted_by(|left, right| left < right));
        assert_eq!(key(-0.0), key(0.0));
    }

    #[test]
    fn pairs_of_nothing_are_none() {
        assert_eq!([pairs(0), pairs(1), pairs(2), pairs(5)], [0, 0, 1, 10]);
    }
}
