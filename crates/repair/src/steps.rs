//! What the loop writes down: its steps, the patches that it refused, and why it stopped.

use nbrevive_corpus::FlowState;
use serde::{Deserialize, Serialize};

use crate::{AppliedRule, Breach, Finding, FixType, QuestionAccount};

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
    pub led_to: FlowState,
    /// The score after the fix.
    pub score: Option<f64>,
    /// What was executed: a hash of the code without comments and layout, hexadecimal.
    pub code: String,
    /// How it failed: a hash over errors, ending and score, hexadecimal. A state of the loop is this with [`Fix::code`].
    pub failure: String,
    /// What rules had changed besides and was taken back, since a cell that ran before raised for its sake.
    #[serde(default)]
    pub taken_back: Vec<AppliedRule>,
    /// Whether all that it does is to restore old behaviours as a whole, where nothing finer acts.
    #[serde(default)]
    pub is_switch: bool,
    /// Which of the loop's executions is that of the version with this fix, counted from 1.
    #[serde(default)]
    pub execution: usize,
    /// The dialogue with a model that led here; `None` for rules.
    pub account: Option<QuestionAccount>,
}

/// A patch that was not executed, because it broke a rule that guards the experiment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RefusedFix {
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
    pub account: QuestionAccount,
}

impl RefusedFix {
    /// The first rule that the patch broke.
    #[must_use]
    pub fn breach(&self) -> Option<Breach> {
        self.findings.first().map(|finding| finding.breach)
    }
}
