//! Carries the jobs of a plan out on several threads, one stored row at a time.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

use nbrevive_corpus::{Condition, Outcome, Recipe, Role};
use nbrevive_files::unpoisoned;
use nbrevive_repair::RepairLevel;
use nbrevive_shown::with_causes;
use nbrevive_store::{Store, StoreError, outcomes, repetitions};

use crate::conditions::Runner;
use crate::conditions::setup::Setup;
use crate::corpus::around::Around;
use crate::jobs::admission::{Admission, admit};
use crate::jobs::cutoff::Gate;
use crate::laboratory::{LaboratoryError, sweep};
use crate::settings::token_cutoff::Cutoff;
use crate::{Job, JobPlan, JobTrouble, Pause};

/// How a run is carried out.
#[derive(Debug, Clone)]
pub struct RunSettings {
    /// Jobs at a time, at least 1.
    pub jobs: usize,
    /// Revision of this program, for the rows.
    pub tool_revision: String,
}

/// What happens while a run goes on.
#[derive(Debug)]
pub enum RunEvent<'a> {
    /// A job begins.
    Started(&'a Job),
    /// A job has its outcome stored.
    Ended(&'a Job, Outcome),
    /// A job turned out to be none: its version is no subject of modernization.
    Skipped(&'a Job),
    /// The run waits for room on a disk, or goes on.
    Paused(&'a Pause),
    /// A job met trouble that may pass; it is tried again after this pause.
    Troubled(&'a Job, &'a LaboratoryError, Duration),
    /// A job could not be carried out, for a reason that is not the notebook's.
    Undone(&'a Job, &'a LaboratoryError),
}

/// What a run did.
#[derive(Debug, Default)]
pub struct RunSummary {
    /// Jobs that got an outcome, by condition and outcome.
    pub outcomes: BTreeMap<(Condition, Outcome), usize>,
    /// Jobs that have no outcome.
    pub undone: Vec<Undone>,
}

/// A job without an outcome: nothing was counted, and the next run tries again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undone {
    /// The version's slug, with the number of a repetition from the second on.
    pub version: String,
    /// The condition.
    pub condition: Condition,
    /// What kind of trouble it met.
    pub trouble: JobTrouble,
    /// What happened, in words.
    pub reason: String,
}

impl Undone {
    fn of(job: &Job, trouble: JobTrouble, reason: String) -> Self {
        Undone { version: job.name(), condition: job.condition, trouble, reason }
    }
}

/// Why a run stopped before its end.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Something that every job needs is broken.
    #[error(transparent)]
    Laboratory(#[from] LaboratoryError),
}

/// Carries out every open job of `plan`.
///
/// Jobs run in the plan's order; a modernize job waits for the baseline jobs of its version that it starts from, one at cell level for
/// that of its version at file level too. Each outcome is stored when it is known, so a run that is killed goes on where it was.
///
/// # Errors
/// When the store cannot be written: nothing more could be kept. Jobs that fail for another reason of ours are in the summary.
pub fn run(
    setup: &Setup<'_>,
    store: &Mutex<Store>,
    plan: &JobPlan,
    settings: &RunSettings,
    watch: &(dyn Fn(&RunEvent<'_>) + Sync),
) -> Result<RunSummary, RunError> {
    let tell = |pause: &Pause| watch(&RunEvent::Paused(pause));
    tell_withheld(setup, plan);
    let runner = Runner::new(setup, store, &settings.tool_revision, Box::new(tell));
    let gate = Gate::of(setup.study, &plan.pool);
    let queue = Queue::new(plan, matches!(setup.study.token_cutoff, Cutoff::Percentile(_)));
    let summary = Mutex::new(RunSummary::default());
    let ran: Result<(), RunError> = std::thread::scope(|scope| {
        for _ in 0..BUILDERS {
            scope.spawn(|| build_ahead(&runner, &queue));
        }
        let workers: Vec<_> =
            (0..settings.jobs.max(1)).map(|_| scope.spawn(|| work(&runner, &queue, &gate, &summary, watch))).collect();
        workers
            .into_iter()
            .try_for_each(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    });
    // Another run may have been killed while this one ran, and may be the last one for long.
    sweep();
    ran?;
    Ok(unpoisoned(summary.into_inner()))
}

/// Says once what lies with the data of competitions and repositories and is not shown to any notebook.
fn tell_withheld(setup: &Setup<'_>, plan: &JobPlan) {
    let jobs = plan.jobs.iter().map(|planned| &planned.job);
    let places: BTreeMap<_, _> = jobs.filter_map(|job| Some((around_name(job)?, job))).collect();
    for job in places.into_values() {
        for one in job.around.place(setup.laboratory, &job.version).withheld {
            tracing::warn!("left out: {:?}: {}", one.path, one.why);
        }
    }
}

/// What tells what a job has around it from that of others, where there is something.
fn around_name(job: &Job) -> Option<(&str, &Path)> {
    match &job.around {
        Around::Competition(competition) => Some((competition.id.as_str(), Path::new(""))),
        Around::Repository(files) => Some(("", files.repository.files.as_path())),
        Around::Nothing => None,
    }
}

/// Threads that build environments of dates and repositories ahead of the jobs that run in them: they mostly wait for the index.
const BUILDERS: usize = 2;

/// Builds the environments of such jobs in their order, until none is left. What goes wrong is told by the job itself, which asks
/// for the environment again and gets it, or the same failure, from the cache.
fn build_ahead(runner: &Runner<'_>, queue: &Queue<'_>) {
    while let Some(job) = queue.take_ahead() {
        if let Err(error) = runner.build_ahead(job) {
            tracing::debug!("built ahead for {}: {error}", job.version.slug);
        }
    }
}

fn work(
    runner: &Runner<'_>,
    queue: &Queue<'_>,
    gate: &Gate<'_>,
    summary: &Mutex<RunSummary>,
    watch: &(dyn Fn(&RunEvent<'_>) + Sync),
) -> Result<(), RunError> {
    while let Some(job) = queue.take() {
        let result = one(runner, gate, job, summary, watch);
        queue.finish(job);
        if let Err(error) = result {
            queue.stop();
            return Err(error);
        }
    }
    Ok(())
}

/// Carries out one job and stores it.
fn one(
    runner: &Runner<'_>,
    gate: &Gate<'_>,
    job: &Job,
    summary: &Mutex<RunSummary>,
    watch: &(dyn Fn(&RunEvent<'_>) + Sync),
) -> Result<(), RunError> {
    let lock = || unpoisoned(summary.lock());
    if job.recipe.repairs() {
        match admit(runner.store, gate, job)? {
            Admission::Subject => {}
            Admission::Skipped => {
                watch(&RunEvent::Skipped(job));
                return Ok(());
            }
            Admission::Undecided(why) => {
                watch(&RunEvent::Skipped(job));
                lock().undone.push(Undone::of(job, JobTrouble::Waits, why.to_owned()));
                return Ok(());
            }
        }
    }
    watch(&RunEvent::Started(job));
    match decided(runner, job, watch) {
        Ok(outcome) => {
            if job.repetition == 1 {
                *lock().outcomes.entry((job.condition, outcome)).or_default() += 1;
            }
            watch(&RunEvent::Ended(job, outcome));
            Ok(())
        }
        Err(LaboratoryError::Store(error)) => Err(error.into()),
        Err(error) => {
            watch(&RunEvent::Undone(job, &error));
            lock().undone.push(Undone::of(job, error.trouble(), with_causes(&error)));
            Ok(())
        }
    }
}

/// Carries one job out and stores its outcome, as patiently as the study says.
fn decided(runner: &Runner<'_>, job: &Job, watch: &(dyn Fn(&RunEvent<'_>) + Sync)) -> Result<Outcome, LaboratoryError> {
    let tell = |error: &LaboratoryError, pause: Duration| watch(&RunEvent::Troubled(job, error, pause));
    runner.setup.study.retry.patiently(&tell, &mut || {
        let done = runner.carry_out(job)?;
        if job.repetition == 1 {
            outcomes::set(&mut runner.store(), &done.outcome, &done.rows)?;
        } else {
            repetitions::set(&mut runner.store(), job.repetition, &done.outcome, &done.rows)?;
        }
        Ok(done.outcome.verdict.outcome)
    })
}

/// The jobs that are left, and which of those that others wait for are not known yet.
struct Queue<'a> {
    /// Whether a repair waits for all jobs of the condition that it starts from, and not for its own alone.
    waits_for_all: bool,
    recipes: BTreeMap<Condition, &'a Recipe>,
    state: Mutex<State<'a>>,
    changed: Condvar,
}

struct State<'a> {
    open: VecDeque<&'a Job>,
    /// Jobs whose environment is of a date, and nobody has asked for it yet.
    ahead: VecDeque<&'a Job>,
    /// Jobs that are open or running.
    pending: BTreeSet<Slot<'a>>,
}

/// What tells a job from the others: condition, version and repetition.
type Slot<'a> = (Condition, &'a str, u32);

fn slot(job: &Job) -> Slot<'_> {
    (job.condition, job.version.slug.as_str(), job.repetition)
}

impl<'a> Queue<'a> {
    fn new(plan: &'a JobPlan, waits_for_all: bool) -> Self {
        let open: VecDeque<&Job> =
            plan.jobs.iter().filter(|planned| planned.state.is_open()).map(|planned| &planned.job).collect();
        let pending = open.iter().map(|job| slot(job)).collect();
        let is_built = |job: &&Job| {
            (job.recipe.environment.is_of_date() || job.recipe.environment.is_of_repository()) && !job.recipe.repairs()
        };
        let ahead = open.iter().copied().filter(is_built).collect();
        let state = State { open, ahead, pending };
        let all = plan.jobs.iter().map(|planned| (planned.job.condition, planned.job.recipe.as_ref()));
        let recipes: BTreeMap<Condition, &Recipe> = all.collect();
        Queue { waits_for_all, recipes, state: Mutex::new(state), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State<'a>> {
        unpoisoned(self.state.lock())
    }

    /// The next job whose environment can be built ahead.
    fn take_ahead(&self) -> Option<&'a Job> {
        self.lock().ahead.pop_front()
    }

    /// The next job that can run; waits while all that is left depends on jobs that are running. None at the end.
    fn take(&self) -> Option<&'a Job> {
        let mut state = self.lock();
        loop {
            if state.open.is_empty() {
                return None;
            }
            let ready = |job: &&Job| !self.waits(job, &state.pending);
            if let Some(position) = state.open.iter().position(ready) {
                return state.open.remove(position);
            }
            state = unpoisoned(self.changed.wait(state));
        }
    }

    /// Whether a job has to wait for one that is open or running.
    fn waits(&self, job: &Job, pending: &BTreeSet<Slot<'_>>) -> bool {
        let (condition, slug, repetition) = slot(job);
        // Later times of an order are compared with its first.
        let first = job.recipe.first_of(repetition);
        if first != repetition && pending.contains(&(condition, slug, first)) {
            return true;
        }
        let Some(start) = job.recipe.start else {
            // The same code is executed once, and then belongs to the baseline, where tables look for it.
            let is_baseline = |recipe: &&&Recipe| recipe.role == Role::Baseline && recipe.name != condition;
            let alike = |recipe: &&&Recipe| recipe.environment == job.recipe.environment;
            let baseline = self.recipes.values().find(is_baseline).filter(alike);
            return baseline.is_some_and(|recipe| pending.contains(&(recipe.name, slug, repetition)));
        };
        let waits_for_start = match self.waits_for_all {
            true => pending.iter().any(|(condition, ..)| *condition == start),
            false => [1, repetition].iter().any(|&number| pending.contains(&(start, slug, number))),
        };
        // Both levels may come to the same code, which is executed once, and then belongs to the file level.
        let is_file_level = |recipe: &Recipe| recipe.start == Some(start) && recipe.level == RepairLevel::File;
        let mut files = self.recipes.values().filter(|recipe| is_file_level(recipe));
        let waits_for_file = job.recipe.level == RepairLevel::Cell
            && files.any(|recipe| pending.contains(&(recipe.name, slug, repetition)));
        waits_for_start || waits_for_file
    }

    fn finish(&self, job: &'a Job) {
        let mut state = self.lock();
        state.pending.remove(&slot(job));
        self.changed.notify_all();
    }

    fn stop(&self) {
        let mut state = self.lock();
        state.open.clear();
        state.ahead.clear();
        state.pending.clear();
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::tests::{Fixture, fixture};

    /// The conditions in the order in which one worker takes them.
    fn order(fixture: &Fixture) -> Vec<Condition> {
        let plan = fixture.plan("h");
        let queue = Queue::new(&plan, false);
        let next = || {
            let job = queue.take()?;
            queue.finish(job);
            Some(job.condition)
        };
        std::iter::from_fn(next).collect()
    }

    #[test]
    fn the_levels_of_a_version_take_turns_since_both_may_come_to_the_same_code() {
        let mut fixture = fixture();
        let names = [Condition::BASELINE, Condition::MODERNIZE_CELL, Condition::MODERNIZE];
        fixture.study.conditions = names.into_iter().filter_map(Recipe::preset).collect();
        assert_eq!(order(&fixture), [Condition::BASELINE, Condition::MODERNIZE, Condition::MODERNIZE_CELL]);
    }

    #[test]
    fn the_baseline_goes_before_own_code_that_may_be_the_same() {
        let mut fixture = fixture();
        let further = Recipe { name: "further".parse().unwrap(), role: Role::Further, ..Recipe::main().remove(0) };
        fixture.study.conditions = vec![further.clone(), Recipe::main().remove(0)];
        assert_eq!(order(&fixture), [Condition::BASELINE, further.name]);
    }
}
