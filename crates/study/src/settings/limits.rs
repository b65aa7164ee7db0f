//! What one execution may take.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The limits of one execution; the defaults are the paper's (section 2.1.2).
#[derive(Clone, PartialEq, Serialize, Deserialize)]
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

/// The text is part of what an execution is known by: a limit that is not set leaves it as it was before there was that limit.
impl fmt::Debug for StudyLimits {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seconds, memory_mib, cores, processes, disk_mib, cpu_seconds, cell_seconds } = self;
        let mut text = formatter.debug_struct("StudyLimits");
        text.field("seconds", seconds).field("memory_mib", memory_mib).field("cores", cores);
        text.field("processes", processes).field("disk_mib", disk_mib);
        if let Some(cpu_seconds) = cpu_seconds {
            text.field("cpu_seconds", cpu_seconds);
        }
        if let Some(cell_seconds) = cell_seconds {
            text.field("cell_seconds", cell_seconds);
        }
        text.finish()
    }
}

impl Default for StudyLimits {
    fn default() -> Self {
        StudyLimits {
            seconds: 600.0,
            memory_mib: 30 * 1024,
            cores: 4,
            processes: 512,
            disk_mib: 5 * 1024,
            cpu_seconds: None,
            cell_seconds: None,
        }
    }
}

impl StudyLimits {
    /// The wall clock as a duration.
    #[must_use]
    pub fn wall_clock(&self) -> Duration {
        Duration::from_secs_f64(self.seconds)
    }
}
