//! Which Pythons the jobs need and this machine lacks.

use std::collections::BTreeMap;

use nbrevive_environment::interpreter::python_at;

use crate::jobs::{JobPlan, PlannedJob};
use crate::laboratory::Laboratory;

/// One sentence for each Python that open backport jobs need and this machine lacks, so that it is known before the run starts.
#[must_use]
pub fn missing_interpreters(laboratory: &Laboratory, plan: &JobPlan) -> Vec<String> {
    let mut missing = BTreeMap::<String, (usize, String)>::new();
    let backports = |planned: &&PlannedJob| planned.state.is_open() && planned.job.recipe.environment.is_of_date();
    for planned in plan.jobs.iter().filter(backports) {
        let job = &planned.job;
        let surroundings = job.surroundings();
        let needs = &surroundings.needs;
        let Some(choice) = python_at(surroundings.submitted, needs.major, needs.minimum_minor) else { continue };
        if let Err(error) = laboratory.interpreters().find(choice.minor) {
            missing.entry(choice.minor.to_string()).or_insert((0, error.to_string())).0 += 1;
        }
    }
    let sentence = |(minor, (count, error)): (String, (usize, String))| {
        format!("no interpreter: {count} backport jobs need Python {minor} and will be `failed`: {error}")
    };
    missing.into_iter().map(sentence).collect()
}
