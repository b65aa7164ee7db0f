//! The one environment that all notebooks of a repository run in.

use nbrevive_environment::build::Lease;
use nbrevive_environment::container::{ContainerSettings, ContainerTexts, NoContainer};
use nbrevive_environment::plan::{Line, Unresolved};
use nbrevive_environment::repository::{RepositoryPlan, RepositoryRequest, RepositoryStrategy};
use nbrevive_environment::{Environment, Spec};

use crate::laboratory::{Laboratory, LaboratoryError, Prepared, Unbuildable, unbuildable, unbuilt, unplanned};

/// How many imports are left out at most because their distributions could not be built.
const MOST_LEFT: usize = 16;

/// What came of planning and building it.
#[derive(Debug, Clone)]
pub struct OfRepository {
    /// The environment with its kernel.
    pub prepared: Prepared,
    /// The plan that it was built from.
    pub plan: RepositoryPlan,
}

impl Laboratory {
    /// Plans and builds the environment of a repository. Of a date, it goes without what code imports and nobody could build, and says so.
    ///
    /// # Errors
    /// [`LaboratoryError::Unbuildable`] when what is declared cannot be installed together; another error when it could not be tried.
    pub fn of_repository(&self, request: &RepositoryRequest<'_>) -> Result<OfRepository, LaboratoryError> {
        let (mut inferred, mut left) = (request.inferred.clone(), Vec::new());
        loop {
            let plan = self.planned(&RepositoryRequest { inferred: &inferred, ..*request })?;
            match self.prepared_of(&plan) {
                Err(LaboratoryError::Unbuildable(failed)) if left.len() < MOST_LEFT => {
                    let unbuilt = unbuilt_imports(&plan, &failed);
                    if unbuilt.is_empty() {
                        return Err(LaboratoryError::Unbuildable(failed));
                    }
                    inferred.names.retain(|name| !unbuilt.iter().any(|left| left.what == name.module));
                    left.extend(unbuilt);
                }
                built => {
                    let (prepared, mut plan) = (built?, plan);
                    plan.plan.unresolved.extend(left);
                    return Ok(OfRepository { prepared, plan });
                }
            }
        }
    }

    /// The texts from which a container with this environment is built elsewhere. A plan of exact versions (`dated`) has digests of files;
    /// what only an installer resolves is built here, and read from there.
    ///
    /// # Errors
    /// As [`Laboratory::of_repository`]; [`NoContainer`] within for settings that cannot be written.
    pub(crate) fn container_of_repository(
        &self,
        request: &RepositoryRequest<'_>,
        settings: &ContainerSettings,
    ) -> Result<Result<ContainerTexts, NoContainer>, LaboratoryError> {
        let plan = self.planned(request)?;
        if request.strategy == RepositoryStrategy::Dated {
            return Ok(plan.plan.container_texts(settings));
        }
        let (environment, _lease) = self.built_of(&plan)?;
        Ok(environment.container_texts(settings))
    }

    fn planned(&self, request: &RepositoryRequest<'_>) -> Result<RepositoryPlan, LaboratoryError> {
        let plan = RepositoryPlan::make(request, &self.index, &self.interpreters).map_err(unplanned)?;
        match &plan.plan.expected_failure {
            Some(failure) => {
                let (python, requirements) = (plan.plan.interpreter.version.to_string(), plan.plan.requirements_text());
                Err(unbuildable(failure.class, &python, &requirements, &failure.words))
            }
            None => Ok(plan),
        }
    }

    fn prepared_of(&self, plan: &RepositoryPlan) -> Result<Prepared, LaboratoryError> {
        let (environment, lease) = self.built_of(plan)?;
        self.with_kernel(&self.builder(), &environment, lease)
    }

    fn built_of(&self, plan: &RepositoryPlan) -> Result<(Environment, Lease), LaboratoryError> {
        let (python, requirements) = (plan.plan.interpreter.version.to_string(), plan.plan.requirements_text());
        self.builder().lease(Spec::Plan(&plan.plan)).map_err(|error| unbuilt(error, &python, &requirements))
    }
}

/// What a dated plan can go without after a failed build: the imports of the distributions at fault, where nobody declares these.
fn unbuilt_imports(plan: &RepositoryPlan, failed: &Unbuildable) -> Vec<Unresolved> {
    if plan.strategy != RepositoryStrategy::Dated {
        return Vec::new();
    }
    let at_fault = plan.plan.lines.iter().filter(|line| failed.distributions.contains(&line.distribution));
    let undeclared = at_fault.filter(|line| !plan.places.contains_key(&line.distribution));
    let left = |line: &Line| {
        let reason = format!("{} {} could not be built: {}", line.distribution, line.bound, failed.class);
        let of = |what: &String| Unresolved { what: what.clone(), reason: reason.clone(), candidates: Vec::new() };
        line.imports.iter().map(of).collect::<Vec<_>>()
    };
    undeclared.flat_map(left).collect()
}
