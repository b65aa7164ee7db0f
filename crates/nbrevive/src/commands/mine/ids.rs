//! `nbrevive mine export-ids` and `fetch-ids`: lists without content, to hand on.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;

use nbrevive_mine::list::{ListError, ListedId, export_ids, read_ids};
use nbrevive_mine::records::{NotebookKey, VersionRecord};
use nbrevive_shown::shown;
use nbrevive_store::mined::{MergedVersion, WantedRow, merged, want};
use nbrevive_store::{Store, selections};

use super::api::{homes, online, plan, walk};
use super::interrupt::Interrupt;
use super::recorder::Recorder;
use super::workplace::Workplace;
use super::{Ending, finish};
use crate::Outcome;
use crate::arguments::{ExportIdsArguments, MinePlace};
use crate::commands::setting::store_failure;
use crate::exit_code::{Exit, Failure};
use crate::printer;

fn list_failure(error: &ListError) -> Failure {
    let exit = match error {
        ListError::File { action: "write", .. } => Exit::CannotWrite,
        ListError::File { .. } | ListError::Format(_) | ListError::Line { .. } => Exit::BadInput,
    };
    Failure::new(exit, error)
}

/// Writes the ids of all mined versions, or of those that the last selection kept.
pub(super) fn export(place: &MinePlace, arguments: &ExportIdsArguments) -> Outcome {
    let store = Store::open_read_only(&place.store).map_err(|error| store_failure(&error))?;
    let mut versions = merged(&store).map_err(|error| store_failure(&error))?;
    if arguments.selected {
        let rows = selections::all(&store).map_err(|error| store_failure(&error))?;
        let kept: BTreeSet<String> = rows.into_iter().filter(|row| row.slug.is_some()).map(|row| row.version).collect();
        versions.retain(|version| kept.contains(&version.key));
    }
    let id = |version: &MergedVersion| {
        let id = ListedId::of(&version.record)?;
        Some(ListedId { competition: version.competition.clone().or(id.competition), ..id })
    };
    let count = export_ids(&arguments.file, versions.iter().filter_map(id)).map_err(|error| list_failure(&error))?;
    printer::note(&shown!("wrote {} ids to {}", count, arguments.file.display()));
    Ok(Exit::Success)
}

/// Fetches what a list names; later runs of `mine` and `replay` do so too.
pub(super) fn fetch(place: &MinePlace, file: &Path) -> Outcome {
    let ids = read_ids(file).map_err(|error| list_failure(&error))?;
    let mut workplace = Workplace::open(place)?;
    let interrupt = Interrupt::listen()?;
    let rows: Vec<WantedRow> = ids
        .iter()
        .map(|id| WantedRow {
            notebook: id.notebook.to_string(),
            version: id.version,
            competition: id.competition.as_ref().map(ToString::to_string),
        })
        .collect();
    let api = online(&workplace)?;
    want(&mut workplace.store, &rows).map_err(|error| store_failure(&error))?;
    let plan = plan(&workplace.study.mine, Vec::new(), &rows)?;
    let raw = Arc::clone(&workplace.raw);
    let mut recorder = Recorder::adding(&mut workplace.store, &raw);
    for told in homes(&rows)? {
        if recorder.tell(told).is_break() {
            break;
        }
    }
    let mut fetched = Fetched::default();
    let ending = walk(&api, &plan, &mut recorder, &mut |version| fetched.see(version), &|| interrupt.flow());
    recorder.finish()?;
    let ending: Ending = ending?;
    fetched.compare(&ids);
    workplace.report()?;
    finish(ending, None)
}

/// What came, by notebook and number, and the newest of each notebook.
#[derive(Default)]
struct Fetched(HashMap<(NotebookKey, Option<u32>), VersionRecord>);

impl Fetched {
    fn see(&mut self, version: &VersionRecord) {
        for number in [version.number, None] {
            self.0.insert((version.notebook.clone(), number), version.clone());
        }
    }

    /// Says which notebooks are no longer what the list says.
    fn compare(&self, ids: &[ListedId]) {
        let (mut same, mut other, mut missing) = (0, 0, 0);
        for id in ids {
            let version = self.0.get(&(NotebookKey::Kaggle(id.notebook.clone()), id.version));
            match version.map(|version| id.is_same(version)) {
                Some(Some(false)) => {
                    other += 1;
                    printer::note(&shown!("{}: its code is no longer the listed one", id.notebook));
                }
                Some(_) => same += 1,
                None => missing += 1,
            }
        }
        printer::note(&shown!("{} as listed, {} changed, {} not to be had, of {}", same, other, missing, ids.len()));
    }
}
