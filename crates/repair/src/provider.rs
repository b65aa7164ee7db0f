//! Who proposes a patch: one interface for rules, language models and people.

use std::collections::BTreeSet;

use nbrevive_rules::Rules;

use crate::{Breach, Feedback, Proposal, Proposer, QuestionAccount};

/// Why a provider could not answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    /// The provider cannot be asked at present (no endpoint, no answer in time, a refused key).
    #[error("provider `{provider}` is not available: {reason}")]
    Unavailable {
        /// The provider's name.
        provider: &'static str,
        /// What stands in the way, and what to do.
        reason: String,
    },
    /// The provider answered outside of the plan and patch protocol.
    #[error("provider `{provider}` broke the patch protocol: {reason}")]
    Protocol {
        /// The provider's name.
        provider: &'static str,
        /// What is wrong with the answer.
        reason: String,
    },
    /// The provider's program is not there and cannot be had: the loop goes on as if it had nothing to propose.
    #[error("provider `{provider}` is left out: {reason}")]
    Missing {
        /// The provider's name.
        provider: &'static str,
        /// What is missing, and why.
        reason: String,
    },
    /// The notebook does not fit into a question (paper, section 4: excluded for its length).
    #[error("provider `{provider}` has no question that fits: {reason}")]
    TooLong {
        /// The provider's name.
        provider: &'static str,
        /// What it has and what is allowed.
        reason: String,
    },
    /// The question would cost more than may be spent on this notebook.
    #[error("provider `{provider}` was not asked, for the money: {reason}")]
    OverBudget {
        /// The provider's name.
        provider: &'static str,
        /// The cap, and what is left of it.
        reason: String,
    },
    /// Every patch that the provider had broke a rule that guards the experiment.
    #[error("provider `{provider}` proposed only what is refused: {reason}")]
    Refused {
        /// The provider's name.
        provider: &'static str,
        /// The rule that the last patch broke.
        breach: Breach,
        /// Where, in words.
        reason: String,
    },
}

impl ProviderError {
    /// What the loop comes to when nobody else has a proposal; `None` when it is as if this provider had not been named.
    pub(crate) fn end(&self) -> Option<crate::LoopEnd> {
        match self {
            Self::Missing { .. } => None,
            Self::Unavailable { .. } => Some(crate::LoopEnd::Unavailable),
            Self::Protocol { .. } => Some(crate::LoopEnd::ModelFailed),
            Self::TooLong { .. } => Some(crate::LoopEnd::TooLong),
            Self::OverBudget { .. } => Some(crate::LoopEnd::OverBudget),
            Self::Refused { .. } => Some(crate::LoopEnd::Refused),
        }
    }
}

/// A source of patches.
pub trait PatchProvider {
    /// The name under which its fixes are recorded, such as `rules`.
    fn name(&self) -> &'static str;

    /// Its kind, by which [`crate::ProposerOrder`] names it.
    fn proposer(&self) -> Proposer {
        Proposer::Model
    }

    /// The next patch for a notebook that is not reproducible yet; `None` when there is nothing (more) to propose.
    ///
    /// # Errors
    ///
    /// [`ProviderError`] when the provider cannot answer; the workflow then asks the next one.
    fn propose(&mut self, feedback: &Feedback<'_>) -> Result<Option<Proposal>, ProviderError>;

    /// What it proposes when the part of these rules is left out: asked after a proposal was refused for their sake.
    /// `None` for providers that go by no rules.
    ///
    /// # Errors
    ///
    /// As [`PatchProvider::propose`].
    fn propose_without(
        &mut self,
        _feedback: &Feedback<'_>,
        _rules: &BTreeSet<String>,
    ) -> Result<Option<Proposal>, ProviderError> {
        Ok(None)
    }

    /// What the questions behind the last call of [`PatchProvider::propose`] came to, whether it had a proposal or not.
    /// Taken once; `None` for providers that ask nobody.
    fn take_account(&mut self) -> Option<QuestionAccount> {
        None
    }
}

/// The provider that costs nothing.
impl PatchProvider for Rules {
    fn name(&self) -> &'static str {
        "rules"
    }

    fn proposer(&self) -> Proposer {
        Proposer::Rules
    }

    fn propose(&mut self, feedback: &Feedback<'_>) -> Result<Option<Proposal>, ProviderError> {
        Ok(Rules::propose(*self, feedback))
    }

    fn propose_without(
        &mut self,
        feedback: &Feedback<'_>,
        rules: &BTreeSet<String>,
    ) -> Result<Option<Proposal>, ProviderError> {
        Ok(Rules::propose_without(*self, feedback, rules))
    }
}
