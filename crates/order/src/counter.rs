//! The order that saved execution counts tell.

/// Cells by their counts (Osiris, section 4.3.2: OEC).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CounterOrder {
    /// Cells with a count, by it; of equal ones the first in the notebook goes first.
    pub order: Vec<usize>,
    /// Cells that were never run, as far as the notebook tells.
    pub without_count: Vec<usize>,
    /// Counts that two cells have: the session was another one.
    pub repeated: Vec<u64>,
    /// How many counts up to the largest no cell has: runs of which nothing is left.
    pub gaps: u64,
}

/// The order of cells by the counts that they were saved with. Gaps are passed over, as in the paper.
#[must_use]
pub fn counter_order(counts: &[Option<u64>]) -> CounterOrder {
    let mut counted: Vec<(u64, usize)> =
        counts.iter().enumerate().filter_map(|(cell, count)| Some(((*count)?, cell))).collect();
    counted.sort_unstable();
    let mut repeated: Vec<u64> =
        counted.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| pair[0].0).collect();
    repeated.dedup();
    let mut distinct: Vec<u64> = counted.iter().map(|(count, _)| *count).filter(|count| *count > 0).collect();
    distinct.dedup();
    let gaps = distinct.last().map_or(0, |largest| largest - distinct.len() as u64);
    CounterOrder {
        order: counted.into_iter().map(|(_, cell)| cell).collect(),
        without_count: (0..counts.len()).filter(|cell| counts[*cell].is_none()).collect(),
        repeated,
        gaps,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_tell_the_order_and_what_is_missing_of_it() {
        let order = counter_order(&[Some(1), Some(2), Some(8), Some(7), Some(5)]);
        assert_eq!((order.order, order.gaps), (vec![0, 1, 4, 3, 2], 3));
        let odd = counter_order(&[Some(3), None, Some(3), Some(u64::MAX), Some(0)]);
        assert_eq!((odd.order, odd.without_count, odd.repeated), (vec![4, 0, 2, 3], vec![1], vec![3]));
        assert_eq!(odd.gaps, u64::MAX - 2);
        assert_eq!(counter_order(&[]).gaps, 0);
    }
}
