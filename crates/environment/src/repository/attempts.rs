//! Plans for one repository and one interpreter, by what gives way.

use super::applying::Applying;
use super::loosened::Loosened;
use super::{RepositoryRequest, RepositoryStrategy};
use crate::index::Index;
use crate::interpreter::Interpreters;
use crate::plan::{EnvironmentPlan, Needs, PlanError, PlanRequest, plan};

/// What all attempts at a plan have in common.
pub(super) struct Attempts<'all> {
    pub(super) request: &'all RepositoryRequest<'all>,
    /// What is declared, for the interpreter of `asked`.
    pub(super) applying: &'all Applying<'all>,
    /// What is asked for, without anything declared.
    pub(super) asked: PlanRequest<'all>,
    pub(super) index: &'all Index,
    pub(super) interpreters: &'all Interpreters,
}

impl Attempts<'_> {
    /// A plan in which every import may be left out: one that fails does so for what is declared.
    ///
    /// # Errors
    /// As [`plan`].
    pub(super) fn of_declared(&self, loosened: &Loosened) -> Result<EnvironmentPlan, PlanError> {
        let imports = &self.asked.needs.imports;
        self.plan(&Needs { optional: imports.clone(), ..self.asked.needs.clone() }, loosened)
    }

    /// Where what is imported cannot be had together, what the fewest files import gives way first: one notebook's odd import is no reason
    /// for all the others to go without an environment.
    ///
    /// # Errors
    /// As [`plan`].
    pub(super) fn sparing(&self, loosened: &Loosened) -> Result<EnvironmentPlan, PlanError> {
        let names = &self.request.inferred.names;
        let mut plan = self.plan(self.asked.needs, loosened)?;
        let most = names.iter().map(|name| name.files).max().unwrap_or(0);
        let mut rare = 1;
        while plan.expected_failure.is_some() && rare <= 2 * most {
            let given = names.iter().filter(|name| name.files <= rare).map(|name| &name.module);
            let optional = given.chain(&self.asked.needs.optional).cloned().collect();
            plan = self.plan(&Needs { optional, ..self.asked.needs.clone() }, loosened)?;
            rare *= 2;
        }
        Ok(plan)
    }

    /// A plan for these needs and what is declared.
    ///
    /// # Errors
    /// As [`plan`].
    pub(super) fn plan(&self, needs: &Needs, loosened: &Loosened) -> Result<EnvironmentPlan, PlanError> {
        let needs = Needs { pins: self.applying.pins(loosened), ..needs.clone() };
        let places = self.applying.places_in(loosened);
        let asked = PlanRequest { needs: &needs, pin_places: Some(&places), ..self.asked };
        let mut plan = plan(&asked, self.index, self.interpreters)?;
        if let Some(failure) = self.applying.failure(&plan, self.index, loosened)? {
            // Said with file and line, which is more than what the plan knows of it.
            plan.expected_failure = Some(failure);
            if self.request.strategy == RepositoryStrategy::Dated {
                plan.lines.clear();
                plan.build.clear();
            }
        }
        Ok(plan)
    }
}
