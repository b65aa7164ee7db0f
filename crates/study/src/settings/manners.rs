//! The section `[mine.manners]` of a study's file: how politely servers are asked, in its words and in those of crate `mine`.

use nbrevive_mine::Timeouts;
use nbrevive_mine::budget::{Manners, Patience};
use nbrevive_mine::raw::Belief;
use serde::Deserialize;

use crate::settings::limits::seconds;

/// How politely a server is asked; the limits hold for all programs of this user together.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MineManners {
    /// Requests a second. Default 1.
    pub requests_per_second: f64,
    /// Requests that may follow each other at once after a rest. Default 1.
    pub burst: u32,
    /// Requests at the same time. Default 1.
    pub concurrency: u32,
    /// Longest wait for one request, also when the server asks for more, in seconds: then the run ends and says until when.
    /// Default 900.
    pub longest_wait_seconds: f64,
    /// First pause after a failure, in seconds; it doubles from try to try, with jitter. Default 1.
    pub retry_seconds: f64,
    /// Longest of those pauses, in seconds. Default 120.
    pub longest_retry_seconds: f64,
    /// How long a server may be silent, in seconds. Default 60.
    pub silence_seconds: f64,
    /// How far apart two refusals of the same thing have to be to be believed, in seconds. Default 60: servers that are asked too fast
    /// refuse what is there.
    pub belief_seconds: f64,
}

impl Default for MineManners {
    fn default() -> Self {
        Self {
            requests_per_second: 1.0,
            burst: 1,
            concurrency: 1,
            longest_wait_seconds: 900.0,
            retry_seconds: 1.0,
            longest_retry_seconds: 120.0,
            silence_seconds: 60.0,
            belief_seconds: 60.0,
        }
    }
}

impl MineManners {
    /// How politely each host is asked.
    #[must_use]
    pub fn of_hosts(&self) -> Manners {
        Manners {
            rate: self.requests_per_second,
            burst: self.burst,
            concurrency: self.concurrency,
            longest_wait: seconds(self.longest_wait_seconds),
        }
    }

    /// How patiently a request that failed is repeated.
    #[must_use]
    pub fn patience(&self) -> Patience {
        Patience {
            delay: seconds(self.retry_seconds),
            ceiling: seconds(self.longest_retry_seconds),
            ..Patience::default()
        }
    }

    /// When a refusal is believed.
    #[must_use]
    pub fn belief(&self) -> Belief {
        Belief { apart: seconds(self.belief_seconds), ..Belief::default() }
    }

    /// How long an exchange may take.
    #[must_use]
    pub fn timeouts(&self) -> Timeouts {
        Timeouts { silence: seconds(self.silence_seconds), ..Timeouts::default() }
    }

    /// What makes no sense, in words.
    pub(crate) fn fault(&self) -> Option<String> {
        let positive = [
            ("requests_per_second", self.requests_per_second),
            ("longest_wait_seconds", self.longest_wait_seconds),
            ("retry_seconds", self.retry_seconds),
            ("longest_retry_seconds", self.longest_retry_seconds),
            ("silence_seconds", self.silence_seconds),
        ];
        let wrong = |value: f64| !(value.is_finite() && (1e-6..1e7).contains(&value));
        if let Some((name, value)) = positive.into_iter().find(|(_, value)| wrong(*value)) {
            return Some(format!("mine.manners.{name} = {value} must be a number above 0 and below ten million"));
        }
        if !(self.belief_seconds.is_finite() && (0.0..1e7).contains(&self.belief_seconds)) {
            return Some("mine.manners.belief_seconds must not be negative".to_owned());
        }
        (self.burst == 0 || self.concurrency == 0 || self.concurrency > 16)
            .then(|| "mine.manners.burst must be at least 1, and concurrency 1 to 16".to_owned())
    }
}
