//! Outcomes that are others than those of the last run: each comes once more before anybody is told of a change, which could as well be
//! chance (as crater does with what broke from one compiler to the next).

use std::collections::BTreeMap;

use nbrevive_corpus::{Condition, Outcome, Repairer};
use nbrevive_store::outcomes::{self, OutcomeRow};
use nbrevive_store::{Store, StoreError, repetitions};

use crate::{Job, JobPlan, JobState};

/// The repetition that says whether a change is one: the second of a series, where an A/A run has it too.
const ONCE_MORE: u32 = 2;

/// The outcomes that a store had before a run, of the jobs that the run carries out.
#[derive(Debug, Default)]
pub struct OutcomesBefore(BTreeMap<(String, Condition), Outcome>);

/// An outcome that is another than that of the last run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedOutcome {
    /// The version's slug.
    pub version: String,
    /// The condition.
    pub condition: Condition,
    /// What came out the last time.
    pub before: Outcome,
    /// What came out now.
    pub now: Outcome,
    /// What came out when it ran once more; nothing where it did not.
    pub once_more: Option<Outcome>,
}

impl OutcomesBefore {
    /// Those of the jobs of a plan that are to be carried out.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn of(plan: &JobPlan, store: &Store) -> Result<Self, StoreError> {
        let mut before = BTreeMap::new();
        for job in plan.jobs.iter().filter(|planned| planned.state.is_open()).map(|planned| &planned.job) {
            let found =
                if job.repetition == 1 { outcomes::find(store, &job.version.slug, job.condition)? } else { None };
            before.extend(found.map(|row| ((row.version, row.condition), row.verdict.outcome)));
        }
        Ok(Self(before))
    }

    /// What is another now.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn changed(&self, store: &Store) -> Result<Vec<ChangedOutcome>, StoreError> {
        let mut changed = Vec::new();
        for ((version, condition), before) in &self.0 {
            let Some(row) = outcomes::find(store, version, *condition)? else { continue };
            let now = row.verdict.outcome;
            if now != *before {
                let once_more = once_more(&row, store)?;
                let (version, condition, before) = (version.clone(), *condition, *before);
                changed.push(ChangedOutcome { version, condition, before, now, once_more });
            }
        }
        Ok(changed)
    }

    /// The jobs that say whether these changes are ones, where a further run has not said it yet. What asks a model is not asked once more
    /// for it, and of several drawn orders each runs for itself.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn to_verify(&self, plan: &JobPlan, store: &Store) -> Result<JobPlan, StoreError> {
        let changed = self.changed(store)?;
        let is_open = |job: &Job| {
            let is_meant = |one: &&ChangedOutcome| one.version == job.version.slug && one.condition == job.condition;
            changed.iter().find(is_meant).is_some_and(|one| one.once_more.is_none())
        };
        let first = plan.jobs.iter().filter(|planned| planned.job.repetition == 1);
        let asks_nobody = |job: &Job| job.recipe.orders() == 1 && job.recipe.repair != Repairer::Model;
        let jobs = first.filter(|planned| asks_nobody(&planned.job) && is_open(&planned.job)).cloned();
        let jobs = jobs.map(|mut planned| {
            planned.job = Job { repetition: ONCE_MORE, anew: true, ..planned.job };
            planned.state = JobState::Missing;
            planned
        });
        Ok(JobPlan { jobs: jobs.collect(), left_out: Vec::new(), pool: plan.pool.clone() })
    }
}

/// What came out when the same ran once more, after this outcome.
fn once_more(row: &OutcomeRow, store: &Store) -> Result<Option<Outcome>, StoreError> {
    let found = repetitions::find(store, &row.version, row.condition, ONCE_MORE)?;
    Ok(found.filter(|again| again.recorded_at >= row.recorded_at).map(|again| again.verdict.outcome))
}
