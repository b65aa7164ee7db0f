//! What control groups tell of a run: memory, processor time, what the kernel refused and killed.

use std::fs;

use super::place::{Place, Version, keyed, keyed_in, places};
use crate::processes::to_float;

/// Reads groups, whoever made them.
#[derive(Debug, Default, Clone)]
pub(crate) struct Meter {
    pub(super) places: Vec<Place>,
}

impl Meter {
    /// The groups of a container, found through a process of it; none where they are not seen from here.
    pub(crate) fn of_container(id: &str, pid: i32) -> Self {
        let own = fs::read_to_string(format!("/proc/{pid}/cgroup")).unwrap_or_default();
        let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
        let mut places = places(&own, &mounts);
        // Where the engine has no group of its own for it, the numbers would be those of others.
        places.retain(|place| place.folder.to_string_lossy().contains(id) && place.folder.is_dir());
        Self { places }
    }

    pub(crate) fn has(&self, controller: &str) -> bool {
        self.with(controller).is_some()
    }

    fn with(&self, controller: &str) -> Option<&Place> {
        self.places.iter().find(|place| place.controllers.iter().any(|known| known == controller))
    }

    /// How often the kernel killed a process of the group for want of memory.
    pub(crate) fn out_of_memory_kills(&self) -> u64 {
        let Some(place) = self.with("memory") else { return 0 };
        let file = match place.version {
            Version::One => "memory.oom_control",
            Version::Two => "memory.events",
        };
        keyed(&place.folder.join(file), "oom_kill").unwrap_or(0)
    }

    /// How often the kernel refused a new process or thread because the limit was reached; `None` where nobody counts.
    pub(crate) fn refused_processes(&self) -> Option<u64> {
        keyed(&self.with("pids")?.folder.join("pids.events"), "max")
    }

    /// Memory that belongs to processes, private `/tmp` and `/dev/shm`, without page cache.
    pub(crate) fn resident_bytes(&self) -> Option<u64> {
        let place = self.with("memory")?;
        let stat = fs::read_to_string(place.folder.join("memory.stat")).ok()?;
        let keys: [&str; 2] = match place.version {
            Version::One => ["total_rss", "total_shmem"],
            Version::Two => ["anon", "shmem"],
        };
        let found: Vec<u64> = keys.iter().filter_map(|key| keyed_in(&stat, key)).collect();
        (!found.is_empty()).then(|| found.iter().sum())
    }

    /// Processor time of all processes of the group, those that ended included.
    pub(crate) fn cpu_seconds(&self) -> Option<f64> {
        if let Some(place) = self.places.iter().find(|place| place.controllers.iter().any(|name| name == "cpuacct")) {
            let text = fs::read_to_string(place.folder.join("cpuacct.usage")).ok()?;
            return Some(to_float(text.trim().parse().ok()?) / 1e9);
        }
        let place = self.places.iter().find(|place| place.version == Version::Two)?;
        Some(to_float(keyed(&place.folder.join("cpu.stat"), "usage_usec")?) / 1e6)
    }

    /// Processes that are in any of the groups now.
    pub(crate) fn processes(&self) -> Vec<i32> {
        let mut pids: Vec<i32> = Vec::new();
        for place in &self.places {
            let text = fs::read_to_string(place.folder.join("cgroup.procs")).unwrap_or_default();
            pids.extend(text.lines().filter_map(|line| line.parse::<i32>().ok()));
        }
        pids.sort_unstable();
        pids.dedup();
        pids
    }
}
