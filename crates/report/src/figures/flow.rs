//! How many versions go from which outcome to which.

use foldhash::HashMap;
use nbrevive_corpus::{Condition, Outcome};

use crate::rows::Data;

/// Counts of versions by their outcomes under two conditions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Flow {
    /// By outcome under the first condition, then by outcome under the second, both in the order of [`Outcome::ALL`].
    counts: [[u64; 5]; 5],
    unpaired: u64,
}

impl Flow {
    /// Counts the versions that have an outcome under both conditions.
    pub(crate) fn count(data: &Data, from: Condition, to: Condition) -> Self {
        let before: HashMap<&str, Outcome> = data.under(from).map(|row| (row.version.as_str(), row.outcome)).collect();
        let mut flow = Flow { counts: [[0; 5]; 5], unpaired: 0 };
        let mut paired = 0;
        for row in data.under(to) {
            match before.get(row.version.as_str()) {
                Some(outcome) => {
                    flow.counts[position(*outcome)][position(row.outcome)] += 1;
                    paired += 1;
                }
                None => flow.unpaired += 1,
            }
        }
        if !data.study.roles.repairs(to) {
            // Only a part of the versions is modernized by design; every other condition runs them all.
            flow.unpaired += before.len() as u64 - paired;
        }
        flow
    }

    /// A flow with the given counts.
    #[cfg(test)]
    pub(crate) const fn new(counts: [[u64; 5]; 5]) -> Self {
        Flow { counts, unpaired: 0 }
    }

    /// How many versions flow.
    pub(crate) fn total(&self) -> u64 {
        self.left().iter().sum()
    }

    /// How many versions are left out, since they have an outcome under only one of the two conditions.
    pub(crate) const fn unpaired(&self) -> u64 {
        self.unpaired
    }

    /// Versions by outcome under the first condition.
    pub(crate) fn left(&self) -> [u64; 5] {
        self.counts.map(|row| row.iter().sum())
    }

    /// Versions by outcome under the second condition.
    pub(crate) fn right(&self) -> [u64; 5] {
        std::array::from_fn(|column| self.counts.iter().map(|row| row[column]).sum())
    }

    /// Every flow that at least one version takes.
    pub(crate) fn links(&self) -> impl Iterator<Item = (Outcome, Outcome, u64)> {
        let rows = Outcome::ALL.iter().zip(&self.counts);
        let cells = rows.flat_map(|(from, row)| Outcome::ALL.iter().zip(row).map(|(to, count)| (*from, *to, *count)));
        cells.filter(|(_, _, count)| *count > 0)
    }
}

/// The place of an outcome in [`Outcome::ALL`].
pub(crate) const fn position(outcome: Outcome) -> usize {
    match outcome {
        Outcome::ErrorFreeReproducible => 0,
        Outcome::ErrorReproducible => 1,
        Outcome::ErrorFreeNonReproducible => 2,
        Outcome::ErrorNonReproducible => 3,
        Outcome::Failed => 4,
    }
}
