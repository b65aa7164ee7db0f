//! Bounds what a run holds where not all of it can be seen, by what can have been added since it was.

use std::collections::HashSet;

use crate::held::Inode;

/// One quantity, from look to look.
///
/// At each look the whole is what was there before and what can have been added since, at most. What is seen of it is taken away, and
/// the rest may be hidden, if anything is. So a run that writes one file again and again is never charged for what it overwrote, as long
/// as nothing of it is out of sight, and what hides something is charged for it once.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    /// The whole at the last look, at most.
    whole: u64,
    pools: Vec<Pool>,
    /// Whether something could be hidden at the last look.
    was_blind: bool,
}

/// Files that went out of sight between two looks, and what they hold together, at most.
#[derive(Debug)]
struct Pool {
    files: HashSet<Inode>,
    bytes: u64,
}

impl Ledger {
    /// The whole, at most: `seen` was measured, `added` is the most that can have come since the last look, `covered` are files
    /// that are there and were not measured, and `blind` says whether there can be others.
    pub(crate) fn whole(&mut self, seen: u64, added: u64, covered: &HashSet<Inode>, blind: bool) -> u64 {
        let before = self.whole.saturating_add(added);
        self.pools.retain(|pool| pool.files.iter().any(|file| covered.contains(file)));
        let charged = |pools: &[Pool]| pools.iter().map(|pool| pool.bytes).sum::<u64>();
        let known: HashSet<&Inode> = self.pools.iter().flat_map(|pool| &pool.files).collect();
        let files: HashSet<Inode> = covered.iter().filter(|file| !known.contains(file)).copied().collect();
        if !files.is_empty() {
            let bytes = before.saturating_sub(seen).saturating_sub(charged(&self.pools));
            self.pools.push(Pool { files, bytes });
        }
        let counted = seen.saturating_add(charged(&self.pools));
        self.whole = if blind { counted.max(before) } else { counted };
        // What is under way at one look alone is an honest message.
        let stays_blind = std::mem::replace(&mut self.was_blind, blind);
        if stays_blind { self.whole } else { counted }
    }
}

/// A number of the machine that only its growth matters of.
#[derive(Debug, Default)]
pub(crate) struct Growth {
    last: Option<u64>,
}

impl Growth {
    /// By how much it grew since it was asked for the last time.
    pub(crate) fn since(&mut self, now: Option<u64>) -> u64 {
        let grown = now.zip(self.last).map_or(0, |(now, last)| now.saturating_sub(last));
        self.last = now.or(self.last);
        grown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn none() -> HashSet<Inode> {
        HashSet::new()
    }

    #[test]
    fn what_is_overwritten_in_sight_costs_nothing() {
        let mut ledger = Ledger::default();
        for _ in 0..1000 {
            assert_eq!(ledger.whole(100, 80, &none(), false), 100);
        }
        // A message that is under way at one look is no more at the next.
        for _ in 0..1000 {
            assert_eq!(ledger.whole(100, 80, &none(), true), 100);
            assert_eq!(ledger.whole(100, 80, &none(), false), 100);
        }
    }

    #[test]
    fn a_hoard_that_is_under_way_is_charged_as_it_grows() {
        let mut ledger = Ledger::default();
        ledger.whole(50, 50, &none(), false);
        // The file of 50 is sent away, and others after it.
        assert_eq!(ledger.whole(0, 0, &none(), true), 0);
        assert_eq!(ledger.whole(0, 70, &none(), true), 120);
        assert_eq!(ledger.whole(10, 70, &none(), true), 190);
        assert_eq!(ledger.whole(10, 0, &none(), false), 10);
    }

    #[test]
    fn a_mapped_file_is_charged_once_and_until_it_goes() {
        let mut ledger = Ledger::default();
        let (one, two) = (HashSet::from([(1, 1)]), HashSet::from([(1, 1), (1, 2)]));
        ledger.whole(500, 500, &none(), false);
        // 300 of them lose their name, and 20 are added meanwhile.
        assert_eq!(ledger.whole(200, 20, &one, false), 520);
        for _ in 0..100 {
            assert_eq!(ledger.whole(200, 90, &one, false), 520);
        }
        assert_eq!(ledger.whole(200, 90, &two, false), 610);
        assert_eq!(ledger.whole(200, 90, &none(), false), 200);
    }

    #[test]
    fn only_growth_counts() {
        let mut growth = Growth::default();
        let grown: Vec<u64> = [Some(9), Some(12), None, Some(10), Some(11)].map(|now| growth.since(now)).into();
        assert_eq!(grown, [0, 3, 0, 0, 1]);
    }
}
