//! Switches: what goes wrong, where, and how often.
//!
//! Rules are tried in the order in which they were added. A rule whose fault takes the place of the answer ends the search;
//! all others that fire work together (an endless list that drips slowly, say). The control address is never disturbed.

mod switchboard;
mod transform;

pub(crate) use switchboard::{Effects, Switchboard};
pub(crate) use transform::transform;

use serde::{Deserialize, Serialize};

/// A fault at an address.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FaultRule {
    /// How the target (path and query as sent) starts; empty for all.
    #[serde(default)]
    pub path: String,
    /// `GET` or `POST`; `None` (the default) for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// How often; default always.
    #[serde(default)]
    pub when: When,
    /// What happens.
    pub fault: Fault,
}

impl FaultRule {
    /// A fault at every request whose target starts with a path.
    pub fn always(path: &str, fault: Fault) -> Self {
        Self { path: path.to_owned(), method: None, when: When::Always, fault }
    }

    /// A fault at the first requests whose targets start with a path.
    pub fn times(path: &str, count: u64, fault: Fault) -> Self {
        Self { path: path.to_owned(), method: None, when: When::Times { skip: 0, count }, fault }
    }
}

/// Which of the requests that a rule's path matches are disturbed, counted for each rule.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum When {
    /// All.
    #[default]
    Always,
    /// So many after the first so many.
    Times {
        /// Left alone first; default 0.
        #[serde(default)]
        skip: u64,
        /// Disturbed after that.
        count: u64,
    },
    /// Each with a probability from 0 to 1; which ones is fixed by the world's seed and the rule's number.
    Chance {
        /// From 0 to 1.
        probability: f64,
    },
    /// The first `length` of every `every` requests.
    Burst {
        /// Length of a round, at least 1.
        every: u64,
        /// Disturbed at the start of each round.
        length: u64,
    },
}

/// The header `Retry-After` of an answer 429.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RetryAfter {
    /// No header.
    None,
    /// So many seconds.
    Seconds(u64),
    /// An HTTP date so many seconds ahead.
    Date(u64),
}

/// What can go wrong.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Fault {
    /// 401, as for a wrong key.
    Unauthorized,
    /// 403 with the text given, else `Permission 'kernels.get' was denied`.
    Forbidden {
        /// The text; default as above.
        #[serde(default)]
        message: Option<String>,
    },
    /// 403 with the text for rules that were not accepted.
    RulesNotAccepted,
    /// 404.
    NotFound,
    /// 429 in the form of the address's generation.
    TooManyRequests {
        /// Whether and how the answer says when to come again.
        retry_after: RetryAfter,
    },
    /// A status from 500 on, with a page of the front proxy.
    ServerError {
        /// 500 to 599.
        status: u16,
    },
    /// Status 200 with a body whose `code` is an error's: official clients look for it.
    StatusInBody {
        /// The code in the body, for example 403.
        status: u16,
    },
    /// Status 200 with a page that checks the browser, whatever was asked for.
    HtmlInsteadOfJson,
    /// A redirect to the sign-in page (pages) or a refusal (internal service), unless the session's cookie is sent.
    LoginWall,
    /// The connection is reset after a part of the head.
    ResetInHeaders,
    /// The connection is reset after half of the body.
    ResetInBody,
    /// The connection is closed in order, but after half of the announced body.
    CutShort,
    /// No byte ever comes.
    Stall,
    /// The head and half of the body come, then nothing.
    StallInBody,
    /// The body comes slowly.
    SlowDrip {
        /// More than 0.
        bytes_per_second: u64,
    },
    /// Half of the JSON, announced as if it were all of it.
    TruncatedJson,
    /// Values of the wrong types: texts become numbers, numbers and booleans texts.
    WrongTypes,
    /// Pages with other marks, and an internal service with other field names.
    ChangedLayout,
    /// Pages of the generation before 2023: the state is in the page, in `Kaggle.State.push(...)`.
    EmbeddedState,
    /// Pages under a cookie banner and a sign-in window that lie over everything and swallow clicks.
    Overlay,
    /// Lists begin again after the last page, for ever.
    EndlessPages,
    /// Each page begins with the last two items of the page before it.
    DuplicatedPages,
    /// Full pages change places in pairs, and their items are shuffled.
    ReorderedPages,
    /// Lists hold one more item, whose slug is `../../etc/passwd`.
    HostileSlug,
    /// The source is a document of this size, made while it is sent.
    HugeNotebook {
        /// About so many bytes; the real thing has 200 million.
        bytes: u64,
        /// Whether the length stays unsaid (the body comes in chunks); default no.
        #[serde(default)]
        is_chunked: bool,
    },
}

impl Fault {
    /// One of each kind, of a size that a test can wait for: to switch on in turn.
    pub fn every() -> Vec<Self> {
        vec![
            Self::Unauthorized,
            Self::Forbidden { message: None },
            Self::RulesNotAccepted,
            Self::NotFound,
            Self::TooManyRequests { retry_after: RetryAfter::None },
            Self::TooManyRequests { retry_after: RetryAfter::Seconds(1) },
            Self::TooManyRequests { retry_after: RetryAfter::Date(1) },
            Self::ServerError { status: 500 },
            Self::StatusInBody { status: 403 },
            Self::HtmlInsteadOfJson,
            Self::LoginWall,
            Self::ResetInHeaders,
            Self::ResetInBody,
            Self::CutShort,
            Self::Stall,
            Self::StallInBody,
            Self::SlowDrip { bytes_per_second: 20_000 },
            Self::TruncatedJson,
            Self::WrongTypes,
            Self::ChangedLayout,
            Self::EmbeddedState,
            Self::Overlay,
            Self::EndlessPages,
            Self::DuplicatedPages,
            Self::ReorderedPages,
            Self::HostileSlug,
            Self::HugeNotebook { bytes: 200_000_000, is_chunked: false },
            Self::HugeNotebook { bytes: 200_000_000, is_chunked: true },
        ]
    }
}

/// Which generation of pages and internal objects is served.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Layout {
    /// An empty page that asks the internal service.
    #[default]
    Current,
    /// The state in the page.
    Embedded,
    /// Other marks and names than are known.
    Changed,
}

/// What lists do wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Quirks {
    pub(crate) is_endless: bool,
    pub(crate) is_duplicated: bool,
    pub(crate) is_reordered: bool,
}

#[cfg(test)]
mod tests;
