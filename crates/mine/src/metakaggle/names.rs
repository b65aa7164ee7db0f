//! Names of notebooks and data sets: a notebook is called after its author and itself, each in a table of its own, and a
//! data set's version is three tables from its owner's name. The scans bring the wanted rows, which fit into memory.

use std::collections::HashMap;

use super::dump::Dump;
use super::error::DumpError;
use super::ids::IdSet;
use super::scan::Scan;
use super::summary::{DroppedRows, Tally};
use super::tables::DumpTable;
use crate::records::{NotebookKey, NotebookName, Slug};

/// A notebook that can be named.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct NotebookRow {
    pub(super) key: NotebookKey,
    pub(super) author: Option<String>,
    pub(super) current: Option<u64>,
    /// The version that it was copied from.
    pub(super) parent: Option<u64>,
    pub(super) evaluated: Option<i64>,
    pub(super) votes: Option<u64>,
}

/// Names by number: `Kernels.Id`, `DatasetVersions.Id`.
#[derive(Debug, Default)]
pub(super) struct Names {
    pub(super) notebooks: HashMap<u64, NotebookRow>,
    pub(super) datasets: HashMap<u64, String>,
}

/// A row of the notebooks before its author has a name.
struct KernelRow {
    id: u64,
    author: Option<u64>,
    slug: Option<String>,
    current: Option<u64>,
    parent: Option<u64>,
    evaluated: Option<i64>,
    votes: Option<u64>,
}

/// How a user is called in addresses, and how he calls himself.
struct User {
    name: Option<String>,
    shown: Option<String>,
}

/// A version of a data set before its owner has a name.
struct DatasetVersion {
    id: u64,
    dataset: u64,
    slug: String,
}

impl Dump {
    /// Names of the notebooks and versions of data sets that are wanted.
    pub(super) fn names(&self, notebooks: &IdSet, datasets: &IdSet, tally: &mut Tally) -> Result<Names, DumpError> {
        let kernels = self.kernels(notebooks, tally)?;
        let (versions, owners) = self.datasets(datasets, tally)?;
        let people: IdSet = kernels.iter().filter_map(|row| row.author).chain(owners.values().copied()).collect();
        let users = self.users(&people, tally)?;
        let dataset = |version: &DatasetVersion| {
            let owner = users.get(owners.get(&version.dataset)?)?;
            let owner = Slug::new(owner.name.as_deref()?).ok()?;
            Some((version.id, format!("{owner}/{}", version.slug)))
        };
        Ok(Names {
            datasets: versions.iter().filter_map(dataset).collect(),
            notebooks: kernels.iter().filter_map(|row| named(row, &users, tally)).collect(),
        })
    }

    fn kernels(&self, wanted: &IdSet, tally: &mut Tally) -> Result<Vec<KernelRow>, DumpError> {
        let columns = [
            "Id",
            "AuthorUserId",
            "CurrentUrlSlug",
            "CurrentKernelVersionId",
            "ForkParentKernelVersionId",
            "EvaluationDate",
            "TotalVotes",
        ];
        let (rows, scanned) = Scan::new(self.required(DumpTable::Kernels)?, columns).collect(|row| {
            let id = row.id(0)?;
            if !wanted.contains(id) {
                return Ok(None);
            }
            Ok(Some(KernelRow {
                id,
                author: row.whole(1)?,
                slug: row.owned(2)?,
                current: row.whole(3)?,
                parent: row.whole(4)?,
                evaluated: row.seconds(5)?,
                votes: row.whole(6)?,
            }))
        })?;
        tally.scanned(DumpTable::Kernels, scanned);
        Ok(rows)
    }

    fn users(&self, wanted: &IdSet, tally: &mut Tally) -> Result<HashMap<u64, User>, DumpError> {
        let columns = ["Id", "UserName", "DisplayName"];
        let (rows, scanned) = Scan::new(self.required(DumpTable::Users)?, columns).collect(|row| {
            let id = row.id(0)?;
            if !wanted.contains(id) {
                return Ok(None);
            }
            Ok(Some((id, User { name: row.owned(1)?, shown: row.owned(2)? })))
        })?;
        tally.scanned(DumpTable::Users, scanned);
        Ok(rows.into_iter().collect())
    }

    /// Versions of data sets, and the owners by data set; empty where the dump has not got the tables.
    fn datasets(
        &self,
        wanted: &IdSet,
        tally: &mut Tally,
    ) -> Result<(Vec<DatasetVersion>, HashMap<u64, u64>), DumpError> {
        let (Some(of_versions), Some(of_sets)) =
            (self.file(DumpTable::DatasetVersions), self.file(DumpTable::Datasets))
        else {
            return Ok((Vec::new(), HashMap::new()));
        };
        let (versions, scanned) = Scan::new(of_versions, ["Id", "DatasetId", "Slug"]).collect(|row| {
            let id = row.id(0)?;
            let slug = row.text(2)?.filter(|slug| wanted.contains(id) && Slug::new(slug).is_ok());
            let Some(slug) = slug else { return Ok(None) };
            Ok(Some(DatasetVersion { id, dataset: row.id(1)?, slug: slug.to_owned() }))
        })?;
        tally.scanned(DumpTable::DatasetVersions, scanned);
        let sets: IdSet = versions.iter().map(|version| version.dataset).collect();
        let (owners, scanned) = Scan::new(of_sets, ["Id", "OwnerUserId"]).collect(|row| {
            let (id, owner) = (row.id(0)?, row.whole(1)?);
            Ok(owner.filter(|_| sets.contains(id)).map(|owner| (id, owner)))
        })?;
        tally.scanned(DumpTable::Datasets, scanned);
        Ok((versions, owners.into_iter().collect()))
    }
}

/// A notebook with its author; one that cannot be named is counted.
fn named(row: &KernelRow, users: &HashMap<u64, User>, tally: &mut Tally) -> Option<(u64, NotebookRow)> {
    let author = row.author.and_then(|author| users.get(&author));
    let Ok(slug) = Slug::new(row.slug.as_deref().unwrap_or_default()) else {
        tally.drop(DroppedRows::NotebookName, 1);
        return None;
    };
    let Ok(owner) = Slug::new(author.and_then(|user| user.name.as_deref()).unwrap_or_default()) else {
        tally.drop(DroppedRows::NotebookWithoutAuthor, 1);
        return None;
    };
    let notebook = NotebookRow {
        key: NotebookKey::Kaggle(NotebookName { owner, slug }),
        author: author.and_then(|user| user.shown.clone()),
        current: row.current,
        parent: row.parent,
        evaluated: row.evaluated,
        votes: row.votes,
    };
    Some((row.id, notebook))
}
