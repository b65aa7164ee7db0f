//! A store as a dataset: one file a table, sorted rows, the folder new or old as a whole.
//!
//! `tables` and `figures` are made from these files alone, so they hold what tables need and the raw observations beside it. Rows
//! pass from the database into groups of parquet, a few at a time: only what is known of every version, the packed groups of outcomes
//! that wait for their turn, the mined versions, the repetitions and the ledger are in memory as a whole.

pub(crate) mod dialogue_export;
pub(crate) mod execution_export;
pub(crate) mod mined_export;
pub(crate) mod outcome_export;
mod repetition_export;
mod scope;
pub(crate) mod study_export;
mod texts;
mod tracebacks;
mod transitions;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use nbrevive_model::LedgerError;

use crate::dataset::card::{CardCounts, card};
use crate::dataset::croissant::croissant;
use crate::dataset::folder::{DatasetFolderError, Staging};
use crate::dataset::manifest::Manifest;
use crate::dataset::{CARD, CROISSANT, MANIFEST, Variant, schema};
use crate::outcomes::OutcomeRow;
use crate::parquet::ParquetError;
use crate::store::read_ahead;
use crate::studies::StudyRow;
use crate::{Store, StoreError, studies};

pub(crate) use scope::{Competition, Scope, Seen};

/// Why an export did not come to its end.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A parquet file cannot be written.
    #[error(transparent)]
    Parquet(#[from] ParquetError),
    /// The ledger beside the store cannot be read.
    #[error(transparent)]
    Ledger(#[from] Box<LedgerError>),
    /// The folder cannot be written.
    #[error(transparent)]
    Folder(#[from] DatasetFolderError),
    /// The dataset to compare with would be written over.
    #[error("{path} is written, and cannot be what it is compared with: choose another folder with --out")]
    WrittenOver {
        /// The folder.
        path: PathBuf,
    },
    /// The run that filled the store left no facts.
    #[error("store {path} has no complete run: run `nbrevive study run` first")]
    NothingRan {
        /// The store.
        path: PathBuf,
    },
}

/// What an export is to be.
#[derive(Debug, Clone, Copy)]
pub struct ExportSettings<'a> {
    /// How much it hands on.
    pub variant: Variant,
    /// Version and revision of this program, for the manifest.
    pub tool_revision: &'a str,
    /// The versions that are handed on; all where none are named. What belongs to no version stays whole, and so does what was mined.
    pub only: Option<&'a BTreeSet<String>>,
}

/// What an export found in the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Exported {
    /// Versions that were mined.
    pub mined: usize,
    /// Whether a study ran.
    pub ran: bool,
}

/// What is told of the whole dataset, gathered while its rows pass.
#[derive(Debug, Default)]
pub(crate) struct Told {
    pub(crate) counts: CardCounts,
    /// When the last outcome was stored.
    pub(crate) recorded: Option<String>,
}

impl Told {
    /// Takes note of an outcome.
    pub(crate) fn note(&mut self, row: &OutcomeRow) {
        self.counts.entry(row.condition).or_default()[row.verdict.outcome as usize] += 1;
        if self.recorded.as_ref().is_none_or(|last| *last < row.recorded_at) && !row.recorded_at.is_empty() {
            self.recorded = Some(row.recorded_at.clone());
        }
    }
}

/// Writes the store as a dataset in `folder`, in place of the one that is there; nothing where the store is empty and no dataset is
/// there.
///
/// Outcomes of versions that are no longer studied are left out, and so are modernize outcomes whose version is no subject any
/// more; the store keeps them. After a take-down of everything the tables are written again, without rows.
///
/// # Errors
/// When the store cannot be read, the folder holds anything but a dataset, or a file cannot be written; the dataset that was there
/// stays then.
pub fn export(store: &Store, folder: &Path, settings: &ExportSettings<'_>) -> Result<Exported, ExportError> {
    let (_snapshot, twin) = store.snapshot_for_two()?;
    let study = studies::last(store)?;
    let ran = study.is_some();
    let mined = mined_export::Mined::read(store)?;
    let exported = Exported { mined: mined.versions.len(), ran };
    if exported == Exported::default() && !folder.exists() {
        return Ok(exported);
    }
    let staging = Staging::open(folder, settings.variant)?;
    mined.write(&staging)?;
    let mut told = Told::default();
    if let Some(study) = &study {
        let database = store.folder();
        std::thread::scope(|threads| {
            threads.spawn(move || read_ahead(database));
            export_run((store, twin), study, &staging, settings.only, &mut told)
        })?;
    } else {
        study_export::export_funnel(store, &staging, None)?;
    }
    describe(study, &staging, settings, told)?;
    staging.publish()?;
    Ok(exported)
}

/// Writes what a run left.
fn export_run(
    (store, twin): (&Store, Store),
    study: &StudyRow,
    staging: &Staging,
    only: Option<&BTreeSet<String>>,
    told: &mut Told,
) -> Result<(), ExportError> {
    let scope = &Scope::read(store, only)?;
    study_export::write_study(study, staging, scope)?;
    std::thread::scope(|threads| {
        let executions = threads.spawn(move || execution_export::export(&twin, staging, scope));
        let outcomes = export_outcomes(store, staging, scope, told);
        outcomes.and(executions.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

/// Writes what was studied and what came out, which is all but what ran.
fn export_outcomes(store: &Store, staging: &Staging, scope: &Scope, told: &mut Told) -> Result<(), ExportError> {
    study_export::export(store, staging, scope)?;
    outcome_export::export(store, staging, scope, told)?;
    dialogue_export::export(store, staging, scope)
}

/// Writes what is told of the tables: manifest, metadata and card.
fn describe(
    study: Option<StudyRow>,
    staging: &Staging,
    settings: &ExportSettings<'_>,
    told: Told,
) -> Result<(), ExportError> {
    let named = study.map(|study| (study.study, study.title));
    let (dataset, title) = named.unwrap_or_else(|| ("mined".to_owned(), "Mined versions".to_owned()));
    let place = |table: &str| schema::Schema::get().tables.iter().position(|known| known.name == table);
    let mut files = staging.files();
    files.sort_by_key(|file| place(&file.table));
    let mut manifest = Manifest {
        dataset,
        title,
        schema: schema::VERSION.to_owned(),
        variant: settings.variant,
        tool_revision: settings.tool_revision.to_owned(),
        recorded: told.recorded,
        files,
        texts: Vec::new(),
    };
    let texts = [(CROISSANT, croissant(&manifest)), (CARD, card(&manifest, &told.counts))];
    manifest.texts = texts.iter().map(|(name, text)| staging.write(name, text)).collect::<Result<_, _>>()?;
    staging.write(MANIFEST, &manifest.text())?;
    Ok(())
}

#[cfg(test)]
pub(crate) mod tests;
