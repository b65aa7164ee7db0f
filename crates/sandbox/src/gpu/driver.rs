//! What the driver tells of GPUs, and where its libraries lie.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::Gpu;

/// How the names of libraries begin that a program with CUDA loads, or those load in turn. Container toolkits have a list of them; what is
/// new in a driver is not in it.
const LIBRARIES: [&str; 2] = ["libcuda", "libnvidia-"];
/// Where the linker's list is asked for; not on the `PATH` of everybody.
const LDCONFIG: &str = "/sbin/ldconfig";

/// All GPUs below `root`, in the order of their bus addresses; where the driver lists none, in that of their nodes.
pub(super) fn listed(root: &Path) -> Vec<Gpu> {
    let (folder, devices) = (root.join("proc/driver/nvidia/gpus"), root.join("dev"));
    let node = |minor: u32| devices.join(format!("nvidia{minor}"));
    let mut buses = names(&folder);
    buses.sort();
    if buses.is_empty() {
        let minors = names(&devices).into_iter().filter_map(|name| name.strip_prefix("nvidia")?.parse::<u32>().ok());
        let mut minors: Vec<u32> = minors.collect();
        minors.sort_unstable();
        return minors.into_iter().map(|minor| Gpu { index: minor, node: node(minor), uuid: None }).collect();
    }
    let told = (0..).zip(buses).filter_map(|(index, bus)| {
        let text = std::fs::read_to_string(folder.join(bus).join("information")).ok()?;
        let minor = value(&text, "Device Minor:")?.parse().ok()?;
        Some(Gpu { index, node: node(minor), uuid: value(&text, "GPU UUID:").map(str::to_owned) })
    });
    told.collect()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().into_string().ok()).collect()
}

fn value<'text>(text: &'text str, key: &str) -> Option<&'text str> {
    text.lines().find_map(|line| line.strip_prefix(key)).map(str::trim)
}

/// The driver's libraries that are not below `/usr`, by the paths at which the linker looks for them.
pub(super) fn libraries() -> Vec<PathBuf> {
    let output = Command::new(LDCONFIG).arg("-p").stdin(Stdio::null()).stderr(Stdio::null()).output();
    output.map(|output| outside(&String::from_utf8_lossy(&output.stdout))).unwrap_or_default()
}

/// Those that a linker's list names.
fn outside(list: &str) -> Vec<PathBuf> {
    let lines = list.lines().filter(|line| LIBRARIES.iter().any(|name| line.trim_start().starts_with(name)));
    let paths = lines.filter_map(|line| line.split_once(" => ")).map(|(_, path)| PathBuf::from(path.trim()));
    // `/lib` is a link into `/usr` on most systems.
    let in_sight = |path: &PathBuf| path.canonicalize().is_ok_and(|real| real.starts_with("/usr"));
    let mut found: Vec<PathBuf> = paths.filter(|path| path.is_file() && !in_sight(path)).collect();
    found.sort();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_drivers_libraries_out_of_sight_are_bound() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name).display().to_string();
        for name in ["libcuda.so.1", "libnvidia-ml.so.1", "libm.so.6"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let line = |name: &str| format!("\t{name} (libc6,x86-64) => {}\n", at(name));
        let list = ["libcuda.so.1", "libm.so.6", "libnvidia-ml.so.1", "libcuda.so.1", "libnvidia-gone.so.1"]
            .map(line)
            .concat();
        let list = format!("2 libs found in cache `/etc/ld.so.cache'\n{list}\tlibcuda.so (libc6) => /usr/bin/env\n");
        let found: Vec<String> = outside(&list).iter().map(|path| path.display().to_string()).collect();
        assert_eq!(found, [at("libcuda.so.1"), at("libnvidia-ml.so.1")]);
    }
}
