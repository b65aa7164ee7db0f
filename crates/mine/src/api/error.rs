//! What can go wrong between us and the API, by what to do about it.

use super::shape::ShapeError;
use crate::budget::BudgetError;
use crate::raw::RawError;
use crate::records::{NameError, Slug};

/// A request that brought nothing. `what` is the natural key of the request.
#[derive(Debug, thiserror::Error)]
pub enum ApiError {
    /// The server does not know the credentials (401).
    #[error(
        "the Kaggle credentials in {place} are not accepted: create new ones on your Kaggle account's settings page"
    )]
    CredentialsWrong {
        /// The file or variable.
        place: String,
    },
    /// The competition's rules are not accepted (403).
    #[error(
        "the rules of competition `{competition}` are not accepted by this account: accept them on its page \
         (/competitions/{competition}/rules), then run again"
    )]
    RulesNotAccepted {
        /// The competition.
        competition: Slug,
    },
    /// There is nothing there for us: deleted, private, or never there (403, 404, 410).
    #[error("{what}: not available ({status} {message}); deleted and private notebooks answer so")]
    NotAvailable {
        /// The request.
        what: String,
        /// The status.
        status: u16,
        /// The server's message.
        message: String,
        /// Whether it was said often enough to be final (see [`Belief`](crate::raw::Belief)).
        final_word: bool,
    },
    /// The server wants fewer requests, again and again (429).
    #[error(
        "{what}: the server asked {attempts} times in a row for fewer requests; run again later, or set a lower rate"
    )]
    RateLimited {
        /// The request.
        what: String,
        /// Tries made.
        attempts: u32,
    },
    /// The server is in trouble (5xx).
    #[error("{what}: the server answered {status} {attempts} times in a row; run again later")]
    Server {
        /// The request.
        what: String,
        /// The last status.
        status: u16,
        /// Tries made.
        attempts: u32,
    },
    /// No answer came: no connection, reset, stalled.
    #[error("{what}: no answer after {attempts} tries: {why}")]
    Unreachable {
        /// The request.
        what: String,
        /// The last failure.
        why: String,
        /// Tries made.
        attempts: u32,
    },
    /// Answers ended before their time.
    #[error("{what}: the answer was cut short {attempts} times in a row: {why}")]
    Truncated {
        /// The request.
        what: String,
        /// The last failure.
        why: String,
        /// Tries made.
        attempts: u32,
    },
    /// The answer cannot be parsed at all: no JSON, or no archive with a table.
    #[error("{what}: the answer cannot be read: {why}; it is kept in the raw store")]
    NotJson {
        /// The request.
        what: String,
        /// What is wrong.
        why: String,
    },
    /// The answer has another shape than the API's.
    #[error("{what}: {source}; the answer is kept in the raw store")]
    Shape {
        /// The request.
        what: String,
        /// The field.
        source: ShapeError,
    },
    /// The server refuses the request itself (other 4xx).
    #[error("{what}: refused with {status} {message}")]
    Refused {
        /// The request.
        what: String,
        /// The status.
        status: u16,
        /// The server's message.
        message: String,
    },
    /// The answer is longer than allowed.
    #[error("{what}: the answer is longer than {limit} bytes; raise the limit to have it")]
    TooLarge {
        /// The request.
        what: String,
        /// The limit.
        limit: u64,
        /// Whether it was so often enough to be final (see [`Belief`](crate::raw::Belief)).
        final_word: bool,
    },
    /// Offline, and nothing usable is kept.
    #[error("{what}: no usable answer is kept, and the server may not be asked (replay)")]
    NotKept {
        /// The request.
        what: String,
    },
    /// The item stands on a take-down list.
    #[error("{item} was taken down: it is not fetched")]
    TakenDown {
        /// The item.
        item: String,
    },
    /// The server gave the current version when it was asked for another, as it did to the official client before 2.2.5, or the
    /// two are equal to the last byte: which of them is not known.
    #[error(
        "{what}: the answer is that of the current version to the last byte, so it may not be the version asked for"
    )]
    SameVersion {
        /// The notebook and version.
        what: String,
    },
    /// This generation of the API has no such request.
    #[error("{what}: the older generation of the API only gives the current version")]
    OldVersions {
        /// The notebook and version.
        what: String,
    },
    /// A name is none.
    #[error(transparent)]
    Name(#[from] NameError),
    /// The budget allows no request.
    #[error(transparent)]
    Budget(#[from] BudgetError),
    /// The raw store cannot be used.
    #[error(transparent)]
    Raw(#[from] RawError),
    /// The HTTP client cannot be set up.
    #[error("the HTTP client cannot be set up: {0}")]
    SetUp(String),
}

/// How far the harm of an error goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Harm {
    /// One item, by its own fault: the run goes on.
    Item,
    /// One item, perhaps by the server's fault: the run goes on unless this happens several times in a row.
    Doubt,
    /// Everything of one competition.
    Competition,
    /// The whole run.
    Run,
}

impl ApiError {
    /// Whether the server's word may not be its last: another run asks again.
    #[must_use]
    pub fn is_unsure(&self) -> bool {
        matches!(self, Self::NotAvailable { final_word: false, .. } | Self::TooLarge { final_word: false, .. })
    }

    /// How far the harm goes.
    #[must_use]
    pub fn harm(&self) -> Harm {
        match self {
            Self::NotAvailable { .. }
            | Self::TooLarge { .. }
            | Self::NotKept { .. }
            | Self::TakenDown { .. }
            | Self::OldVersions { .. }
            | Self::SameVersion { .. }
            | Self::Name(_)
            | Self::Refused { .. } => Harm::Item,
            Self::Server { .. }
            | Self::Unreachable { .. }
            | Self::Truncated { .. }
            | Self::NotJson { .. }
            | Self::Shape { .. } => Harm::Doubt,
            Self::RulesNotAccepted { .. } => Harm::Competition,
            Self::CredentialsWrong { .. }
            | Self::RateLimited { .. }
            | Self::Budget(_)
            | Self::Raw(_)
            | Self::SetUp(_) => Harm::Run,
        }
    }
}
