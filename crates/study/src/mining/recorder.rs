//! What sources tell, into the store in batches: a killed run loses a batch of rows, and the next tells them again.

use std::ops::ControlFlow;

use nbrevive_mine::raw::RawStore;
use nbrevive_mine::records::{MinedRecord, MiningSource, NotebookKey};
use nbrevive_store::Store;
use nbrevive_store::mined::{self, Told};

use crate::mining::error::MiningError;

/// Rows of one transaction.
const BATCH: usize = 500;

/// Takes what is told.
pub struct MinedRecorder<'a> {
    store: &'a mut Store,
    raw: &'a RawStore,
    /// The source whose rows are replaced at the end; `None` adds to what is there.
    replaced: Option<MiningSource>,
    batch: Vec<Told>,
    failure: Option<MiningError>,
}

impl<'a> MinedRecorder<'a> {
    /// Adds to what the store holds.
    pub fn adding(store: &'a mut Store, raw: &'a RawStore) -> Self {
        Self { store, raw, replaced: None, batch: Vec::new(), failure: None }
    }

    /// Replaces all that a source told before, at the end and at once.
    pub fn replacing(store: &'a mut Store, raw: &'a RawStore, source: MiningSource) -> Self {
        Self { store, raw, replaced: Some(source), batch: Vec::new(), failure: None }
    }

    /// Takes one thing; breaks when the store refuses. What was taken down is not taken.
    pub fn tell(&mut self, told: Told) -> ControlFlow<()> {
        match self.is_down(&told) {
            Ok(true) => return ControlFlow::Continue(()),
            Ok(false) => self.batch.push(told),
            Err(error) => self.failure = Some(error),
        }
        if self.replaced.is_none() && self.batch.len() >= BATCH {
            self.put();
        }
        if self.failure.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn is_down(&self, told: &Told) -> Result<bool, MiningError> {
        match notebook(told) {
            Some(key) => Ok(self.raw.is_removed(&key.to_string())?),
            None => Ok(false),
        }
    }

    fn put(&mut self) {
        let stored = match self.replaced {
            Some(source) => mined::replace(self.store, source, &self.batch),
            None => mined::put(self.store, &self.batch),
        };
        self.batch.clear();
        if let Err(error) = stored {
            self.failure = Some(error.into());
        }
    }

    /// Stores nothing more.
    ///
    /// # Errors
    /// [`MiningError`] where the store refused something before.
    pub fn discard(self) -> Result<(), MiningError> {
        self.failure.map_or(Ok(()), Err)
    }

    /// Stores the rest.
    ///
    /// # Errors
    /// [`MiningError`] where the store refuses this, or refused something before.
    pub fn finish(mut self) -> Result<(), MiningError> {
        if self.failure.is_none() {
            self.put();
        }
        self.failure.map_or(Ok(()), Err)
    }
}

/// The notebook that something is about.
fn notebook(told: &Told) -> Option<&NotebookKey> {
    match told {
        Told::Listed { notebook, .. } => Some(notebook),
        Told::Record(MinedRecord::Notebook(notebook)) => Some(&notebook.key),
        Told::Record(MinedRecord::Version(version)) => Some(&version.notebook),
        Told::Record(
            MinedRecord::Competition(_)
            | MinedRecord::Leaderboard(_)
            | MinedRecord::Repository(_)
            | MinedRecord::Hosted(_),
        ) => None,
    }
}
