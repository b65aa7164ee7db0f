//! How long jobs are expected to take: by what the same version took before, or when its target was measured.

use std::collections::BTreeMap;

use nbrevive_store::{Store, StoreError, outcomes};

use crate::cluster::sizes::ExpectedJob;
use crate::{Job, JobPlan, Study};

/// What an execution takes beside its cells, in seconds: sandbox, kernel, grading.
const BESIDE: f64 = 5.0;
/// The share of its time limit that a notebook is expected to take of which nothing is known: it makes small tasks of such.
const UNKNOWN_SHARE: f64 = 0.25;
/// Executions that a repair is expected to take.
const OF_REPAIR: f64 = 4.0;

/// The open jobs of a plan in their order, with what they are expected to take.
///
/// # Errors
/// When the store cannot be read.
pub fn expected(study: &Study, plan: &JobPlan, store: &Store) -> Result<Vec<ExpectedJob>, StoreError> {
    let mut earlier: BTreeMap<String, f64> = BTreeMap::new();
    for row in outcomes::all(store)? {
        let longest = earlier.entry(row.version).or_default();
        *longest = longest.max(row.seconds);
    }
    let seconds = |job: &Job| {
        let of_target = || job.target.as_ref().and_then(|target| target.seconds);
        let known = earlier.get(&job.version.slug).copied().or_else(of_target).filter(|seconds| seconds.is_finite());
        let one = known.unwrap_or(study.limits.seconds * UNKNOWN_SHARE).clamp(0.0, study.limits.seconds) + BESIDE;
        if job.recipe.repairs() { one * OF_REPAIR } else { one }
    };
    let open = plan.jobs.iter().filter(|planned| planned.state.is_open()).map(|planned| &planned.job);
    Ok(open.map(|job| ExpectedJob { job: job.in_shard(), seconds: seconds(job), start: job.recipe.start }).collect())
}
