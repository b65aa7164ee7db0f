//! Runs of equal values, on which the corrections for ties rest.

/// How a p-value was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PValueMethod {
    /// By counting every arrangement of the ranks.
    Exact,
    /// By the normal distribution that the statistic tends to, corrected for ties.
    Normal,
}

/// The lengths of the runs of equal neighbours in a sorted list.
pub(crate) fn runs<T>(sorted: &[T], equal: impl Fn(&T, &T) -> bool) -> Vec<u64> {
    sorted.chunk_by(|left, right| equal(left, right)).map(|run| run.len() as u64).collect()
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
        assert_eq!(runs(&[1, 1, 2, 3, 3, 3], |a, b| a == b), [2, 1, 3]);
        assert!(runs::<u8>(&[], |a, b| a == b).is_empty());
    }

    #[test]
    fn pairs_of_nothing_are_none() {
        assert_eq!([pairs(0), pairs(1), pairs(2), pairs(5)], [0, 0, 1, 10]);
    }
}
