//! Table `refusals`: proposals that were not executed, because they broke a rule that guards the experiment.
//!
//! Patches that a model took back when it was asked again stand with their questions; here are those that a loop refused.

use nbrevive_corpus::{Breach, FixType};

use crate::loops::{OfLoop, collect, each_of};
use crate::record::record;
use crate::{Store, StoreError};

record! {
    /// One refused proposal.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct RefusalRow {
        /// The number that the fix would have had, from 1.
        pub number: u32,
        /// What it aimed at.
        pub fix_type: FixType,
        /// Who proposed it.
        pub provider: String,
        /// The first rule that it broke.
        pub breach: Breach,
        /// Every place where it broke a rule, in words, one a line.
        pub findings: String,
        /// Unified diff of percent cells against the version before.
        pub patch: String,
    }
}

/// Every refusal, by version and condition, in their order. A store that is older than the table has none.
///
/// # Errors
/// When the database refuses or holds a value that cannot be read.
pub fn all(store: &Store) -> Result<Vec<OfLoop<RefusalRow>>, StoreError> {
    collect(|take| each(store, take))
}

/// Hands every refusal to `take`, in the order of [`all`].
///
/// # Errors
/// As [`all`]; also what `take` gives.
pub(crate) fn each<E: From<StoreError>>(
    store: &Store,
    take: impl FnMut(OfLoop<RefusalRow>) -> Result<(), E>,
) -> Result<(), E> {
    each_of(store, "refusals", "version, condition, position", take)
}
