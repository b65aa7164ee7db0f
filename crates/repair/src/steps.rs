//! What the loop writes down: its steps, the patches that it refused, and why it stopped.

use nbrevive_corpus::Failure;
use serde::{Deserialize, Serialize};

use crate::{Account, AppliedRule, Breach, Finding, FixType};

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
    /// What was executed: a hash of the code without comments and layout, hexadecimal.
    pub code: String,
    /// How it failed: a hash over errors, ending and score, hexadecimal. A state of the loop is this with [`Fix::code`].
    pub failure: String,
    /// The dialogue with a model that led here; `None` for rules.
    pub account: Option<Account>,
}

/// A patch that was not executed, because it broke a rule that guards the experiment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Refusal {
    /// The number that the fix would have had.
    pub number: usize,
    /// What it aimed at.
    pub fix_type: FixType,
    /// Who proposed it.
    pub provider: String,
    /// Unified diff of the percent text against the version before.
    pub patch: String,
    /// The rules that it broke and where, at least one.
    pub findings: Vec<Finding>,
}

/// A dialogue with a model that led to no fix.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fruitless {
    /// The number that the fix would have had.
    pub number: usize,
    /// Who was asked.
    pub provider: String,
    /// What was asked, and what became of the answers.
    pub account: Account,
}

impl Refusal {
    /// The first rule that the patch broke.
    #[must_use]
    pub fn breach(&self) -> Option<Breach> {
        self.findings.first().map(|finding| finding.breach)
    }
}

nbrevive_corpus::string_enum! {
    /// Why the loop stopped.
    pub enum End ("end") {
        /// The goal is reached.
        Reproducible => "reproducible",
        /// The cap on fixes is reached.
        FixesExhausted => "fixes-exhausted",
        /// No provider had anything (more) to propose.
        NothingToPropose => "nothing-to-propose",
        /// Every proposal led back to code that was executed before, which fails as it did.
        Repeated => "repeated",
        /// Every proposal broke a rule that guards the experiment.
        Refused => "refused",
        /// The model gave no usable answer, re-asks included.
        ModelFailed => "model-failed",
        /// A provider could not be asked, and no other had a proposal.
        Unavailable => "unavailable",
        /// What may be spent on the notebook is spent, and no other provider had a proposal.
        OverBudget => "over-budget",
        /// The notebook does not fit into a prompt, and no other provider had a proposal.
        TooLong => "too-long",
    }
}

impl End {
    /// The ending in words, to stand behind "the loop ended:".
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            End::Reproducible => "reproducible",
            End::FixesExhausted => "the number of fixes is used up",
            End::NothingToPropose => "nobody has anything more to propose",
            End::Repeated => "every proposal was tried before",
            End::Refused => "every proposal broke a rule that guards the experiment",
            End::ModelFailed => "the model gave no usable answer",
            End::Unavailable => "a provider could not be asked",
            End::OverBudget => "what may be spent on it is spent",
            End::TooLong => "the notebook does not fit into a prompt",
        }
    }

    /// The row of the paper's Table 3 that takes the place of the last execution's outcome, where one does.
    #[must_use]
    pub const fn failure(self) -> Option<Failure> {
        match self {
            End::ModelFailed => Some(Failure::LlmFailed),
            End::Reproducible
            | End::FixesExhausted
            | End::NothingToPropose
            | End::Repeated
            | End::Refused
            | End::Unavailable
            | End::OverBudget
            | End::TooLong => None,
        }
    }
}
