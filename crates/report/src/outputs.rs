//! What notebooks show beside what they showed: rows of `comparisons.parquet` and of what stands beside them, a notebook a row.

mod notebook;
mod orders;

use std::collections::BTreeMap;
use std::path::Path;

use nbrevive_compare::{Agreement, DifferenceKind};
use nbrevive_corpus::Condition;

use crate::executability::ExecutabilityRow;
use crate::frame::{ColumnRule, Frame, FrameError, Kind, extra, optional, required};

pub(crate) use notebook::{CellBesideSaved, ComparedCells, MismatchSign, NotebookRow};
pub(crate) use orders::{OrderedNotebook, OrderingCondition, Orders};

/// The environment of a repository under a condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RepositoryRow {
    pub(crate) condition: Condition,
    pub(crate) repository: String,
    /// Whether it could be built.
    pub(crate) is_built: bool,
    /// Whether the repository declares any distribution.
    pub(crate) declares: bool,
    /// Whether one of the files that do is `requirements.txt`.
    pub(crate) has_requirements: bool,
}

/// Everything that tables of outputs are counted from, by condition.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Outputs {
    /// One row a notebook and condition.
    pub(crate) notebooks: Vec<NotebookRow>,
    /// One row a repository and condition, where conditions ask for its environment.
    pub(crate) repositories: Vec<RepositoryRow>,
    /// In which orders cells ran.
    pub(crate) orders: Orders,
    /// How many repositories on a host that were wanted came to each state.
    pub(crate) wanted: BTreeMap<String, u32>,
}

const COMPARISONS: &[ColumnRule] = &[
    required("condition", Kind::Text),
    required("version", Kind::Text),
    required("repetition", Kind::Count),
    required("cell", Kind::Count),
    optional("agreement", Kind::Text),
    required("unchanged_for_nbdime", Kind::Switch),
    optional("difference", Kind::Text),
    required("chance_signs", Kind::Text),
    required("paper_signs", Kind::Text),
];

const REPOSITORIES: &[ColumnRule] = &[
    required("condition", Kind::Text),
    required("repository", Kind::Text),
    optional("failure_class", Kind::Text),
    required("declaring_files", Kind::Text),
    required("declared", Kind::Count),
];

const VERSIONS: &[ColumnRule] = &[required("version", Kind::Text), extra("repository", Kind::Text)];

impl Outputs {
    /// Reads the files in `folder`, for the notebooks of `executability`; nothing where no outputs were compared.
    pub(crate) fn read(folder: &Path, executability: &[ExecutabilityRow]) -> Result<Self, FrameError> {
        let orders = Orders::read(folder)?;
        let mut cells = comparisons(&folder.join("comparisons.parquet"), &orders)?;
        if cells.is_empty() {
            return Ok(Outputs::default());
        }
        let repository_of = repository_of(&folder.join("versions.parquet"))?;
        let notebooks = executability.iter().map(|row| {
            let cells = cells.remove(&(row.condition, row.version.clone())).unwrap_or_default();
            let repository = repository_of.get(&row.version).cloned();
            NotebookRow { repository, cells, run: row.clone() }
        });
        let notebooks = notebooks.collect();
        let repositories = repositories(&folder.join("repository-environments.parquet"))?;
        let wanted = wanted(&folder.join("wanted-repositories.parquet"))?;
        Ok(Outputs { notebooks, repositories, orders, wanted })
    }

    /// The notebooks under a condition.
    pub(crate) fn under(&self, condition: Condition) -> impl Iterator<Item = &NotebookRow> {
        self.notebooks.iter().filter(move |row| row.run.condition == condition)
    }

    /// Whether the repository of a notebook has `requirements.txt`; none where it is of none.
    pub(crate) fn is_listed(&self, row: &NotebookRow) -> Option<bool> {
        let name = row.repository.as_deref()?;
        let mut environments = self.environments(row.run.condition);
        environments.find(|environment| environment.repository == name).map(|environment| environment.has_requirements)
    }

    /// The environments of repositories under a condition.
    pub(crate) fn environments(&self, condition: Condition) -> impl Iterator<Item = &RepositoryRow> {
        self.repositories.iter().filter(move |row| row.condition == condition)
    }
}

/// The compared cells of each notebook in its first order.
fn comparisons(path: &Path, orders: &Orders) -> Result<BTreeMap<(Condition, String), ComparedCells>, FrameError> {
    let mut all: BTreeMap<(Condition, String), ComparedCells> = BTreeMap::new();
    if !path.is_file() {
        return Ok(all);
    }
    Frame::each(path, COMPARISONS, |frame| {
        let (conditions, versions) = (frame.words::<Condition>("condition")?, frame.texts("version")?);
        let (repetitions, cells) = (frame.counts("repetition")?, frame.counts("cell")?);
        let (levels, unchanged) =
            (frame.optional_words::<Agreement>("agreement")?, frame.switches("unchanged_for_nbdime")?);
        let (ours, paper) = (frame.texts("chance_signs")?, frame.texts("paper_signs")?);
        let differences = frame.optional_words::<DifferenceKind>("difference")?;
        for (row, version) in versions.into_iter().enumerate() {
            let of = all.entry((conditions[row], version)).or_default();
            let (order, time) = orders.order_and_time(conditions[row], repetitions[row]);
            if order > 0 {
                continue;
            }
            if time == 1 {
                of.add(CellBesideSaved {
                    cell: cells[row],
                    level: levels[row],
                    is_unchanged: unchanged[row],
                    difference: differences[row],
                    signs: (&ours[row], &paper[row]),
                });
            } else {
                of.repeat(cells[row], levels[row]);
            }
        }
        Ok(())
    })?;
    Ok(all)
}

fn repositories(path: &Path) -> Result<Vec<RepositoryRow>, FrameError> {
    let mut rows = Vec::new();
    if !path.is_file() {
        return Ok(rows);
    }
    let is_requirements = |file: &str| file == "requirements.txt" || file.ends_with("/requirements.txt");
    Frame::each(path, REPOSITORIES, |frame| {
        let (conditions, names) = (frame.words::<Condition>("condition")?, frame.texts("repository")?);
        let (failures, files) = (frame.optional_texts("failure_class")?, frame.texts("declaring_files")?);
        let declared = frame.counts("declared")?;
        rows.extend(names.into_iter().enumerate().map(|(row, repository)| RepositoryRow {
            condition: conditions[row],
            repository,
            is_built: failures[row].is_none(),
            declares: declared[row] > 0,
            has_requirements: files[row].split(',').any(is_requirements),
        }));
        Ok(())
    })?;
    rows.sort_by(|one, other| (one.condition, &one.repository).cmp(&(other.condition, &other.repository)));
    Ok(rows)
}

fn wanted(path: &Path) -> Result<BTreeMap<String, u32>, FrameError> {
    if !path.is_file() {
        return Ok(BTreeMap::new());
    }
    let frame = Frame::read(path, &[required("state", Kind::Text), required("repositories", Kind::Count)])?;
    Ok(frame.texts("state")?.into_iter().zip(frame.counts("repositories")?).collect())
}

/// The repositories of versions, where they are of one.
pub(crate) fn repository_of(path: &Path) -> Result<BTreeMap<String, String>, FrameError> {
    let mut all = BTreeMap::new();
    if path.is_file() {
        Frame::each(path, VERSIONS, |frame| {
            let named = frame.texts("version")?.into_iter().zip(frame.extra_texts("repository")?);
            all.extend(named.filter_map(|(version, repository)| Some((version, repository?))));
            Ok(())
        })?;
    }
    Ok(all)
}
