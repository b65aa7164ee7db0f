//! The study, its store and the raw answers, opened.

use std::path::Path;
use std::sync::Arc;

use nbrevive_environment::home::Home;
use nbrevive_mine::budget::{Budget, Clock};
use nbrevive_mine::raw::{RawError, RawStore};
use nbrevive_mine::records::Slug;
use nbrevive_shown::shown;
use nbrevive_store::dataset::Variant;
use nbrevive_store::{Store, mined};
use nbrevive_study::Study;

use crate::arguments::MinePlace;
use crate::commands::export::write;
use crate::commands::setting::store_failure;
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// Everything that mining works with.
pub(super) struct Workplace {
    pub(super) study: Study,
    pub(super) store: Store,
    pub(super) raw: Arc<RawStore>,
    /// The competitions that are mined.
    pub(super) competitions: Vec<Slug>,
}

/// The raw answers of a store.
pub(crate) fn raw_store(store: &Path) -> Result<RawStore, Failure> {
    RawStore::open(&store.join("mine/raw")).map_err(|error| raw_failure(&error))
}

/// The code for an error of the raw answers.
pub(super) fn raw_failure(error: &RawError) -> Failure {
    let exit = match error {
        RawError::System { .. } => Exit::CannotWrite,
        RawError::Damaged { .. } => Exit::BadInput,
    };
    Failure::new(exit, error)
}

impl Workplace {
    /// Opens what the arguments name; the store is locked until this is dropped.
    pub(super) fn open(place: &MinePlace) -> Result<Self, Failure> {
        let bad = |error: &dyn std::error::Error| Failure::new(Exit::BadInput, error);
        let study = Study::load(&place.study).map_err(|error| bad(&error))?;
        let competitions = competitions(&study)?;
        let store = Store::open(&place.store).map_err(|error| store_failure(&error))?;
        let raw = Arc::new(raw_store(&place.store)?);
        Ok(Self { study, store, raw, competitions })
    }

    /// The budget that this user's programs share.
    pub(super) fn budget(&self) -> Result<Budget, Failure> {
        let manners = self.study.mine.manners.of_hosts();
        let home = Home::from_environment().map_err(|error| Failure::new(Exit::CannotWrite, &error))?;
        Budget::open(&home.root().join("requests"), manners, Clock::System)
            .map_err(|error| Failure::new(Exit::CannotWrite, &error))
    }

    /// Writes the parquet files, and says what the store holds.
    pub(super) fn report(&self) -> Result<(), Failure> {
        let data = self.store.folder().join("data");
        let versions = write(&self.store, &data, Variant::Full)?.mined;
        for (kind, source, count) in mined::counts(&self.store).map_err(|error| store_failure(&error))? {
            printer::note(&shown!("{:<12} {:<12} {:>8}", source, kind, count));
        }
        printer::note(&shown!("{} versions in {}", versions, self.store.folder().display()));
        Ok(())
    }
}

/// The competitions of the study's file, or all that the study has.
fn competitions(study: &Study) -> Result<Vec<Slug>, Failure> {
    if !study.mine.competitions.is_empty() {
        return Ok(study.mine.competitions.clone());
    }
    let known = study.load_competitions().map_err(|error| Failure::new(Exit::BadInput, &error))?;
    let slug = |id: &String| Slug::new(id).map_err(|error| Failure::new(Exit::BadInput, &error));
    known.keys().map(slug).collect()
}
