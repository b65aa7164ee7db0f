//! A set of cells, as bits: it is copied, compared and looked up as one value.

use std::hash::{Hash, Hasher};

/// Some of the first `64 * WORDS` cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CellSet<const WORDS: usize>([u64; WORDS]);

impl<const WORDS: usize> Default for CellSet<WORDS> {
    fn default() -> Self {
        CellSet([0; WORDS])
    }
}

/// Of one word: most are empty, and sets are looked up tens of thousands of times a notebook.
impl<const WORDS: usize> Hash for CellSet<WORDS> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Spread by the golden ratio (Knuth, "The Art of Computer Programming", volume 3, section 6.4).
        let fold = |all: u64, word: &u64| (all.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        state.write_u64(self.0.iter().fold(0, fold));
    }
}

impl<const WORDS: usize> CellSet<WORDS> {
    /// Adds a cell, which has to be one of those that fit.
    pub(crate) fn insert(&mut self, cell: u32) {
        self.0[cell as usize / 64] |= 1 << (cell % 64);
    }

    /// The set without a cell.
    #[must_use]
    pub(crate) fn without(mut self, cell: u32) -> Self {
        self.0[cell as usize / 64] &= !(1 << (cell % 64));
        self
    }

    /// The cells that are in both.
    #[must_use]
    pub(crate) fn both(mut self, other: Self) -> Self {
        for (own, others) in self.0.iter_mut().zip(other.0) {
            *own &= others;
        }
        self
    }

    /// The cells that are in either.
    #[must_use]
    pub(crate) fn with(mut self, other: Self) -> Self {
        for (own, others) in self.0.iter_mut().zip(other.0) {
            *own |= others;
        }
        self
    }

    /// Whether all its cells are in another.
    pub(crate) fn is_in(&self, other: &Self) -> bool {
        self.both(*other) == *self
    }

    /// Whether a cell is in both.
    pub(crate) fn meets(&self, other: &Self) -> bool {
        self.both(*other) != Self::default()
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The cells by their places.
    pub(crate) fn iter(self) -> impl Iterator<Item = u32> {
        self.0.into_iter().enumerate().flat_map(|(at, mut word)| {
            std::iter::from_fn(move || {
                let bit = (word != 0).then(|| word.trailing_zeros())?;
                word &= word - 1;
                Some(at as u32 * 64 + bit)
            })
        })
    }
}

impl<const WORDS: usize> FromIterator<u32> for CellSet<WORDS> {
    fn from_iter<T: IntoIterator<Item = u32>>(cells: T) -> Self {
        let mut set = CellSet::default();
        cells.into_iter().for_each(|cell| set.insert(cell));
        set
    }
}
