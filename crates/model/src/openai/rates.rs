//! How fast an endpoint is asked: each request takes its part of a minute.

use std::time::{Duration, Instant};

use crate::ModelPrompt;

/// What a provider takes in a minute. `None`, the default, is no limit.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RateLimits {
    /// Requests.
    pub requests: Option<f64>,
    /// Tokens: those of the prompt, and all that the answer may have.
    pub tokens: Option<f64>,
}

impl RateLimits {
    /// This part of them, from 0 to 1.
    #[must_use]
    pub fn share(self, part: f64) -> Self {
        let of = |limit: Option<f64>| limit.map(|limit| limit * part);
        Self { requests: of(self.requests), tokens: of(self.tokens) }
    }

    /// Whether there is any.
    #[must_use]
    pub fn is_limited(self) -> bool {
        self.requests.is_some() || self.tokens.is_some()
    }

    /// The part of the time that a request takes; a day at most, as with a limit of nothing.
    fn takes(self, prompt: &ModelPrompt) -> Duration {
        if !self.is_limited() {
            return Duration::ZERO;
        }
        let tokens = prompt.input_tokens().expected.saturating_add(u64::from(prompt.max_output_tokens));
        let minutes = |count: f64, limit: Option<f64>| limit.map_or(0.0, |limit| count / limit);
        let minutes = minutes(1.0, self.requests).max(minutes(tokens as f64, self.tokens));
        Duration::from_secs_f64((minutes * 60.0).clamp(0.0, 86_400.0))
    }

    /// How long a request waits for its turn, of which `next` is the first that is free; the next one's is later by what it takes.
    pub(super) fn turn(self, prompt: &ModelPrompt, next: &mut Option<Instant>, now: Instant) -> Duration {
        let turn = next.map_or(now, |next| next.max(now));
        *next = turn.checked_add(self.takes(prompt));
        turn.saturating_duration_since(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::prompt;

    #[test]
    fn no_minute_has_more_requests_or_tokens_than_it_may() {
        let (asked, now) = (prompt("x"), Instant::now());
        let tokens = asked.input_tokens().expected as f64 + 1_000.0;
        let seconds = |limits: RateLimits, count: usize| {
            let mut next = None;
            (0..count).map(|_| limits.turn(&asked, &mut next, now)).collect::<Vec<_>>()[count - 1].as_secs_f64()
        };
        let requests = RateLimits { requests: Some(30.0), ..RateLimits::default() };
        assert_eq!(seconds(RateLimits::default(), 99), 0.0);
        assert_eq!(seconds(requests, 1), 0.0, "the first one waits for nobody");
        assert_eq!(seconds(requests, 31), 60.0);
        assert_eq!(seconds(requests.share(0.25), 31), 240.0);
        let both = RateLimits { tokens: Some(10.0 * tokens), ..requests };
        assert!((seconds(both, 11) - 60.0).abs() < 1e-6, "what is scarcer counts");
        // Time that nobody used is not made up for.
        let mut next = Some(now);
        let later = now + Duration::from_secs(100);
        assert_eq!(requests.turn(&asked, &mut next, later), Duration::ZERO);
        assert_eq!(requests.turn(&asked, &mut next, later), Duration::from_secs(2));
    }
}
