//! What it teaches of an environment of a date to try its imports.

use std::collections::{BTreeMap, BTreeSet};

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
    /// Steps that took more away than they mended.
    refused: Vec<StepBack>,
    /// The modules that were there before the last step, as long as nothing came of it yet.
    before: Option<BTreeSet<String>>,
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
        self.before = None;
        if failed.is_empty() || self.step_backs.len() + self.missing.len() + self.refused.len() >= LESSONS {
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
        let is_refused = |step: &StepBack| self.refused.iter().any(|known| known.distribution == step.distribution);
        let is_new = |step: &StepBack| !self.step_backs.contains(step) && !is_refused(step);
        let Some(step) = { steps }.find(is_new) else { return false };
        let before = self.step_backs.iter().filter(|known| known.distribution == step.distribution).count();
        let step = step.further(before, plan.date, index);
        tracing::info!(distribution = step.distribution, below = %step.below, because = step.because, "stepping back");
        self.step_backs.push(step);
        self.before = Some(modules(plan));
        true
    }

    /// Takes back the last step, where nothing came of it yet and it takes modules away that were there before it, or leaves no plan or no
    /// environment at all; whether it did. One import that does not work is better than none that is there.
    pub(super) fn refuse(&mut self, plan: Option<&EnvironmentPlan>) -> bool {
        let Some(before) = &self.before else { return false };
        if plan.is_some_and(|plan| before.is_subset(&modules(plan))) {
            return false;
        }
        self.before = None;
        if let Some(step) = self.step_backs.pop() {
            tracing::info!(distribution = step.distribution, below = %step.below, "not stepping back: more would be gone");
            self.refused.push(step);
        }
        true
    }
}

/// The modules that a plan has distributions for.
fn modules(plan: &EnvironmentPlan) -> BTreeSet<String> {
    plan.lines.iter().flat_map(|line| &line.imports).cloned().collect()
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
