//! What comes back: a text, and what it costs.

use serde::{Deserialize, Serialize};

use crate::Money;

/// Numbers of tokens above this are not believed; the largest context windows have some millions.
pub const MOST_TOKENS: u64 = 1_000_000_000;

/// Tokens of one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct TokenUsage {
    /// Input, with what came from the cache.
    pub input: u64,
    /// Of the input: read from the provider's cache.
    pub cached_input: u64,
    /// Of the input: written to the provider's cache, where that has its own price.
    #[serde(default)]
    pub cache_write: u64,
    /// Output, with the reasoning that is not shown.
    pub output: u64,
    /// Of the output: reasoning.
    pub reasoning: u64,
}

impl TokenUsage {
    /// Whether the numbers can be true: parts are not larger than their wholes, and nothing is absurd.
    #[must_use]
    pub fn is_possible(&self) -> bool {
        self.input <= MOST_TOKENS
            && self.output <= MOST_TOKENS
            && self.reasoning <= self.output
            && self.cached_input.saturating_add(self.cache_write) <= self.input
    }
}

/// Where the numbers of tokens come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UsageSource {
    /// The provider said so.
    Reported,
    /// Counted here, because the provider said nothing that can be believed.
    Counted,
}

impl UsageSource {
    /// The spelling in the ledger.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Reported => "reported",
            Self::Counted => "counted",
        }
    }
}

/// What is known about the cost of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerBill {
    /// Nothing is owed: the request never arrived, or was turned down.
    Nothing,
    /// The provider reported these tokens.
    Reported(TokenUsage),
    /// Perhaps something is owed, nobody knows what: counts as the worst case. The tokens were counted here, if at all.
    Unknown(Option<TokenUsage>),
    /// The cost is in the record that is replayed.
    Recorded {
        /// The tokens as recorded.
        usage: Option<TokenUsage>,
        /// Where they came from.
        source: UsageSource,
        /// What counted for it at the time.
        cost: Money,
        /// Whether that was the worst case, because the provider reported more.
        is_disputed: bool,
    },
}

impl AnswerBill {
    /// The tokens, as far as they are known, and who counted them.
    #[must_use]
    pub fn usage(&self) -> Option<(TokenUsage, UsageSource)> {
        match *self {
            Self::Nothing => None,
            Self::Reported(usage) => Some((usage, UsageSource::Reported)),
            Self::Unknown(usage) => usage.map(|usage| (usage, UsageSource::Counted)),
            Self::Recorded { usage, source, .. } => usage.map(|usage| (usage, source)),
        }
    }
}

/// An answer that is whole.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelAnswer {
    /// The text, byte for byte.
    pub text: String,
    /// Why the model stopped, in the provider's word.
    pub finish: String,
    /// The model that answered, as it names itself.
    pub model: Option<String>,
    /// The provider's name for the request.
    pub request_id: Option<String>,
    /// What it costs.
    pub bill: AnswerBill,
    /// Requests that were sent for it, those that were turned down included.
    pub attempts: u32,
}
