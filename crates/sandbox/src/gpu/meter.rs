//! What a run takes of its GPUs, asked of the driver's own library (NVML).

use std::sync::OnceLock;
use std::time::Instant;

use nvml_wrapper::enums::device::UsedGpuMemory;
use nvml_wrapper::error::NvmlError;
use nvml_wrapper::{Device, Nvml};

use crate::GpuUsage;

/// Sums up what the processes of one run take.
#[derive(Debug)]
pub(crate) struct GpuMeter {
    gpus: Vec<Device<'static>>,
    usage: GpuUsage,
    looked: Instant,
    /// The driver's own time of the newest sample that was read, in microseconds.
    newest: u64,
}

impl GpuMeter {
    /// A meter of the GPUs of these numbers; `None` for none of them, or where the library is missing or does not answer.
    pub(crate) fn of(ids: &[u32]) -> Option<Self> {
        let nvml = if ids.is_empty() { None } else { library() }?;
        let gpus: Result<Vec<_>, NvmlError> = ids.iter().map(|&id| nvml.device_by_index(id)).collect();
        match gpus {
            Ok(gpus) => Some(Self { gpus, usage: GpuUsage::default(), looked: Instant::now(), newest: 0 }),
            Err(error) => {
                tracing::warn!("what executions take of GPUs is not measured: {error}");
                None
            }
        }
    }

    /// What these processes took so far.
    pub(crate) fn look(&mut self, pids: &[i32]) -> GpuUsage {
        let since = std::mem::replace(&mut self.looked, Instant::now());
        let seconds = (self.looked - since).as_secs_f64();
        let own = |pid: u32| pids.iter().any(|&own| u32::try_from(own) == Ok(pid));
        let (mut memory, mut newest) = (0, self.newest);
        for gpu in &self.gpus {
            let processes = gpu.running_compute_processes().unwrap_or_default();
            let used =
                processes.iter().filter(|process| own(process.pid)).map(|process| match process.used_gpu_memory {
                    UsedGpuMemory::Used(bytes) => bytes,
                    UsedGpuMemory::Unavailable => 0,
                });
            memory += used.sum::<u64>();
            // An error where nothing ran since, too.
            let samples = gpu.process_utilization_stats(self.newest).unwrap_or_default();
            newest = samples.iter().map(|sample| sample.timestamp).fold(newest, u64::max);
            // Of several samples in between the last says how busy it is.
            let last = samples.iter().filter(|sample| own(sample.pid)).max_by_key(|sample| sample.timestamp);
            let busy: u32 = last.map_or(0, |last| {
                let together = samples.iter().filter(|sample| own(sample.pid) && sample.timestamp == last.timestamp);
                together.map(|sample| sample.sm_util).sum()
            });
            self.usage.busy_seconds += f64::from(busy.min(100)) / 100.0 * seconds;
        }
        self.newest = newest;
        self.usage.peak_memory_bytes = self.usage.peak_memory_bytes.max(memory);
        self.usage
    }
}

/// Loaded once a process: that takes a while, and the answer does not change.
fn library() -> Option<&'static Nvml> {
    static LIBRARY: OnceLock<Option<Nvml>> = OnceLock::new();
    let load = || {
        Nvml::init().inspect_err(|error| tracing::warn!("what executions take of GPUs is not measured: {error}")).ok()
    };
    LIBRARY.get_or_init(load).as_ref()
}
