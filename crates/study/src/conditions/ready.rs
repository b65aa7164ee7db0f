//! What runs under a condition, if anything, and in which environment, by its recipe.

#![deny(clippy::wildcard_enum_match_arm)]

use std::sync::Arc;

use nbrevive_notebook::Notebook;

use crate::Job;
use crate::conditions::Runner;
use crate::environments::of_date::OfDate;
use crate::jobs::cell_orders::ordered;
use crate::laboratory::{LaboratoryError, Prepared};
use nbrevive_corpus::{EnvironmentKind, Surrounding};

/// Code and environment of a job.
pub(crate) struct Ready {
    /// The code that runs: without install lines, its cells in the order of the recipe.
    pub(crate) notebook: Notebook,
    /// What it runs in.
    pub(crate) environment: Arc<Prepared>,
    /// What is to be said of the environment, as the end of a sentence.
    pub(crate) note: String,
}

impl Runner<'_> {
    /// Code and environment of a job; none where the recipe runs nothing.
    ///
    /// # Errors
    /// [`LaboratoryError::Unbuildable`] where there is no environment of its date; else what is ours to mend.
    pub(crate) fn ready(&self, job: &Job) -> Result<Option<Ready>, LaboratoryError> {
        let (environment, notebook, note) = match job.recipe.environment {
            Surrounding::None => return Ok(None),
            Surrounding::Declared | Surrounding::Inferred | Surrounding::InferredOfDate => {
                let (environment, note) = self.environment_or_bare(job)?;
                let installs = self.installs(job)?.lacking_in(&environment);
                let (extended, more) = self.on_top(job, &environment, || Ok(environment.as_lock()), &installs)?;
                (extended, installs.notebook, note + &more)
            }
            Surrounding::Date => {
                let of_date = self.environment_of_date(job)?;
                let notebook = self.installs(job)?.notebook;
                self.remember(EnvironmentKind::Plan, &of_date.prepared, &of_date.plan.requirements_text())?;
                let note = format!("; Python {}", of_date.prepared.python);
                (Arc::new(of_date.prepared), notebook, note)
            }
            Surrounding::Lock => {
                let installs = self.installs(job)?;
                let (environment, note) = self.today(job, &installs)?;
                (environment, installs.notebook, note)
            }
        };
        Ok(Some(Ready { notebook: ordered(notebook, &job.order), environment, note }))
    }

    /// Makes the environment of a job, which then lies in the cache; the study's own is there already.
    pub(crate) fn build_ahead(&self, job: &Job) -> Result<(), LaboratoryError> {
        match job.recipe.environment {
            Surrounding::Lock | Surrounding::None => Ok(()),
            Surrounding::Date => {
                let OfDate { prepared, .. } = self.environment_of_date(job)?;
                let id = prepared.id.clone();
                drop(prepared);
                self.setup.laboratory.builder().built_ahead(&id);
                Ok(())
            }
            Surrounding::Declared | Surrounding::Inferred | Surrounding::InferredOfDate => {
                self.environment_of_repository(job).map(drop)
            }
        }
    }
}
