//! What of this machine the executions of a run may use, all together.

use std::fmt;
use std::num::NonZeroU32;

use nbrevive_sandbox::{Limits, available_cores, available_gpus, available_memory};

use crate::StudyLimits;
use crate::laboratory::limits;

/// What executions take from: cores, memory and GPUs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Machine {
    /// Numbers of the cores, in the order in which they are handed out.
    pub cores: Vec<u32>,
    /// Bytes of memory that limits may add up to; `None` where the system does not tell.
    pub memory_bytes: Option<u64>,
    /// Numbers of the GPUs, in the order in which they are handed out.
    pub gpus: Vec<u32>,
}

impl Machine {
    /// What this process may use: the cores of its affinity and CPU quota, and nine tenths of the memory of the machine or of the
    /// control groups above us, whichever is less. The last tenth is the reserve of the system and of this program, as in
    /// [`nbrevive_sandbox::Limits::fitted_to_machine`].
    #[must_use]
    pub fn of_this_process() -> Self {
        let memory_bytes = available_memory().map(|bytes| bytes / 10 * 9);
        Machine { cores: available_cores(), memory_bytes, gpus: available_gpus() }
    }

    /// How many executions that each ask for `demand` have room at once; at least one, since limits are fitted to the machine.
    #[must_use]
    pub fn room_for(&self, demand: Demand) -> usize {
        let cores = self.cores.len() / demand.cores.max(1) as usize;
        let memory = self.memory_bytes.zip(std::num::NonZeroU64::new(demand.memory_bytes));
        let memory = memory.map_or(usize::MAX, |(all, one)| usize::try_from(all / one.get()).unwrap_or(usize::MAX));
        let gpus = demand.gpu.map_or(usize::MAX, |together| self.gpus.len().saturating_mul(together.get() as usize));
        cores.min(memory).min(gpus).max(1)
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} cores", self.cores.len())?;
        if let Some(bytes) = self.memory_bytes {
            write!(formatter, ", {} MiB of memory for executions", bytes >> 20)?;
        }
        if !self.gpus.is_empty() {
            write!(formatter, ", {} GPUs", self.gpus.len())?;
        }
        Ok(())
    }
}

/// What stands in line for the processors.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Load {
    /// Processes that ran or could have, on average over the last minute; 0 where the system does not tell.
    pub(crate) waiting: f64,
    /// Processors that may be used.
    pub(crate) processors: usize,
}

impl Load {
    /// The load of this machine.
    pub(crate) fn now() -> Self {
        let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
        let waiting = text.split(' ').next().and_then(|first| first.parse().ok()).unwrap_or(0.0);
        Self { waiting, processors: available_cores().len() }
    }
}

/// What one execution asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Demand {
    /// Cores, which it gets for itself.
    pub cores: u32,
    /// Its memory limit in bytes: counted in full, whatever it uses of it.
    pub memory_bytes: u64,
    /// Whether it gets a GPU, and with how many executions it shares it, itself included.
    pub gpu: Option<NonZeroU32>,
}

impl Demand {
    /// What an execution of a study asks for: its limits, fitted to this machine.
    #[must_use]
    pub fn of(study: &StudyLimits) -> Self {
        Demand::within(&limits(study).fitted_to_machine().0)
    }

    /// What these limits ask for, beside a GPU.
    pub(crate) const fn within(limits: &Limits) -> Self {
        Demand { cores: limits.cores, memory_bytes: limits.memory_bytes, gpu: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIBIBYTE: u64 = 1 << 30;

    #[test]
    fn what_runs_out_first_decides_how_many_have_room() {
        let machine = Machine { cores: (0..16).collect(), memory_bytes: Some(60 * GIBIBYTE), gpus: vec![0, 2] };
        let demand = |cores, gibibytes, together| Demand {
            cores,
            memory_bytes: gibibytes * GIBIBYTE,
            gpu: NonZeroU32::new(together),
        };
        assert_eq!(machine.room_for(demand(4, 1, 0)), 4);
        assert_eq!(machine.room_for(demand(1, 30, 0)), 2);
        assert_eq!(machine.room_for(demand(1, 1, 1)), 2);
        assert_eq!(machine.room_for(demand(1, 1, 3)), 6);
        assert_eq!(machine.room_for(demand(64, 1, 0)), 1, "limits are fitted before, so one always has room");
        assert_eq!(Machine { memory_bytes: None, ..machine }.room_for(demand(8, 999, 0)), 2);
    }

    #[test]
    fn this_machine_has_something_to_run_on() {
        let machine = Machine::of_this_process();
        assert!(!machine.cores.is_empty());
        assert!(machine.memory_bytes.is_some_and(|bytes| bytes > 64 << 20), "{machine}");
    }
}
