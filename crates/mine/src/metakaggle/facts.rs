//! What the funnel asks of every version of the dump, without names and texts: ten million versions pass in a minute.
//!
//! No frame is built here: each table is scanned once with the columns that count, joins are lookups in bits and sorted
//! rows ([`super::ids`]), and the versions stream by. Records, which are few, are joined in memory (`names.rs`).

use std::ops::ControlFlow;

use nbrevive_corpus::funnel::{FunnelCandidate, TargetScore};

use super::copies;
use super::dump::Dump;
use super::error::DumpError;
use super::ids::{IdSet, Sorted};
use super::lookups::{Competitions, Languages};
use super::plan::DumpPlan;
use super::scan::{BadField, Row, Scan};
use super::scores::Score;
use super::summary::{DroppedRows, DumpSummary, Tally};
use super::tables::DumpTable;
use crate::records::{CodeKind, CodeLanguage, Slug};

/// What the dump tells of one version. `None` is what it does not tell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Facts {
    /// `KernelVersions.Id`, which addresses call `scriptVersionId`.
    pub id: u64,
    /// `Kernels.Id`.
    pub notebook: u64,
    /// The version's number, from 1.
    pub number: Option<u32>,
    /// `Competitions.Id` of the competition that it reads: of several, the plan's, and of those the lowest.
    pub competition: Option<u64>,
    /// How many competitions it reads.
    pub competitions: u32,
    /// When it was saved, in seconds since 1970.
    pub created: Option<i64>,
    /// The language that it is registered with.
    pub language: Option<CodeLanguage>,
    /// Cells or one text.
    pub kind: Option<CodeKind>,
    /// Whether the notebook was copied from another and this is the copy's first version without a changed line.
    pub copied: Option<bool>,
    /// Whether it has no lines.
    pub empty: Option<bool>,
    /// Whether it ran to its end: no where no run ended, yes where a submission was scored, which takes the output of a run
    /// that did (inferred; the dump does not tell failures).
    pub ran: Option<bool>,
    /// Score on the public part of the test set.
    pub public_score: Option<f64>,
    /// Score on the private part.
    pub private_score: Option<f64>,
    /// Seconds that its run took.
    pub run_seconds: Option<f64>,
    /// Whether it reads anything but one competition: a second one, a data set, a notebook, a model.
    pub external: bool,
}

impl Facts {
    /// The same facts as the funnel asks for them, with the score that a study takes for the target.
    #[must_use]
    pub fn candidate(&self, target: TargetScore) -> FunnelCandidate {
        FunnelCandidate {
            in_competition: Some(self.competition.is_some()),
            copied: self.copied,
            empty: self.empty,
            ran: self.ran,
            score: target.choose(self.public_score, self.private_score),
            run_seconds: self.run_seconds,
            language: self.language,
            content_language: None,
            kind: self.kind,
            external_data: Some(self.external),
        }
    }
}

const COLUMNS: [&str; 12] = [
    "Id",
    "ScriptId",
    "VersionNumber",
    "CreationDate",
    "ScriptLanguageId",
    "EvaluationDate",
    "TotalLines",
    "RunningTimeInMilliseconds",
    copies::PARENT,
    copies::LINES[0],
    copies::LINES[1],
    copies::LINES[2],
];

/// All that versions are joined with.
struct Joins {
    everything: bool,
    competitions: Competitions,
    languages: Languages,
    /// Version and competition.
    read: Sorted<u64>,
    foreign: IdSet,
    /// Notebooks whose author has a name.
    notebooks: IdSet,
    /// Notebooks that were copied from another.
    copies: IdSet,
    scores: Sorted<Score>,
}

/// Where the lookups of one piece are.
#[derive(Default)]
struct Places {
    read: usize,
    score: usize,
}

/// A version, or why there is none.
enum Found {
    Version(Facts),
    Dropped,
}

impl Dump {
    /// The facts of every version that the plan wants, in the order of the dump, in batches of some ten thousand.
    /// The receiver may stop after any batch.
    ///
    /// # Errors
    /// [`DumpError`] when a file cannot be read or the plan names a competition that the dump does not hold. Rows that cannot
    /// be read, and rows whose notebook or author is missing, are counted in the summary instead.
    pub fn candidates(
        &self,
        plan: &DumpPlan,
        sink: &mut dyn FnMut(Vec<Facts>) -> ControlFlow<()>,
    ) -> Result<DumpSummary, DumpError> {
        let mut tally = Tally::default();
        let joins = self.joins(plan, &mut tally)?;
        let scan = Scan::new(self.required(DumpTable::KernelVersions)?, COLUMNS);
        let has_evaluation = scan.has(5);
        let (mut versions, mut dropped, mut twice, mut stopped) = (0, 0, 0, false);
        let mut seen = IdSet::default();
        let scanned = scan.sweep(
            |rows| {
                let (mut batch, mut dropped, mut places) = (Vec::new(), 0, Places::default());
                rows.each(|row| {
                    match joins.version(row, &mut places, has_evaluation)? {
                        Some(Found::Version(facts)) => batch.push(facts),
                        Some(Found::Dropped) => dropped += 1,
                        None => {}
                    }
                    Ok(())
                });
                (batch, dropped)
            },
            |(mut batch, lost)| {
                let came = batch.len();
                batch.retain(|facts| seen.insert(facts.id));
                twice += (came - batch.len()) as u64;
                versions += batch.len() as u64;
                dropped += lost;
                let flow = if batch.is_empty() { ControlFlow::Continue(()) } else { sink(batch) };
                stopped = flow.is_break();
                flow
            },
        )?;
        tally.scanned(DumpTable::KernelVersions, scanned);
        tally.drop(DroppedRows::VersionWithoutNotebook, dropped);
        tally.drop(DroppedRows::DuplicateVersion, twice);
        Ok(DumpSummary { versions, stopped, ..tally.0 })
    }

    /// The names of the dump's competitions by their numbers, which [`Facts::competition`] gives.
    ///
    /// # Errors
    /// [`DumpError`] when the file cannot be read.
    pub fn competition_names(&self) -> Result<Vec<(u64, Slug)>, DumpError> {
        let competitions = Competitions::read(self, &DumpPlan::default(), &mut Tally::default())?;
        Ok(competitions.all.into_iter().map(|(id, one)| (id, one.slug)).collect())
    }

    fn joins(&self, plan: &DumpPlan, tally: &mut Tally) -> Result<Joins, DumpError> {
        let competitions = Competitions::read(self, plan, tally)?;
        let everything = competitions.wanted.is_none();
        let languages = self.languages(tally)?;
        let read = Sorted::new(self.sources(DumpTable::CompetitionSources, |_, _| true, tally)?);
        let wanted = (!everything).then(|| {
            read.rows().iter().filter(|row| competitions.is_wanted(row.1)).map(|row| row.0).collect::<IdSet>()
        });
        let foreign = self.foreign(tally)?;
        let (notebooks, copies) = self.notebooks_with_names(tally)?;
        let is_max = |version| competitions.is_max(read.of(version));
        let scores = self.scores(wanted.as_ref(), plan.score, is_max, tally)?;
        Ok(Joins { everything, competitions, languages, read, foreign, notebooks, copies, scores })
    }

    /// Notebooks that can be named, and those that were copied from another.
    fn notebooks_with_names(&self, tally: &mut Tally) -> Result<(IdSet, IdSet), DumpError> {
        let columns = ["Id", "AuthorUserId", "CurrentUrlSlug", "ForkParentKernelVersionId"];
        let (kernels, scanned) = Scan::new(self.required(DumpTable::Kernels)?, columns).collect(|row| {
            let is_named = row.text(2)?.is_some_and(|slug| Slug::new(slug).is_ok());
            Ok(Some((row.id(0)?, row.whole(1)?, is_named, row.whole(3)?.is_some())))
        })?;
        tally.scanned(DumpTable::Kernels, scanned);
        let authors: IdSet = kernels.iter().filter_map(|kernel| kernel.1).collect();
        let (users, scanned) = Scan::new(self.required(DumpTable::Users)?, ["Id", "UserName"]).collect(|row| {
            let id = row.id(0)?;
            let is_author = authors.contains(id) && Slug::new(row.text(1)?.unwrap_or_default()).is_ok();
            Ok(is_author.then_some(id))
        })?;
        tally.scanned(DumpTable::Users, scanned);
        let users: IdSet = users.into_iter().collect();
        let has_author =
            |kernel: &(u64, Option<u64>, bool, bool)| kernel.1.is_some_and(|author| users.contains(author));
        tally.drop(DroppedRows::NotebookName, kernels.iter().filter(|kernel| !kernel.2).count() as u64);
        let orphans = kernels.iter().filter(|kernel| kernel.2 && !has_author(kernel)).count();
        tally.drop(DroppedRows::NotebookWithoutAuthor, orphans as u64);
        let copies = kernels.iter().filter(|kernel| kernel.3).map(|kernel| kernel.0).collect();
        Ok((
            kernels.into_iter().filter(|kernel| kernel.2 && has_author(kernel)).map(|kernel| kernel.0).collect(),
            copies,
        ))
    }
}

impl Joins {
    fn version(&self, row: &Row<'_, 12>, places: &mut Places, has_evaluation: bool) -> Result<Option<Found>, BadField> {
        let (id, notebook) = (row.id(0)?, row.id(1)?);
        let read = self.read.near(id, &mut places.read);
        let competition = read.iter().map(|row| row.1).filter(|one| self.competitions.is_wanted(*one)).min();
        if competition.is_none() && !self.everything {
            return Ok(None);
        }
        if !self.notebooks.contains(notebook) {
            return Ok(Some(Found::Dropped));
        }
        let number = row.whole(2)?.and_then(|number| u32::try_from(number).ok());
        let language = row.whole(4)?.and_then(|language| self.languages.get(&language)).copied();
        let score = self.scores.near(id, &mut places.score).first().map(|row| row.1).unwrap_or_default();
        let has_ended = row.seconds(5)?.is_some();
        let ran = match (score.public.or(score.private), has_evaluation && !has_ended) {
            (Some(_), _) => Some(true),
            (None, true) => Some(false),
            (None, false) => None,
        };
        Ok(Some(Found::Version(Facts {
            id,
            notebook,
            number,
            competition,
            competitions: u32::try_from(read.len()).unwrap_or(u32::MAX),
            created: row.seconds(3)?,
            language: language.and_then(|language| language.0),
            kind: language.and_then(|language| language.1),
            copied: copies::is_unchanged(row, [8, 9, 10, 11], number, self.copies.contains(notebook))?,
            empty: row.whole(6)?.map(|lines| lines == 0),
            ran,
            public_score: score.public,
            private_score: score.private,
            run_seconds: row.whole(7)?.map(|milliseconds| milliseconds as f64 / 1000.0),
            external: read.len() > 1 || self.foreign.contains(id),
        })))
    }
}
