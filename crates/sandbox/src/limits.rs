//! The limits of a run, how they are fitted to a smaller machine, and the notices that say so.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

const GIBIBYTE: u64 = 1 << 30;
const MEBIBYTE: u64 = 1 << 20;

/// What one run may use. [`Limits::default`] is the machine of the study (600 s, 4 cores, 30 GB).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// From the start of the sandbox to its end. Default 600 s (the paper's timeout).
    pub wall_clock: Duration,
    /// Processor time of all processes together. Default: none but what the wall clock and the cores allow. Watched;
    /// for each process alone it is a resource limit too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_time: Option<Duration>,
    /// Resident memory of all processes together, shared memory, memory files and private `/tmp` included. Default 30 GiB.
    pub memory_bytes: u64,
    /// Processes and threads together. Default 512.
    pub processes: u32,
    /// Processor cores. Default 4. Enforced as a quota where the cpu cgroup is writable.
    pub cores: u32,
    /// The cores that the run has to itself, numbered as the kernel does; empty (the default): any of the machine. Enforced
    /// where the cpuset cgroup is writable; elsewhere an affinity that a program inside can widen.
    pub core_ids: Vec<u32>,
    /// The GPUs that the run sees, numbered as `nvidia-smi` does; empty (the default): none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gpu_ids: Vec<u32>,
    /// Size of all writable folders together, files that have lost their names and are still held included. Default 5 GiB.
    /// Watched: a fast writer can overshoot by what it writes in a quarter of a second.
    pub disk_bytes: u64,
    /// Files and folders in all writable folders together. Default 200 000. Watched.
    pub disk_entries: u64,
    /// Free space that must remain on the file system of each writable folder. Default 1 GiB. Watched.
    pub disk_reserve_bytes: u64,
    /// Size of one file. Default 5 GiB.
    pub file_bytes: u64,
    /// Size of the private `/tmp`, kept in memory. Default 2 GiB.
    pub temporary_bytes: u64,
    /// Size of `/dev/shm`, kept in memory. Default 2 GiB.
    pub shared_memory_bytes: u64,
    /// Open files of one process. Default 4096, less where the hard limit of the machine is lower.
    pub open_files: u64,
    /// Standard output and error kept; the rest is read and dropped. Default 1 MiB.
    pub log_bytes: u64,
    /// Tests only: does without control groups, as on a machine where none can be written.
    #[doc(hidden)]
    #[serde(skip)]
    pub without_groups: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            wall_clock: Duration::from_secs(600),
            cpu_time: None,
            memory_bytes: 30 * GIBIBYTE,
            processes: 512,
            cores: 4,
            core_ids: Vec::new(),
            gpu_ids: Vec::new(),
            disk_bytes: 5 * GIBIBYTE,
            disk_entries: 200_000,
            disk_reserve_bytes: GIBIBYTE,
            file_bytes: 5 * GIBIBYTE,
            temporary_bytes: 2 * GIBIBYTE,
            shared_memory_bytes: 2 * GIBIBYTE,
            open_files: 4096,
            log_bytes: MEBIBYTE,
            without_groups: false,
        }
    }
}

impl Limits {
    /// The numbers of the run's own cores as the kernel reads them: `0,2`.
    pub(crate) fn core_list(&self) -> String {
        self.core_ids.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
    }

    pub(crate) fn fitted_to(&self, cores: u32, memory: Option<u64>) -> (Self, Vec<Notice>) {
        let mut fitted = self.clone();
        let mut notices = Vec::new();
        if cores < self.cores {
            fitted.cores = cores;
            notices.push(Notice::Reduced { limit: "cores".into(), asked: self.cores.into(), given: cores.into() });
        }
        let usable = memory.map(|bytes| bytes / 10 * 9).filter(|&usable| usable < self.memory_bytes);
        if let Some(usable) = usable {
            fitted.memory_bytes = usable;
            notices.push(Notice::Reduced { limit: "memory_bytes".into(), asked: self.memory_bytes, given: usable });
        }
        (fitted, notices)
    }
}

/// Something a reader of the results should know about how limits were applied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Notice {
    /// The machine is smaller than the limit asked for.
    Reduced {
        /// Name of the field of [`Limits`].
        limit: String,
        /// Value asked for.
        asked: u64,
        /// Value used.
        given: u64,
    },
    /// The kernel enforces this limit.
    Enforced {
        /// Name of the field of [`Limits`].
        limit: String,
        /// By what means.
        by: String,
    },
    /// The supervisor looks at this limit from time to time; a run can overshoot in between.
    Watched {
        /// Name of the field of [`Limits`].
        limit: String,
        /// Why the kernel does not enforce it.
        why: String,
    },
    /// Nothing holds this limit.
    Open {
        /// Name of the field of [`Limits`].
        limit: String,
        /// Why not.
        why: String,
    },
}

impl fmt::Display for Notice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reduced { limit, asked, given } => {
                write!(formatter, "{limit}: {given} instead of {asked}, the machine has no more")
            }
            Self::Enforced { limit, by } => write!(formatter, "{limit}: enforced by {by}"),
            Self::Watched { limit, why } => write!(formatter, "{limit}: watched, not enforced ({why})"),
            Self::Open { limit, why } => write!(formatter, "{limit}: not limited ({why})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_big_machine_changes_nothing() {
        let (fitted, notices) = Limits::default().fitted_to(64, Some(512 * GIBIBYTE));
        assert_eq!(fitted, Limits::default());
        assert_eq!(notices, []);
    }

    #[test]
    fn a_small_machine_shrinks_cores_and_memory_and_says_so() {
        let (fitted, notices) = Limits::default().fitted_to(2, Some(10 * GIBIBYTE));
        assert_eq!((fitted.cores, fitted.memory_bytes), (2, 9 * GIBIBYTE));
        let text: Vec<String> = notices.iter().map(Notice::to_string).collect();
        assert_eq!(text[0], "cores: 2 instead of 4, the machine has no more");
        assert!(text[1].starts_with("memory_bytes: 9663676416 instead of 32212254720"), "{}", text[1]);
    }
}
