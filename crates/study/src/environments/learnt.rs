//! What it teaches of an environment of a date to try its imports.

use std::collections::BTreeMap;

use jiff::Timestamp;
use nbrevive_environment::plan::{StepBack, UnrequiredModule};
use nbrevive_environment::{Environment, EnvironmentPlan, Index};
use nbrevive_execute::{ImportResult, MissingModule, Owners, clash, missing};

/// How often an environment is planned again before it is taken as it is.
const LESSONS: usize = 12;

/// What trials of the imports taught.
#[derive(Default)]
pub(super) struct Learnt {
    pub(super) step_backs: Vec<StepBack>,
    pub(super) missing: Vec<UnrequiredModule>,
}

impl Learnt {
    /// Takes a lesson from the first failure that has a new one; whether there was any, and there were not too many before. What is missing
    /// goes first: a distribution that lacks something cannot be blamed for how it fails.
    pub(super) fn learn(
        &mut self,
        imports: &[ImportResult],
        environment: &Environment,
        plan: &EnvironmentPlan,
        index: &Index,
    ) -> bool {
        let failed: Vec<&ImportResult> = imports.iter().filter(|result| !result.is_imported()).collect();
        if failed.is_empty() || self.step_backs.len() + self.missing.len() >= LESSONS {
            return false;
        }
        let owners = Owners::read(&environment.site_packages);
        let lacking = failed.iter().filter_map(|result| missing(result, &owners));
        let new = lacking.map(|found| named(found, plan)).find(|found| !self.missing.contains(found));
        if let Some(found) = new {
            tracing::info!(module = found.module, by = found.by, "adding what was not declared");
            self.missing.push(found);
            return true;
        }
        let steps = failed.iter().filter_map(|result| step_back(result, &owners, plan));
        let Some(step) = { steps }.find(|step| !self.step_backs.contains(step)) else { return false };
        let before = self.step_backs.iter().filter(|known| known.distribution == step.distribution).count();
        let step = step.further(before, plan.date, index);
        tracing::info!(distribution = step.distribution, below = %step.below, because = step.because, "stepping back");
        self.step_backs.push(step);
        true
    }
}

/// A missing module with the version of who imports it.
fn named(found: MissingModule, plan: &EnvironmentPlan) -> UnrequiredModule {
    let version = plan.line(&found.importing).and_then(|line| line.version.as_ref());
    let by = version.map_or_else(|| found.importing.clone(), |version| format!("{} {version}", found.importing));
    UnrequiredModule { module: found.module, by }
}

/// The step that a clashing pair asks for: its younger distribution has to be older than it is.
fn step_back(result: &ImportResult, owners: &Owners, plan: &EnvironmentPlan) -> Option<StepBack> {
    let uploaded: BTreeMap<String, Timestamp> =
        plan.lines.iter().filter_map(|line| Some((line.distribution.clone(), line.released?))).collect();
    let clash = clash(result, owners, &uploaded)?;
    let version = |name: &str| plan.line(name).and_then(|line| line.version.clone());
    let older = if clash.younger == clash.importing { clash.other.as_deref() } else { Some(clash.importing.as_str()) };
    let beside = older.map(|name| match version(name) {
        Some(version) => format!("beside {name} {version}"),
        None => format!("beside {name}"),
    });
    let because = format!("it does not work {}: {}", beside.unwrap_or_else(|| "on this machine".into()), clash.because);
    Some(StepBack { below: version(&clash.younger)?, distribution: clash.younger, because })
}
