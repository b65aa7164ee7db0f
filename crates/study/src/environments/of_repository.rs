//! The one environment that all notebooks of a repository run in.

use nbrevive_environment::Spec;
use nbrevive_environment::repository::{RepositoryPlan, RepositoryRequest};

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
        let plan = RepositoryPlan::make(request, &self.index, &self.interpreters).map_err(|error| unplanned(&error))?;
        let (python, requirements) = (plan.plan.interpreter.version.to_string(), plan.plan.requirements_text());
        if let Some(failure) = &plan.plan.expected_failure {
            return Err(unbuildable(failure.class, &python, &requirements, &failure.words));
        }
        let builder = self.builder();
        let (environment, lease) =
            builder.lease(Spec::Plan(&plan.plan)).map_err(|error| unbuilt(error, &python, &requirements))?;
        let prepared = self.with_kernel(&builder, &environment, lease)?;
        Ok(OfRepository { prepared, plan })
    }
}
