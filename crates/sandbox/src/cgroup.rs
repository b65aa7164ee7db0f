//! Control groups of a run, made below our own so that outer limits stay in force: version 1 and 2.
//!
//! Each controller is tried alone; what cannot be had is reported and left to the watcher.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::processes::{self, to_float};
use crate::{Limits, Notice};

/// Prefix of the groups we make; followed by our process id, our start time and a counter.
const PREFIX: &str = "nbrevive-";
/// Length of the period in which the cores are counted out, in microseconds.
const CPU_PERIOD: u64 = 100_000;
/// How long the removal of somebody's leftovers may hold up a start.
const LEFTOVER_PATIENCE: Duration = Duration::from_millis(300);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Version {
    One,
    Two,
}

/// One folder of a hierarchy and the controllers that act there.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    version: Version,
    controllers: Vec<String>,
    folder: PathBuf,
}

/// The groups of one run. Dropping removes them; they must be empty by then.
#[derive(Debug, Default)]
pub(crate) struct Groups {
    made: Vec<Place>,
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
        let mut groups = Self::default();
        for place in places {
            remove_leftovers(&place.folder);
            let group = Place { folder: place.folder.join(&name), ..place.clone() };
            if let Err(error) = make(place, &group, limits) {
                tracing::debug!(folder = %group.folder.display(), %error, "no control group here");
                let _ = fs::remove_dir(&group.folder);
            } else {
                groups.made.push(group);
            }
        }
        groups
    }

    /// Files to which a process writes `0` to enter the groups.
    pub(crate) fn entrances(&self) -> io::Result<Vec<fs::File>> {
        let open = |place: &Place| fs::OpenOptions::new().write(true).open(place.folder.join("cgroup.procs"));
        self.made.iter().map(open).collect()
    }

    pub(crate) fn has(&self, controller: &str) -> bool {
        self.with(controller).is_some()
    }

    fn with(&self, controller: &str) -> Option<&Place> {
        self.made.iter().find(|place| place.controllers.iter().any(|known| known == controller))
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
        if let Some(place) = self.made.iter().find(|place| place.controllers.iter().any(|name| name == "cpuacct")) {
            let text = fs::read_to_string(place.folder.join("cpuacct.usage")).ok()?;
            return Some(to_float(text.trim().parse().ok()?) / 1e9);
        }
        let place = self.made.iter().find(|place| place.version == Version::Two)?;
        Some(to_float(keyed(&place.folder.join("cpu.stat"), "usage_usec")?) / 1e6)
    }

    /// Processes that are still in any group.
    pub(crate) fn survivors(&self) -> Vec<i32> {
        let mut pids: Vec<i32> = Vec::new();
        for place in &self.made {
            let text = fs::read_to_string(place.folder.join("cgroup.procs")).unwrap_or_default();
            pids.extend(text.lines().filter_map(|line| line.parse::<i32>().ok()));
        }
        pids.sort_unstable();
        pids.dedup();
        pids
    }

    /// Kills what is left and removes the groups; gives up after `patience` and leaves them to the next start.
    pub(crate) fn remove(&mut self, patience: Duration) {
        let deadline = Instant::now() + patience;
        loop {
            for pid in self.survivors() {
                processes::signal(pid, rustix::process::Signal::KILL);
            }
            self.made.retain(|place| fs::remove_dir(&place.folder).is_err() && place.folder.exists());
            if self.made.is_empty() || Instant::now() >= deadline {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        for place in &self.made {
            tracing::warn!(folder = %place.folder.display(), "control group is still in use");
        }
    }

    /// What these groups enforce, and what is left to the watcher.
    pub(crate) fn notices(&self) -> Vec<Notice> {
        let enforced = |limit: &str, controller: &str| Notice::Enforced {
            limit: limit.into(),
            by: format!("the {controller} cgroup"),
        };
        let why = |controller: &str| format!("no writable {controller} cgroup");
        let watched = |limit: &str, controller: &str| Notice::Watched { limit: limit.into(), why: why(controller) };
        let open = |limit: &str, controller: &str| Notice::Open { limit: limit.into(), why: why(controller) };
        let either = |limit: &str, controller: &str, other: &dyn Fn(&str, &str) -> Notice| {
            if self.has(controller) { enforced(limit, controller) } else { other(limit, controller) }
        };
        let by_uid = |limit: &str, _: &str| Notice::Enforced { limit: limit.into(), by: "RLIMIT_NPROC".into() };
        vec![
            either("memory_bytes", "memory", &watched),
            either("processes", "pids", &by_uid),
            either("cores", "cpu", &open),
        ]
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
            Groups { made: vec![place] }.remove(LEFTOVER_PATIENCE);
        }
    }
}

/// Whether the process named by `pid-start-counter` is no more.
fn is_orphan(owner: &str) -> bool {
    let mut numbers = owner.split('-').map(str::parse::<u64>);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(pid)), Some(Ok(start))) => {
            u32::try_from(pid).is_ok_and(|pid| processes::start_ticks(pid) != Some(start))
        }
        _ => false,
    }
}

/// Our own place in every hierarchy that has a controller of interest.
fn places(own: &str, mounts: &str) -> Vec<Place> {
    let mut found = Vec::new();
    for line in mounts.lines() {
        let Some((before, after)) = line.split_once(" - ") else { continue };
        let fields: Vec<&str> = before.split(' ').collect();
        let (Some(root), Some(point)) = (fields.get(3), fields.get(4)) else { continue };
        let kind: Vec<&str> = after.split(' ').collect();
        let (version, offered) = match kind.first() {
            Some(&"cgroup") => (Version::One, kind.last().copied().unwrap_or_default().to_owned()),
            Some(&"cgroup2") => (Version::Two, String::new()),
            _ => continue,
        };
        let wanted = |name: &&str| matches!(*name, "memory" | "pids" | "cpu" | "cpuacct");
        let mut controllers: Vec<String> = offered.split(',').filter(wanted).map(str::to_owned).collect();
        let Some(path) = own_path(own, controllers.first().map_or("", String::as_str)) else { continue };
        let relative = path.strip_prefix(*root).unwrap_or(&path).trim_start_matches('/').to_owned();
        let folder = Path::new(point).join(relative);
        if version == Version::Two {
            let text = fs::read_to_string(folder.join("cgroup.controllers")).unwrap_or_default();
            controllers = text.split_ascii_whitespace().filter(wanted).map(str::to_owned).collect();
        }
        if !controllers.is_empty() {
            found.push(Place { version, controllers, folder });
        }
    }
    found
}

/// Line `number:controllers:path` of `/proc/self/cgroup`; version 2 has no controllers there.
fn own_path(own: &str, controller: &str) -> Option<String> {
    own.lines().find_map(|line| {
        let mut parts = line.splitn(3, ':');
        let (_, names, path) = (parts.next()?, parts.next()?, parts.next()?);
        names.split(',').any(|name| name == controller).then(|| path.to_owned())
    })
}

fn keyed(file: &Path, key: &str) -> Option<u64> {
    keyed_in(&fs::read_to_string(file).ok()?, key)
}

fn keyed_in(text: &str, key: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' ')?.trim().parse().ok())
}

/// Memory that this process may use: that of the machine, or less where a group above us says so.
#[must_use]
pub fn available_memory() -> Option<u64> {
    let meminfo = fs::read_to_string("/proc/meminfo").ok()?;
    let total = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let total = total.trim().trim_end_matches("kB").trim().parse::<u64>().ok()? * 1024;
    let own = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    let memory = places(&own, &mounts).into_iter().find(|place| place.controllers.iter().any(|name| name == "memory"));
    let limit = memory.and_then(|place| {
        let number = |file: PathBuf| fs::read_to_string(file).ok()?.trim().parse::<u64>().ok();
        match place.version {
            Version::One => keyed(&place.folder.join("memory.stat"), "hierarchical_memory_limit"),
            Version::Two => place.folder.ancestors().filter_map(|above| number(above.join("memory.max"))).min(),
        }
    });
    Some(limit.map_or(total, |limit| limit.min(total)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: &str = "8:pids:/\n4:memory:/outer/inner\n2:cpu,cpuacct:/\n0::/scope\n";

    #[test]
    fn finds_the_own_place_in_version_one() {
        let mounts = "31 30 0:27 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n\
                      32 30 0:28 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n\
                      33 30 0:29 / /sys/fs/cgroup/freezer rw - cgroup cgroup rw,freezer\n";
        let found = places(OWN, mounts);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].folder, Path::new("/sys/fs/cgroup/memory/outer/inner"));
        assert_eq!(found[1].controllers, ["cpu", "cpuacct"]);
    }

    #[test]
    fn a_group_of_version_two_gets_its_limits() {
        let folder = tempfile::tempdir().unwrap();
        let scope = folder.path().join("scope");
        fs::create_dir(&scope).unwrap();
        fs::write(scope.join("cgroup.controllers"), "cpuset cpu io memory pids\n").unwrap();
        fs::write(scope.join("cgroup.subtree_control"), "memory\n").unwrap();
        let mounts = format!("40 30 0:30 / {} rw - cgroup2 cgroup2 rw,nsdelegate\n", folder.path().display());
        let places = places(OWN, &mounts);
        assert_eq!(places[0].controllers, ["cpu", "memory", "pids"]);
        let groups = Groups::create_below(&places, &Limits { memory_bytes: 77, ..Limits::default() });
        let group = &groups.made[0].folder;
        assert_eq!(fs::read_to_string(scope.join("cgroup.subtree_control")).unwrap(), "+cpu +pids");
        assert_eq!(fs::read_to_string(group.join("memory.max")).unwrap(), "77");
        assert_eq!(fs::read_to_string(group.join("cpu.max")).unwrap(), "400000 100000");
        assert_eq!(fs::read_to_string(group.join("pids.max")).unwrap(), "512");
        fs::write(group.join("memory.events"), "low 0\noom 3\noom_kill 2\n").unwrap();
        fs::write(group.join("memory.stat"), "anon 100\nfile 9999\nshmem 20\n").unwrap();
        fs::write(group.join("cpu.stat"), "usage_usec 1500000\nuser_usec 1\n").unwrap();
        assert_eq!(groups.out_of_memory_kills(), 2);
        assert_eq!(groups.resident_bytes(), Some(120));
        assert_eq!(groups.cpu_seconds(), Some(1.5));
        assert!(groups.notices().iter().all(|notice| matches!(notice, Notice::Enforced { .. })));
    }

    #[test]
    fn nothing_writable_means_watched() {
        let groups = Groups::create_below(&[], &Limits::default());
        assert!(!groups.has("memory"));
        assert!(matches!(&groups.notices()[0], Notice::Watched { limit, .. } if limit == "memory_bytes"));
        assert!(groups.survivors().is_empty());
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
