//! What one execution may take.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The limits of one execution; the defaults are the paper's (section 2.1.2).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct StudyLimits {
    /// Wall clock for all cells, in seconds.
    pub seconds: f64,
    /// Memory in MiB.
    pub memory_mib: u64,
    /// CPU cores.
    pub cores: u32,
    /// Processes and threads.
    pub processes: u32,
    /// Size of the working folder in MiB.
    pub disk_mib: u64,
    /// Processor time of all its processes together, in seconds; none (the default) but what wall clock and cores allow.
    pub cpu_seconds: Option<f64>,
    /// Wall clock for each cell, after which it is interrupted and the next goes on, in seconds; none by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell_seconds: Option<f64>,
}

/// A limit that no execution can have.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum LimitFault {
    /// A clock that is over before anything ran, or that is no number.
    #[error("limits.{key} = {value} must be at least {least}")]
    TooShort {
        /// The clock.
        key: &'static str,
        /// What was asked for, in seconds.
        value: f64,
        /// The shortest, in seconds.
        least: f64,
    },
    /// A clock beyond [`StudyLimits::LONGEST_SECONDS`], which the system's clocks may not count.
    #[error("limits.{key} = {value:e} must be at most {}", StudyLimits::LONGEST_SECONDS)]
    TooLong {
        /// The clock.
        key: &'static str,
        /// What was asked for, in seconds.
        value: f64,
    },
    /// Too little of anything else.
    #[error("limits must allow 64 MiB of memory, one core, 16 processes and some disk at least")]
    TooSmall,
}

impl Default for StudyLimits {
    fn default() -> Self {
        StudyLimits {
            seconds: Self::SECONDS,
            memory_mib: Self::MEMORY_MIB,
            cores: 4,
            processes: 512,
            disk_mib: 5 * 1024,
            cpu_seconds: None,
            cell_seconds: None,
        }
    }
}

impl StudyLimits {
    /// Wall clock for all cells unless told, in seconds.
    pub const SECONDS: f64 = 600.0;
    /// Memory unless told, in MiB.
    pub const MEMORY_MIB: u64 = 30 * 1024;
    /// The longest clock, in seconds: thirty years.
    pub const LONGEST_SECONDS: f64 = 1e9;

    /// Whether an execution can have these limits.
    ///
    /// # Errors
    /// The first that makes no sense.
    pub fn check(&self) -> Result<(), LimitFault> {
        let clocks = [
            ("seconds", Some(self.seconds), 1.0),
            ("cpu_seconds", self.cpu_seconds, 1.0),
            ("cell_seconds", self.cell_seconds, 0.1),
        ];
        for (key, value, least) in clocks {
            match value {
                Some(value) if value > Self::LONGEST_SECONDS => return Err(LimitFault::TooLong { key, value }),
                Some(value) if value.is_nan() || value < least => {
                    return Err(LimitFault::TooShort { key, value, least });
                }
                _ => {}
            }
        }
        let is_small = self.memory_mib < 64 || self.cores == 0 || self.processes < 16 || self.disk_mib == 0;
        if is_small { Err(LimitFault::TooSmall) } else { Ok(()) }
    }

    /// The wall clock for all cells.
    #[must_use]
    pub fn wall_clock(&self) -> Duration {
        seconds(self.seconds)
    }

    /// The wall clock for each cell, where there is one.
    #[must_use]
    pub fn cell_clock(&self) -> Option<Duration> {
        self.cell_seconds.map(seconds)
    }

    /// The processor time, where it is limited.
    #[must_use]
    pub fn cpu_time(&self) -> Option<Duration> {
        self.cpu_seconds.map(seconds)
    }
}

/// A time in seconds of a study's settings as a duration; zero for what no duration can be, which loading a study refuses.
#[must_use]
pub fn seconds(value: f64) -> Duration {
    Duration::try_from_secs_f64(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_no_shorter_and_no_longer_than_makes_sense() {
        let told = |limits: StudyLimits| limits.check().map_err(|fault| fault.to_string());
        let of = |seconds| StudyLimits { seconds, ..StudyLimits::default() };
        let of_cell = |seconds| StudyLimits { cell_seconds: Some(seconds), ..StudyLimits::default() };
        let of_processors = |seconds| StudyLimits { cpu_seconds: Some(seconds), ..StudyLimits::default() };
        for allowed in [of(1.0), of(1e9), of_cell(0.1), of_processors(1.0), StudyLimits::default()] {
            assert_eq!(told(allowed), Ok(()));
        }
        let refused = [
            (of(0.5), "limits.seconds = 0.5 must be at least 1"),
            (of(-200.0), "limits.seconds = -200 must be at least 1"),
            (of(f64::NAN), "limits.seconds = NaN must be at least 1"),
            (of(1e300), "limits.seconds = 1e300 must be at most 1000000000"),
            (of(f64::INFINITY), "limits.seconds = inf must be at most 1000000000"),
            (of_cell(0.01), "limits.cell_seconds = 0.01 must be at least 0.1"),
            (of_cell(1e300), "limits.cell_seconds = 1e300 must be at most 1000000000"),
            (of_processors(f64::INFINITY), "limits.cpu_seconds = inf must be at most 1000000000"),
        ];
        for (limits, message) in refused {
            assert_eq!(told(limits), Err(message.to_owned()));
        }
    }

    #[test]
    fn what_no_duration_can_be_is_none() {
        for wrong in [f64::NAN, f64::INFINITY, -1.0, 1e300] {
            assert_eq!(seconds(wrong), Duration::ZERO);
        }
        assert_eq!(seconds(1.5), Duration::from_millis(1500));
    }
}
