//! The modernize conditions of a study: the loop over stored executions, and the least patch.

use nbrevive_compare::BroughtBack;
use nbrevive_corpus::{Direction, Verdict};
use nbrevive_model::Errand;
use nbrevive_notebook::{CellFacts, Notebook};
use nbrevive_repair::{MinimizeError, minimize};
use nbrevive_store::executability::ExecutabilityRow;
use nbrevive_store::executions::ExecutionRow;
use nbrevive_store::loops::LoopRows;

use crate::conditions::loop_rows::loop_rows;
use crate::conditions::modernize::{Goal, Helpers, Judged, ModelAndErrand, Modernized, modernize_with};
use crate::conditions::ready::Ready;
use crate::conditions::restoring::error_root_rows;
use crate::conditions::{Done, Runner, describe, errors_of};
use crate::laboratory::text_outputs::text_outputs;
use crate::laboratory::{LaboratoryError, Prepared};
use crate::{Job, Setup};

impl Runner<'_> {
    /// Repairs until the score is back (paper, section 3.1). A model that cannot be asked leaves the job undone: what it
    /// would have said is not known, and every execution so far is stored.
    pub(crate) fn modernize(&self, job: &Job, ready: Ready) -> Result<Done, LaboratoryError> {
        let Ready { notebook: original, environment, .. } = ready;
        let goal = goal(self.setup, job);
        let mut executions = vec![self.execute(job, &original, &environment, 0)?];
        let start = self.judged(job, &executions[0]);
        let mut run = |notebook: &Notebook| -> Result<Judged, LaboratoryError> {
            let number = u32::try_from(executions.len()).unwrap_or(u32::MAX);
            let row = self.execute(job, notebook, &environment, number)?;
            let judged = self.judged(job, &row);
            executions.push(row);
            Ok(judged)
        };
        let repair = self.setup.study.repair.of(&job.recipe);
        let helpers = Helpers { repair: &repair, laboratory: self.setup.laboratory, model: self.asked(job) };
        let modernized = modernize_with(&original, start, &environment, &goal, helpers, &mut run)?;
        if let Some(reason) = &modernized.inner.unavailable {
            return Err(LaboratoryError::Unasked(reason.clone()));
        }
        let least = self.least_patch(job, &original, &modernized, &environment)?;
        let verdicts: Vec<Verdict> = executions.iter().map(|row| self.verdict(job, row)).collect();
        let last = &executions[executions.len() - 1];
        let is_cut = modernized.inner.is_cut();
        let back = |executed: Notebook| BroughtBack::of(&job.selected.notebook, &executed, is_cut).level;
        let came_back = self.kept(last).map(back);
        let rows = LoopRows {
            executability: Some(ExecutabilityRow::of(last)),
            comparisons: self.comparisons(job, last)?.unwrap_or_default(),
            error_roots: error_root_rows(&modernized.inner.notebook, last),
            ..loop_rows(&modernized.inner, &verdicts, least.as_ref(), came_back)
        };
        let verdict = modernized.verdict(self.verdict(job, last));
        let fixes = u32::try_from(rows.fixes.len()).unwrap_or(u32::MAX);
        let reason = describe(&verdict, &format!("; {}", modernized.end));
        Ok(Done { outcome: self.outcome(job, verdict, Some(&environment.id), last, fixes, reason), rows })
    }

    /// The model with the errand of this job, where there is one.
    pub(crate) fn asked(&self, job: &Job) -> Option<ModelAndErrand<'_>> {
        let asking = self.setup.model.as_ref().filter(|_| job.recipe.asks_model())?;
        let study = format!("{}/{}", self.setup.study.name, job.condition);
        Some((asking, Errand::new(study, job.version.slug.as_str())))
    }

    /// What an execution came to; its outputs are read only where a model is to see them, and its facts where a cell raised.
    pub(crate) fn judged(&self, job: &Job, row: &ExecutionRow) -> Judged {
        let is_shown = self.setup.study.repair.model.is_some();
        let errors = errors_of(row);
        let executed = (is_shown || !errors.is_empty()).then(|| self.kept(row)).flatten();
        let outputs = executed.as_ref().filter(|_| is_shown).map(text_outputs).unwrap_or_default();
        let facts = executed.as_ref().map(CellFacts::of_notebook).unwrap_or_default();
        Judged { verdict: self.verdict(job, row), errors, seconds: row.spent.seconds, outputs, facts }
    }

    /// Reduces the patch of a notebook that was brought back, where the study asks for it.
    fn least_patch(
        &self,
        job: &Job,
        original: &Notebook,
        modernized: &Modernized,
        environment: &Prepared,
    ) -> Result<Option<nbrevive_repair::LeastPatch>, LaboratoryError> {
        let Some(settings) = &self.setup.study.repair.minimize else { return Ok(None) };
        let inner = &modernized.inner;
        if inner.fixes.is_empty() || !inner.last.reproducible {
            return Ok(None);
        }
        let number = u32::try_from(inner.fixes.len()).unwrap_or(u32::MAX);
        let mut trouble = None;
        let mut is_reproducible = |notebook: &Notebook| match self.execute(job, notebook, environment, number) {
            Ok(row) => self.verdict(job, &row).outcome.is_reproducible(),
            Err(error) => {
                trouble.get_or_insert(error);
                false
            }
        };
        let least = minimize(original, &inner.notebook, settings, &mut is_reproducible);
        if let Some(error) = trouble {
            return Err(error);
        }
        match least {
            Ok(least) => Ok(Some(least)),
            Err(
                error @ (MinimizeError::NotInPercentForm(_)
                | MinimizeError::WholePatchFails
                | MinimizeError::NoExecutions),
            ) => {
                tracing::warn!(version = job.version.slug, %error, "no least patch");
                Ok(None)
            }
        }
    }
}

/// What a job's notebook is to reach.
pub(crate) fn goal(setup: &Setup<'_>, job: &Job) -> Goal {
    let study = setup.study;
    let (task, contract) = job.around.task(&job.version, &study.limits, study.repair.most_new_constants);
    Goal {
        target: job.target.as_ref().map(|target| target.score),
        direction: job.around.competition().map_or(Direction::Maximize, |competition| competition.direction),
        submitted: Some(job.version.submitted),
        max_fixes: study.max_fixes,
        level: job.recipe.level,
        task,
        contract,
        files: job.around.file_names(&job.version),
    }
}
