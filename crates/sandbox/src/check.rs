//! What the machine lacks for a backend, and which limits it can enforce: asked before the first run.

use std::io::{self, Read as _, Seek as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Command as Process, ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};

use crate::cgroup::Groups;
use crate::missing::MissingMeans;
use crate::processes::can_look;
use crate::programs::{Bubblewrap, find_bubblewrap};
use crate::{Backend, Command, Ended, Engine, Limits, Notice, start};

/// Bytes of a complaint that are read.
const MOST_SAID: u64 = 64 << 10;

/// An engine may unpack an image before its first container.
const FIRST_CONTAINER: Duration = Duration::from_secs(120);

/// Says what is missing for `backend`, with the command that installs it, or which limits are enforced and how.
///
/// Starts a trivial sandbox, so that a kernel that refuses namespaces is found here and not in the first run.
///
/// # Errors
/// [`MissingMeans`] names the program or the permission that is not there.
pub fn check(backend: &Backend) -> Result<Vec<Notice>, MissingMeans> {
    let core_ids = crate::cores::available().into_iter().take(1).collect();
    let limits = Limits { core_ids, ..Limits::default() };
    let mut notices = match backend {
        Backend::Bubblewrap => {
            try_sandbox(&find_bubblewrap()?)?;
            notices_of_groups(&limits, backend.isolates())
        }
        Backend::Oci(oci) => {
            try_container(backend, oci.engine, &limits)?;
            oci.notices(&limits)
        }
        Backend::Apptainer(_) => {
            try_container(backend, Engine::Apptainer, &limits)?;
            notices_of_groups(&limits, backend.isolates())
        }
        Backend::None => notices_of_groups(&limits, backend.isolates()),
    };
    let unseen = if can_look() { "" } else { "; files without a name stay unseen without CAP_SYS_PTRACE" };
    let why = format!("the folders lie on the host's file system{unseen}");
    for limit in ["disk_bytes", "disk_entries", "disk_reserve_bytes"] {
        notices.push(Notice::Watched { limit: limit.into(), why: why.clone() });
    }
    for limit in ["file_bytes", "open_files"] {
        notices.push(Notice::Enforced { limit: limit.into(), by: "resource limits".into() });
    }
    for limit in ["temporary_bytes", "shared_memory_bytes"] {
        notices.push(match backend {
            Backend::Apptainer(_) if limit == "temporary_bytes" => {
                Notice::Watched { limit: limit.into(), why: "the folder counts as disk_bytes".into() }
            }
            Backend::Apptainer(_) => {
                Notice::Watched { limit: limit.into(), why: "what lies there counts as memory_bytes".into() }
            }
            Backend::Bubblewrap | Backend::Oci(_) => {
                Notice::Enforced { limit: limit.into(), by: "the size of the mount".into() }
            }
            Backend::None => Notice::Open { limit: limit.into(), why: "without a sandbox nothing is mounted".into() },
        });
    }
    notices.push(Notice::Watched { limit: "wall_clock".into(), why: "by the supervisor, to about 50 ms".into() });
    Ok(notices)
}

/// What a run may hold unseen on this machine, in words; `None` where everything is looked at. To be said before anything runs.
#[must_use]
pub fn unseen() -> Option<&'static str> {
    const UNSEEN: &str = "files without a name are not counted, nor memory files where there is no memory cgroup: \
                          root needs CAP_SYS_PTRACE to see them";
    (!can_look()).then_some(UNSEEN)
}

fn notices_of_groups(limits: &Limits, isolates: bool) -> Vec<Notice> {
    let mut groups = Groups::create(limits);
    let notices = groups.notices(isolates);
    groups.remove(Duration::from_secs(1));
    notices
}

fn try_sandbox(bubblewrap: &Bubblewrap) -> Result<(), MissingMeans> {
    let mut process = Process::new(&bubblewrap.path);
    process.env_clear().stdin(Stdio::null());
    if !rustix::process::geteuid().is_root() {
        process.arg("--unshare-user");
    }
    process.args(["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--ro-bind", "/", "/"]);
    let refused = |said: String| MissingMeans::Refused {
        said,
        hint: "allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1, or an AppArmor profile \
               for bwrap), or run in a container that allows them"
            .into(),
    };
    process.args(["--proc", "/proc", "true"]);
    match ended(&mut process) {
        Ok((status, _)) if status.success() => Ok(()),
        Ok((status, said)) if said.trim().is_empty() => Err(refused(status.to_string())),
        Ok((_, said)) => Err(refused(said.trim().to_owned())),
        Err(error) => Err(refused(error.to_string())),
    }
}

/// Runs a process to its end, takes along whatever it left in its group, and returns what it complained about.
///
/// Not through pipes: bubblewrap that is killed while it prepares its child leaves one that waits for ever, and holds them open.
fn ended(process: &mut Process) -> io::Result<(ExitStatus, String)> {
    let mut complaints = tempfile::tempfile()?;
    let mut child = process.stdout(Stdio::null()).stderr(complaints.try_clone()?).process_group(0).spawn()?;
    let status = child.wait()?;
    // As a rule nothing is left, and nothing to be told of.
    let _ = kill_process_group(Pid::from_child(&child), Signal::KILL);
    let mut said = String::new();
    complaints.rewind()?;
    complaints.take(MOST_SAID).read_to_string(&mut said)?;
    Ok((status, said))
}

/// Starts a container with all that a run asks for. The program need not be in the image: what matters is that the engine
/// comes as far as looking for it.
fn try_container(backend: &Backend, engine: Engine, limits: &Limits) -> Result<(), MissingMeans> {
    let refused = |said: String| MissingMeans::Engine { engine, said };
    let folder = tempfile::tempdir().map_err(|error| refused(error.to_string()))?;
    let command = Command {
        argv: vec!["/bin/true".into()],
        env: Vec::new(),
        read_only: Vec::new(),
        writable: Vec::new(),
        working_directory: "/".into(),
        log: folder.path().join("log"),
    };
    let (limits, _) = limits.fitted_to_machine();
    let running = start(&command, &limits, backend).map_err(|error| refused(error.to_string()))?;
    match running.wait(FIRST_CONTAINER) {
        Some(Ended::NotStarted { message }) => Err(refused(message)),
        Some(_) => Ok(()),
        None => Err(refused(format!("a first container takes longer than {} s", FIRST_CONTAINER.as_secs()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program in bubblewrap's place that leaves a process behind, which holds what it inherited, and is killed.
    #[test]
    fn a_check_that_is_killed_leaves_nothing_to_wait_for() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bwrap");
        let left = folder.path().join("left");
        std::fs::write(&path, format!("#!/bin/sh\n/bin/sleep 600 &\necho $! > {}\nkill -9 $$\n", left.display()))
            .unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        let started = std::time::Instant::now();
        let missing = try_sandbox(&Bubblewrap { path, can_disable_namespaces: true }).unwrap_err().to_string();
        assert!(missing.contains("signal: 9") && started.elapsed() < Duration::from_secs(300), "{missing}");
        let left = std::fs::read_to_string(left).unwrap();
        let alive = || {
            let stat = std::fs::read_to_string(format!("/proc/{}/stat", left.trim())).unwrap_or_default();
            !stat.is_empty() && !stat.contains(") Z ")
        };
        while alive() {
            assert!(started.elapsed() < Duration::from_secs(300), "what it left behind lives on");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    #[test]
    fn what_is_missing_says_how_to_get_it() {
        let missing =
            MissingMeans::Program { program: "bwrap".into(), install: "sudo apt-get install bubblewrap".into() };
        assert_eq!(missing.to_string(), "bwrap is not installed; install it with: sudo apt-get install bubblewrap");
    }

    #[test]
    fn every_limit_that_matters_is_spoken_of() {
        let notices = check(&Backend::Bubblewrap).unwrap();
        let text: Vec<String> = notices.iter().map(Notice::to_string).collect();
        for limit in ["memory_bytes", "processes", "disk_bytes", "wall_clock", "file_bytes", "temporary_bytes"] {
            assert!(text.iter().any(|line| line.starts_with(limit)), "{limit} missing in {text:?}");
        }
    }
}
