//! Sets of ids, and rows sorted by an id: the two sides of every join. Ids of the dump rise from small numbers, so that a
//! bit for each is smaller and quicker than a hash table; neighbouring rows have neighbouring ids, so that a lookup mostly
//! finds its row beside the one before.

use std::collections::HashSet;

/// Ids below this one are bits; rarer, higher ones are kept one by one, so that a senseless id costs no memory.
const DENSE: u64 = 1 << 31;
/// Ids of one page of bits.
const PAGE: u64 = 1 << 16;
/// Rows that a lookup passes before it searches.
const STEPS: usize = 8;

/// A set of ids.
#[derive(Debug, Default, Clone)]
pub(super) struct IdSet {
    pages: Vec<Option<Box<[u64]>>>,
    far: HashSet<u64>,
}

impl IdSet {
    /// Adds an id; whether it was new.
    pub(super) fn insert(&mut self, id: u64) -> bool {
        if id < DENSE {
            let page = (id / PAGE) as usize;
            if page >= self.pages.len() {
                self.pages.resize(page + 1, None);
            }
            let bits = self.pages[page].get_or_insert_with(|| vec![0; (PAGE / 64) as usize].into_boxed_slice());
            let (word, bit) = ((id % PAGE / 64) as usize, 1 << (id % 64));
            let is_new = bits[word] & bit == 0;
            bits[word] |= bit;
            is_new
        } else {
            self.far.insert(id)
        }
    }

    pub(super) fn contains(&self, id: u64) -> bool {
        if id >= DENSE {
            return self.far.contains(&id);
        }
        let page = self.pages.get((id / PAGE) as usize).and_then(Option::as_deref);
        page.is_some_and(|bits| bits[(id % PAGE / 64) as usize] & (1 << (id % 64)) != 0)
    }
}

impl Extend<u64> for IdSet {
    fn extend<I: IntoIterator<Item = u64>>(&mut self, ids: I) {
        ids.into_iter().for_each(|id| {
            self.insert(id);
        });
    }
}

impl FromIterator<u64> for IdSet {
    fn from_iter<I: IntoIterator<Item = u64>>(ids: I) -> Self {
        let mut set = Self::default();
        set.extend(ids);
        set
    }
}

/// Rows sorted by an id that several of them can have.
#[derive(Debug, Clone)]
pub(super) struct Sorted<T> {
    rows: Vec<(u64, T)>,
}

impl<T> Default for Sorted<T> {
    fn default() -> Self {
        Self { rows: Vec::new() }
    }
}

impl<T> Sorted<T> {
    /// Sorts rows; those of one id keep their order.
    pub(super) fn new(mut rows: Vec<(u64, T)>) -> Self {
        rows.sort_by_key(|row| row.0);
        rows.shrink_to_fit();
        Self { rows }
    }

    /// The rows of an id. The place is where the search begins, and is left at what was found: 0 at first.
    pub(super) fn near(&self, id: u64, place: &mut usize) -> &[(u64, T)] {
        let mut start = (*place).min(self.rows.len());
        let is_behind = self.rows.get(start).is_none_or(|row| row.0 > id);
        if is_behind {
            // An id without rows lies between two neighbours.
            if start > 0 && self.rows[start - 1].0 >= id {
                start = self.rows[..start].partition_point(|row| row.0 < id);
            }
        } else {
            let steps = self.rows[start..].iter().take(STEPS).take_while(|row| row.0 < id).count();
            start += steps;
            if steps == STEPS {
                start += self.rows[start..].partition_point(|row| row.0 < id);
            }
        }
        *place = start;
        let count = self.rows[start..].iter().take_while(|row| row.0 == id).count();
        &self.rows[start..start + count]
    }

    /// The rows of an id.
    pub(super) fn of(&self, id: u64) -> &[(u64, T)] {
        self.near(id, &mut self.rows.partition_point(|row| row.0 < id))
    }

    /// The first row of an id.
    pub(super) fn get(&self, id: u64) -> Option<&T> {
        self.of(id).first().map(|row| &row.1)
    }

    /// All rows.
    pub(super) fn rows(&self) -> &[(u64, T)] {
        &self.rows
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn id() -> impl Strategy<Value = u64> {
        prop_oneof![0..40_u64, PAGE - 2..PAGE + 2, DENSE - 2..DENSE + 2, Just(u64::MAX)]
    }

    proptest! {
        #[test]
        fn a_set_holds_what_was_put_in(ids in proptest::collection::vec(id(), 0..40), asked in id()) {
            let (set, plain): (IdSet, BTreeSet<u64>) = (ids.iter().copied().collect(), ids.iter().copied().collect());
            prop_assert_eq!(set.contains(asked), plain.contains(&asked));
        }

        #[test]
        fn rows_are_found_from_any_place(
            ids in proptest::collection::vec(0..40_u64, 0..60),
            asked in proptest::collection::vec(0..42_u64, 1..30),
        ) {
            let rows: Vec<(u64, usize)> = ids.into_iter().enumerate().map(|(place, id)| (id, place)).collect();
            let sorted = Sorted::new(rows.clone());
            let mut place = 0;
            for id in asked {
                let expected: Vec<_> = rows.iter().copied().filter(|row| row.0 == id).collect();
                prop_assert_eq!(sorted.near(id, &mut place), &*expected);
                prop_assert_eq!(sorted.of(id), &*expected);
                prop_assert_eq!(sorted.get(id), expected.first().map(|row| &row.1));
            }
        }
    }
}
