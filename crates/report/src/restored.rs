//! What was put back that notebooks missed, and where their errors come from: rows of `restorations.parquet` and `error-roots.parquet`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use nbrevive_corpus::{Condition, Executability, LeftCause, Preparation, Repairer, Restorer, Surrounding};
use nbrevive_diagnosis::code::CodeCategory;

use crate::executability::ExecutabilityRow;
use crate::frame::{ColumnRule, Frame, FrameError, Kind, extra, optional, required};
use crate::outputs::repository_of;

/// An error of a last execution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RootRow {
    pub(crate) condition: Condition,
    pub(crate) version: String,
    /// Its class.
    pub(crate) error: String,
    /// What it stands for.
    pub(crate) executability: Executability,
    /// Why it is left; data of before do not tell.
    pub(crate) cause: Option<LeftCause>,
    pub(crate) is_root: bool,
    /// Whether every link to its root is certain.
    pub(crate) is_certain: bool,
}

/// What a condition puts back and hides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PreparedCondition {
    pub(crate) condition: Condition,
    /// What is put back; nothing of a condition that runs notebooks as they are.
    pub(crate) prepare: BTreeSet<Preparation>,
    /// Who says what that is.
    pub(crate) by: Restorer,
    /// Whether files that are there are hidden.
    pub(crate) hides: bool,
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
    /// The conditions that run code as it is or put something back.
    pub(crate) prepared: Vec<PreparedCondition>,
    /// Versions in Python 2, as a condition tells that looks at the code alone; the paper leaves them out of every share.
    pub(crate) in_python_2: BTreeSet<String>,
}

const RESTORATIONS: &[ColumnRule] =
    &[required("condition", Kind::Text), required("version", Kind::Text), required("is_kept", Kind::Switch)];

/// Classes of errors whose names are not handed on.
const UNNAMED: &str = "other";

const ROOTS: &[ColumnRule] = &[
    required("condition", Kind::Text),
    required("version", Kind::Text),
    required("cell", Kind::Count),
    optional("error", Kind::Text),
    required("executability", Kind::Text),
    extra("cause", Kind::Text),
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
                let (errors, causes) = (frame.optional_texts("error")?, frame.extra_words("cause")?);
                let row = |(row, version): (usize, String)| RootRow {
                    condition: conditions[row],
                    version,
                    error: errors[row].clone().unwrap_or_else(|| UNNAMED.to_owned()),
                    executability: words[row],
                    cause: causes[row],
                    is_root: cells[row] == roots[row],
                    is_certain: certain[row],
                };
                restored.roots.extend(frame.texts("version")?.into_iter().enumerate().map(row));
                Ok(())
            })?;
        }
        restored.stars = stars_of(folder)?;
        let (prepared, looking) = conditions(folder)?;
        restored.prepared = prepared;
        restored.in_python_2 = in_python_2(folder, &looking)?;
        restored.roots.retain(|row| !restored.in_python_2.contains(&row.version));
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

const CONDITIONS: &[ColumnRule] = &[
    required("condition", Kind::Text),
    required("environment", Kind::Text),
    required("repair", Kind::Text),
    extra("prepare", Kind::Text),
    extra("prepare_by", Kind::Text),
    extra("hide_data", Kind::Switch),
];

/// The conditions that run and repair nothing, and those that only look at the code. Data of before have no word of what is put back, and
/// none of hiding.
fn conditions(folder: &Path) -> Result<(Vec<PreparedCondition>, Vec<Condition>), FrameError> {
    let path = folder.join("conditions.parquet");
    let (mut all, mut looking) = (Vec::new(), Vec::new());
    if !path.is_file() {
        return Ok((all, looking));
    }
    let frame = Frame::read(&path, CONDITIONS)?;
    let conditions = frame.words::<Condition>("condition")?;
    let (runs, repairs) = (frame.words::<Surrounding>("environment")?, frame.words::<Repairer>("repair")?);
    let (prepare, by) = (frame.extra_texts("prepare")?, frame.extra_words::<Restorer>("prepare_by")?);
    let hides = frame.extra_switches("hide_data")?;
    for (row, condition) in conditions.into_iter().enumerate() {
        let words = prepare[row].iter().flat_map(|words| words.split(',')).filter(|word| !word.is_empty());
        let prepare = words.map(str::parse).collect::<Result<BTreeSet<Preparation>, _>>();
        let prepare = prepare.map_err(|error| frame.word_error("prepare", row, error))?;
        let (by, hides) = (by[row].unwrap_or(Restorer::Rules), hides[row].unwrap_or(false));
        match (runs[row].runs(), repairs[row].repairs()) {
            (false, _) => looking.push(condition),
            (true, false) => all.push(PreparedCondition { condition, prepare, by, hides }),
            (true, true) => {}
        }
    }
    Ok((all, looking))
}

const OUTCOMES: &[ColumnRule] =
    &[required("version", Kind::Text), required("condition", Kind::Text), optional("failure_cause", Kind::Text)];

fn in_python_2(folder: &Path, looking: &[Condition]) -> Result<BTreeSet<String>, FrameError> {
    let mut found = BTreeSet::new();
    if !looking.is_empty() {
        Frame::each(&folder.join("outcomes.parquet"), OUTCOMES, |frame| {
            let (conditions, causes) = (frame.words::<Condition>("condition")?, frame.optional_texts("failure_cause")?);
            let told = |row: usize| looking.contains(&conditions[row]) && causes[row].as_deref() == Some(PYTHON_2);
            let versions = frame.texts("version")?.into_iter().enumerate();
            found.extend(versions.filter(|(row, _)| told(*row)).map(|(_, version)| version));
            Ok(())
        })?;
    }
    Ok(found)
}

/// What the diagnosis of code calls Python 2.
const PYTHON_2: &str = CodeCategory::Python2.as_str();

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
