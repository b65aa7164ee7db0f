//! Control groups of a run, made below our own so that outer limits stay in force: version 1 and 2.
//!
//! Each controller is tried alone; what cannot be had is reported and left to the watcher.

mod meter;
mod place;

use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::processes::{self, can_look};
use crate::{Limits, Notice};

pub(crate) use meter::Meter;
pub use place::available_memory;
use place::{CPUSET, Place, Version, places};

/// Prefix of the groups we make; followed by our process id, our start time and a counter.
const PREFIX: &str = "nbrevive-";
/// Length of the period in which the cores are counted out, in microseconds.
const CPU_PERIOD: u64 = 100_000;
/// How long the removal of somebody's leftovers may hold up a start.
const LEFTOVER_PATIENCE: Duration = Duration::from_millis(300);

/// The groups of one run. Dropping removes them; they must be empty by then.
#[derive(Debug, Default)]
pub(crate) struct Groups {
    meter: Meter,
    /// Whether the run was given cores of its own.
    pinned: bool,
}

impl Groups {
    /// Makes what can be made on this machine; empty where nothing is writable.
    pub(crate) fn create(limits: &Limits) -> Self {
        let own = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
        let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
        Self::create_below(&places(&own, &mounts), limits)
    }

    fn create_below(places: &[Place], limits: &Limits) -> Self {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        let count = COUNTER.fetch_add(1, Ordering::Relaxed);
        let own = std::process::id();
        let name = format!("{PREFIX}{own}-{}-{count}", processes::start_ticks(own).unwrap_or(0));
        let mut groups = Self { meter: Meter::default(), pinned: !limits.core_ids.is_empty() };
        for place in places {
            remove_leftovers(&place.folder);
            let made = place.forms(groups.pinned).into_iter().find_map(|form| {
                let group = Place { folder: place.folder.join(&name), ..form.clone() };
                let Err(error) = make(&form, &group, limits) else { return Some(group) };
                tracing::debug!(folder = %group.folder.display(), %error, "no control group here");
                let _ = fs::remove_dir(&group.folder);
                None
            });
            groups.meter.places.extend(made);
        }
        groups
    }

    /// Files to which a process writes `0` to enter the groups.
    pub(crate) fn entrances(&self) -> io::Result<Vec<fs::File>> {
        let open = |place: &Place| fs::OpenOptions::new().write(true).open(place.folder.join("cgroup.procs"));
        self.meter.places.iter().map(open).collect()
    }

    /// What reads these groups.
    pub(crate) fn meter(&self) -> &Meter {
        &self.meter
    }

    /// Kills what is left and removes the groups; gives up after `patience` and leaves them to the next start.
    pub(crate) fn remove(&mut self, patience: Duration) {
        let deadline = Instant::now() + patience;
        loop {
            for pid in self.meter.processes() {
                processes::signal(pid, rustix::process::Signal::KILL);
            }
            self.meter.places.retain(|place| fs::remove_dir(&place.folder).is_err() && place.folder.exists());
            if self.meter.places.is_empty() || Instant::now() >= deadline {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        for place in &self.meter.places {
            tracing::warn!(folder = %place.folder.display(), "control group is still in use");
        }
    }

    /// What these groups enforce, and what is left to the watcher; `isolates` says whether a sandbox stands around the run.
    pub(crate) fn notices(&self, isolates: bool) -> Vec<Notice> {
        let enforced = |limit: &str, controller: &str| Notice::Enforced {
            limit: limit.into(),
            by: format!("the {controller} cgroup"),
        };
        let why = |controller: &str| format!("no writable {controller} cgroup");
        let open = |limit: &str, controller: &str| Notice::Open { limit: limit.into(), why: why(controller) };
        let either = |limit: &str, controller: &str, other: &dyn Fn(&str, &str) -> Notice| {
            if self.meter.has(controller) { enforced(limit, controller) } else { other(limit, controller) }
        };
        let by_uid = |limit: &str, _: &str| Notice::Enforced { limit: limit.into(), by: "RLIMIT_NPROC".into() };
        let files =
            if can_look() { " and memory files count" } else { " count, memory files do not without CAP_SYS_PTRACE" };
        let segments = if isolates { "are refused" } else { "do not count" };
        let memory = |limit: &str, controller: &str| Notice::Watched {
            limit: limit.into(),
            why: format!("{}; private mounts{files}, SysV segments {segments}", why(controller)),
        };
        let mut notices = vec![
            either("memory_bytes", "memory", &memory),
            either("processes", "pids", &by_uid),
            either("cores", "cpu", &open),
        ];
        if self.pinned {
            let affinity = |limit: &str, controller: &str| Notice::Open {
                limit: limit.into(),
                why: format!("{}; an affinity, which a program inside can widen", why(controller)),
            };
            notices.push(either("core_ids", CPUSET, &affinity));
        }
        notices
    }
}

fn make(place: &Place, group: &Place, limits: &Limits) -> io::Result<()> {
    if place.version == Version::Two {
        enable(place)?;
    }
    fs::create_dir(&group.folder)?;
    let write = |file: &str, value: String| fs::write(group.folder.join(file), value);
    for controller in &place.controllers {
        match (controller.as_str(), place.version) {
            ("memory", Version::One) => {
                write("memory.limit_in_bytes", limits.memory_bytes.to_string())?;
                // Not there without swap accounting; without swap there is nothing to limit either.
                let _ = write("memory.memsw.limit_in_bytes", limits.memory_bytes.to_string());
            }
            ("memory", Version::Two) => {
                write("memory.max", limits.memory_bytes.to_string())?;
                let _ = write("memory.swap.max", "0".into());
            }
            // Version 1 lets no process in before both are set.
            (CPUSET, Version::One) => {
                write("cpuset.mems", fs::read_to_string(place.folder.join("cpuset.mems"))?)?;
                write("cpuset.cpus", limits.core_list())?;
            }
            (CPUSET, Version::Two) => write("cpuset.cpus", limits.core_list())?,
            ("pids", _) => write("pids.max", limits.processes.to_string())?,
            ("cpu", Version::One) => {
                write("cpu.cfs_period_us", CPU_PERIOD.to_string())?;
                write("cpu.cfs_quota_us", (CPU_PERIOD * u64::from(limits.cores)).to_string())?;
            }
            ("cpu", Version::Two) => {
                write("cpu.max", format!("{} {CPU_PERIOD}", CPU_PERIOD * u64::from(limits.cores)))?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// Version 2 passes controllers on only where that was switched on, which the kernel refuses for a group that holds
/// processes itself.
fn enable(place: &Place) -> io::Result<()> {
    let file = place.folder.join("cgroup.subtree_control");
    let present = fs::read_to_string(&file)?;
    let missing: Vec<String> = place
        .controllers
        .iter()
        .filter(|name| !present.split_ascii_whitespace().any(|known| known == name.as_str()))
        .map(|name| format!("+{name}"))
        .collect();
    if missing.is_empty() { Ok(()) } else { fs::write(&file, missing.join(" ")) }
}

/// Kills and removes what a killed process of ours left behind. A sandbox can outlive its supervisor when that was
/// killed in the few milliseconds in which bubblewrap sets up.
fn remove_leftovers(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        if name.to_str().and_then(|name| name.strip_prefix(PREFIX)).is_some_and(is_orphan) {
            let place = Place { version: Version::One, controllers: Vec::new(), folder: entry.path() };
            tracing::info!(folder = %place.folder.display(), "removing a sandbox that lost its supervisor");
            Groups { meter: Meter { places: vec![place] }, pinned: false }.remove(LEFTOVER_PATIENCE);
        }
    }
}

/// Whether the process named by `pid-start-counter` is no more.
pub(crate) fn is_orphan(owner: &str) -> bool {
    let mut numbers = owner.split('-').map(str::parse::<u64>);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(pid)), Some(Ok(start))) => {
            u32::try_from(pid).is_ok_and(|pid| processes::start_ticks(pid) != Some(start))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: &str = "8:pids:/\n4:memory:/outer/inner\n2:cpu,cpuacct:/\n0::/scope\n";

    #[test]
    fn a_group_of_version_two_gets_its_limits() {
        let folder = tempfile::tempdir().unwrap();
        let scope = folder.path().join("scope");
        fs::create_dir(&scope).unwrap();
        fs::write(scope.join("cgroup.controllers"), "cpuset cpu io memory pids\n").unwrap();
        fs::write(scope.join("cgroup.subtree_control"), "memory\n").unwrap();
        let mounts = format!("40 30 0:30 / {} rw - cgroup2 cgroup2 rw,nsdelegate\n", folder.path().display());
        let places = places(OWN, &mounts);
        assert_eq!(places[0].controllers, ["cpuset", "cpu", "memory", "pids"]);
        let groups = Groups::create_below(&places, &Limits { memory_bytes: 77, ..Limits::default() });
        let group = &groups.meter.places[0].folder;
        assert_eq!(fs::read_to_string(scope.join("cgroup.subtree_control")).unwrap(), "+cpu +pids");
        assert_eq!(fs::read_to_string(group.join("memory.max")).unwrap(), "77");
        assert_eq!(fs::read_to_string(group.join("cpu.max")).unwrap(), "400000 100000");
        assert_eq!(fs::read_to_string(group.join("pids.max")).unwrap(), "512");
        fs::write(group.join("memory.events"), "low 0\noom 3\noom_kill 2\n").unwrap();
        fs::write(group.join("memory.stat"), "anon 100\nfile 9999\nshmem 20\n").unwrap();
        fs::write(group.join("cpu.stat"), "usage_usec 1500000\nuser_usec 1\n").unwrap();
        fs::write(group.join("pids.events"), "max 4\n").unwrap();
        assert_eq!(groups.meter.out_of_memory_kills(), 2);
        assert_eq!(groups.meter.refused_processes(), Some(4));
        assert_eq!(groups.meter.resident_bytes(), Some(120));
        assert_eq!(groups.meter.cpu_seconds(), Some(1.5));
        assert!(groups.notices(true).iter().all(|notice| matches!(notice, Notice::Enforced { .. })));
    }

    #[test]
    fn nothing_writable_means_watched() {
        let groups = Groups::create_below(&[], &Limits::default());
        assert!(!groups.meter.has("memory"));
        assert!(matches!(&groups.notices(true)[0], Notice::Watched { limit, .. } if limit == "memory_bytes"));
        assert!(groups.meter.processes().is_empty());
    }

    #[test]
    fn the_group_of_a_dead_owner_is_emptied_and_removed() {
        let own = fs::read_to_string("/proc/self/cgroup").unwrap();
        let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap();
        let Some(place) = places(&own, &mounts).into_iter().find(|place| place.version == Version::One) else { return };
        let group = place.folder.join(format!("{PREFIX}{}-1-0", std::process::id()));
        if fs::create_dir(&group).is_err() {
            return;
        }
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        fs::write(group.join("cgroup.procs"), child.id().to_string()).unwrap();
        let waiter = std::thread::spawn(move || child.wait().unwrap());
        remove_leftovers(&place.folder);
        assert!(!group.exists());
        assert!(!waiter.join().unwrap().success());
    }

    #[test]
    fn a_living_owner_is_left_alone() {
        let own = std::process::id();
        let start = processes::start_ticks(own).unwrap();
        assert!(!is_orphan(&format!("{own}-{start}-0")));
        assert!(is_orphan(&format!("{own}-{}-0", start + 1)));
        assert!(!is_orphan("something-else"));
    }
}
