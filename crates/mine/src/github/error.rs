//! What can go wrong between us and the host, by what to do about it.

use crate::api::ShapeError;
use crate::budget::BudgetError;
use crate::raw::RawError;
use crate::records::HostedState;

/// A request that brought nothing. `what` is the natural key of the request.
#[derive(Debug, thiserror::Error)]
pub enum HubError {
    /// The host does not know the token (401).
    #[error(
        "the token in {place} is not accepted: it may have ended; create a new one on your account's settings page"
    )]
    TokenWrong {
        /// The variable or file.
        place: String,
    },
    /// The host's own word on what was asked for: it is not there, is blocked, is empty.
    #[error("{what}: {state} ({status} {message})")]
    Settled {
        /// The request.
        what: String,
        /// What it means for a repository.
        state: HostedState,
        /// The status.
        status: u16,
        /// The host's message, made harmless.
        message: String,
    },
    /// The answer leads away to another host.
    #[error("{what}: the answer leads {to}: it is not followed")]
    LedAway {
        /// The request.
        what: String,
        /// Whereto, in words.
        to: String,
    },
    /// The host wants fewer requests, again and again.
    #[error(
        "{what}: the host asked {attempts} times in a row for fewer requests; run again later, or set a lower rate"
    )]
    RateLimited {
        /// The request.
        what: String,
        /// Tries made.
        attempts: u32,
    },
    /// The host is in trouble (5xx).
    #[error("{what}: the host answered {status} {attempts} times in a row; run again later")]
    Server {
        /// The request.
        what: String,
        /// The last status.
        status: u16,
        /// Tries made.
        attempts: u32,
    },
    /// No answer came, or it was cut short.
    #[error("{what}: no whole answer after {attempts} tries: {why}")]
    Unreachable {
        /// The request.
        what: String,
        /// The last failure.
        why: String,
        /// Tries made.
        attempts: u32,
    },
    /// A whole answer that cannot be read.
    #[error("{what}: the answer cannot be read: {why}")]
    Unreadable {
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
    /// The answer is longer than allowed.
    #[error("{what}: the answer is longer than {limit} bytes{}; raise the limit to have it", if *unpacked { " when unpacked" } else { "" })]
    TooLarge {
        /// The request.
        what: String,
        /// The limit.
        limit: u64,
        /// Whether it is so when unpacked.
        unpacked: bool,
    },
    /// The host refuses the request itself (other 4xx).
    #[error("{what}: refused with {status} {message}")]
    Refused {
        /// The request.
        what: String,
        /// The status.
        status: u16,
        /// The host's message.
        message: String,
    },
    /// Offline, and nothing usable is kept.
    #[error("{what}: no usable answer is kept, and the host may not be asked (replay)")]
    NotKept {
        /// The request.
        what: String,
    },
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

/// What an error is for the repository that was asked for.
pub(super) enum Bearing {
    /// Its state.
    State(HostedState),
    /// Its state, for now; it may be the host's fault: the run goes on unless this happens several times in a row.
    Doubt(HostedState),
    /// The run cannot go on.
    Run,
}

impl HubError {
    /// The natural key of the request, where it is about one.
    pub(super) fn what(&self) -> Option<&str> {
        match self {
            Self::Settled { what, .. }
            | Self::LedAway { what, .. }
            | Self::RateLimited { what, .. }
            | Self::Server { what, .. }
            | Self::Unreachable { what, .. }
            | Self::Unreadable { what, .. }
            | Self::Shape { what, .. }
            | Self::TooLarge { what, .. }
            | Self::Refused { what, .. }
            | Self::NotKept { what } => Some(what),
            Self::TokenWrong { .. } | Self::Budget(_) | Self::Raw(_) | Self::SetUp(_) => None,
        }
    }

    /// What it is for the repository that was asked for.
    pub(super) fn bearing(&self) -> Bearing {
        match self {
            Self::Settled { state, .. } => Bearing::State(*state),
            Self::LedAway { .. } => Bearing::State(HostedState::LedAway),
            Self::TooLarge { .. } => Bearing::State(HostedState::TooLarge),
            Self::NotKept { .. } | Self::Refused { .. } => Bearing::State(HostedState::Unanswered),
            Self::Server { .. } | Self::Unreachable { .. } => Bearing::Doubt(HostedState::Unanswered),
            Self::Unreadable { .. } | Self::Shape { .. } => Bearing::Doubt(HostedState::Unreadable),
            Self::TokenWrong { .. } | Self::RateLimited { .. } | Self::Budget(_) | Self::Raw(_) | Self::SetUp(_) => {
                Bearing::Run
            }
        }
    }
}
