//! Chance that a seed fixes.

use std::collections::HashMap;

/// The first `count` items in an order of chance, in the order in which they came. The order is that of a hash of seed
/// and key: it depends neither on the other items nor on where an item stands.
pub(super) fn first_by_chance<T>(items: &[T], count: usize, seed: u64, key: impl Fn(&T) -> String) -> Vec<&T> {
    let rank = |item: &T| *blake3::hash(format!("{seed} {}", key(item)).as_bytes()).as_bytes();
    let mut places: Vec<usize> = (0..items.len()).collect();
    places.sort_by_cached_key(|place| items.get(*place).map(rank));
    places.truncate(count);
    places.sort_unstable();
    places.into_iter().filter_map(|place| items.get(place)).collect()
}

/// The numbers below `total` in an order of chance, one by one: what Fisher and Yates's shuffle gives, of which only the
/// part that was asked for is in memory.
pub(super) struct ByChance {
    total: u64,
    next: u64,
    seed: String,
    moved: HashMap<u64, u64>,
}

impl ByChance {
    pub(super) fn new(total: u64, seed: String) -> Self {
        Self { total, next: 0, seed, moved: HashMap::new() }
    }
}

impl Iterator for ByChance {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let left = self.total.checked_sub(self.next).filter(|left| *left > 0)?;
        let hash = blake3::hash(format!("{} {}", self.seed, self.next).as_bytes());
        let (start, _) = hash.as_bytes().split_first_chunk::<8>()?;
        let drawn = (u128::from(u64::from_le_bytes(*start)) * u128::from(left)) >> 64;
        let place = self.next + u64::try_from(drawn).unwrap_or_default();
        let found = self.moved.remove(&place).unwrap_or(place);
        if place != self.next {
            let here = self.moved.remove(&self.next).unwrap_or(self.next);
            self.moved.insert(place, here);
        }
        self.next += 1;
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_number_comes_once(total in 0..200_u64, seed in "[a-z]{0,4}") {
            let drawn: Vec<u64> = ByChance::new(total, seed).collect();
            let distinct: BTreeSet<u64> = drawn.iter().copied().collect();
            prop_assert_eq!(drawn.len() as u64, total);
            prop_assert!(distinct.into_iter().eq(0..total));
        }
    }

    #[test]
    fn every_number_has_the_same_chance() {
        let mut counts = [0; 10];
        for seed in 0..5000 {
            counts[usize::try_from(ByChance::new(10, seed.to_string()).next().unwrap()).unwrap()] += 1;
        }
        assert!(counts.iter().all(|count| (400..600).contains(count)), "{counts:?}");
    }

    #[test]
    fn an_item_more_changes_little() {
        let items: Vec<u64> = (0..100).collect();
        let drawn = |items: &[u64]| -> BTreeSet<u64> {
            first_by_chance(items, 20, 7, u64::to_string).into_iter().copied().collect()
        };
        let (all, fewer) = (drawn(&items), drawn(&items[..99]));
        assert!(all.symmetric_difference(&fewer).count() <= 2);
    }
}
