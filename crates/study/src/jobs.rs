//! Which jobs a study has, which of them are done, and why the rest is left.

pub(crate) mod admission;
pub(crate) mod again;
pub(crate) mod cell_orders;
pub(crate) mod changed;
pub(crate) mod cutoff;
pub(crate) mod fingerprints;
pub(crate) mod missing_interpreters;
pub(crate) mod version_rows;

use std::collections::BTreeMap;
use std::sync::Arc;

use nbrevive_corpus::{
    Change, Competition, Condition, Criterion, Exclusion, Fingerprint, Judge, Outcome, Recipe, RepairLevel,
    SelectedNotebook, Target, Targets, Version, select,
};
use nbrevive_store::outcomes::OutcomeRow;
use nbrevive_store::shards::ShardJob;
use nbrevive_store::{Store, StoreError, fingerprints as stored_fingerprints, left_out, outcomes, repetitions};

use crate::corpus::around::{Around, Finder};
use crate::jobs::cell_orders::{CodeOrder, cell_orders};
use crate::jobs::cutoff::{Gate, Length, Member};
use crate::jobs::fingerprints::before;
use crate::{Study, Surroundings};

/// One version under one condition.
#[derive(Debug, Clone)]
pub struct Job {
    /// The version.
    pub version: Arc<Version>,
    /// Its notebook.
    pub selected: Arc<SelectedNotebook>,
    /// What it has around it.
    pub around: Around,
    /// Its target score, where the study asks for scores.
    pub target: Option<Target>,
    /// The condition.
    pub condition: Condition,
    /// What is done under it.
    pub recipe: Arc<Recipe>,
    /// Which run of the condition it is, from 1: everything else being equal, outcomes should not depend on it.
    pub repetition: u32,
    /// In which order its code cells run.
    pub(crate) order: CodeOrder,
    /// Hash of everything that the outcome depends on.
    pub inputs_hash: String,
    /// Whether it runs although an execution of the same is stored.
    pub(crate) anew: bool,
    /// What the same was known by before there were fingerprints, if it could be then.
    pub(crate) hash_before: Option<String>,
    /// What all outcomes of the condition depend on.
    pub(crate) shared: Arc<Fingerprint>,
}

impl Job {
    /// Everything that the outcome depends on, short of the machine.
    #[must_use]
    pub fn inputs(&self) -> Fingerprint {
        let drawn = self.order.as_deref().filter(|_| self.recipe.cells.is_drawn());
        fingerprints::of_outcome(&self.shared, &self.selected, &self.around, self.target.as_ref(), drawn)
    }

    /// What a plan for its date goes by.
    #[must_use]
    pub fn surroundings(&self) -> Surroundings {
        let beside = self.around.beside(&self.version);
        Surroundings::with_files(&self.selected.notebook, &beside, self.version.submitted)
    }

    /// What an execution has to come to, with the study's τ.
    #[must_use]
    pub fn criterion(&self, tau: f64) -> Criterion {
        self.target.as_ref().map_or(Criterion::ErrorFree, |target| Criterion::Score { target: target.score, tau })
    }

    /// How many of its cells have code.
    pub(crate) fn code_cells(&self) -> u32 {
        let cells = self.selected.notebook.code_cells().filter(|(_, cell)| !cell.source.trim().is_empty()).count();
        u32::try_from(cells).unwrap_or(u32::MAX)
    }

    /// What a store knows it by.
    #[must_use]
    pub fn in_shard(&self) -> ShardJob {
        ShardJob {
            version: self.version.slug.clone(),
            condition: self.condition,
            repetition: self.repetition,
            inputs_hash: self.inputs_hash.clone(),
        }
    }

    /// The version's slug, with the number of a repetition from the second on.
    #[must_use]
    pub fn name(&self) -> String {
        match self.repetition {
            1 => self.version.slug.clone(),
            repetition => format!("{} (repetition {repetition})", self.version.slug),
        }
    }
}

/// Whether a job has to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobState {
    /// There is an outcome for exactly these inputs.
    Done(Outcome),
    /// There is an outcome, but notebook, data, environment or settings have changed since.
    OutOfDate,
    /// There is no outcome.
    Missing,
    /// There is an outcome, and it was asked to come again.
    Again(Outcome),
    /// Whether it runs is known only after the version's baseline.
    AfterBaseline,
    /// The version reproduces at baseline, or failed there: it is no subject of modernization (paper, section 4).
    NotASubject(Outcome),
    /// The version has more tokens than the cut-off: it is no subject of modernization either.
    TooLong,
}

impl JobState {
    /// Whether the job is to be carried out, as far as is known.
    #[must_use]
    pub const fn is_open(self) -> bool {
        match self {
            JobState::OutOfDate | JobState::Missing | JobState::Again(_) | JobState::AfterBaseline => true,
            JobState::Done(_) | JobState::NotASubject(_) | JobState::TooLong => false,
        }
    }
}

impl std::fmt::Display for PlannedJob {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.state.fmt(f)?;
        let changes: Vec<String> = self.changes.iter().map(ToString::to_string).collect();
        match (self.state, changes.is_empty()) {
            (JobState::OutOfDate, true) => {
                f.write_str(" (which ones is not known: it is of before the store kept them)")
            }
            (_, true) => Ok(()),
            (_, false) => write!(f, " ({})", changes.join("; ")),
        }
    }
}

impl std::fmt::Display for JobState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            JobState::Done(outcome) => write!(f, "done: {outcome}"),
            JobState::OutOfDate => f.write_str("to run: its inputs changed since it ran"),
            JobState::Missing => f.write_str("to run: it has no outcome yet"),
            JobState::Again(outcome) => write!(f, "to run again: {outcome}"),
            JobState::AfterBaseline => f.write_str("to run if it does not reproduce at baseline"),
            JobState::NotASubject(outcome) => write!(f, "no subject: {outcome} at baseline"),
            JobState::TooLong => f.write_str("no subject: more tokens than the cut-off"),
        }
    }
}

/// A job with its state.
#[derive(Debug, Clone)]
pub struct PlannedJob {
    /// The job.
    pub job: Job,
    /// Whether it has to run.
    pub state: JobState,
    /// What changed since it ran, where it is out of date and the store knows what its outcome was made of.
    pub changes: Vec<Change>,
}

/// A version that is left out, with the reason and its detail.
pub type LeftOut = (Version, Exclusion, String);

/// All jobs of a study, and the versions that it leaves out.
#[derive(Debug, Clone)]
pub struct JobPlan {
    /// The jobs, in the order in which they run.
    pub jobs: Vec<PlannedJob>,
    /// The versions that are left out.
    pub left_out: Vec<LeftOut>,
    /// Every version that is studied: the population of a percentile as cut-off.
    pub pool: Vec<Member>,
}

impl JobPlan {
    /// How many jobs are to be carried out, as far as is known.
    #[must_use]
    pub fn open_jobs(&self) -> usize {
        self.jobs.iter().filter(|planned| planned.state.is_open()).count()
    }

    /// The jobs of versions whose slug contains `part`; all of them when it is empty.
    #[must_use]
    pub fn only(&self, part: &str) -> JobPlan {
        let jobs = self.jobs.iter().filter(|planned| planned.job.version.slug.contains(part));
        JobPlan { jobs: jobs.cloned().collect(), left_out: self.left_out.clone(), pool: self.pool.clone() }
    }
}

/// Plans a study: selects versions, and compares with what the store has.
///
/// `baseline_hash` names the content of the baseline environment.
///
/// # Errors
/// When the store cannot be read.
pub fn plan(
    study: &Study,
    versions: &[Version],
    competitions: &BTreeMap<String, Competition>,
    targets: &Targets,
    baseline_hash: &str,
    store: Option<&Store>,
) -> Result<JobPlan, StoreError> {
    let mut finder = Finder::new(competitions, versions);
    let mut plan = JobPlan { jobs: Vec::new(), left_out: Vec::new(), pool: Vec::new() };
    let mut subjects = Vec::new();
    for version in versions {
        match admit(study, version, &mut finder, targets) {
            Ok(subject) => {
                plan.pool.push(Member::new(&version.slug, &subject.1));
                subjects.push(subject);
            }
            Err((exclusion, detail)) => plan.left_out.push((version.clone(), exclusion, detail)),
        }
    }
    // All first repetitions come first, so that a run that is stopped early has an outcome for each version.
    let times = |recipe: &Recipe| recipe.repetitions.unwrap_or(study.repeat).get().saturating_mul(recipe.orders());
    let can_be_asked = |recipe: &&Recipe| !study.without_model().contains(&recipe.name);
    let recipes: Vec<Arc<Recipe>> = study.conditions.iter().filter(can_be_asked).cloned().map(Arc::new).collect();
    let orders: Vec<Vec<Vec<CodeOrder>>> = recipes.iter().map(|recipe| drawn(study, recipe, &subjects)).collect();
    for repetition in 1..=recipes.iter().map(|recipe| times(recipe)).max().unwrap_or(1) {
        for (recipe, orders) in recipes.iter().zip(&orders).filter(|(recipe, _)| repetition <= times(recipe)) {
            let shared = fingerprints::of_condition(study, recipe, baseline_hash);
            let (number, _) = recipe.order_and_time(repetition);
            for ((version, selected, around, target), orders) in subjects.iter().zip(orders) {
                // A notebook of fewer orders than are drawn has no more.
                let Some(order) = orders.get(number as usize) else { continue };
                let of_then = around.competition().zip(target.as_ref());
                let mut job = Job {
                    version: Arc::clone(version),
                    selected: Arc::clone(selected),
                    around: around.clone(),
                    target: target.clone(),
                    condition: recipe.name,
                    recipe: Arc::clone(recipe),
                    repetition,
                    order: order.clone(),
                    inputs_hash: String::new(),
                    anew: false,
                    hash_before: of_then.and_then(|(competition, target)| {
                        before::outcome(study, recipe.name, baseline_hash, (selected, competition, target))
                    }),
                    shared: Arc::clone(&shared),
                };
                job.inputs_hash = job.inputs().hash();
                plan.jobs.push(PlannedJob { state: JobState::Missing, job, changes: Vec::new() });
            }
        }
    }
    if let Some(store) = store {
        settle(&mut plan, store)?;
        apply_cutoff(&mut plan, study, store)?;
    }
    Ok(plan)
}

/// The orders of each version's cells under a condition.
fn drawn(study: &Study, recipe: &Recipe, subjects: &[Subject]) -> Vec<Vec<CodeOrder>> {
    let seed = recipe.seed.unwrap_or(study.seed);
    subjects.iter().map(|(_, selected, ..)| cell_orders(&selected.notebook, recipe, seed)).collect()
}

type Subject = (Arc<Version>, Arc<SelectedNotebook>, Around, Option<Target>);

fn admit(
    study: &Study,
    version: &Version,
    finder: &mut Finder<'_>,
    targets: &Targets,
) -> Result<Subject, (Exclusion, String)> {
    if let Some(reason) = study.exclusions.reason(&version.slug) {
        return Err((Exclusion::Listed, reason.to_owned()));
    }
    let selected = select(&version.path)?;
    let around = finder.find(version)?;
    let of_repository = study.conditions.iter().find(|recipe| recipe.environment.is_of_repository());
    if let (Some(recipe), Around::Competition(_) | Around::Nothing) = (of_repository, &around) {
        let (slug, condition, environment) = (&version.slug, recipe.name, recipe.environment);
        let why =
            format!("`{slug}` belongs to no repository, whose environment (`{environment}`) `{condition}` asks for");
        return Err((Exclusion::NoRepository, why));
    }
    let target = match study.judge {
        Judge::Score => Some(target(version, &around, targets)?),
        Judge::Executability | Judge::Outputs => None,
    };
    Ok((Arc::new(version.clone()), Arc::new(selected), around, target))
}

/// The score that a version has to reach.
fn target(version: &Version, around: &Around, targets: &Targets) -> Result<Target, (Exclusion, String)> {
    let slug = &version.slug;
    if around.competition().is_none() {
        let why = format!("`{slug}` belongs to no competition, so that nothing gives it a score: see `judge`");
        return Err((Exclusion::UnknownCompetition, why));
    }
    let target = targets.target.get(slug).ok_or_else(|| {
        (Exclusion::NoTarget, format!("`{slug}` has no target score: run `nbrevive study measure-targets`"))
    })?;
    if target.score == 0.0 {
        return Err((Exclusion::ZeroTarget, format!("the target score of `{slug}` is zero")));
    }
    Ok(target.clone())
}

fn settle(plan: &mut JobPlan, store: &Store) -> Result<(), StoreError> {
    let mut starts = BTreeMap::new();
    for planned in &mut plan.jobs {
        let slug = &planned.job.version.slug;
        let stored = stored(store, &planned.job)?;
        planned.state = match stored {
            Some(row)
                if row.inputs_hash == planned.job.inputs_hash
                    || planned.job.hash_before.as_ref() == Some(&row.inputs_hash) =>
            {
                JobState::Done(row.verdict.outcome)
            }
            Some(row) => {
                let made_of = stored_fingerprints::find(store, &row.inputs_hash)?;
                planned.changes =
                    made_of.map(|made_of| planned.job.inputs().changes_since(&made_of)).unwrap_or_default();
                JobState::OutOfDate
            }
            None => JobState::Missing,
        };
        if planned.job.repetition == 1 && !planned.job.recipe.repairs() {
            starts.insert((planned.job.condition, slug.clone()), planned.state);
        }
    }
    // What a notebook misses is put back in all: of one that runs as it is, that nothing is lost by it is seen.
    for planned in plan.jobs.iter_mut().filter(|planned| planned.job.recipe.repairs()) {
        let slug = &planned.job.version.slug;
        if let (Some(start), true) = (planned.job.recipe.start, planned.state.is_open()) {
            planned.state = match starts.get(&(start, slug.clone())) {
                Some(JobState::Done(outcome)) if !is_subject(planned.job.recipe.level, *outcome) => {
                    JobState::NotASubject(*outcome)
                }
                Some(JobState::Done(_)) => planned.state,
                _ => JobState::AfterBaseline,
            };
        }
    }
    Ok(())
}

/// What is stored of a job.
fn stored(store: &Store, job: &Job) -> Result<Option<OutcomeRow>, StoreError> {
    match job.repetition {
        1 => outcomes::find(store, &job.version.slug, job.condition),
        repetition => repetitions::find(store, &job.version.slug, job.condition, repetition),
    }
}

/// Remembers what the jobs of a plan are made of, and gives what is done under a name of before that of today.
///
/// # Errors
/// When the store cannot be written.
pub fn know(plan: &JobPlan, store: &mut Store) -> Result<(), StoreError> {
    let inputs: Vec<Fingerprint> = plan.jobs.iter().map(|planned| planned.job.inputs()).collect();
    if stored_fingerprints::remember(store, &inputs)? == 0 {
        return Ok(());
    }
    let renamed = |planned: &PlannedJob| {
        Some(outcomes::Renamed {
            version: planned.job.version.slug.clone(),
            condition: planned.job.condition,
            repetition: planned.job.repetition,
            before: planned.job.hash_before.clone()?,
            now: planned.job.inputs_hash.clone(),
        })
    };
    outcomes::rename(store, plan.jobs.iter().filter_map(renamed))
}

/// Closes the modernize jobs of versions that are known to be too long, and opens those that were done under another cut-off: the
/// run leaves them out then, with the reason.
fn apply_cutoff(plan: &mut JobPlan, study: &Study, store: &Store) -> Result<(), StoreError> {
    let gate = Gate::of(study, &plan.pool);
    let subjects = plan.jobs.iter_mut().filter(|planned| planned.job.recipe.repairs());
    for planned in subjects {
        let slug = &planned.job.version.slug;
        let done = match planned.state {
            JobState::Done(_) => true,
            JobState::Missing | JobState::OutOfDate => false,
            JobState::Again(_) | JobState::AfterBaseline | JobState::NotASubject(_) | JobState::TooLong => continue,
        };
        let member = Member::new(slug, &planned.job.selected);
        let Length::TooLong(detail) = gate.length(&member, &|read| read(store))? else { continue };
        let recorded = left_out::find(store, slug, planned.job.condition)?;
        planned.state = match recorded {
            Some(row) if row.detail == detail && !done => JobState::TooLong,
            _ if done => {
                planned.changes.push(Change {
                    field: "token_cutoff".to_owned(),
                    before: Some("another".to_owned()),
                    now: Some(study.token_cutoff.to_string()),
                });
                JobState::OutOfDate
            }
            _ => planned.state,
        };
    }
    Ok(())
}

/// Whether a version with this baseline outcome is a subject of modernization (paper, section 4, "Subjects").
///
/// At cell level it is only with errors: without them both levels do the same (section 5.1).
#[must_use]
pub(crate) const fn is_subject(level: RepairLevel, baseline: Outcome) -> bool {
    match baseline {
        Outcome::ErrorNonReproducible => true,
        Outcome::ErrorFreeNonReproducible => match level {
            RepairLevel::File => true,
            RepairLevel::Cell => false,
        },
        Outcome::ErrorFreeReproducible | Outcome::ErrorReproducible | Outcome::Failed => false,
    }
}

#[cfg(test)]
pub(crate) mod tests;
