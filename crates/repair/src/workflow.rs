//! The loop of the paper (section 3.1): execute, detect, fix, and again, until the notebook is reproducible.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use nbrevive_guard::{Contract, Cut, Guard};
use nbrevive_notebook::{CellFacts, Notebook, percent};

use crate::states::Codes;
use crate::turn::Loop;
use crate::{
    AppliedRule, CellFeedback, CellOutput, Feedback, Fix, FixType, FlowState, Fruitless, LoopEnd, PatchProvider,
    ProposerOrder, Ran, RefusedFix, Rules,
};

/// The paper's cap on fixes per notebook, N = 16 (section 3.1).
pub const DEFAULT_MAX_FIXES: usize = 16;

/// Limits of the loop.
///
/// τ is a setting of the caller, who judges each execution ([`Assessment::reproducible`]); what a model is asked is
/// limited in [`crate::PromptSettings`] and [`crate::DialogueSettings`].
#[derive(Debug, Clone, PartialEq)]
pub struct WorkflowSettings {
    /// The most fixes that are tried, [`DEFAULT_MAX_FIXES`] unless told.
    pub max_fixes: usize,
    /// Who is asked for each type of fix, in which order.
    pub order: ProposerOrder,
    /// What the guards are to know of the competition; the target score is taken from the [`Subject`].
    pub contract: Contract,
}

impl Default for WorkflowSettings {
    fn default() -> Self {
        Self { max_fixes: DEFAULT_MAX_FIXES, order: ProposerOrder::default(), contract: Contract::default() }
    }
}

/// What is known of a notebook apart from its executions.
#[derive(Debug, Clone, Default)]
pub struct Subject {
    /// The score to reach, where there is one.
    pub target: Option<f64>,
    /// Direction of the metric.
    pub higher_is_better: bool,
    /// The interpreter's major and minor version.
    pub python: (u32, u32),
    /// Installed distributions and their versions.
    pub packages: BTreeMap<String, String>,
    /// The day of submission.
    pub submitted: Option<Date>,
    /// The last day on which all that it uses was there; see [`nbrevive_rules::census::written_span`].
    pub last_day: Option<Date>,
    /// Names of the files and folders that every execution finds, in lower case, where they are known.
    pub files: Option<BTreeSet<String>>,
}

impl Subject {
    /// Whether the goal is reached: `δs <= τ`, which the caller judged, or without a target an execution to the end in
    /// which no cell raised.
    #[must_use]
    pub fn is_reached(&self, last: &Assessment) -> bool {
        let ran_through = last.errors.is_empty() && !last.timed_out && !last.failed;
        last.reproducible || (self.target.is_none() && ran_through)
    }

    /// What an execution of `notebook` tells the one who is to mend it.
    #[must_use]
    pub fn feedback<'a>(&'a self, notebook: &'a Notebook, last: &'a Assessment) -> Feedback<'a> {
        Feedback {
            notebook,
            errors: last.errors.clone(),
            timed_out: last.timed_out,
            score: last.score,
            target: self.target,
            higher_is_better: self.higher_is_better,
            python: self.python,
            packages: &self.packages,
            submitted: self.submitted,
            last_day: self.last_day,
            barred: BTreeSet::new(),
            ran: Ran {
                seconds: last.seconds,
                failed: last.failed,
                no_score: last.no_score.as_deref(),
                outputs: &last.outputs,
                facts: &last.facts,
                files: self.files.as_ref(),
            },
        }
    }
}

/// What one execution came to, judged by the caller.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Assessment {
    /// The goal is reached: `δs <= τ`, or no error where there is no target.
    pub reproducible: bool,
    /// The wall-clock limit ended the execution.
    pub timed_out: bool,
    /// The executed notebook could not be saved (kernel died, out of memory, …).
    pub failed: bool,
    /// Errors in the order of the cells.
    pub errors: Vec<CellFeedback>,
    /// The reproduced score, when there was a valid submission.
    pub score: Option<f64>,
    /// Why there is no score, as the grader says it.
    pub no_score: Option<String>,
    /// Seconds that the cells took, where known.
    pub seconds: Option<f64>,
    /// What the cells printed, where a model is to see it.
    pub outputs: Vec<CellOutput>,
    /// What the names in cells that raised held.
    pub facts: Vec<CellFacts>,
}

impl Assessment {
    /// The state in which this execution left the notebook.
    #[must_use]
    pub fn state(&self) -> FlowState {
        match (self.reproducible, self.errors.is_empty()) {
            (true, true) => FlowState::ErrorFreeReproducible,
            (true, false) => FlowState::ErrorReproducible,
            _ if self.timed_out => FlowState::Timeout,
            _ if self.failed => FlowState::Failed,
            (false, true) => FlowState::ErrorFreeNonReproducible,
            (false, false) => FlowState::ErrorNonReproducible,
        }
    }
}

/// The guards for patches of a notebook, whichever Python it was written for.
#[must_use]
pub fn guard_of(original: &Notebook, contract: Contract) -> Guard {
    Guard::as_read(original, &Rules.reading(original), contract)
}

/// The outcome of the loop.
#[derive(Debug, Clone)]
pub struct Modernization {
    /// The last version that was executed.
    pub notebook: Notebook,
    /// What its execution came to.
    pub last: Assessment,
    /// The fixes, in order.
    pub fixes: Vec<Fix>,
    /// Why the loop stopped.
    pub end: LoopEnd,
    /// Patches that were not executed, in order.
    pub refusals: Vec<RefusedFix>,
    /// Dialogues that led to no fix, in order; the others stand in their fixes.
    pub fruitless: Vec<Fruitless>,
    /// What rules did in fixes of which nothing was left, since cells that ran before raised for their sake or nothing got better.
    pub taken_back: Vec<AppliedRule>,
    /// Providers that could not answer, with their reasons, in order.
    pub provider_errors: Vec<String>,
    /// What of the original's work the last version cuts.
    pub cuts: Vec<Cut>,
    /// Why a provider could not be asked at some step, if so: what came out might be otherwise on another day.
    pub unavailable: Option<String>,
}

impl Modernization {
    /// Whether a fix cut work to save time, so that scores and values are those of less training: all that a model does about
    /// time, and rules that are not of the stage that keeps the result.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        let keeps = |rule: &str| {
            let stage =
                |rule: &nbrevive_rules::Rule| matches!(rule.trigger, nbrevive_rules::Trigger::Slow { stage: 2.. });
            !nbrevive_rules::catalogue().any(|known| known.id == rule && stage(known))
        };
        let cuts = |fix: &Fix| fix.applied.is_empty() || !fix.applied.iter().all(|applied| keeps(&applied.rule));
        !self.cuts.is_empty() || self.fixes.iter().any(|fix| fix.fix_type == FixType::RuntimeReduction && cuts(fix))
    }
}

/// Mends `original`, whose execution came to `first`. `run` executes a version and judges it.
///
/// Per step the providers are asked in the order of the fix's type, and the first with a new proposal is taken. A proposal whose code was executed before is passed
/// over, since the same code in the same environment fails the same way; one that breaks a rule of [`Guard`] is refused.
/// Without a target score the goal is an execution without errors.
///
/// # Errors
///
/// Whatever `run` returns when it cannot execute at all.
pub fn modernize<E>(
    original: &Notebook,
    first: Assessment,
    subject: &Subject,
    settings: &WorkflowSettings,
    providers: &mut [Box<dyn PatchProvider + '_>],
    run: &mut dyn FnMut(&Notebook) -> Result<Assessment, E>,
) -> Result<Modernization, E> {
    let contract = Contract { target: subject.target, ..settings.contract.clone() };
    let mut lap = Loop {
        original_text: percent::render(original),
        guard: guard_of(original, contract),
        seen: Codes::of(original),
        subject,
        order: &settings.order,
        barred: BTreeSet::new(),
        in_vain: 0,
        executions: 0,
        outcome: Modernization {
            notebook: original.clone(),
            last: first,
            fixes: Vec::new(),
            end: if subject.target.is_some() { LoopEnd::Reproducible } else { LoopEnd::Runs },
            refusals: Vec::new(),
            fruitless: Vec::new(),
            taken_back: Vec::new(),
            provider_errors: Vec::new(),
            cuts: Vec::new(),
            unavailable: None,
        },
    };
    while !subject.is_reached(&lap.outcome.last) {
        if lap.outcome.fixes.len() + lap.in_vain >= settings.max_fixes {
            lap.outcome.end = LoopEnd::FixesExhausted;
            break;
        }
        let started = std::time::Instant::now();
        match lap.next_proposal(providers) {
            Ok(mut taken) => {
                let seconds = started.elapsed().as_secs_f64();
                let assessment = lap.execute(&mut taken, run)?;
                lap.take(taken, seconds, assessment);
            }
            Err(end) => {
                lap.outcome.end = end;
                break;
            }
        }
    }
    lap.outcome.cuts = lap.guard.cuts(&lap.outcome.notebook);
    Ok(lap.outcome)
}

#[cfg(test)]
#[path = "workflow_tests.rs"]
mod tests;
