//! The outcome of a job that ends every task in which it is alone: that is its own doing.

use nbrevive_corpus::{Executability, Outcome, RunEnd, RunFacts, judge};
use nbrevive_store::executability::ExecutabilityRow;
use nbrevive_store::loops::LoopRows;
use nbrevive_store::{Store, StoreError, outcomes, repetitions};

use crate::cluster::follow::DEATHS;
use crate::conditions::outcome_without_run;
use crate::{Job, Study};

/// Stores that a job failed, because the tasks that carried out nothing else died.
///
/// # Errors
/// When the store refuses.
pub fn store_failed(store: &mut Store, study: &Study, job: &Job, tool_revision: &str) -> Result<Outcome, StoreError> {
    let end = RunEnd::NotSaved("kernel-died".to_owned());
    let executability = Some(ExecutabilityRow::without_run(Executability::Died, job.code_cells()));
    let verdict = judge(&RunFacts { end, error_cells: 0, grade: None, criterion: job.criterion(study.tau) });
    let mut row = outcome_without_run(study, tool_revision, job, verdict);
    row.reason = format!("the task that carried out this job alone died {DEATHS} times");
    match job.repetition {
        1 => outcomes::set(store, &row, &LoopRows { executability, ..LoopRows::default() })?,
        repetition => repetitions::set(store, repetition, &row, &LoopRows::default())?,
    }
    Ok(row.verdict.outcome)
}
