//! The one environment that all notebooks of a repository run in.

use nbrevive_environment::build::Lease;
use nbrevive_environment::container::{ContainerSettings, ContainerTexts, NoContainer};
use nbrevive_environment::repository::{RepositoryPlan, RepositoryRequest, RepositoryStrategy};
use nbrevive_environment::{Environment, Spec};

use crate::laboratory::{Laboratory, LaboratoryError, Prepared, unbuildable, unbuilt, unplanned};

/// What came of planning and building it.
#[derive(Debug, Clone)]
pub struct OfRepository {
    /// The environment with its kernel.
    pub prepared: Prepared,
    /// The plan that it was built from.
    pub plan: RepositoryPlan,
}

impl Laboratory {
    /// Plans and builds the environment of a repository.
    ///
    /// # Errors
    /// [`LaboratoryError::Unbuildable`] when what is declared cannot be installed together; another error when it could not be tried.
    pub fn of_repository(&self, request: &RepositoryRequest<'_>) -> Result<OfRepository, LaboratoryError> {
        let plan = self.planned(request)?;
        let (environment, lease) = self.built_of(&plan)?;
        let prepared = self.with_kernel(&self.builder(), &environment, lease)?;
        Ok(OfRepository { prepared, plan })
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
        let plan = RepositoryPlan::make(request, &self.index, &self.interpreters).map_err(|error| unplanned(&error))?;
        match &plan.plan.expected_failure {
            Some(failure) => {
                let (python, requirements) = (plan.plan.interpreter.version.to_string(), plan.plan.requirements_text());
                Err(unbuildable(failure.class, &python, &requirements, &failure.words))
            }
            None => Ok(plan),
        }
    }

    fn built_of(&self, plan: &RepositoryPlan) -> Result<(Environment, Lease), LaboratoryError> {
        let (python, requirements) = (plan.plan.interpreter.version.to_string(), plan.plan.requirements_text());
        self.builder().lease(Spec::Plan(&plan.plan)).map_err(|error| unbuilt(error, &python, &requirements))
    }
}
