//! Mining: from the sources that the study's file names into the store. Who tells people of it hears of every event; who wants it to
//! end says so between two of them, and nothing is lost.
//!
//! | file | purpose |
//! |---|---|
//! | `recorder.rs` | what sources tell, into the store in batches |
//! | `kaggle_api.rs`, `kaggle_pages.rs`, `kaggle_dump.rs`, `github.rs`, `local.rs` | the sources |
//! | `listed_ids.rs`, `taking_down.rs` | lists of ids, and of what has to go |
//! | `event.rs`, `error.rs` | what is heard; what can go wrong |

pub(crate) mod error;
pub(crate) mod event;
mod github;
mod kaggle_api;
mod kaggle_dump;
mod kaggle_pages;
pub(crate) mod listed_ids;
mod local;
pub(crate) mod recorder;
pub(crate) mod taking_down;

use std::path::Path;
use std::sync::Arc;

use nbrevive_environment::home::Home;
use nbrevive_mine::budget::{Budget, Clock};
use nbrevive_mine::raw::{RawError, RawStore};
use nbrevive_mine::records::{MiningSource, Slug};
use nbrevive_store::Store;

use crate::mining::error::MiningError;
use crate::mining::recorder::MinedRecorder;
use crate::settings::Study;

/// The study, its store and the raw answers, opened for mining.
#[derive(Debug)]
pub struct Mining {
    /// The study.
    pub study: Study,
    /// Its store, locked until this is dropped.
    pub store: Store,
    /// Every answer as it came.
    pub raw: Arc<RawStore>,
    /// The competitions that are mined.
    pub competitions: Vec<Slug>,
}

/// The raw answers of a store.
///
/// # Errors
/// [`RawError`] when they cannot be read.
pub fn raw_answers(store: &Path) -> Result<RawStore, RawError> {
    RawStore::open(&store.join("mine/raw"))
}

impl Mining {
    /// Opens a study's file and the folder of a store.
    ///
    /// # Errors
    /// [`MiningError`] when one of them cannot be used.
    pub fn open(study: &Path, folder: &Path) -> Result<Self, MiningError> {
        let study = Study::load(study)?;
        let competitions = competitions(&study)?;
        let store = Store::open(folder)?;
        let raw = Arc::new(raw_answers(folder)?);
        Ok(Self { study, store, raw, competitions })
    }

    /// The budget that this user's programs share.
    fn budget(&self) -> Result<Budget, MiningError> {
        let home = Home::from_environment()?;
        let manners = self.study.mine.manners.of_hosts();
        Budget::open(&home.root().join("requests"), manners, Clock::System).map_err(MiningError::Budget)
    }

    /// Takes what a source adds to what it told before.
    fn adding(&mut self) -> MinedRecorder<'_> {
        MinedRecorder::adding(&mut self.store, &self.raw)
    }

    /// Takes what a source tells in place of what it told before.
    fn replacing(&mut self, source: MiningSource) -> MinedRecorder<'_> {
        MinedRecorder::replacing(&mut self.store, &self.raw, source)
    }
}

/// The competitions of the study's file, or all that the study has.
fn competitions(study: &Study) -> Result<Vec<Slug>, MiningError> {
    if !study.mine.competitions.is_empty() {
        return Ok(study.mine.competitions.clone());
    }
    study.load_competitions()?.keys().map(|id| Ok(Slug::new(id)?)).collect()
}
