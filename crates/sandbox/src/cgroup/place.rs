//! Where a process stands in the hierarchies of control groups, version 1 and 2, and what is read there.

use std::fs;
use std::path::{Path, PathBuf};

/// The controller of the cores that a group may use.
pub(super) const CPUSET: &str = "cpuset";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    One,
    Two,
}

/// One folder of a hierarchy and the controllers that act there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) version: Version,
    pub(super) controllers: Vec<String>,
    pub(super) folder: PathBuf,
}

impl Place {
    /// With which controllers a group is tried here, in this order. Only a run with cores of its own needs `cpuset`, and
    /// where that is refused, the other limits stay in force.
    pub(super) fn forms(&self, pinned: bool) -> Vec<Place> {
        let mut plain = self.clone();
        plain.controllers.retain(|name| name != CPUSET);
        let mut forms = Vec::new();
        if pinned && plain != *self {
            forms.push(self.clone());
        }
        if !plain.controllers.is_empty() {
            forms.push(plain);
        }
        forms
    }
}

/// The place of a process (its `/proc/<pid>/cgroup`) in every hierarchy that has a controller of interest.
pub(super) fn places(own: &str, mounts: &str) -> Vec<Place> {
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
        let wanted = |name: &&str| matches!(*name, "memory" | "pids" | "cpu" | "cpuacct" | CPUSET);
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

pub(super) fn keyed(file: &Path, key: &str) -> Option<u64> {
    keyed_in(&fs::read_to_string(file).ok()?, key)
}

pub(super) fn keyed_in(text: &str, key: &str) -> Option<u64> {
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
}
