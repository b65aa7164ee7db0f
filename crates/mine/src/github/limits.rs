//! What an answer says of the host's limits: how many requests are left, until when, and whether this one was too many.
//!
//! By the host's documentation ("Rate limits for the REST API"): the headers `x-ratelimit-remaining` and
//! `x-ratelimit-reset` tell of the primary limit. A refusal by it, or by a secondary limit, is 403 or 429; who gets one
//! waits as long as `retry-after` says, else until the reset where nothing is left, else a minute that doubles.

use std::time::Duration;

use jiff::Timestamp;
use jiff::fmt::rfc2822;
use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};
use serde_json::Value;

use crate::answers::Hold;
use crate::budget::{retry_after, until};

/// The least wait after a secondary limit that says nothing.
const A_MINUTE: Duration = Duration::from_secs(60);
/// The reset is told in whole seconds.
const A_SECOND: Duration = Duration::from_secs(1);
/// Doublings of that minute at most.
const DOUBLINGS: u32 = 6;

/// Which of the host's limits a request counts against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Resource {
    Core,
    Search,
    /// Downloads of archives, which have no limit that is told.
    Archive,
}

impl Resource {
    pub(super) const ALL: [Self; 3] = [Self::Core, Self::Search, Self::Archive];

    /// What it adds to the host's name in the budget.
    pub(super) fn suffix(self) -> &'static str {
        match self {
            Self::Core => "",
            Self::Search => "-search",
            Self::Archive => "-archive",
        }
    }
}

/// What the headers say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Headroom {
    retry_after: Option<Duration>,
    remaining: Option<u64>,
    /// Until the limit is set back.
    reset: Option<Duration>,
}

impl Headroom {
    /// Reads the headers. The wait for the reset is counted on the host's own clock where it tells the time.
    pub(super) fn of(headers: &HeaderMap, now: Timestamp) -> Self {
        let text = |name: &str| headers.get(name)?.to_str().ok();
        let date = headers.get(DATE).and_then(|date| date.to_str().ok());
        let there = date.and_then(|date| rfc2822::DateTimeParser::new().parse_timestamp(date).ok()).unwrap_or(now);
        let reset = text("x-ratelimit-reset").and_then(|text| text.trim().parse().ok());
        let reset = reset.and_then(|second| Timestamp::from_second(second).ok());
        Self {
            retry_after: headers.get(RETRY_AFTER).and_then(|value| retry_after(value.to_str().ok()?, there)),
            remaining: text("x-ratelimit-remaining").and_then(|text| text.trim().parse().ok()),
            reset: reset.map(|reset| until(there, reset).saturating_add(A_SECOND)),
        }
    }

    /// How long nobody may ask now, because this answer was the last of its time.
    pub(super) fn is_used_up(&self) -> Option<Duration> {
        self.reset.filter(|_| self.remaining == Some(0))
    }

    /// The wait that a refusal asks for, if it is one by a limit: the `failed`-th in a row.
    pub(super) fn wait(&self, status: u16, message: &str, failed: u32) -> Option<Wait> {
        let message = message.to_lowercase();
        let says_so = message.contains("rate limit") || message.contains("abuse detection");
        let is_limit = match status {
            429 => true,
            403 => says_so || self.retry_after.is_some() || self.remaining == Some(0),
            _ => false,
        };
        if !is_limit {
            return None;
        }
        let is_secondary = message.contains("secondary") || message.contains("abuse") || self.remaining != Some(0);
        let doubled = A_MINUTE.saturating_mul(1 << failed.saturating_sub(1).min(DOUBLINGS));
        let time = self.retry_after.or(self.is_used_up()).unwrap_or(doubled);
        Some(Wait { time, is_secondary })
    }
}

/// How long to wait, and for what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wait {
    pub(super) time: Duration,
    /// A secondary limit is one for everything that is asked.
    pub(super) is_secondary: bool,
}

impl From<Wait> for Hold {
    fn from(wait: Wait) -> Self {
        Self { time: Some(wait.time), is_secondary: wait.is_secondary }
    }
}

/// Whether a body says that the host blocks a repository: it has an object `block` with the reason.
pub(super) fn block_reason(body: &Value) -> Option<String> {
    let reason = body["block"]["reason"].as_str();
    let says_so = body["message"].as_str().is_some_and(|message| message.to_lowercase().contains("access blocked"));
    (reason.is_some() || says_so).then(|| reason.unwrap_or("no reason told").to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use reqwest::header::{HeaderName, HeaderValue};

    use super::*;

    fn headroom(pairs: &[(&str, &str)]) -> Headroom {
        let header =
            |(name, value): &(&str, &str)| (name.parse::<HeaderName>().unwrap(), HeaderValue::from_str(value).unwrap());
        Headroom::of(&pairs.iter().map(header).collect(), Timestamp::from_second(1000).unwrap())
    }

    fn seconds(wait: Option<Wait>) -> Option<u64> {
        wait.map(|wait| wait.time.as_secs())
    }

    #[test]
    fn a_primary_limit_is_waited_for_until_its_reset() {
        let used = headroom(&[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "1030")]);
        assert_eq!(used.is_used_up(), Some(Duration::from_secs(31)));
        let wait = used.wait(403, "API rate limit exceeded for user ID 1.", 1).unwrap();
        assert_eq!((wait.time.as_secs(), wait.is_secondary), (31, false));
        let left = headroom(&[("x-ratelimit-remaining", "7"), ("x-ratelimit-reset", "1030")]);
        assert_eq!((left.is_used_up(), left.wait(403, "Forbidden", 1)), (None, None));
    }

    #[test]
    fn a_secondary_limit_says_how_long_or_is_given_a_minute_that_doubles() {
        let message = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.";
        assert_eq!(seconds(headroom(&[("retry-after", "7")]).wait(403, message, 3)), Some(7));
        let silent: Vec<_> = (1..5).map(|failed| seconds(headroom(&[]).wait(403, message, failed))).collect();
        assert_eq!(silent, [Some(60), Some(120), Some(240), Some(480)]);
        assert_eq!(seconds(headroom(&[]).wait(429, "", 1)), Some(60));
        assert!(headroom(&[]).wait(403, message, 1).unwrap().is_secondary);
    }

    #[test]
    fn the_hosts_clock_counts_where_it_tells_the_time() {
        let date = ("date", "Thu, 01 Jan 1970 01:00:00 GMT");
        let ahead = headroom(&[date, ("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "3630")]);
        assert_eq!(ahead.is_used_up(), Some(Duration::from_secs(31)));
    }

    #[test]
    fn a_block_is_told_from_a_limit() {
        let blocked = serde_json::json!({"message": "Repository access blocked", "block": {"reason": "tos"}});
        assert_eq!(block_reason(&blocked).as_deref(), Some("tos"));
        assert_eq!(block_reason(&serde_json::json!({"message": "Not Found"})), None);
        assert_eq!(headroom(&[]).wait(403, "Repository access blocked", 1), None);
    }

    proptest! {
        #[test]
        fn no_header_does_harm(value in "[ -~]{0,30}", status: u16, message in "\\PC{0,40}", failed: u32) {
            let found = headroom(&[
                ("retry-after", &value), ("x-ratelimit-remaining", &value), ("x-ratelimit-reset", &value), ("date", &value),
            ]);
            let _ = (found.is_used_up(), found.wait(status, &message, failed));
        }
    }
}
