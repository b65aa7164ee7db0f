//! Switches: what goes wrong, where, and how often.

use std::sync::{Mutex, MutexGuard};

use nbrevive_loopback::{Delivery, RandomStream, Reply, ReplyBody, lock, wrong_types};
use serde_json::json;

use crate::random::Purpose;
use crate::rates::{primary, refused, secondary};

/// A fault at an address.
#[derive(Debug, Clone, PartialEq)]
pub struct HubRule {
    /// What the target (path and query as sent) holds; empty for all.
    pub part: String,
    /// Requests that are left alone first.
    pub skip: u64,
    /// Requests that are disturbed after that.
    pub count: u64,
    /// The chance that one is disturbed, from 0 to 1; fixed by the world's seed and the rule's place.
    pub chance: f64,
    /// What happens.
    pub fault: HubFault,
}

/// What can go wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HubFault {
    /// 401, as for a token that has ended.
    BadToken,
    /// 403 by the primary limit, which says nothing of it in headers of its own: those of the answer tell it.
    Primary,
    /// 403 by a secondary limit.
    Secondary {
        /// Whether and what it says of when to come again.
        retry_after: Option<u64>,
    },
    /// 429 without a word.
    TooMany,
    /// A status from 500 on, with a page.
    ServerError {
        /// 500 to 599.
        status: u16,
    },
    /// 404 for what is there.
    NotFound,
    /// Status 200 with a page.
    HtmlInsteadOfJson,
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
    /// The body comes at so many bytes a second.
    SlowDrip(u64),
    /// Half of the body, announced as if it were all of it.
    Truncated,
    /// Values of the wrong types.
    WrongTypes,
    /// A search runs out of time: half of the results, and `incomplete_results`.
    OutOfTime,
    /// An archive of another commit.
    OtherCommit,
    /// 302 to another host.
    RedirectAway,
    /// 301 to itself.
    RedirectLoop,
    /// 304 to who did not ask for it.
    NotModified,
}

impl HubRule {
    /// A fault at every request whose target holds a text.
    #[must_use]
    pub fn always(part: &str, fault: HubFault) -> Self {
        Self { part: part.to_owned(), skip: 0, count: u64::MAX, chance: 1.0, fault }
    }

    /// A fault at the first requests whose targets hold a text.
    #[must_use]
    pub fn times(part: &str, count: u64, fault: HubFault) -> Self {
        Self { count, ..Self::always(part, fault) }
    }

    /// A fault at some of the requests whose targets hold a text.
    #[must_use]
    pub fn by_chance(part: &str, chance: f64, fault: HubFault) -> Self {
        Self { chance, ..Self::always(part, fault) }
    }
}

/// The rules in force, each with what it has seen.
#[derive(Debug, Default)]
pub(crate) struct Switchboard(Mutex<Vec<(HubRule, u64)>>);

impl Switchboard {
    fn lock(&self) -> MutexGuard<'_, Vec<(HubRule, u64)>> {
        lock(&self.0)
    }

    pub(crate) fn add(&self, rule: HubRule) {
        self.lock().push((rule, 0));
    }

    pub(crate) fn clear(&self) {
        self.lock().clear();
    }

    /// The fault of a request: the first that fires.
    pub(crate) fn fault(&self, target: &str, seed: u64) -> Option<HubFault> {
        let mut found = None;
        for (place, (rule, seen)) in self.lock().iter_mut().enumerate() {
            if found.is_some() || !target.contains(&rule.part) {
                continue;
            }
            let number = *seen;
            *seen += 1;
            let is_due = (rule.skip..rule.skip.saturating_add(rule.count)).contains(&number);
            if is_due && RandomStream::of(seed, Purpose::Fault, ((place as u64) << 40) + number).chance(rule.chance) {
                found = Some(rule.fault.clone());
            }
        }
        found
    }
}

impl HubFault {
    /// The answer that stands for the real one.
    pub(crate) fn instead(&self, url: &str, target: &str) -> Option<Reply> {
        Some(match self {
            Self::BadToken => refused(401, "Bad credentials"),
            Self::Primary => primary(),
            Self::Secondary { retry_after } => secondary(*retry_after),
            Self::TooMany => Reply::json(429, &json!({})),
            Self::ServerError { status } => Reply::html(*status, "<html><body>Unicorn!</body></html>"),
            Self::NotFound => refused(404, "Not Found"),
            Self::HtmlInsteadOfJson => Reply::html(200, "<!DOCTYPE html><html><body>Sign in</body></html>"),
            Self::RedirectAway => Reply::redirect("https://somebody.example/x"),
            Self::RedirectLoop => Reply::json(301, &json!({})).with("Location", &format!("{url}{target}")),
            Self::NotModified => Reply::new(304, "application/json", ""),
            _ => return None,
        })
    }

    /// What happens to an answer on its way.
    pub(crate) fn delivery(&self) -> Delivery {
        match self {
            Self::ResetInHeaders => Delivery::ResetInHeaders,
            Self::ResetInBody => Delivery::ResetInBody,
            Self::CutShort => Delivery::CutShort,
            Self::Stall => Delivery::Stall,
            Self::StallInBody => Delivery::StallInBody,
            Self::SlowDrip(rate) => Delivery::Drip((*rate).max(1)),
            _ => Delivery::Whole,
        }
    }

    /// The answer as the fault changes it.
    pub(crate) fn change(&self, mut reply: Reply) -> Reply {
        match self {
            Self::Truncated => {
                if let ReplyBody::Bytes(bytes) = &mut reply.body {
                    bytes.truncate(bytes.len() / 2);
                }
            }
            Self::WrongTypes => return reply.with_json(wrong_types),
            _ => {}
        }
        reply
    }
}
