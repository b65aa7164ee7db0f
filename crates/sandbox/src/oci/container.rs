//! One container from its name to its removal, whatever happens to this program in between.
//!
//! An engine's container does not die with us as bubblewrap does. So each gets an undertaker: a process that does
//! nothing but wait for the end of a pipe that we hold, and then removes the container by name. It also ends when we are
//! killed. What even the undertaker missed (both killed at once) is removed by the next [`super::Oci::find`].

use std::fs;
use std::io;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command as Process;
use std::sync::atomic::{AtomicU64, Ordering};

use tempfile::TempDir;

use super::options::{Naming, options};
use super::{Oci, profile::profile};
use crate::cgroup::is_orphan;
use crate::places::{ROOT, is_bound, make_places};
use crate::processes::{self, first_of_container};
use crate::undertaker::Undertaker;
use crate::{Command, Limits};

/// Prefix of a container's name; followed by our process id, our start time and a counter.
const PREFIX: &str = "nbrevive-";
/// Label whose value tells machines and process namespaces apart that share an engine.
const LABEL: &str = "nbrevive.owner";

/// A container and what is needed to find and to remove it.
#[derive(Debug)]
pub(crate) struct Container {
    oci: Oci,
    name: String,
    folder: TempDir,
    id: Option<String>,
    undertaker: Undertaker,
}

impl Container {
    /// Prepares a container; the process starts it and lives as long as it does.
    pub(crate) fn prepare(
        oci: &Oci,
        command: &Command,
        limits: &Limits,
        user: (u32, u32),
    ) -> io::Result<(Self, Process)> {
        let folder = tempfile::Builder::new().prefix("nbrevive-oci-").tempdir()?;
        let name = new_name();
        let undertaker = oci.undertaker(&name, folder.path())?;
        let container = Self { oci: oci.clone(), name, folder, id: None, undertaker };
        let filter = container.folder.path().join("seccomp.json");
        fs::write(&filter, profile().to_string())?;
        let (id_file, root) = (&container.id_file(), container.open_root(command)?);
        let naming =
            Naming { name: &container.name, label: &label(), id_file, profile: &filter, root: root.as_deref(), user };
        let mut process = oci.process();
        // A group of its own: an interrupt typed at the terminal is for us, and the engine would pass it on.
        process.args(options(oci, command, limits, &naming)).process_group(0);
        // Podman's monitor leaves a file named `oom` where it was started, when memory ran out.
        process.current_dir(container.folder.path());
        Ok((container, process))
    }

    /// A folder for the place of the image's own `/root`, where something is bound below it: images keep theirs closed, so that the
    /// command, which is nobody, would not get to what is bound.
    fn open_root(&self, command: &Command) -> io::Result<Option<PathBuf>> {
        let root = self.folder.path().join("root");
        Ok((!is_bound(ROOT, command) && make_places(&root, ROOT, command)?).then_some(root))
    }

    fn id_file(&self) -> PathBuf {
        self.folder.path().join("id")
    }

    /// The container's id, once the engine has made it.
    pub(crate) fn id(&mut self) -> Option<&str> {
        if self.id.is_none() {
            let text = fs::read_to_string(self.id_file()).unwrap_or_default();
            self.id = Some(text.trim().to_owned()).filter(|id| !id.is_empty());
        }
        self.id.as_deref()
    }

    /// The first process inside, as this machine numbers it; `None` before it runs, or where it runs elsewhere.
    pub(crate) fn first_process(&mut self) -> Option<i32> {
        first_of_container(self.id()?)
    }

    /// One field of the engine's account of the container.
    fn state(&self, field: &str) -> String {
        let said = self.oci.ask(&["inspect", "--format", &format!("{{{{.State.{field}}}}}"), &self.name]);
        said.unwrap_or_default().trim().to_owned()
    }

    /// Whether the command ever ran.
    pub(crate) fn ran(&self) -> bool {
        let started = self.state("StartedAt");
        !started.is_empty() && !started.starts_with("0001-")
    }

    /// Whether the engine saw the kernel kill a process for want of memory. (Podman does not always notice.)
    pub(crate) fn out_of_memory(&self) -> bool {
        self.state("OOMKilled") == "true"
    }

    /// Begins to remove the container, with everything that runs in it.
    pub(crate) fn dismiss(&mut self) {
        self.undertaker.dismiss();
    }

    /// Removes the container and waits until it is gone.
    pub(crate) fn remove(&mut self) {
        self.undertaker.finish();
    }
}

impl Oci {
    fn undertaker(&self, name: &str, folder: &Path) -> io::Result<Undertaker> {
        let mut remove = self.process();
        remove.args(["rm", "--force", "--volumes", name]);
        Undertaker::new(folder, &remove)
    }
}

/// A name that says whose container it is.
fn new_name() -> String {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let (own, count) = (std::process::id(), COUNTER.fetch_add(1, Ordering::Relaxed));
    format!("{PREFIX}{own}-{}-{count}", processes::start_ticks(own).unwrap_or(0))
}

/// `name=value` of the label: our machine and our namespace of process ids, in which the numbers of a name mean something.
fn label() -> String {
    let namespace = fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let namespace: String = namespace.to_string_lossy().chars().filter(char::is_ascii_digit).collect();
    format!("{LABEL}={}.{namespace}", host.trim())
}

/// Removes containers whose program is no more.
pub(super) fn remove_leftovers(oci: &Oci) {
    let filter = format!("label={}", label());
    let Ok(names) = oci.ask(&["ps", "--all", "--filter", &filter, "--format", "{{.Names}}"]) else { return };
    for name in names.lines().map(str::trim) {
        if name.strip_prefix(PREFIX).is_some_and(is_orphan) {
            tracing::info!(container = name, "removing a container that lost its supervisor");
            if let Err(said) = oci.ask(&["rm", "--force", "--volumes", name]) {
                tracing::warn!(container = name, said, "cannot remove a container that lost its supervisor");
            }
        }
    }
}
