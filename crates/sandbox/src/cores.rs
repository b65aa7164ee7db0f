//! The cores that this process may use, in the order in which they are best handed out.

use std::fs;

use rustix::thread::{CpuSet, sched_getaffinity};

/// The numbers of the cores that this process may use, by its affinity (which follows its cpuset) and its CPU quota.
///
/// Hyperthreads of one physical core stand side by side, so that neighbours in the list share as little as can be with the
/// rest of it. A quota of less than all cores leaves out the last ones: what matters is how many there are.
#[must_use]
pub fn available() -> Vec<u32> {
    let Ok(set) = sched_getaffinity(None) else { return Vec::new() };
    let mut cores: Vec<u32> =
        (0..CpuSet::MAX_CPU).filter(|&id| set.is_set(id)).filter_map(|id| u32::try_from(id).ok()).collect();
    cores.sort_by_key(|&id| (topology(id, "physical_package_id"), topology(id, "core_id"), id));
    cores.truncate(count());
    cores
}

/// How many cores this process may use, by its affinity and its quotas; 1 where that is not known.
#[must_use]
pub fn count() -> usize {
    // The standard library reads the quotas of all groups above us, of both versions.
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// A number of `/sys/devices/system/cpu/cpuN/topology`; the core's own where the kernel tells none.
fn topology(id: u32, name: &str) -> u32 {
    let text = fs::read_to_string(format!("/sys/devices/system/cpu/cpu{id}/topology/{name}")).unwrap_or_default();
    text.trim().parse().unwrap_or(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_core_stands_twice_and_none_is_beyond_the_quota() {
        let cores = available();
        assert_eq!(cores.len(), std::thread::available_parallelism().unwrap().get());
        let mut sorted = cores.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), cores.len());
    }

    #[test]
    fn a_narrower_affinity_leaves_fewer_cores() {
        let all = available();
        let only = *all.last().unwrap();
        // The affinity of this thread alone: other tests keep theirs.
        let seen = std::thread::spawn(move || {
            let mut set = CpuSet::new();
            set.set(usize::try_from(only).unwrap());
            rustix::thread::sched_setaffinity(None, &set).unwrap();
            available()
        });
        assert_eq!(seen.join().unwrap(), [only]);
    }
}
