//! Which failed requests are tried again, and how patiently.

use std::hash::{BuildHasher, Hasher};
use std::time::Duration;

/// How often and how fast a request is repeated. Only failures that another try can cure are repeated: status
/// 429 and 5xx, connections reset or timed out, answers cut short.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RetryPolicy {
    /// Tries in all, the first included; 0 counts as 1. Default 4.
    pub attempts: u32,
    /// Pause before the second try; doubled each time. Default 0.5 s.
    pub delay: Duration,
    /// Longest pause, also for a pause that the server asks for. Default 10 s.
    pub ceiling: Duration,
    /// Share of a pause that is left to chance, 0 to 1, so that many clients do not knock at once. Default 0.5.
    pub jitter: f64,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self { attempts: 4, delay: Duration::from_millis(500), ceiling: Duration::from_secs(10), jitter: 0.5 }
    }
}

impl RetryPolicy {
    /// The pause after the `failed`-th failure (from 1), or `None` when enough was tried. `asked` is the pause that
    /// the server asked for; `chance` is from 0 to 1.
    pub(crate) fn pause(&self, failed: u32, asked: Option<Duration>, chance: f64) -> Option<Duration> {
        if failed >= self.attempts {
            return None;
        }
        let doubled = self.delay.saturating_mul(2_u32.saturating_pow(failed.saturating_sub(1)));
        if let Some(asked) = asked {
            // Never shorter than the server asks for, up to the ceiling.
            return Some(asked.min(self.ceiling));
        }
        let jitter = self.jitter.clamp(0.0, 1.0) * chance.clamp(0.0, 1.0);
        Some(doubled.min(self.ceiling).mul_f64(1.0 - jitter))
    }
}

/// A number from 0 to 1 that differs between calls and processes; not for secrets.
pub(crate) fn chance() -> f64 {
    let drawn = std::hash::RandomState::new().build_hasher().finish() >> 32;
    f64::from(u32::try_from(drawn).unwrap_or(u32::MAX)) / f64::from(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_ceiling_and_end() {
        let policy =
            RetryPolicy { attempts: 5, delay: Duration::from_secs(1), ceiling: Duration::from_secs(3), jitter: 0.5 };
        let pauses: Vec<_> = (1..6).map(|failed| policy.pause(failed, None, 0.0)).collect();
        let seconds = |count| Some(Duration::from_secs(count));
        assert_eq!(pauses, [seconds(1), seconds(2), seconds(3), seconds(3), None]);
        assert_eq!(policy.pause(2, None, 1.0), seconds(1));
        assert_eq!(policy.pause(1, Some(Duration::from_secs(60)), 0.0), seconds(3));
        assert_eq!(policy.pause(1, Some(Duration::from_secs(2)), 1.0), seconds(2));
        assert_eq!(RetryPolicy { attempts: 0, ..policy }.pause(1, None, 0.0), None);
    }

    #[test]
    fn chance_stays_in_range() {
        assert!((0..100).map(|_| chance()).all(|drawn| (0.0..=1.0).contains(&drawn)));
    }
}
