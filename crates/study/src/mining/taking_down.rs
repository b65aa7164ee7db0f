//! What a list names goes from everywhere, and stays down.

use std::path::Path;

use nbrevive_mine::raw::{RawStore, TakeDown, TakenDown};
use nbrevive_store::takedown::{self, Removed};
use nbrevive_store::{Store, selections};

use crate::corpus::selection::remove_from_corpus;
use crate::mining::error::MiningError;

/// What a take-down removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TakenFromAll {
    /// From the raw answers.
    pub raw: TakenDown,
    /// From the store.
    pub store: Removed,
    /// Files of corpora.
    pub files: usize,
}

/// Carries a list out. The raw answers come first: from then on no run takes the items again.
///
/// # Errors
/// [`MiningError`] when the raw answers, the store or a corpus cannot be changed; doing it again finishes it.
pub fn take_down(store: &mut Store, raw: &RawStore, list: TakeDown) -> Result<TakenFromAll, MiningError> {
    let owners = takedown::owners(store, &list)?;
    let list = list.with_notebooks(owners);
    let from_raw = raw.take_down(&list)?;
    // Before the rows go: they say under which names versions stand in corpora.
    let slugs = takedown::slugs(store, &list)?;
    let mut files = 0;
    for corpus in selections::corpora(store)? {
        files += remove_from_corpus(Path::new(&corpus), &slugs)?;
    }
    Ok(TakenFromAll { raw: from_raw, store: takedown::take_down(store, &list)?, files })
}
