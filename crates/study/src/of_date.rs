//! Environments of a date: planned, built, their imports tried, and planned again where two distributions clash.

use std::collections::BTreeMap;
use std::sync::PoisonError;

use jiff::Timestamp;
use nbrevive_environment::plan::{PlanRequest, StepBack, Strategy};
use nbrevive_environment::{Environment, Plan, Spec, plan};
use nbrevive_execute::{ImportResult, Owners, Trial, TrialImport, clash, try_imports};

use crate::Surroundings;
use crate::laboratory::{Laboratory, LaboratoryError, Prepared, unbuildable, unbuilt, unplanned};

/// How often the younger of a clashing pair may step back before the environment is taken as it is.
const STEP_BACKS: usize = 12;

/// An environment of a date, and how it came to be.
#[derive(Debug, Clone)]
pub struct OfDate {
    /// The environment with its kernel.
    pub prepared: Prepared,
    /// The plan that it was built from, steps back included.
    pub plan: Plan,
    /// What the last trial of the notebook's imports gave; empty where none was made.
    pub imports: Vec<ImportResult>,
}

impl OfDate {
    /// Imports that failed when they were tried.
    pub fn failed_imports(&self) -> impl Iterator<Item = &ImportResult> {
        self.imports.iter().filter(|result| !result.is_imported())
    }
}

/// What to do with a plan.
#[derive(Debug, Clone, Copy)]
pub struct OfDateRequest<'request> {
    /// The notebook's needs and its date.
    pub surroundings: &'request Surroundings,
    /// How versions are chosen.
    pub strategy: Strategy,
    /// The minor of Python, where the caller names one.
    pub python: Option<nbrevive_environment::interpreter::Minor>,
    /// Whether the imports are tried after the build; with [`Strategy::Dated`] clashing pairs then step back.
    pub tried: bool,
}

impl Laboratory {
    /// An environment of the date of a notebook. `paper` bounds its imports (paper, section 2.2.1); `dated` pins the whole closure
    /// and tries the imports.
    ///
    /// # Errors
    /// [`LaboratoryError::Unbuildable`] when there can be none; another error when it could not be tried.
    pub fn from_date(&self, surroundings: &Surroundings, strategy: Strategy) -> Result<OfDate, LaboratoryError> {
        self.of_date(&OfDateRequest { surroundings, strategy, python: None, tried: strategy == Strategy::Dated })
    }

    /// As [`Laboratory::from_date`], with all that can be chosen.
    ///
    /// # Errors
    /// As [`Laboratory::from_date`].
    pub fn of_date(&self, request: &OfDateRequest<'_>) -> Result<OfDate, LaboratoryError> {
        let mut step_backs: Vec<StepBack> = Vec::new();
        loop {
            let (plan, environment, prepared) = self.planned_and_built(request, &step_backs)?;
            let imports =
                if request.tried { self.trial(request.surroundings, &plan, &environment, &prepared)? } else { Vec::new() };
            let step = (request.strategy == Strategy::Dated && step_backs.len() < STEP_BACKS)
                .then(|| step_back(&imports, &environment, &plan))
                .flatten();
            match step {
                Some(step) if !step_backs.contains(&step) => {
                    tracing::info!(distribution = step.distribution, below = %step.below, because = step.because, "stepping back");
                    step_backs.push(step);
                }
                _ => return Ok(OfDate { prepared, plan, imports }),
            }
        }
    }

    fn planned_and_built(
        &self,
        request: &OfDateRequest<'_>,
        step_backs: &[StepBack],
    ) -> Result<(Plan, Environment, Prepared), LaboratoryError> {
        let surroundings = request.surroundings;
        let asked = PlanRequest {
            python: request.python,
            step_backs,
            ..PlanRequest::new(&surroundings.needs, surroundings.submitted, request.strategy)
        };
        let plan = plan(&asked, &self.index, &self.interpreters).map_err(|error| unplanned(&error))?;
        let (python, requirements) = (plan.interpreter.version.to_string(), plan.requirements_text());
        if let Some(failure) = plan.expected_failure.as_ref().filter(|_| plan.strategy == Strategy::Dated) {
            return Err(unbuildable(failure.class, &python, &requirements, &failure.words));
        }
        let builder = self.builder();
        let (environment, lease) =
            builder.lease(Spec::Plan(&plan)).map_err(|error| unbuilt(error, &python, &requirements))?;
        let prepared = self.with_kernel(&builder, &environment, lease)?;
        Ok((plan, environment, prepared))
    }

    /// Tries the imports; once a process for one environment and one set of imports.
    fn trial(
        &self,
        surroundings: &Surroundings,
        plan: &Plan,
        environment: &Environment,
        prepared: &Prepared,
    ) -> Result<Vec<ImportResult>, LaboratoryError> {
        let imports: Vec<TrialImport> = surroundings
            .trial
            .iter()
            .filter(|(module, _)| is_provided(plan, surroundings, module))
            .map(|(module, names)| TrialImport { module: module.clone(), names: names.clone() })
            .collect();
        if imports.is_empty() {
            return Ok(Vec::new());
        }
        let key = format!("{} {imports:?}", environment.id);
        if let Some(known) = self.trials.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(known.clone());
        }
        let trial = Trial {
            python: environment.python.clone(),
            behind: vec![prepared.kernel_packages.clone()],
            read_only: prepared.kernel.read_only.clone(),
        };
        let results = try_imports(&imports, &trial, &self.settings)?;
        self.trials.lock().unwrap_or_else(PoisonError::into_inner).insert(key, results.clone());
        Ok(results)
    }
}

/// Whether the environment is there to provide a module: not one that has no distribution, nor one of the notebook's own files.
fn is_provided(plan: &Plan, surroundings: &Surroundings, module: &str) -> bool {
    let top = module.split('.').next().unwrap_or(module);
    !plan.unresolved.iter().any(|left| left.what == module) && !surroundings.needs.local.iter().any(|local| local == top)
}

/// The step that the first clashing pair asks for: its younger distribution has to be older than it is.
fn step_back(imports: &[ImportResult], environment: &Environment, plan: &Plan) -> Option<StepBack> {
    let failed: Vec<&ImportResult> = imports.iter().filter(|result| !result.is_imported()).collect();
    if failed.is_empty() {
        return None;
    }
    let uploaded: BTreeMap<String, Timestamp> =
        plan.lines.iter().filter_map(|line| Some((line.distribution.clone(), line.released?))).collect();
    let owners = Owners::read(&environment.site_packages);
    let clash = failed.into_iter().find_map(|result| clash(result, &owners, &uploaded))?;
    let version = |name: &str| plan.line(name).and_then(|line| line.version.clone());
    let older = if clash.younger == clash.importing { clash.other.as_deref() } else { Some(clash.importing.as_str()) };
    let beside = older.map(|name| match version(name) {
        Some(version) => format!("beside {name} {version}"),
        None => format!("beside {name}"),
    });
    let because = format!("it does not work {}: {}", beside.unwrap_or_else(|| "on this machine".into()), clash.because);
    Some(StepBack { below: version(&clash.younger)?, distribution: clash.younger, because })
}
