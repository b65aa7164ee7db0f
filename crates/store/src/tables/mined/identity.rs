//! Which records of different sources are of the same version.

use std::collections::HashMap;

use nbrevive_mine::records::{NotebookKey, VersionRecord};

/// The numbers of versions by notebook and Kaggle's id, as far as any source tells both.
#[derive(Debug, Default)]
pub(super) struct Numbers(HashMap<(NotebookKey, u64), u32>);

impl Numbers {
    /// What these records tell.
    pub(super) fn of<'a>(records: impl Iterator<Item = &'a VersionRecord>) -> Self {
        let both = |record: &VersionRecord| Some(((record.notebook.clone(), record.id?), record.number?));
        Self(records.filter_map(both).collect())
    }

    /// The natural key of a version, by its number where any source tells it.
    pub(super) fn key(&self, record: &VersionRecord) -> String {
        let known = |id| self.0.get(&(record.notebook.clone(), id)).copied();
        match (record.number, record.id.and_then(known)) {
            (None, Some(number)) => format!("{}#{number}", record.notebook),
            _ => record.natural_key(),
        }
    }
}
