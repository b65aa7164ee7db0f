//! What the questions of a study would cost, before any is asked.

use std::sync::Mutex;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use nbrevive_corpus::FixType;
use nbrevive_model::{ModelSettings, OpenError, PriceError, StudyEstimate, StudyExpectation, estimate_study};
use nbrevive_repair::prompt::build;
use nbrevive_repair::{Rules, fix_type};
use nbrevive_store::{Store, StoreError, executions, outcomes};

use crate::conditions::Runner;
use crate::conditions::asking_model::model_prompt;
use crate::conditions::modernize::{assessment, subject};
use crate::conditions::repair_loop::goal;
use crate::laboratory::LaboratoryError;
use crate::{Job, JobPlan, Setup, Study};

/// What the first questions of a study's modernize jobs would cost.
#[derive(Debug, Default)]
pub struct DryRun {
    /// Open jobs of versions whose baseline is stored.
    pub subjects: usize,
    /// Of these, those for which the rules have a proposal first, so that a model may never be asked.
    pub rules_first: usize,
    /// Of these, those whose code does not fit into a prompt.
    pub too_long: usize,
    /// Open jobs of versions without a stored baseline: nothing can be said of them.
    pub unknown: usize,
    /// What the subjects that fit would cost, from the first question of each.
    pub cost: StudyEstimate,
}

/// Why there is no estimate.
#[derive(Debug, thiserror::Error)]
pub enum DryRunError {
    /// The study has no `[model]`.
    #[error("there is no model whose questions could cost something: add [model] to the study's file, or --endpoint")]
    NoModel,
    /// The prices cannot be read.
    #[error(transparent)]
    Prices(#[from] OpenError),
    /// The model has no price.
    #[error(transparent)]
    Price(#[from] PriceError),
    /// The store or an environment cannot be used.
    #[error(transparent)]
    Laboratory(#[from] LaboratoryError),
}

impl From<StoreError> for DryRunError {
    fn from(error: StoreError) -> Self {
        Self::Laboratory(error.into())
    }
}

/// Builds the first question of every open modernize job from its stored baseline, and asks nobody.
///
/// # Errors
/// [`DryRunError`]
pub fn dry_run(setup: &Setup<'_>, store: &Mutex<Store>, plan: &JobPlan) -> Result<DryRun, DryRunError> {
    let model = setup.study.repair.model.as_ref().ok_or(DryRunError::NoModel)?;
    let expectation = expectation(setup.study, model)?;
    let today = Timestamp::now().to_zoned(TimeZone::UTC).date();
    let price = model.prices()?.price(&model.name, today)?;
    let runner = Runner::new(setup, store, "", Box::new(|_| {}));
    let (mut sum, mut questions) = (DryRun::default(), Vec::new());
    let open = plan.jobs.iter().filter(|planned| planned.job.recipe.repairs() && planned.state.is_open());
    for planned in open {
        let Some(first) = runner.first_question(&planned.job, model)? else {
            sum.unknown += 1;
            continue;
        };
        sum.subjects += 1;
        sum.rules_first += usize::from(first.rules_have_one);
        match first.prompt {
            Some(prompt) => questions.push((first.fix_type, prompt)),
            None => sum.too_long += 1,
        }
    }
    let questions = questions.iter().map(|(fix_type, prompt)| (fix_type.as_str(), prompt));
    sum.cost = estimate_study(questions, &price, &expectation);
    Ok(sum)
}

/// What the study's settings allow, and the paper's number of fixes.
fn expectation(study: &Study, model: &ModelSettings) -> Result<StudyExpectation, OpenError> {
    Ok(StudyExpectation {
        max_fixes: study.max_fixes,
        max_reasks: study.repair.dialogue.max_reasks,
        max_prompt_tokens: Some(study.repair.dialogue.prompt.prompt_tokens as u64),
        caps: model.caps.caps()?,
        ..StudyExpectation::default()
    })
}

/// The question that a job would begin with.
struct First {
    fix_type: FixType,
    rules_have_one: bool,
    /// `None` when it does not fit.
    prompt: Option<nbrevive_model::ModelPrompt>,
}

impl Runner<'_> {
    /// From the stored baseline execution; `None` without one.
    fn first_question(&self, job: &Job, model: &ModelSettings) -> Result<Option<First>, LaboratoryError> {
        let Some(start) = job.recipe.start else { return Ok(None) };
        if outcomes::find(&self.store(), &job.version.slug, start)?.is_none() {
            return Ok(None);
        }
        let installs = self.taken(job);
        let (environment, _) = self.today(job, &installs)?;
        let Some(row) = executions::find(&self.store(), &self.key(job, &installs.notebook, &environment))? else {
            return Ok(None);
        };
        let goal = goal(self.setup, job);
        let (last, subject) = (assessment(self.judged(job, &row)), subject(&installs.notebook, &environment, &goal));
        let feedback = subject.feedback(&installs.notebook, &last);
        let repair = &self.setup.study.repair;
        let asked = build(&feedback, &goal.task, goal.level, &repair.dialogue.prompt).ok();
        Ok(Some(First {
            fix_type: fix_type(&feedback),
            rules_have_one: Rules.propose(&feedback).is_some(),
            prompt: asked.map(|asked| model_prompt(model, &asked.prompt)),
        }))
    }
}
