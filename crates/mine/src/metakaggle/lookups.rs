//! The small tables, whole in memory: competitions, languages, accelerators.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::dump::Dump;
use super::error::DumpError;
use super::ids::IdSet;
use super::plan::{DumpPlan, DumpScope};
use super::scan::Scan;
use super::summary::{DroppedRows, Tally};
use super::tables::DumpTable;
use crate::records::{CodeKind, CodeLanguage, Slug};

/// A competition of the dump.
#[derive(Debug, Clone)]
pub(super) struct CompetitionRow {
    pub(super) slug: Slug,
    pub(super) title: Option<String>,
    pub(super) category: Option<String>,
    pub(super) metric: Option<String>,
    pub(super) is_max: Option<bool>,
    pub(super) enabled: Option<i64>,
    pub(super) deadline: Option<i64>,
    pub(super) teams: Option<u64>,
    pub(super) notebooks_only: Option<bool>,
}

/// All competitions by their numbers, and those of a plan.
#[derive(Debug)]
pub(super) struct Competitions {
    pub(super) all: BTreeMap<u64, CompetitionRow>,
    /// `None` when a plan wants everything.
    pub(super) wanted: Option<HashSet<u64>>,
}

const COLUMNS: [&str; 10] = [
    "Id",
    "Slug",
    "Title",
    "HostSegmentTitle",
    "EvaluationAlgorithmName",
    "EvaluationAlgorithmIsMax",
    "EnabledDate",
    "DeadlineDate",
    "TotalTeams",
    "OnlyAllowKernelSubmissions",
];

impl Competitions {
    pub(super) fn read(dump: &Dump, plan: &DumpPlan, tally: &mut Tally) -> Result<Self, DumpError> {
        let (rows, scanned) = Scan::new(dump.required(DumpTable::Competitions)?, COLUMNS).collect(|row| {
            let Ok(slug) = Slug::new(row.text(1)?.unwrap_or_default()) else { return Ok(Some((row.id(0)?, None))) };
            let competition = CompetitionRow {
                slug,
                title: row.owned(2)?,
                category: row.owned(3)?,
                metric: row.owned(4)?,
                is_max: row.flag(5)?,
                enabled: row.seconds(6)?,
                deadline: row.seconds(7)?,
                teams: row.whole(8)?,
                notebooks_only: row.flag(9)?,
            };
            Ok(Some((row.id(0)?, Some(competition))))
        })?;
        tally.scanned(DumpTable::Competitions, scanned);
        tally.drop(DroppedRows::CompetitionName, rows.iter().filter(|row| row.1.is_none()).count() as u64);
        let all: BTreeMap<u64, CompetitionRow> = rows.into_iter().filter_map(|row| Some((row.0, row.1?))).collect();
        let wanted = match &plan.scope {
            DumpScope::Everything => None,
            DumpScope::Competitions(slugs) => Some(numbers(&all, slugs)?),
        };
        Ok(Self { all, wanted })
    }

    pub(super) fn is_wanted(&self, id: u64) -> bool {
        self.wanted.as_ref().is_none_or(|wanted| wanted.contains(&id))
    }

    /// Whether more is better in all of these competitions, where they agree.
    pub(super) fn is_max(&self, ids: &[(u64, u64)]) -> Option<bool> {
        let mut directions = ids.iter().map(|row| self.all.get(&row.1).and_then(|one| one.is_max));
        let first = directions.next()??;
        directions.all(|next| next == Some(first)).then_some(first)
    }
}

fn numbers(all: &BTreeMap<u64, CompetitionRow>, slugs: &[Slug]) -> Result<HashSet<u64>, DumpError> {
    let by_slug: HashMap<&Slug, u64> = all.iter().map(|(id, one)| (&one.slug, *id)).collect();
    let number =
        |slug: &Slug| by_slug.get(slug).copied().ok_or_else(|| DumpError::NoCompetition { slug: slug.clone() });
    slugs.iter().map(number).collect()
}

/// Language and kind by the number that versions have.
pub(super) type Languages = HashMap<u64, (Option<CodeLanguage>, Option<CodeKind>)>;

impl Dump {
    /// Names such as `IPython Notebook HTML` and `RMarkdown` are told by `Name`, the others by `DisplayName`.
    pub(super) fn languages(&self, tally: &mut Tally) -> Result<Languages, DumpError> {
        let columns = ["Id", "Name", "DisplayName", "IsNotebook"];
        let (rows, scanned) = Scan::new(self.required(DumpTable::KernelLanguages)?, columns).collect(|row| {
            let named = CodeLanguage::from_name(row.text(1)?.unwrap_or_default());
            let shown = CodeLanguage::from_name(row.text(2)?.unwrap_or_default());
            let language = named.filter(|named| *named != CodeLanguage::Other).or(shown).or(named);
            let kind = row.flag(3)?.map(|is_notebook| if is_notebook { CodeKind::Notebook } else { CodeKind::Script });
            Ok(Some((row.id(0)?, (language, kind))))
        })?;
        tally.scanned(DumpTable::KernelLanguages, scanned);
        Ok(rows.into_iter().collect())
    }

    /// The accelerators that are GPUs, by number: those whose label names neither nothing nor a TPU.
    pub(super) fn gpus(&self, tally: &mut Tally) -> Result<HashMap<u64, bool>, DumpError> {
        /// Known accelerators by their numbers in the messages of the official SDK, for dumps without the table.
        const GPUS: [u64; 9] = [1, 2, 8, 10, 11, 13, 15, 16, 17];
        const OTHERS: [u64; 6] = [0, 3, 4, 9, 12, 14];
        let Some(file) = self.file(DumpTable::KernelAcceleratorTypes) else {
            let known = GPUS.map(|id| (id, true)).into_iter().chain(OTHERS.map(|id| (id, false)));
            return Ok(known.collect());
        };
        let (rows, scanned) = Scan::new(file, ["Id", "Label"]).collect(|row| {
            let label = row.text(1)?.unwrap_or_default().to_ascii_lowercase();
            Ok(Some((row.id(0)?, !matches!(&*label, "" | "none") && !label.contains("tpu"))))
        })?;
        tally.scanned(DumpTable::KernelAcceleratorTypes, scanned);
        Ok(rows.into_iter().collect())
    }

    /// Rows of one of the tables that say what versions read: the version and the number of what it reads, as far as
    /// `keep` wants them. Nothing where the dump has not got the table.
    pub(super) fn sources(
        &self,
        table: DumpTable,
        keep: impl Fn(u64, u64) -> bool + Sync,
        tally: &mut Tally,
    ) -> Result<Vec<(u64, u64)>, DumpError> {
        let Some(file) = self.file(table) else { return Ok(Vec::new()) };
        let of = match table {
            DumpTable::CompetitionSources => "SourceCompetitionId",
            DumpTable::DatasetSources => "SourceDatasetVersionId",
            DumpTable::KernelSources => "SourceKernelVersionId",
            _ => "SourceModelVariationVersionId",
        };
        let (rows, scanned) = Scan::new(file, ["KernelVersionId", of]).collect(|row| {
            let (version, source) = (row.id(0)?, row.whole(1)?.unwrap_or(0));
            Ok(keep(version, source).then_some((version, source)))
        })?;
        tally.scanned(table, scanned);
        Ok(rows)
    }

    /// Versions that read something that is no competition's.
    pub(super) fn foreign(&self, tally: &mut Tally) -> Result<IdSet, DumpError> {
        let mut set = IdSet::default();
        for table in [DumpTable::DatasetSources, DumpTable::KernelSources, DumpTable::ModelSources] {
            set.extend(self.sources(table, |_, _| true, tally)?.into_iter().map(|row| row.0));
        }
        Ok(set)
    }
}
