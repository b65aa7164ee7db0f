//! NVIDIA's graphics processors (GPUs): which ones this process may use, and what a command behind bubblewrap needs of the machine for one.
//!
//! What a container toolkit passes is passed here too, read-only but for the device nodes, which are made to be written: the node of each
//! GPU that the run gets and of no other, the two that all share (control and unified memory), and the driver's libraries as far as they
//! lie outside of `/usr`, which is in sight already. A program inside counts what it was given from 0.

mod driver;
mod meter;

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};

use crate::command::Bind;
use crate::error::SandboxStartError;

pub(crate) use meter::GpuMeter;

/// Nodes beside those of the GPUs: without the first there is no driver, without the second no CUDA.
const SHARED_NODES: [&str; 2] = ["nvidiactl", "nvidia-uvm"];

/// One GPU of the machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Gpu {
    /// Its place in the order of bus addresses, from 0: what `nvidia-smi` and container engines call it.
    pub(crate) index: u32,
    /// Its device node.
    pub(crate) node: PathBuf,
    /// `GPU-` and its UUID, where the driver tells.
    pub(crate) uuid: Option<String>,
}

/// The numbers of the GPUs that this process may use: those whose nodes it may open (a batch system closes the others), and of these the
/// ones that its own `CUDA_VISIBLE_DEVICES` names. Numbers are those of `nvidia-smi`.
#[must_use]
pub fn available() -> Vec<u32> {
    usable(Path::new("/"), std::env::var("CUDA_VISIBLE_DEVICES").ok().as_deref()).iter().map(|gpu| gpu.index).collect()
}

fn usable(root: &Path, visible: Option<&str>) -> Vec<Gpu> {
    let open = |gpu: &Gpu| OpenOptions::new().read(true).write(true).open(&gpu.node).is_ok();
    let given: Vec<Gpu> = driver::listed(root).into_iter().filter(open).collect();
    match visible {
        Some(visible) => named(&given, visible),
        None => given,
    }
}

/// Those of a list such as `0,2` or `GPU-8a30,GPU-1c`, read as CUDA reads it: places among what is there, or beginnings of UUIDs, up to the
/// first that is none.
fn named(given: &[Gpu], list: &str) -> Vec<Gpu> {
    let find = |word: &str| match word.parse::<usize>() {
        Ok(place) => given.get(place),
        Err(_) if word.starts_with("GPU-") => {
            given.iter().find(|gpu| gpu.uuid.as_ref().is_some_and(|uuid| uuid.starts_with(word)))
        }
        Err(_) => None,
    };
    list.split(',').map_while(|word| find(word.trim()).cloned()).collect()
}

/// What a run gets of the machine for its GPUs.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Passed {
    /// Device nodes, on the host and inside.
    pub(crate) nodes: Vec<Bind>,
    /// Libraries of the driver that lie outside of `/usr`.
    pub(crate) libraries: Vec<Bind>,
}

impl Passed {
    /// What the GPUs of these numbers need.
    ///
    /// # Errors
    /// When there is none of such a number, or a node is missing.
    pub(crate) fn of(ids: &[u32]) -> Result<Self, SandboxStartError> {
        if ids.is_empty() { Ok(Self::default()) } else { Self::on(Path::new("/"), ids, &driver::libraries()) }
    }

    fn on(root: &Path, ids: &[u32], libraries: &[PathBuf]) -> Result<Self, SandboxStartError> {
        let listed = driver::listed(root);
        let mut nodes = Vec::new();
        for id in ids {
            let gpu = listed.iter().find(|gpu| gpu.index == *id);
            nodes.push(gpu.ok_or(SandboxStartError::NoGpu { id: *id })?.node.clone());
        }
        nodes.extend(SHARED_NODES.map(|name| root.join("dev").join(name)));
        if let Some(missing) = nodes.iter().find(|node| !node.exists()) {
            return Err(SandboxStartError::NoGpuNode { path: missing.clone() });
        }
        let inside = |node: &Path| Path::new("/dev").join(node.file_name().unwrap_or_default());
        let nodes = nodes.into_iter().map(|node| Bind { inside: inside(&node), host: node }).collect();
        Ok(Self { nodes, libraries: libraries.iter().map(Bind::same).collect() })
    }
}

/// The variables by which programs find the GPUs that they were given, and no other. `isolates`: these are
/// all it sees, and are counted from 0.
pub(crate) fn variables(ids: &[u32], isolates: bool) -> Vec<(String, String)> {
    if ids.is_empty() {
        return Vec::new();
    }
    let numbers: Vec<String> = if isolates {
        (0..ids.len()).map(|place| place.to_string()).collect()
    } else {
        ids.iter().map(u32::to_string).collect()
    };
    // CUDA's own order is that of speed.
    [("CUDA_DEVICE_ORDER", "PCI_BUS_ID".to_owned()), ("CUDA_VISIBLE_DEVICES", numbers.join(","))]
        .map(|(name, value)| (name.to_owned(), value))
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A made-up machine with GPUs of these bus addresses and minor numbers.
    fn machine(gpus: &[(&str, u32)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        let devices = root.path().join("dev");
        std::fs::create_dir(&devices).unwrap();
        for name in
            SHARED_NODES.map(str::to_owned).into_iter().chain(gpus.iter().map(|(_, minor)| format!("nvidia{minor}")))
        {
            std::fs::write(devices.join(name), "").unwrap();
        }
        for (bus, minor) in gpus {
            let folder = root.path().join("proc/driver/nvidia/gpus").join(bus);
            std::fs::create_dir_all(&folder).unwrap();
            let text =
                format!("Model: \t\t Made up\nGPU UUID: \t GPU-{minor}{minor}{minor}\nDevice Minor: \t {minor}\n");
            std::fs::write(folder.join("information"), text).unwrap();
        }
        root
    }

    fn numbers(root: &Path, visible: Option<&str>) -> Vec<u32> {
        usable(root, visible).iter().map(|gpu| gpu.index).collect()
    }

    #[test]
    fn gpus_are_numbered_by_their_bus_and_passed_by_their_node() {
        let machine = machine(&[("0000:8a:00.0", 0), ("0000:07:00.0", 1), ("0000:0b:00.0", 2)]);
        let passed = Passed::on(machine.path(), &[0], &[]).unwrap();
        let inside: Vec<String> = passed.nodes.iter().map(|bind| bind.inside.display().to_string()).collect();
        assert_eq!(inside, ["/dev/nvidia1", "/dev/nvidiactl", "/dev/nvidia-uvm"]);
        let error = Passed::on(machine.path(), &[3], &[]).unwrap_err().to_string();
        assert!(error.contains("GPU 3"), "{error}");
        assert_eq!(Passed::of(&[]).unwrap(), Passed::default());
        std::fs::remove_file(machine.path().join("dev/nvidia-uvm")).unwrap();
        let error = Passed::on(machine.path(), &[0], &[]).unwrap_err().to_string();
        assert!(error.contains("nvidia-uvm is not there"), "{error}");
    }

    #[test]
    fn what_this_process_was_given_is_all_it_gives_away() {
        let machine = machine(&[("0000:07:00.0", 1), ("0000:0b:00.0", 0), ("0000:8a:00.0", 2)]);
        let root = machine.path();
        assert_eq!(numbers(root, None), [0, 1, 2]);
        assert_eq!(numbers(root, Some("2,0")), [2, 0]);
        assert_eq!(numbers(root, Some("GPU-0")), [1]);
        assert_eq!(numbers(root, Some("1,7,0")), [1], "CUDA stops at what is not there");
        assert_eq!(numbers(root, Some("-1")), [0; 0]);
        assert_eq!(numbers(root, Some("")), [0; 0]);
        // A batch system that closes the other nodes counts anew: its `0` is the first that is open.
        std::fs::remove_file(root.join("dev/nvidia1")).unwrap();
        assert_eq!(numbers(root, Some("0")), [1]);
    }

    #[test]
    fn where_the_driver_lists_nothing_nodes_are_counted() {
        let machine = machine(&[]);
        for name in ["nvidia10", "nvidia2", "nvidia-caps", "nvidia"] {
            std::fs::write(machine.path().join("dev").join(name), "").unwrap();
        }
        assert_eq!(numbers(machine.path(), None), [2, 10]);
    }

    #[test]
    fn inside_a_sandbox_gpus_are_counted_from_zero() {
        let value = |isolates: bool| variables(&[3, 5], isolates).pop().unwrap().1;
        assert_eq!((value(true).as_str(), value(false).as_str()), ("0,1", "3,5"));
        assert!(variables(&[], false).is_empty());
    }
}
