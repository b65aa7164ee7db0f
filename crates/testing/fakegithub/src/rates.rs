//! The limits: a window an hour for all, one a minute for searches, and points a minute besides.

use std::collections::VecDeque;

use jiff::{SignedDuration, Timestamp};
use nbrevive_loopback::Reply;
use serde_json::json;

/// How many requests are allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HubLimits {
    /// An hour. Default 5,000.
    pub core: u64,
    /// Searches a minute. Default 30.
    pub search: u64,
    /// Of any kind in any minute, above which the secondary limit refuses. Default 900.
    pub points: usize,
    /// Whether that refusal says when to come again. Default yes.
    pub says_when: bool,
}

impl Default for HubLimits {
    fn default() -> Self {
        Self { core: 5_000, search: 30, points: 900, says_when: true }
    }
}

impl HubLimits {
    /// No limits.
    #[must_use]
    pub fn none() -> Self {
        Self { core: u64::MAX >> 1, search: u64::MAX >> 1, points: usize::MAX, says_when: true }
    }
}

/// A window, from its first request on.
#[derive(Debug, Clone, Copy)]
struct Window {
    until: Timestamp,
    used: u64,
}

/// What was used.
#[derive(Debug, Default)]
pub(crate) struct Rates {
    core: Option<Window>,
    search: Option<Window>,
    recent: VecDeque<Timestamp>,
}

/// How a request stands with its limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Count {
    resource: &'static str,
    limit: u64,
    used: u64,
    until: Timestamp,
    pub(crate) is_over: bool,
}

impl Rates {
    /// Whether the secondary limit refuses a request; it is counted all the same.
    pub(crate) fn is_too_fast(&mut self, now: Timestamp, limits: &HubLimits) -> bool {
        let minute = SignedDuration::from_secs(60);
        while self.recent.front().is_some_and(|first| now.duration_since(*first) >= minute) {
            self.recent.pop_front();
        }
        self.recent.push_back(now);
        self.recent.len() > limits.points
    }

    /// Counts a request, unless it is over the limit.
    pub(crate) fn count(&mut self, is_search: bool, now: Timestamp, limits: &HubLimits) -> Count {
        let (resource, slot, limit, seconds) = match is_search {
            true => ("search", &mut self.search, limits.search, 60),
            false => ("core", &mut self.core, limits.core, 3600),
        };
        let fresh = || Window {
            until: now.saturating_add(SignedDuration::from_secs(seconds)).unwrap_or(Timestamp::MAX),
            used: 0,
        };
        let mut window = slot.filter(|window| window.until > now).unwrap_or_else(fresh);
        let is_over = window.used >= limit;
        window.used += u64::from(!is_over);
        *slot = Some(window);
        Count { resource, limit, used: window.used, until: window.until, is_over }
    }

    /// Takes a request back: an answer 304 does not count.
    pub(crate) fn give_back(&mut self, is_search: bool) {
        let slot = if is_search { &mut self.search } else { &mut self.core };
        if let Some(window) = slot {
            window.used = window.used.saturating_sub(1);
        }
    }
}

impl Count {
    /// The answer with its headers.
    pub(crate) fn on(&self, reply: Reply) -> Reply {
        let remaining = self.limit.saturating_sub(self.used);
        reply
            .with("x-ratelimit-limit", &self.limit.to_string())
            .with("x-ratelimit-remaining", &remaining.to_string())
            .with("x-ratelimit-used", &self.used.to_string())
            .with("x-ratelimit-reset", &self.until.as_second().to_string())
            .with("x-ratelimit-resource", self.resource)
    }
}

/// The refusal of the primary limit.
pub(crate) fn primary() -> Reply {
    refused(403, "API rate limit exceeded for user ID 1.")
}

/// The refusal of a secondary limit.
pub(crate) fn secondary(retry_after: Option<u64>) -> Reply {
    let message = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.";
    let reply = refused(403, message);
    retry_after.map_or(reply.clone(), |seconds| reply.with("retry-after", &seconds.to_string()))
}

/// A refusal as the site words it.
pub(crate) fn refused(status: u16, message: &str) -> Reply {
    let documentation = "https://docs.github.com/rest";
    let body = json!({"message": message, "documentation_url": documentation, "status": status.to_string()});
    Reply::json(status, &body)
}
