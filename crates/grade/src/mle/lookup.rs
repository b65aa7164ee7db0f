//! Finds the answers of many ids at once.
//!
//! A look-up on its own waits for memory three times: for the index, for the place of a text, and for the text. Here all hashes
//! are looked up first, and the ids that they find are compared after that, so that many waits pass together.

use rayon::prelude::*;

use crate::mle::column::Column;
use crate::mle::ids::Id;

/// How many rows a thread takes at least.
const PIECE: usize = 1 << 14;

const NONE: u32 = u32::MAX;

/// The rows of a column by the hashes of their ids.
#[derive(Debug)]
pub(crate) struct Lookup {
    /// At the lower bits of a hash, or in the next places that were free; twice as many as there are rows, or more.
    slots: Vec<Slot>,
}

#[derive(Debug, Clone, Copy)]
struct Slot {
    /// The upper bits of the hash.
    tag: u32,
    row: u32,
}

impl Lookup {
    /// None where an id is missing.
    pub(crate) fn of(column: &Column) -> Option<Self> {
        let hashes = hashes(column)?;
        let mut slots = vec![Slot { tag: 0, row: NONE }; (2 * hashes.len() + 1).next_power_of_two()];
        for (row, hash) in hashes.into_iter().enumerate() {
            let mut place = hash as usize % slots.len();
            while slots[place].row != NONE {
                place = (place + 1) % slots.len();
            }
            slots[place] = Slot { tag: (hash >> 32) as u32, row: row as u32 };
        }
        Some(Lookup { slots })
    }

    /// A row whose hash is most likely this one.
    fn find(&self, hash: u64) -> u32 {
        let mask = self.slots.len() - 1;
        let mut place = hash as usize & mask;
        loop {
            let slot = self.slots[place];
            if slot.row == NONE || slot.tag == (hash >> 32) as u32 {
                return slot.row;
            }
            place = (place + 1) & mask;
        }
    }

    /// For each row of `own`, which this was made of, the row of `ids` with its id, where both have the same ids and none repeats;
    /// none may also mean that two ids share a hash.
    pub(crate) fn pair(&self, own: &Column, ids: &Column) -> Option<Vec<usize>> {
        let found: Vec<u32> = hashes(ids)?.par_iter().with_min_len(PIECE).map(|&hash| self.find(hash)).collect();
        let mut rows = vec![usize::MAX; own.len()];
        for (row, &answer) in found.iter().enumerate() {
            let place = rows.get_mut(answer as usize).filter(|place| **place == usize::MAX)?;
            *place = row;
        }
        let same = |(answer, &row): (usize, &usize)| row < ids.len() && Id::of(own, answer) == Id::of(ids, row);
        rows.par_iter().enumerate().with_min_len(PIECE).all(same).then_some(rows)
    }
}

/// The hashes of all ids; none where one is missing.
fn hashes(column: &Column) -> Option<Vec<u64>> {
    let mut hashes = vec![0; column.len()];
    let all = hashes.par_chunks_mut(PIECE).enumerate().map(|(number, piece)| {
        for (row, hash) in (number * PIECE..).zip(piece) {
            *hash = Id::of(column, row)?.hash();
        }
        Some(())
    });
    all.collect::<Option<()>>()?;
    Some(hashes)
}
