//! `[retry]` of a study's file: how often a job is tried again, and when a kernel's death is taken for the notebook's doing.

use nbrevive_requests::Patience;
use serde::Deserialize;

use crate::settings::limits::seconds;

/// The policy for what is not a notebook's fault: `[retry]` of a study's file.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RetrySettings {
    /// Tries of one job, the first included. Default 4.
    pub attempts: u32,
    /// Pause before the second try, in seconds; it trebles from try to try. Default 2.
    pub delay_seconds: f64,
    /// Longest pause, in seconds. Default 60.
    pub longest_delay_seconds: f64,
    /// Share of a pause that is left to chance, 0 to 1. Default 0.5.
    pub jitter: f64,
    /// So many deaths of a kernel at the same place, one after the other, are the notebook's own doing. Default 3.
    pub deaths: u32,
}

/// Growth of the pause from try to try.
const GROWTH: f64 = 3.0;

impl Default for RetrySettings {
    fn default() -> Self {
        RetrySettings { attempts: 4, delay_seconds: 2.0, longest_delay_seconds: 60.0, jitter: 0.5, deaths: 3 }
    }
}

impl RetrySettings {
    /// What makes no sense, in words.
    pub(crate) fn check(&self) -> Result<(), String> {
        let is_time = |seconds: f64| (0.0..=86_400.0).contains(&seconds);
        if !is_time(self.delay_seconds) || !is_time(self.longest_delay_seconds) {
            return Err("retry.delay_seconds and retry.longest_delay_seconds must be from 0 to 86400".to_owned());
        }
        if !(0.0..=1.0).contains(&self.jitter) {
            return Err(format!("retry.jitter = {} must be from 0 to 1", self.jitter));
        }
        if self.attempts == 0 || self.deaths == 0 {
            return Err("retry.attempts and retry.deaths must be at least 1".to_owned());
        }
        Ok(())
    }

    /// It as the pauses of a client.
    pub(crate) fn patience(&self) -> Patience {
        Patience {
            attempts: self.attempts,
            delay: seconds(self.delay_seconds),
            growth: GROWTH,
            ceiling: seconds(self.longest_delay_seconds),
            jitter: self.jitter,
            ..Patience::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn pauses_grow_to_the_ceiling() {
        let settings = RetrySettings { delay_seconds: 30.0, ..RetrySettings::default() };
        let pauses: Vec<_> = (1..=4).map(|failed| settings.patience().pause(failed, None, 0.0)).collect();
        assert_eq!(pauses, [30, 60, 60, 0].map(|seconds| (seconds > 0).then(|| Duration::from_secs(seconds))));
        assert!(RetrySettings { jitter: 1.5, ..settings }.check().is_err());
        assert!(RetrySettings { delay_seconds: f64::NAN, ..settings }.check().is_err());
    }
}
