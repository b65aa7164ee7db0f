//! The modernize condition: the loop of the paper's section 3.1 with its providers, and its account.

use std::cell::Cell;
use std::collections::BTreeSet;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use nbrevive_corpus::{Direction, Failure, Outcome, Verdict};
use nbrevive_model::Errand;
use nbrevive_notebook::{CellFacts, Notebook};
use nbrevive_repair::prompt::RepairQuestion;
use nbrevive_repair::{
    Assessment, CellFeedback, CellOutput, Contract, FirstError, LanguageModel, Modernization, PatchProvider,
    PromptTask, RepairLevel, Rules, Subject, Tools, WorkflowSettings, guard_of, modernize,
};
use nbrevive_rules::census::{api_uses, written_span};

use crate::RepairSettings;
use crate::conditions::asking_model::Asking;
use crate::laboratory::{Laboratory, Prepared};

/// What a notebook is to reach, and what is known of its competition.
#[derive(Debug, Clone)]
pub struct Goal {
    /// The target score; without one the goal is to run without errors.
    pub target: Option<f64>,
    /// Which way the metric points.
    pub direction: Direction,
    /// When it was submitted, where known.
    pub submitted: Option<Timestamp>,
    /// The largest number of fixes.
    pub max_fixes: u32,
    /// How much of the notebook one fix is about.
    pub level: RepairLevel,
    /// The competition, as a model is told it.
    pub task: PromptTask,
    /// The competition, as the guards know it.
    pub contract: Contract,
    /// Names of the files and folders that the notebook finds, in lower case, where they are known.
    pub files: Option<BTreeSet<String>>,
}

/// What the loop came to.
pub struct Modernized {
    /// The last code that ran, with its fixes.
    pub inner: Modernization,
    /// Why the loop ended, in words.
    pub end: &'static str,
}

/// What one execution came to.
#[derive(Debug, Clone)]
pub struct Judged {
    /// Its verdict.
    pub verdict: Verdict,
    /// The errors of its cells.
    pub errors: Vec<CellFeedback>,
    /// Seconds that the cells took.
    pub seconds: f64,
    /// What the cells printed; may be left empty where no model is asked.
    pub outputs: Vec<CellOutput>,
    /// What the names in cells that raised held.
    pub facts: Vec<CellFacts>,
}

/// The model that the loop asks for what the rules leave, on whose behalf.
pub type ModelAndErrand<'a> = (&'a Asking, Errand);

/// Who can be asked for patches, and in which order; the rules are always there.
#[derive(Debug)]
pub struct Helpers<'a> {
    /// The order, and the limits of what a model is told.
    pub repair: &'a RepairSettings,
    /// Has the environment of the tools.
    pub laboratory: &'a Laboratory,
    /// The model, where there is one.
    pub model: Option<ModelAndErrand<'a>>,
}

/// Runs the loop from an execution that has been judged; `run` executes and judges what is proposed.
///
/// # Errors
/// Whatever `run` returns.
pub fn modernize_with<E>(
    notebook: &Notebook,
    start: Judged,
    environment: &Prepared,
    goal: &Goal,
    helpers: Helpers<'_>,
    run: &mut dyn FnMut(&Notebook) -> Result<Judged, E>,
) -> Result<Modernized, E> {
    let Helpers { repair, laboratory, model } = helpers;
    let subject = subject(notebook, environment, goal);
    let settings = WorkflowSettings {
        max_fixes: goal.max_fixes as usize,
        order: repair.order.clone(),
        contract: goal.contract.clone(),
    };
    let number = Cell::new(1);
    let tools = Tools::new(Box::new(|| laboratory.tools()));
    let mut providers: Vec<Box<dyn PatchProvider + '_>> = match goal.level {
        RepairLevel::File => vec![Box::new(Rules), Box::new(tools)],
        RepairLevel::Cell => vec![Box::new(FirstError(Rules)), Box::new(FirstError(tools))],
    };
    providers.extend(model.map(|asked| language_model(notebook, goal, repair, asked, &number)));
    let mut run = |notebook: &Notebook| {
        number.set(number.get() + 1);
        run(notebook).map(assessment)
    };
    let inner = modernize(notebook, assessment(start), &subject, &settings, &mut providers, &mut run)?;
    let end = inner.end.describe();
    Ok(Modernized { inner, end })
}

/// What the rules and a prompt go by besides executions.
pub(crate) fn subject(notebook: &Notebook, environment: &Prepared, goal: &Goal) -> Subject {
    let cells = notebook.code_cells().map(|(index, cell)| (index, cell.source.as_str()));
    Subject {
        target: goal.target,
        higher_is_better: goal.direction == Direction::Maximize,
        python: environment.minor(),
        packages: environment.packages.clone(),
        submitted: goal.submitted.map(|instant| instant.to_zoned(TimeZone::UTC).date()),
        last_day: written_span(&api_uses(cells)).aim(),
        files: goal.files.clone(),
    }
}

/// The provider that carries questions to a model; `number` is that of the fix that is asked for.
fn language_model<'a>(
    original: &Notebook,
    goal: &Goal,
    repair: &RepairSettings,
    (asking, errand): ModelAndErrand<'a>,
    number: &'a Cell<u32>,
) -> Box<dyn PatchProvider + 'a> {
    let guard = guard_of(original, Contract { target: goal.target, ..goal.contract.clone() });
    let ask = move |prompt: &RepairQuestion| {
        let errand = errand.clone().fix(prompt.fix_type.as_str(), number.get()).re_ask(prompt.reask);
        asking.ask(prompt, &errand)
    };
    let settings = repair.dialogue_at(goal.level);
    Box::new(LanguageModel::new(asking.name(), goal.task.clone(), guard, settings, Box::new(ask)))
}

/// A verdict as the loop takes it.
pub(crate) fn assessment(judged: Judged) -> Assessment {
    let verdict = judged.verdict;
    Assessment {
        reproducible: verdict.outcome.is_reproducible(),
        timed_out: verdict.failure == Some(Failure::Timeout),
        failed: verdict.failure.is_some_and(|failure| failure != Failure::Timeout),
        errors: judged.errors,
        score: verdict.score,
        no_score: verdict.output_reason,
        seconds: Some(judged.seconds),
        outputs: judged.outputs,
        facts: judged.facts,
    }
}

impl Modernized {
    /// The outcome of a notebook whose last execution came to `last`: the loop's own failure takes its place (paper, Table 3).
    #[must_use]
    pub fn verdict(&self, last: Verdict) -> Verdict {
        match self.inner.end.failure() {
            Some(failure) => Verdict {
                outcome: Outcome::Failed,
                error_status: None,
                output_status: None,
                output_reason: None,
                failure: Some(failure),
                failure_cause: Some(self.inner.end.to_string()),
                score: None,
                deviation: None,
            },
            None => last,
        }
    }
}
