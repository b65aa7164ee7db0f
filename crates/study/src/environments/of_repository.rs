//! The one environment that all notebooks of a repository run in.

use nbrevive_environment::Spec;
use nbrevive_environment::plan::{Line, Unresolved};
use nbrevive_environment::repository::{RepositoryPlan, RepositoryRequest, RepositoryStrategy};

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
            let plan = self.plan_of_repository(&RepositoryRequest { inferred: &inferred, ..*request })?;
            match self.built_of_repository(&plan) {
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

    fn plan_of_repository(&self, request: &RepositoryRequest<'_>) -> Result<RepositoryPlan, LaboratoryError> {
        RepositoryPlan::make(request, &self.index, &self.interpreters).map_err(|error| unplanned(&error))
    }

    fn built_of_repository(&self, plan: &RepositoryPlan) -> Result<Prepared, LaboratoryError> {
        let (python, requirements) = (plan.plan.interpreter.version.to_string(), plan.plan.requirements_text());
        if let Some(failure) = &plan.plan.expected_failure {
            return Err(unbuildable(failure.class, &python, &requirements, &failure.words));
        }
        let builder = self.builder();
        let (environment, lease) =
            builder.lease(Spec::Plan(&plan.plan)).map_err(|error| unbuilt(error, &python, &requirements))?;
        self.with_kernel(&builder, &environment, lease)
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
