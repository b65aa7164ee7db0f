//! Lists of ids without content: what they name is fetched, and compared with what they say of it.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;

use nbrevive_mine::api::ApiEvent;
use nbrevive_mine::list::ListedId;
use nbrevive_mine::records::{MinedRecord, NotebookKey, NotebookName, VersionRecord};
use nbrevive_store::mined::{MergedVersion, WantedRow, merged, want};
use nbrevive_store::{Store, StoreError, selections};

use crate::mining::Mining;
use crate::mining::error::MiningError;
use crate::mining::event::{MiningEnd, MiningEvent, MiningListener};
use crate::mining::kaggle_api::{carry_out, homes, plan};

/// How what was fetched compares with a list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FetchedIds {
    /// Versions whose code is the listed one, as far as the list tells.
    pub same: usize,
    /// Notebooks whose code is another by now.
    pub changed: Vec<NotebookName>,
    /// Versions that could not be had.
    pub missing: usize,
}

/// The ids of all mined versions, or of those that the last selection kept.
///
/// # Errors
/// [`StoreError`] when the store cannot be read.
pub fn ids_of(store: &Store, is_selected: bool) -> Result<Vec<ListedId>, StoreError> {
    let mut versions = merged(store)?;
    if is_selected {
        let rows = selections::all(store)?;
        let kept: BTreeSet<String> = rows.into_iter().filter(|row| row.slug.is_some()).map(|row| row.version).collect();
        versions.retain(|version| kept.contains(&version.key));
    }
    let id = |version: &MergedVersion| {
        let id = ListedId::of(&version.record)?;
        Some(ListedId { competition: version.competition.clone().or(id.competition), ..id })
    };
    Ok(versions.iter().filter_map(id).collect())
}

impl Mining {
    /// Fetches what a list names, from the API; later runs over the API do so too.
    ///
    /// # Errors
    /// [`MiningError`]; what was told before it stays.
    pub fn fetch(
        &mut self,
        ids: &[ListedId],
        listener: &mut dyn MiningListener,
    ) -> Result<(MiningEnd, FetchedIds), MiningError> {
        let row = |id: &ListedId| WantedRow {
            notebook: id.notebook.to_string(),
            version: id.version,
            competition: id.competition.as_ref().map(ToString::to_string),
        };
        let rows: Vec<WantedRow> = ids.iter().map(row).collect();
        let api = self.api(listener)?;
        want(&mut self.store, &rows)?;
        let plan = plan(&self.study.mine, Vec::new(), &rows)?;
        let mut seen = Seen { listener, versions: HashMap::new() };
        let end = carry_out(&api, &plan, homes(&rows)?, self.adding(), &mut seen)?;
        Ok((end, seen.compared(ids)))
    }
}

/// Sees what comes, by notebook and number, and the newest of each notebook.
struct Seen<'a> {
    listener: &'a mut dyn MiningListener,
    versions: HashMap<(NotebookKey, Option<u32>), VersionRecord>,
}

impl MiningListener for Seen<'_> {
    fn hear(&mut self, event: MiningEvent<'_>) {
        if let MiningEvent::Api(ApiEvent::Record(MinedRecord::Version(version))) = event {
            for number in [version.number, None] {
                self.versions.insert((version.notebook.clone(), number), VersionRecord::clone(version));
            }
        }
        self.listener.hear(event);
    }

    fn flow(&self) -> ControlFlow<()> {
        self.listener.flow()
    }
}

impl Seen<'_> {
    fn compared(&self, ids: &[ListedId]) -> FetchedIds {
        let mut fetched = FetchedIds::default();
        for id in ids {
            let version = self.versions.get(&(NotebookKey::Kaggle(id.notebook.clone()), id.version));
            match version.map(|version| id.is_same(version)) {
                Some(Some(false)) => fetched.changed.push(id.notebook.clone()),
                Some(_) => fetched.same += 1,
                None => fetched.missing += 1,
            }
        }
        fetched
    }
}
