//! Names that a library takes of another one as a whole (`from numpy import *`).

use std::collections::{BTreeMap, BTreeSet};

/// What the modules of a library hand to those who take all their names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LentNames(pub(crate) BTreeMap<String, BTreeSet<String>>);

impl LentNames {
    /// Whether a name is one of them.
    pub(crate) fn has(&self, name: &str) -> bool {
        name.rsplit_once('.').is_some_and(|(module, last)| self.0.get(module).is_some_and(|names| names.contains(last)))
    }
}
