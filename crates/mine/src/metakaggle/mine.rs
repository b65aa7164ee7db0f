//! Records of the versions that a plan wants.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::ControlFlow;

use super::code::CodeFolder;
use super::copies;
use super::dump::Dump;
use super::error::DumpError;
use super::hashes::Hashes;
use super::ids::{IdSet, Sorted};
use super::lookups::{CompetitionRow, Competitions, Languages};
use super::names::{Names, NotebookRow};
use super::plan::DumpPlan;
use super::scan::{BadField, Row, Scan};
use super::scores::Score;
use super::summary::{DroppedRows, DumpSummary, Tally};
use super::tables::DumpTable;
use super::values::timestamp;
use crate::raw::{ContentHash, RawStore};
use crate::records::{
    CompetitionRecord, DataKind, MinedDataSource, MinedRecord, MiningSource, NotebookKey, NotebookRecord, Origin,
    VersionRecord,
};

const COLUMNS: [&str; 16] = [
    "Id",
    "ScriptId",
    "VersionNumber",
    "Title",
    "CreationDate",
    "EvaluationDate",
    "ScriptLanguageId",
    "RunningTimeInMilliseconds",
    "DockerImage",
    "AcceleratorTypeId",
    "IsInternetEnabled",
    "TotalVotes",
    copies::PARENT,
    copies::LINES[0],
    copies::LINES[1],
    copies::LINES[2],
];

/// What is read besides competitions, by version.
struct Read {
    competitions: Sorted<u64>,
    datasets: Sorted<u64>,
    notebooks: Sorted<u64>,
    models: Sorted<u64>,
}

/// All that versions are joined with.
struct Joins<'a> {
    /// `None` when everything is wanted.
    wanted: Option<IdSet>,
    competitions: &'a Competitions,
    languages: Languages,
    gpus: HashMap<u64, bool>,
    read: Read,
    /// The notebook of every version of the dump.
    notebook_of: Sorted<u64>,
    names: Names,
    scores: Sorted<Score>,
    raw: ContentHash,
}

/// A version with the numbers of its notebook, or a version whose notebook is missing.
enum Found {
    Version { notebook: u64, record: Box<VersionRecord> },
    Dropped,
}

impl Dump {
    /// Competitions, notebooks and versions of a plan as records, each version once, in the dump's order; a notebook comes
    /// behind its current version, or at the end. With a folder of Meta Kaggle Code, the code is kept in the raw store, and
    /// the records name it. The receiver may stop after any record.
    ///
    /// A record's origin is `KernelVersions.csv#<Id>` and the hash of that file, which is not copied into the raw store:
    /// hashes are made once for a file, and remembered beside the raw store (`dump-hashes.json`).
    ///
    /// # Errors
    /// [`DumpError`] when a file or the raw store cannot be read, or the plan names a competition that the dump does not
    /// hold. Rows that cannot be read or joined are counted in the summary instead.
    pub fn mine(
        &self,
        plan: &DumpPlan,
        store: &RawStore,
        code: Option<&CodeFolder>,
        sink: &mut dyn FnMut(MinedRecord) -> ControlFlow<()>,
    ) -> Result<DumpSummary, DumpError> {
        let mut tally = Tally::default();
        let mut hashes = Hashes::open(store.folder());
        let competitions = Competitions::read(self, plan, &mut tally)?;
        let raw = hashes.of(&self.required(DumpTable::Competitions)?.path)?;
        for (id, one) in competitions.all.iter().filter(|(id, _)| competitions.is_wanted(**id)) {
            if sink(MinedRecord::Competition(competition(*id, one, &raw))).is_break() {
                return Ok(DumpSummary { stopped: true, ..tally.0 });
            }
        }
        let raw = hashes.of(&self.required(DumpTable::KernelVersions)?.path)?;
        let joins = self.record_joins(plan, &competitions, raw, &mut tally)?;
        let raw = hashes.of(&self.required(DumpTable::Kernels)?.path)?;
        let teller = DumpTeller {
            joins: &joins,
            store,
            code,
            sink,
            raw,
            removed: HashMap::new(),
            seen: IdSet::default(),
            told: HashSet::new(),
            waiting: BTreeSet::new(),
        };
        teller.run(self, tally)
    }

    fn record_joins<'a>(
        &self,
        plan: &DumpPlan,
        competitions: &'a Competitions,
        raw: ContentHash,
        tally: &mut Tally,
    ) -> Result<Joins<'a>, DumpError> {
        let read = self.read(competitions, tally)?;
        let wanted: Option<IdSet> = competitions.wanted.as_ref().map(|_| {
            let rows = read.competitions.rows().iter().filter(|row| competitions.is_wanted(row.1));
            rows.map(|row| row.0).collect()
        });
        let is_wanted = |version: u64| wanted.as_ref().is_none_or(|wanted| wanted.contains(version));
        let notebook_of = self.notebook_of(tally)?;
        tally.drop(DroppedRows::SourceWithoutVersion, missing(&read.competitions, &notebook_of, &is_wanted));
        let mut notebooks: IdSet = notebook_of.rows().iter().filter(|row| is_wanted(row.0)).map(|row| row.1).collect();
        let parents = self.parents(&notebooks)?;
        let sources = read.notebooks.rows().iter().map(|row| row.1);
        notebooks.extend(parents.into_iter().chain(sources).filter_map(|version| notebook_of.get(version)).copied());
        let datasets: IdSet = read.datasets.rows().iter().map(|row| row.1).collect();
        let names = self.names(&notebooks, &datasets, tally)?;
        let is_max = |version| competitions.is_max(read.competitions.of(version));
        let scores = self.scores(wanted.as_ref(), plan.score, is_max, tally)?;
        tally.drop(DroppedRows::ScoreWithoutVersion, missing(&scores, &notebook_of, &is_wanted));
        let (languages, gpus) = (self.languages(tally)?, self.gpus(tally)?);
        Ok(Joins { wanted, competitions, languages, gpus, read, notebook_of, names, scores, raw })
    }

    fn read(&self, competitions: &Competitions, tally: &mut Tally) -> Result<Read, DumpError> {
        let all = Sorted::new(self.sources(DumpTable::CompetitionSources, |_, _| true, tally)?);
        let is_wanted = |version: u64| {
            competitions.wanted.is_none() || all.of(version).iter().any(|row| competitions.is_wanted(row.1))
        };
        let mut of = |table| self.sources(table, |version, _| is_wanted(version), tally).map(Sorted::new);
        let (datasets, notebooks, models) =
            (of(DumpTable::DatasetSources)?, of(DumpTable::KernelSources)?, of(DumpTable::ModelSources)?);
        Ok(Read { competitions: all, datasets, notebooks, models })
    }

    /// The notebook of every version: copies and sources point at any of them.
    fn notebook_of(&self, tally: &mut Tally) -> Result<Sorted<u64>, DumpError> {
        let scan = Scan::new(self.required(DumpTable::KernelVersions)?, ["Id", "ScriptId"]);
        let (rows, scanned) = scan.collect(|row| Ok(Some((row.id(0)?, row.id(1)?))))?;
        tally.scanned(DumpTable::KernelVersions, scanned);
        Ok(Sorted::new(rows))
    }

    /// The versions that notebooks were copied from.
    fn parents(&self, notebooks: &IdSet) -> Result<Vec<u64>, DumpError> {
        let scan = Scan::new(self.required(DumpTable::Kernels)?, ["Id", "ForkParentKernelVersionId"]);
        Ok(scan.collect(|row| if notebooks.contains(row.id(0)?) { row.whole(1) } else { Ok(None) })?.0)
    }
}

/// How many different wanted ids are no versions of the dump.
fn missing<T>(rows: &Sorted<T>, versions: &Sorted<u64>, is_wanted: &impl Fn(u64) -> bool) -> u64 {
    let (mut place, mut last, mut count) = (0, None, 0);
    for id in rows.rows().iter().map(|row| row.0).filter(|id| is_wanted(*id)) {
        if last.replace(id) != Some(id) && versions.near(id, &mut place).is_empty() {
            count += 1;
        }
    }
    count
}

fn origin(table: DumpTable, id: u64, raw: &ContentHash) -> Origin {
    Origin { source: MiningSource::MetaKaggle, request: format!("{table}.csv#{id}"), raw: raw.clone() }
}

fn competition(id: u64, row: &CompetitionRow, raw: &ContentHash) -> CompetitionRecord {
    CompetitionRecord {
        slug: row.slug.clone(),
        id: Some(id),
        title: row.title.clone(),
        category: row.category.clone(),
        metric: row.metric.clone(),
        enabled: row.enabled.and_then(timestamp),
        deadline: row.deadline.and_then(timestamp),
        teams: row.teams,
        notebooks: None,
        notebooks_only: row.notebooks_only,
        origin: origin(DumpTable::Competitions, id, raw),
    }
}

impl Joins<'_> {
    fn version(&self, row: &Row<'_, 16>, has: &Has) -> Result<Option<Found>, BadField> {
        let (id, notebook) = (row.id(0)?, row.id(1)?);
        if self.wanted.as_ref().is_some_and(|wanted| !wanted.contains(id)) {
            return Ok(None);
        }
        let Some(named) = self.names.notebooks.get(&notebook) else { return Ok(Some(Found::Dropped)) };
        let number = row.whole(2)?.and_then(|number| u32::try_from(number).ok());
        let language = row.whole(6)?.and_then(|language| self.languages.get(&language)).copied();
        let accelerator = row.whole(9)?;
        let gpu = accelerator.map_or(has.accelerator.then_some(false), |id| self.gpus.get(&id).copied());
        let score = self.scores.get(id).copied().unwrap_or_default();
        let is_copy = copies::is_unchanged(row, [12, 13, 14, 15], number, named.parent.is_some())? == Some(true);
        let record = VersionRecord {
            id: Some(id),
            number,
            title: row.owned(3)?,
            created: row.seconds(4)?.and_then(timestamp),
            evaluated: row.seconds(5)?.and_then(timestamp),
            language: language.and_then(|language| language.0),
            kind: language.and_then(|language| language.1),
            public_score: score.public,
            private_score: score.private,
            run_seconds: row.whole(7)?.map(|milliseconds| milliseconds as f64 / 1000.0),
            data_sources: Some(self.data_sources(id)),
            image: row.owned(8)?,
            gpu,
            internet: row.flag(10)?,
            copied_from: if is_copy { self.parent(named).cloned() } else { None },
            votes: row.whole(11)?,
            ..VersionRecord::unknown(named.key.clone(), origin(DumpTable::KernelVersions, id, &self.raw))
        };
        Ok(Some(Found::Version { notebook, record: Box::new(record) }))
    }

    /// The notebook that a notebook was copied from, as far as the dump names it.
    fn parent(&self, notebook: &NotebookRow) -> Option<&NotebookKey> {
        let parent = self.notebook_of.get(notebook.parent?)?;
        self.names.notebooks.get(parent).map(|parent| &parent.key)
    }

    /// What a version reads, by name, and by `#number` where the dump does not name it.
    fn data_sources(&self, version: u64) -> Vec<MinedDataSource> {
        let read = &self.read;
        let competition = |id| self.competitions.all.get(&id).map(|one| one.slug.to_string());
        let dataset = |id| self.names.datasets.get(&id).cloned();
        let notebook = |id| {
            let notebook = self.names.notebooks.get(self.notebook_of.get(id)?)?;
            Some(notebook.key.to_string())
        };
        let mut sources = Vec::new();
        let mut add = |kind, rows: &Sorted<u64>, name: &dyn Fn(u64) -> Option<String>| {
            let named = |id| MinedDataSource { kind, name: name(id).unwrap_or_else(|| format!("#{id}")) };
            sources.extend(rows.of(version).iter().map(|row| named(row.1)));
        };
        add(DataKind::Competition, &read.competitions, &competition);
        add(DataKind::Dataset, &read.datasets, &dataset);
        add(DataKind::Notebook, &read.notebooks, &notebook);
        add(DataKind::Model, &read.models, &|_| None);
        sources.sort();
        sources.dedup();
        sources
    }
}

/// Columns without which an empty field tells nothing.
struct Has {
    accelerator: bool,
}

/// Gives the records to the receiver.
struct DumpTeller<'a> {
    joins: &'a Joins<'a>,
    store: &'a RawStore,
    code: Option<&'a CodeFolder>,
    sink: &'a mut dyn FnMut(MinedRecord) -> ControlFlow<()>,
    /// The hash of `Kernels`.
    raw: ContentHash,
    /// Whether notebooks were taken down.
    removed: HashMap<u64, bool>,
    /// Versions that came.
    seen: IdSet,
    /// Notebooks that were given.
    told: HashSet<u64>,
    /// Notebooks whose current version has not come yet.
    waiting: BTreeSet<u64>,
}

impl DumpTeller<'_> {
    fn run(mut self, dump: &Dump, mut tally: Tally) -> Result<DumpSummary, DumpError> {
        let joins = self.joins;
        let scan = Scan::new(dump.required(DumpTable::KernelVersions)?, COLUMNS);
        let has = Has { accelerator: scan.has(9) };
        let mut end = Ok(ControlFlow::Continue(()));
        let scanned = scan.sweep(
            |rows| {
                let mut found = Vec::new();
                rows.each(|row| {
                    found.extend(joins.version(row, &has)?);
                    Ok(())
                });
                found
            },
            |found| {
                end = found.into_iter().try_fold(ControlFlow::Continue(()), |flow, one| match flow {
                    ControlFlow::Continue(()) => self.take(one, &mut tally),
                    ControlFlow::Break(()) => Ok(flow),
                });
                if matches!(end, Ok(ControlFlow::Continue(()))) {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(())
                }
            },
        )?;
        tally.scanned(DumpTable::KernelVersions, scanned);
        tally.0.stopped = end?.is_break() || self.rest().is_break();
        Ok(tally.0)
    }

    fn take(&mut self, found: Found, tally: &mut Tally) -> Result<ControlFlow<()>, DumpError> {
        let Found::Version { notebook, record: mut version } = found else {
            tally.drop(DroppedRows::VersionWithoutNotebook, 1);
            return Ok(ControlFlow::Continue(()));
        };
        if !self.seen.insert(version.id.unwrap_or_default()) {
            tally.drop(DroppedRows::DuplicateVersion, 1);
            return Ok(ControlFlow::Continue(()));
        }
        if self.is_removed(notebook, &version.notebook)? {
            tally.drop(DroppedRows::TakenDown, 1);
            return Ok(ControlFlow::Continue(()));
        }
        version.code = self.code(&version, tally)?;
        tally.0.versions += 1;
        let current = self.joins.names.notebooks.get(&notebook).filter(|row| row.current == version.id);
        let is_current = current.is_some();
        let told =
            current.filter(|_| self.told.insert(notebook)).map(|row| self.notebook(notebook, row, Some(&version)));
        if !is_current {
            self.waiting.insert(notebook);
        }
        if (self.sink)(MinedRecord::Version(version)).is_break() {
            return Ok(ControlFlow::Break(()));
        }
        Ok(told.map_or(ControlFlow::Continue(()), |told| (self.sink)(MinedRecord::Notebook(told))))
    }

    /// The notebooks whose current version was not among those wanted.
    fn rest(&mut self) -> ControlFlow<()> {
        for notebook in std::mem::take(&mut self.waiting) {
            if let Some(row) = self.joins.names.notebooks.get(&notebook).filter(|_| !self.told.contains(&notebook)) {
                let record = self.notebook(notebook, row, None);
                (self.sink)(MinedRecord::Notebook(record))?;
            }
        }
        ControlFlow::Continue(())
    }

    fn notebook(&self, id: u64, row: &NotebookRow, current: Option<&VersionRecord>) -> NotebookRecord {
        NotebookRecord {
            key: row.key.clone(),
            id: Some(id),
            title: current.and_then(|version| version.title.clone()),
            author: row.author.clone(),
            language: current.and_then(|version| version.language),
            kind: current.and_then(|version| version.kind),
            last_run: row.evaluated.and_then(timestamp),
            votes: row.votes,
            current_version: current.and_then(|version| version.number),
            copied_from: self.joins.parent(row).cloned(),
            origin: origin(DumpTable::Kernels, id, &self.raw),
        }
    }

    fn is_removed(&mut self, id: u64, key: &NotebookKey) -> Result<bool, DumpError> {
        if let Some(known) = self.removed.get(&id) {
            return Ok(*known);
        }
        let removed = self.store.is_removed(&key.to_string())?;
        self.removed.insert(id, removed);
        Ok(removed)
    }

    fn code(&self, version: &VersionRecord, tally: &mut Tally) -> Result<Option<ContentHash>, DumpError> {
        let (Some(folder), Some(id)) = (self.code, version.id) else { return Ok(None) };
        match folder.read(id) {
            Ok(Some(code)) => {
                Ok(Some(self.store.keep(MiningSource::MetaKaggle, &version.natural_key(), &code.bytes)?))
            }
            Ok(None) => Ok(None),
            Err(trouble) => {
                tally.0.troubles.push(trouble);
                Ok(None)
            }
        }
    }
}
