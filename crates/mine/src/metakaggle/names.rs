//! Names of notebooks and data sets: a notebook is called after its author and itself, each in a table of its own, and a
//! data set's version is three tables from its owner's name. The scans bring the wanted rows; polars joins them lazily.

use std::collections::HashMap;

use polars::prelude::*;

use super::dump::{Dump, DumpError};
use super::ids::IdSet;
use super::scan::Scan;
use super::summary::{Dropped, Tally};
use super::tables::Table;
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

impl Dump {
    /// Names of the notebooks and versions of data sets that are wanted.
    pub(super) fn names(&self, notebooks: &IdSet, datasets: &IdSet, tally: &mut Tally) -> Result<Names, DumpError> {
        let kernels = self.kernels(notebooks, tally)?;
        let (versions, owned) = self.dataset_frames(datasets, tally)?;
        let mut people = IdSet::default();
        for (frame, column) in [(&kernels, "author"), (&owned, "owner")] {
            people.extend(numbers(frame, column)?.iter().flatten());
        }
        let users = self.users(&people, tally)?;
        let join = JoinArgs::new(JoinType::Left);
        let joined = kernels.lazy().join(users.clone().lazy(), [col("author")], [col("user")], join).collect()?;
        let inner = || JoinArgs::new(JoinType::Inner);
        let named = versions
            .lazy()
            .join(owned.lazy(), [col("dataset")], [col("id")], inner())
            .join(users.lazy(), [col("owner")], [col("user")], inner())
            .select([col("version"), col("slug"), col("name")])
            .collect()?;
        Ok(Names { notebooks: notebook_rows(&joined, tally)?, datasets: dataset_names(&named)? })
    }

    fn kernels(&self, wanted: &IdSet, tally: &mut Tally) -> Result<DataFrame, DumpError> {
        let columns = [
            "Id",
            "AuthorUserId",
            "CurrentUrlSlug",
            "CurrentKernelVersionId",
            "ForkParentKernelVersionId",
            "EvaluationDate",
            "TotalVotes",
        ];
        let (rows, scanned) = Scan::new(self.required(Table::Kernels)?, columns).collect(|row| {
            let id = row.id(0)?;
            if !wanted.contains(id) {
                return Ok(None);
            }
            let numbers = [Some(id), row.whole(1)?, row.whole(3)?, row.whole(4)?, row.whole(6)?];
            Ok(Some((numbers, row.owned(2)?, row.seconds(5)?)))
        })?;
        tally.scanned(Table::Kernels, scanned);
        let number = |name: &str, place: usize| {
            Column::new(name.into(), rows.iter().map(|row| row.0[place]).collect::<Vec<Option<u64>>>())
        };
        let columns = vec![
            number("notebook", 0),
            number("author", 1),
            number("current", 2),
            number("parent", 3),
            number("votes", 4),
            Column::new("slug".into(), rows.iter().map(|row| row.1.as_deref()).collect::<Vec<_>>()),
            Column::new("evaluated".into(), rows.iter().map(|row| row.2).collect::<Vec<Option<i64>>>()),
        ];
        Ok(DataFrame::new(rows.len(), columns)?)
    }

    fn users(&self, wanted: &IdSet, tally: &mut Tally) -> Result<DataFrame, DumpError> {
        let columns = ["Id", "UserName", "DisplayName"];
        let (rows, scanned) = Scan::new(self.required(Table::Users)?, columns).collect(|row| {
            let id = row.id(0)?;
            if wanted.contains(id) { Ok(Some((id, row.owned(1)?, row.owned(2)?))) } else { Ok(None) }
        })?;
        tally.scanned(Table::Users, scanned);
        let columns = vec![
            Column::new("user".into(), rows.iter().map(|row| row.0).collect::<Vec<u64>>()),
            Column::new("name".into(), rows.iter().map(|row| row.1.as_deref()).collect::<Vec<_>>()),
            Column::new("shown".into(), rows.iter().map(|row| row.2.as_deref()).collect::<Vec<_>>()),
        ];
        Ok(DataFrame::new(rows.len(), columns)?)
    }

    /// Versions of data sets, and the data sets with their owners; empty where the dump has not got the tables.
    fn dataset_frames(&self, wanted: &IdSet, tally: &mut Tally) -> Result<(DataFrame, DataFrame), DumpError> {
        let mut versions: Vec<(u64, u64, String)> = Vec::new();
        let mut owned: Vec<(u64, u64)> = Vec::new();
        if let (Some(of_versions), Some(of_sets)) = (self.file(Table::DatasetVersions), self.file(Table::Datasets)) {
            let (rows, scanned) = Scan::new(of_versions, ["Id", "DatasetId", "Slug"]).collect(|row| {
                let id = row.id(0)?;
                let slug = row.text(2)?.filter(|slug| wanted.contains(id) && Slug::new(slug).is_ok());
                let Some(slug) = slug else { return Ok(None) };
                Ok(Some((id, row.id(1)?, slug.to_owned())))
            })?;
            tally.scanned(Table::DatasetVersions, scanned);
            versions = rows;
            let sets: IdSet = versions.iter().map(|row| row.1).collect();
            let (rows, scanned) = Scan::new(of_sets, ["Id", "OwnerUserId"]).collect(|row| {
                let (id, owner) = (row.id(0)?, row.whole(1)?);
                Ok(owner.filter(|_| sets.contains(id)).map(|owner| (id, owner)))
            })?;
            tally.scanned(Table::Datasets, scanned);
            owned = rows;
        }
        let version_columns = vec![
            Column::new("version".into(), versions.iter().map(|row| row.0).collect::<Vec<u64>>()),
            Column::new("dataset".into(), versions.iter().map(|row| row.1).collect::<Vec<u64>>()),
            Column::new("slug".into(), versions.iter().map(|row| &*row.2).collect::<Vec<&str>>()),
        ];
        let owner_columns = vec![
            Column::new("id".into(), owned.iter().map(|row| row.0).collect::<Vec<u64>>()),
            Column::new("owner".into(), owned.iter().map(|row| row.1).collect::<Vec<u64>>()),
        ];
        Ok((DataFrame::new(versions.len(), version_columns)?, DataFrame::new(owned.len(), owner_columns)?))
    }
}

fn numbers<'a>(frame: &'a DataFrame, column: &str) -> PolarsResult<&'a UInt64Chunked> {
    frame.column(column)?.u64()
}

fn notebook_rows(frame: &DataFrame, tally: &mut Tally) -> Result<HashMap<u64, NotebookRow>, DumpError> {
    let [ids, current, parent, votes] = ["notebook", "current", "parent", "votes"].map(|name| numbers(frame, name));
    let (ids, current, parent, votes) = (ids?, current?, parent?, votes?);
    let [slugs, names, shown] = ["slug", "name", "shown"].map(|name| frame.column(name).and_then(Column::str));
    let (slugs, names, shown) = (slugs?, names?, shown?);
    let evaluated = frame.column("evaluated")?.i64()?;
    let mut rows = HashMap::with_capacity(frame.height());
    for place in 0..frame.height() {
        let Some(id) = ids.get(place) else { continue };
        let Ok(slug) = Slug::new(slugs.get(place).unwrap_or_default()) else {
            tally.drop(Dropped::NotebookName, 1);
            continue;
        };
        let Ok(owner) = Slug::new(names.get(place).unwrap_or_default()) else {
            tally.drop(Dropped::NotebookWithoutAuthor, 1);
            continue;
        };
        let row = NotebookRow {
            key: NotebookKey::Kaggle(NotebookName { owner, slug }),
            author: shown.get(place).map(str::to_owned),
            current: current.get(place),
            parent: parent.get(place),
            evaluated: evaluated.get(place),
            votes: votes.get(place),
        };
        rows.insert(id, row);
    }
    Ok(rows)
}

fn dataset_names(frame: &DataFrame) -> Result<HashMap<u64, String>, DumpError> {
    let (versions, slugs, owners) =
        (numbers(frame, "version")?, frame.column("slug")?.str()?, frame.column("name")?.str()?);
    let name = |place: usize| {
        let owner = Slug::new(owners.get(place)?).ok()?;
        Some((versions.get(place)?, format!("{owner}/{}", slugs.get(place)?)))
    };
    Ok((0..frame.height()).filter_map(name).collect())
}

impl From<PolarsError> for DumpError {
    fn from(error: PolarsError) -> Self {
        Self::Join(error.to_string())
    }
}
