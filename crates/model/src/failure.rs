//! Every way in which a call does not end in an answer.

use serde::{Deserialize, Serialize};

use crate::{AnswerBill, PromptHash};

/// Why there is no answer. The texts of providers are cut to some hundred characters and hold no key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum ModelFailure {
    /// A filter of the provider stopped the prompt or the answer.
    #[error("the provider's content filter stopped the call: {message}; the prompt has to change")]
    ContentFilter {
        /// What the provider said.
        message: String,
    },
    /// The prompt and the answer do not fit into the model's context window.
    #[error("the prompt does not fit into the model's context window: {message}; shorten it, or take a larger model")]
    ContextOverflow {
        /// What the provider said.
        message: String,
    },
    /// The model refused.
    #[error("the model refused: {message}")]
    Refusal {
        /// The model's words.
        message: String,
    },
    /// The answer was cut at the limit of output tokens.
    #[error("the answer was cut at the limit of {limit} output tokens; raise the limit, or ask for less")]
    Truncated {
        /// The limit.
        limit: u32,
        /// What came.
        partial: String,
    },
    /// The key was refused, or is not allowed to do this.
    #[error("the provider refused the key (status {status}): {message}; check the variable that holds the key")]
    Authentication {
        /// Status of HTTP.
        status: u16,
        /// What the provider said.
        message: String,
    },
    /// The account has no credit left.
    #[error("the account's quota is used up: {message}; add credit or raise its limit, then run again")]
    Quota {
        /// What the provider said.
        message: String,
    },
    /// Too many requests, more often or for longer than we wait.
    #[error(
        "the provider asks to slow down, after {attempts} requests: {message}; run again later, or with fewer at once"
    )]
    RateLimited {
        /// Requests that were sent.
        attempts: u32,
        /// Seconds that the provider asked to wait last, if it said.
        retry_after: Option<u64>,
        /// What the provider said.
        message: String,
    },
    /// The model's name is not known there.
    #[error("the provider does not know this model: {message}; check the model's name")]
    UnknownModel {
        /// What the provider said.
        message: String,
    },
    /// The request is not as the provider wants it.
    #[error(
        "the provider did not accept the request (status {status}): {message}; check the protocol and the settings"
    )]
    BadRequest {
        /// Status of HTTP.
        status: u16,
        /// What the provider said.
        message: String,
    },
    /// The provider's own trouble.
    #[error("the provider failed (status {status}): {message}; run again later")]
    Server {
        /// Status of HTTP.
        status: u16,
        /// What the provider said.
        message: String,
    },
    /// A redirect, which is not followed: the key is for one host.
    #[error(
        "the endpoint redirects to {to}, which is not followed because the key is for one host; set that address if you trust it"
    )]
    Redirected {
        /// Scheme and host of the other place.
        to: String,
    },
    /// The answer is not what the protocol says.
    #[error("the answer cannot be read: {reason}; check that the endpoint speaks the protocol that is set")]
    Malformed {
        /// What is wrong.
        reason: String,
    },
    /// The answer is no JSON.
    #[error("the answer is `{content_type}` and not JSON; check the endpoint's address")]
    WrongContentType {
        /// What it is.
        content_type: String,
    },
    /// The answer is larger than allowed.
    #[error("the answer is larger than {limit} bytes; raise the limit if that can be right")]
    TooLarge {
        /// The limit.
        limit: u64,
    },
    /// No whole answer in time.
    #[error("no whole answer after {seconds} s; raise the time limit, or try again")]
    TimedOut {
        /// The time limit.
        seconds: u64,
    },
    /// No connection, or it broke.
    #[error("the connection failed: {reason}; check the address and the network")]
    Connection {
        /// What happened.
        reason: String,
        /// Whether the request may have arrived.
        may_have_arrived: bool,
    },
    /// The record has no answer to this prompt.
    #[error(
        "the record {place} has no answer to prompt {hash} (time {} that {asker} asks it); \
         run the study with a model once and record it, or take the record that belongs to this study", occurrence + 1
    )]
    NotRecorded {
        /// The record.
        place: String,
        /// The prompt's hash.
        hash: PromptHash,
        /// Who asks.
        asker: String,
        /// How often it asked before.
        occurrence: u32,
    },
    /// A folder or file could not be used.
    #[error("{place}: {reason}; check the folder's permissions and space")]
    Storage {
        /// The file.
        place: String,
        /// What went wrong.
        reason: String,
    },
}

impl ModelFailure {
    /// The spelling in ledger and tables.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::ContentFilter { .. } => "content-filter",
            Self::ContextOverflow { .. } => "context-overflow",
            Self::Refusal { .. } => "refusal",
            Self::Truncated { .. } => "truncated",
            Self::Authentication { .. } => "authentication",
            Self::Quota { .. } => "quota",
            Self::RateLimited { .. } => "rate-limited",
            Self::UnknownModel { .. } => "unknown-model",
            Self::BadRequest { .. } => "bad-request",
            Self::Server { .. } => "server",
            Self::Redirected { .. } => "redirected",
            Self::Malformed { .. } => "malformed",
            Self::WrongContentType { .. } => "wrong-content-type",
            Self::TooLarge { .. } => "too-large",
            Self::TimedOut { .. } => "timed-out",
            Self::Connection { .. } => "connection",
            Self::NotRecorded { .. } => "not-recorded",
            Self::Storage { .. } => "storage",
        }
    }

    /// Whether the same request may succeed later: worth another try of its own.
    #[must_use]
    pub fn is_passing(&self) -> bool {
        match self {
            Self::RateLimited { .. }
            | Self::Server { .. }
            | Self::TimedOut { .. }
            | Self::Connection { .. }
            | Self::Malformed { .. } => true,
            Self::ContentFilter { .. }
            | Self::ContextOverflow { .. }
            | Self::Refusal { .. }
            | Self::Truncated { .. }
            | Self::Authentication { .. }
            | Self::Quota { .. }
            | Self::UnknownModel { .. }
            | Self::BadRequest { .. }
            | Self::Redirected { .. }
            | Self::WrongContentType { .. }
            | Self::TooLarge { .. }
            | Self::NotRecorded { .. }
            | Self::Storage { .. } => false,
        }
    }

    /// Whether the failure is the model's word on this prompt, so that a run that resumes does not pay for it again.
    #[must_use]
    pub fn is_final(&self) -> bool {
        matches!(
            self,
            Self::ContentFilter { .. } | Self::ContextOverflow { .. } | Self::Refusal { .. } | Self::Truncated { .. }
        )
    }
}

/// A call that did not end in an answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{failure}")]
pub struct ModelError {
    /// Why.
    pub failure: Box<ModelFailure>,
    /// What is owed for it.
    pub bill: AnswerBill,
    /// Requests that were sent.
    pub attempts: u32,
}

impl ModelError {
    /// A failure for which nothing is owed.
    pub(crate) fn free(failure: ModelFailure) -> Self {
        Self { failure: Box::new(failure), bill: AnswerBill::Nothing, attempts: 0 }
    }
}
