//! Environments of a date: planned, built, their imports tried, and planned again where two distributions clash.

use nbrevive_environment::plan::{PlanRequest, Strategy};
use nbrevive_environment::{Environment, EnvironmentPlan, Spec, plan};
use nbrevive_execute::{ImportResult, Trial, TrialImport, try_imports};
use nbrevive_files::unpoisoned;
use nbrevive_notebook::PythonVersion;

use super::learnt::Learnt;
use crate::Surroundings;
use crate::laboratory::{Laboratory, LaboratoryError, Prepared, unbuildable, unbuilt, unplanned};

/// An environment of a date, and how it came to be.
#[derive(Debug, Clone)]
pub struct OfDate {
    /// The environment with its kernel.
    pub prepared: Prepared,
    /// The plan that it was built from, steps back included.
    pub plan: EnvironmentPlan,
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
    pub python: Option<PythonVersion>,
    /// Whether the imports are tried after the build; with [`Strategy::Dated`] clashing pairs then step back.
    pub tried: bool,
    /// The strategy to try where this one asks for what is not there ([`nbrevive_environment::FailureClass::may_try_next_strategy`]).
    pub next: Option<Strategy>,
}

impl Laboratory {
    /// An environment of the date of a notebook. `paper` bounds its imports (paper, section 2.2.1); `dated` pins the whole closure
    /// and tries the imports.
    ///
    /// # Errors
    /// [`LaboratoryError::Unbuildable`] when there can be none; another error when it could not be tried.
    pub fn from_date(&self, surroundings: &Surroundings, strategy: Strategy) -> Result<OfDate, LaboratoryError> {
        let tried = strategy == Strategy::Dated;
        self.of_date(&OfDateRequest { surroundings, strategy, python: None, tried, next: None })
    }

    /// As [`Laboratory::from_date`], with all that can be chosen.
    ///
    /// # Errors
    /// As [`Laboratory::from_date`].
    pub fn of_date(&self, request: &OfDateRequest<'_>) -> Result<OfDate, LaboratoryError> {
        match (self.sparing(request), request.next) {
            (Err(LaboratoryError::Unbuildable(failed)), Some(next)) if failed.class.may_try_next_strategy() => {
                tracing::warn!(class = %failed.class, "no environment with {}, trying {next}", request.strategy);
                self.sparing(&OfDateRequest { strategy: next, next: None, ..*request })
            }
            (answer, _) => answer,
        }
    }

    /// Goes without what the notebook does not import where there is no environment with it: perhaps it is not needed.
    fn sparing(&self, request: &OfDateRequest<'_>) -> Result<OfDate, LaboratoryError> {
        let has_more = request.strategy == Strategy::Dated && !request.surroundings.needs.unasked.is_empty();
        match self.of_one_strategy(request) {
            Err(LaboratoryError::Unbuildable(failed)) if has_more => {
                tracing::info!(class = %failed.class, "no environment, trying without what nobody imports");
                let mut surroundings = request.surroundings.clone();
                surroundings.needs.unasked.clear();
                self.of_one_strategy(&OfDateRequest { surroundings: &surroundings, ..*request })
            }
            answer => answer,
        }
    }

    fn of_one_strategy(&self, request: &OfDateRequest<'_>) -> Result<OfDate, LaboratoryError> {
        let mut learnt = Learnt::default();
        loop {
            let (plan, environment, prepared) = self.planned_and_built(request, &learnt)?;
            let imports = if request.tried { self.trial(request.surroundings, &plan, &prepared)? } else { Vec::new() };
            if !(request.strategy == Strategy::Dated && learnt.learn(&imports, &environment, &plan, &self.index)) {
                return Ok(OfDate { prepared, plan, imports });
            }
        }
    }

    fn planned_and_built(
        &self,
        request: &OfDateRequest<'_>,
        learnt: &Learnt,
    ) -> Result<(EnvironmentPlan, Environment, Prepared), LaboratoryError> {
        let surroundings = request.surroundings;
        let asked = PlanRequest {
            python: request.python,
            step_backs: &learnt.step_backs,
            missing: &learnt.missing,
            ..PlanRequest::new(&surroundings.needs, surroundings.submitted, request.strategy)
        };
        let plan = plan(&asked, &self.index, &self.interpreters).map_err(unplanned)?;
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

    /// Tries the imports that the environment is there to provide.
    fn trial(
        &self,
        surroundings: &Surroundings,
        plan: &EnvironmentPlan,
        prepared: &Prepared,
    ) -> Result<Vec<ImportResult>, LaboratoryError> {
        let imports: Vec<TrialImport> = surroundings
            .trial
            .iter()
            .filter(|(module, _)| is_provided(plan, surroundings, module))
            .map(|(module, names)| TrialImport { module: module.clone(), names: names.clone() })
            .collect();
        self.tried(&imports, prepared)
    }

    /// Tries imports; once a process for one environment and one set of imports.
    pub(crate) fn tried(
        &self,
        imports: &[TrialImport],
        prepared: &Prepared,
    ) -> Result<Vec<ImportResult>, LaboratoryError> {
        if imports.is_empty() {
            return Ok(Vec::new());
        }
        let key = format!("{} {imports:?}", prepared.id);
        if let Some(known) = unpoisoned(self.trials.lock()).get(&key) {
            return Ok(known.clone());
        }
        let trial = Trial {
            python: prepared.interpreter().into(),
            behind: vec![prepared.kernel_packages.clone()],
            read_only: prepared.kernel.read_only.clone(),
        };
        let results = try_imports(imports, &trial, &self.settings)?;
        unpoisoned(self.trials.lock()).insert(key, results.clone());
        Ok(results)
    }
}

/// Whether the environment is there to provide a module: not one that has no distribution, nor one of the notebook's own files.
fn is_provided(plan: &EnvironmentPlan, surroundings: &Surroundings, module: &str) -> bool {
    let top = module.split('.').next().unwrap_or(module);
    !plan.unresolved.iter().any(|left| left.what == module)
        && !surroundings.needs.local.iter().any(|local| local == top)
}
