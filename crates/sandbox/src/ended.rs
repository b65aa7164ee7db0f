//! How a run ended and what it took.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Why a run is over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// The command ended by itself with this exit code.
    Exited(i32),
    /// A signal that we did not send ended the command. (Bubblewrap reports signals as exit codes above 128, so a
    /// command that exits with such a code by itself is reported here too.)
    Signalled(i32),
    /// The wall clock ran out.
    WallClock,
    /// The memory limit was exceeded: the kernel killed a process of the run, or the watcher saw too much.
    Memory,
    /// The writable folders, and files that are held without a name, outgrew their limit, in bytes, entries or depth, or the
    /// host's disk reserve was reached.
    Disk,
    /// The kernel refused processes or threads at the limit, and the command failed then: it exited with another code
    /// than 0, or a signal ended it. A command that copes with the refusal ends as it ends. Or it held more pseudo terminals
    /// than any honest command does, of which the machine has some thousand for everybody.
    Processes,
    /// The limit of processor time was exceeded.
    Cpu,
    /// [`crate::Running::kill`] was called, or the handle was dropped.
    Killed,
    /// The sandbox itself could not be set up; not the command's doing.
    NotStarted {
        /// What the backend said.
        message: String,
    },
}

impl fmt::Display for Ended {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exited(code) => write!(formatter, "exited with code {code}"),
            Self::Signalled(signal) => write!(formatter, "ended by signal {signal}"),
            Self::WallClock => formatter.write_str("stopped at the wall clock limit"),
            Self::Memory => formatter.write_str("stopped at the memory limit"),
            Self::Disk => formatter.write_str("stopped at the disk limit"),
            Self::Processes => formatter.write_str("failed at the limit of processes"),
            Self::Cpu => formatter.write_str("stopped at the limit of processor time"),
            Self::Killed => formatter.write_str("killed on request"),
            Self::NotStarted { message } => write!(formatter, "the sandbox could not be set up: {message}"),
        }
    }
}

/// What a run took, as far as it could be seen. Complete once the run has ended.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SandboxUsage {
    /// Wall clock from the start of the sandbox to its end, or until now.
    pub wall_clock: Duration,
    /// Largest resident memory seen, sampled every 50 ms, without page cache; shared memory and memory files that no process
    /// has mapped included, those every 250 ms where no control group counts. Short peaks can be missed.
    pub peak_memory_bytes: u64,
    /// Processor time of all processes of the run.
    pub cpu_seconds: f64,
    /// Largest size seen of the writable folders and of files that were held without a name.
    pub disk_bytes: u64,
    /// Bytes that the processes of the run wrote to files on storage, overwritten and deleted ones included
    /// (`write_bytes` of `/proc/<pid>/io`, read four times a second; the block controller of version 1 does not see
    /// what the page cache writes later). Private `/tmp` and `/dev/shm` are memory and do not count.
    pub written_bytes: u64,
    /// Bytes the command wrote to its standard output and error, also those cut from the log.
    pub log_bytes: u64,
    /// Processes of the run that the kernel killed for want of memory.
    pub out_of_memory_kills: u64,
    /// What it took of its GPU; `None` where it had none, or the driver's library does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gpu: Option<GpuUsage>,
}

/// What the processes of a run took of its GPUs, as NVML tells it four times a second: short peaks can be missed.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct GpuUsage {
    /// Largest memory of the GPUs seen in use at once, in bytes.
    pub peak_memory_bytes: u64,
    /// Seconds in which the run kept its GPUs busy: the share of time in which kernels ran, summed up over the run.
    pub busy_seconds: f64,
}
