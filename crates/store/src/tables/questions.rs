//! Table `questions`: what models were asked, and what became of each answer.

use nbrevive_corpus::{FixType, RepairLevel};

use crate::loops::{OfLoop, collect, each_of};
use crate::record::record;
use crate::{Store, StoreError};

record! {
    /// One question to a model.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct QuestionRow {
        /// The number of the fix, from 1: the one that it led to, or the one that the fix would have had.
        pub number: u32,
        /// Whether the dialogue led to a fix; if not, all its questions were in vain.
        pub led_to_fix: bool,
        /// What the fix aimed at.
        pub fix_type: FixType,
        /// Who was asked.
        pub provider: String,
        /// How much of the notebook was asked about.
        pub level: RepairLevel,
        /// The version of the templates: a hash of their text.
        pub template: String,
        /// 0 for the first question of a dialogue, then the number of the re-ask.
        pub reask: u32,
        /// Hash of the messages.
        pub prompt_hash: String,
        /// Tokens of the messages, as counted before sending.
        pub prompt_tokens: u32,
        /// Tokens of the answer, as counted after; 0 when there was none.
        pub answer_tokens: u32,
        /// Why the answer could not be read, in one word, where it could not.
        pub problem: Option<String>,
        /// The rules that the patch broke, a word each; empty for one that was accepted.
        pub breaches: Vec<String>,
        /// Problem, breaches, or why there was no answer, in words; empty for an accepted answer.
        pub detail: String,
        /// Unified diff of a patch that was refused; empty otherwise.
        pub patch: String,
    }
}

/// Every question, by version and condition, in the order in which they were asked. A store that is older than the table has none.
///
/// # Errors
/// When the database refuses or holds a value that cannot be read.
pub fn all(store: &Store) -> Result<Vec<OfLoop<QuestionRow>>, StoreError> {
    collect(|take| each(store, take))
}

/// Hands every question to `take`, in the order of [`all`].
///
/// # Errors
/// As [`all`]; also what `take` gives.
pub(crate) fn each<E: From<StoreError>>(
    store: &Store,
    take: impl FnMut(OfLoop<QuestionRow>) -> Result<(), E>,
) -> Result<(), E> {
    each_of(store, "questions", "version, condition, position", take)
}
