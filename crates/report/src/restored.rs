//! What was put back that notebooks missed, and where their errors come from: rows of `restorations.parquet` and `error-roots.parquet`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use nbrevive_corpus::{Condition, Executability};

use crate::executability::ExecutabilityRow;
use crate::frame::{ColumnRule, Frame, FrameError, Kind, extra, required};
use crate::outputs::repository_of;

/// An error of a last execution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RootRow {
    pub(crate) condition: Condition,
    pub(crate) version: String,
    /// What it stands for.
    pub(crate) executability: Executability,
    pub(crate) is_root: bool,
    /// Whether every link to its root is certain.
    pub(crate) is_certain: bool,
}

/// What tables of restoration are counted from.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Restored {
    /// Versions by the condition under which something was put back and stayed.
    kept: BTreeMap<Condition, BTreeSet<String>>,
    /// All errors.
    pub(crate) roots: Vec<RootRow>,
    /// Stars of the repositories of versions, where they are known.
    stars: BTreeMap<String, u32>,
}

const RESTORATIONS: &[ColumnRule] =
    &[required("condition", Kind::Text), required("version", Kind::Text), required("is_kept", Kind::Switch)];

const ROOTS: &[ColumnRule] = &[
    required("condition", Kind::Text),
    required("version", Kind::Text),
    required("cell", Kind::Count),
    required("executability", Kind::Text),
    required("root", Kind::Count),
    required("is_certain", Kind::Switch),
];

impl Restored {
    /// Reads the files in `folder`; data of before have none.
    pub(crate) fn read(folder: &Path) -> Result<Self, FrameError> {
        let mut restored = Restored::default();
        let path = folder.join("restorations.parquet");
        if path.is_file() {
            Frame::each(&path, RESTORATIONS, |frame| {
                let (conditions, kept) = (frame.words::<Condition>("condition")?, frame.switches("is_kept")?);
                for (row, version) in frame.texts("version")?.into_iter().enumerate() {
                    let of = restored.kept.entry(conditions[row]).or_default();
                    if kept[row] {
                        of.insert(version);
                    }
                }
                Ok(())
            })?;
        }
        let path = folder.join("error-roots.parquet");
        if path.is_file() {
            Frame::each(&path, ROOTS, |frame| {
                let (conditions, words) = (frame.words("condition")?, frame.words("executability")?);
                let (cells, roots) = (frame.counts("cell")?, frame.counts("root")?);
                let certain = frame.switches("is_certain")?;
                let row = |(row, version)| RootRow {
                    condition: conditions[row],
                    version,
                    executability: words[row],
                    is_root: cells[row] == roots[row],
                    is_certain: certain[row],
                };
                restored.roots.extend(frame.texts("version")?.into_iter().enumerate().map(row));
                Ok(())
            })?;
        }
        restored.stars = stars_of(folder)?;
        Ok(restored)
    }

    /// The stars of the repository of a version, where they are known.
    pub(crate) fn stars(&self, version: &str) -> Option<u32> {
        self.stars.get(version).copied()
    }

    /// The conditions that put something back.
    pub(crate) fn conditions(&self) -> impl Iterator<Item = Condition> {
        self.kept.keys().copied()
    }

    /// Whether anything that was put back for a version stayed.
    pub(crate) fn is_applied(&self, condition: Condition, version: &str) -> bool {
        self.kept.get(&condition).is_some_and(|versions| versions.contains(version))
    }
}

const REPOSITORIES: &[ColumnRule] = &[required("repository", Kind::Text), extra("stars", Kind::Count)];

fn stars_of(folder: &Path) -> Result<BTreeMap<String, u32>, FrameError> {
    let (versions, repositories) = (folder.join("versions.parquet"), folder.join("repositories.parquet"));
    if !repositories.is_file() {
        return Ok(BTreeMap::new());
    }
    let frame = Frame::read(&repositories, REPOSITORIES)?;
    let (names, stars) = (frame.texts("repository")?, frame.extra_counts("stars")?);
    let known: BTreeMap<String, u32> =
        names.into_iter().zip(stars).filter_map(|(name, stars)| Some((name, stars?))).collect();
    let of_version = repository_of(&versions)?.into_iter();
    Ok(of_version.filter_map(|(version, name)| Some((version, *known.get(&name)?))).collect())
}

/// The rows of a condition.
pub(crate) fn under(rows: &[ExecutabilityRow], condition: Condition) -> impl Iterator<Item = &ExecutabilityRow> {
    rows.iter().filter(move |row| row.condition == condition)
}

/// The share of code cells that ran before the first that did not, or in all; a notebook without any ran whole.
pub(crate) fn degree(row: &ExecutabilityRow, is_tolerant: bool) -> f64 {
    match (row.code_cells, is_tolerant) {
        (0, _) => 1.0,
        (cells, true) => f64::from(row.ran) / f64::from(cells),
        (cells, false) => f64::from(row.ran_before_error) / f64::from(cells),
    }
}
