//! The loop of the paper (section 3.1): execute, detect, fix, and again, until the notebook is reproducible.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use nbrevive_notebook::{CellKind, Notebook, percent};
use nbrevive_stats::edit_similarity;
use serde::{Deserialize, Serialize};

use crate::patch::unified_diff;
use crate::{AppliedRule, CellFeedback, Feedback, FixType, Proposal, Provider, fix_type};

/// The paper's cap on fixes per notebook, N = 16 (section 3.1).
pub const DEFAULT_MAX_FIXES: usize = 16;

/// Limits of the loop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// The most fixes that are tried, [`DEFAULT_MAX_FIXES`] unless told.
    pub max_fixes: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { max_fixes: DEFAULT_MAX_FIXES }
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
}

/// The state of a notebook after an execution: the columns of the paper's Table 4, and `failed` for an execution
/// that could not be saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// The execution exceeded the time limit.
    Timeout,
    /// The executed notebook was not saved.
    Failed,
    /// Errors, and no reproducible score.
    ErrorNonReproducible,
    /// No errors, and no reproducible score.
    ErrorFreeNonReproducible,
    /// Errors, but a reproducible score.
    ErrorReproducible,
    /// No errors and a reproducible score.
    ErrorFreeReproducible,
}

impl Assessment {
    /// The column of Table 4 that this execution belongs to.
    #[must_use]
    pub fn state(&self) -> State {
        match (self.reproducible, self.errors.is_empty()) {
            (true, true) => State::ErrorFreeReproducible,
            (true, false) => State::ErrorReproducible,
            _ if self.timed_out => State::Timeout,
            _ if self.failed => State::Failed,
            (false, true) => State::ErrorFreeNonReproducible,
            (false, false) => State::ErrorNonReproducible,
        }
    }
}

/// One patch of the loop with its account.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fix {
    /// Counted from 1.
    pub number: usize,
    /// What it aimed at.
    pub fix_type: FixType,
    /// Who proposed it.
    pub provider: String,
    /// Unified diff of the percent text against the version before.
    pub patch: String,
    /// The proposal's plan.
    pub plan: String,
    /// Edit similarity to the version before, 0 to 1 (paper, section 4.3).
    pub similarity_to_previous: f64,
    /// Edit similarity to the original, 0 to 1.
    pub similarity_to_original: f64,
    /// The places that rules changed.
    pub applied: Vec<AppliedRule>,
    /// Seconds from the question to the proposal.
    pub seconds: f64,
    /// What the execution after the fix came to.
    pub led_to: State,
    /// The score after the fix.
    pub score: Option<f64>,
}

/// Why the loop stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// The goal is reached.
    Reproducible,
    /// The cap on fixes is reached.
    FixesExhausted,
    /// No provider had anything (more) to propose.
    NothingToPropose,
    /// Every proposal led back to code that was executed before.
    Repeated,
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
    pub end: End,
    /// Providers that could not answer, with their reasons, in order.
    pub provider_errors: Vec<String>,
}

/// Mends `original`, whose execution came to `first`. `run` executes a version and judges it.
///
/// Per step the first provider with a new proposal is taken. A proposal whose code was executed before is passed
/// over, since the same code in the same environment fails the same way.
///
/// # Errors
///
/// Whatever `run` returns when it cannot execute at all.
pub fn modernize<E>(
    original: &Notebook,
    first: Assessment,
    subject: &Subject,
    settings: &Settings,
    providers: &mut [Box<dyn Provider>],
    run: &mut dyn FnMut(&Notebook) -> Result<Assessment, E>,
) -> Result<Modernization, E> {
    let original_text = percent::render(original);
    let mut seen = BTreeSet::from([code_key(original)]);
    let mut outcome = Modernization {
        notebook: original.clone(),
        last: first,
        fixes: Vec::new(),
        end: End::Reproducible,
        provider_errors: Vec::new(),
    };
    while !outcome.last.reproducible {
        if outcome.fixes.len() >= settings.max_fixes {
            outcome.end = End::FixesExhausted;
            break;
        }
        let started = std::time::Instant::now();
        let found = next_proposal(&outcome.notebook, &outcome.last, subject, providers, &seen);
        outcome.provider_errors.extend(found.errors);
        let Some((provider, proposal)) = found.proposal else {
            outcome.end = if found.repeated { End::Repeated } else { End::NothingToPropose };
            break;
        };
        let seconds = started.elapsed().as_secs_f64();
        seen.insert(code_key(&proposal.notebook));
        let assessment = run(&proposal.notebook)?;
        let number = outcome.fixes.len() + 1;
        let previous = percent::render(&outcome.notebook);
        outcome.fixes.push(account(number, provider, &proposal, (&previous, &original_text), seconds, &assessment));
        outcome.notebook = proposal.notebook;
        outcome.last = assessment;
    }
    Ok(outcome)
}

/// The answer of the providers to one state.
struct Found {
    proposal: Option<(&'static str, Proposal)>,
    repeated: bool,
    errors: Vec<String>,
}

fn next_proposal(
    notebook: &Notebook,
    last: &Assessment,
    subject: &Subject,
    providers: &mut [Box<dyn Provider>],
    seen: &BTreeSet<[u8; 32]>,
) -> Found {
    let feedback = Feedback {
        notebook,
        errors: last.errors.clone(),
        timed_out: last.timed_out,
        score: last.score,
        target: subject.target,
        higher_is_better: subject.higher_is_better,
        python: subject.python,
        packages: &subject.packages,
        submitted: subject.submitted,
        ran: crate::Ran { failed: last.failed, ..crate::Ran::default() },
    };
    tracing::debug!(fix_type = %fix_type(&feedback), errors = feedback.errors.len(), "asking for a fix");
    let mut found = Found { proposal: None, repeated: false, errors: Vec::new() };
    for provider in providers {
        match provider.propose(&feedback) {
            Ok(Some(proposal)) if seen.contains(&code_key(&proposal.notebook)) => found.repeated = true,
            Ok(Some(proposal)) => {
                found.proposal = Some((provider.name(), proposal));
                break;
            }
            Ok(None) => {}
            Err(error) => found.errors.push(error.to_string()),
        }
    }
    found
}

fn account(
    number: usize,
    provider: &str,
    proposal: &Proposal,
    (previous, original): (&str, &str),
    seconds: f64,
    assessment: &Assessment,
) -> Fix {
    let after = percent::render(&proposal.notebook);
    Fix {
        number,
        fix_type: proposal.fix_type,
        provider: provider.to_owned(),
        patch: unified_diff(previous, &after),
        plan: proposal.plan.clone(),
        similarity_to_previous: edit_similarity(previous, &after),
        similarity_to_original: edit_similarity(original, &after),
        applied: proposal.applied.clone(),
        seconds,
        led_to: assessment.state(),
        score: assessment.score,
    }
}

/// What two versions with the same code share: a hash over the code cells' sources.
fn code_key(notebook: &Notebook) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    for cell in &notebook.cells {
        if matches!(cell.kind, CellKind::Code { .. }) {
            hasher.update(cell.source.as_bytes());
            hasher.update(&[0xff]);
        }
    }
    *hasher.finalize().as_bytes()
}

#[cfg(test)]
#[path = "workflow_tests.rs"]
mod tests;
