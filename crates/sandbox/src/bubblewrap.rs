//! The bubblewrap command line: what the command sees, and as whom it runs.
//!
//! Two modes. Root: `bwrap` sets up the mounts with root's rights (interpreters can live below a private home) and
//! `setpriv` drops to the uid of the run as the first thing inside. Ordinary user: everything happens in a user
//! namespace. Options go through a file descriptor, and bubblewrap itself starts with an empty environment, because
//! the command can read both of its first process in `/proc/1`.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::os::fd::RawFd;
use std::path::{Path, PathBuf};

use crate::gpu::{self, Passed};
use crate::{Bind, Command, Limits};

/// Uid that the command sees in a user namespace.
const INNER_UID: u32 = 1000;
/// Top-level folders that are links into `/usr` on most systems, and real folders on some.
const USR_LINKS: [&str; 6] = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
/// What programs need of `/etc`; bound where the host has it.
const ETC: [&str; 5] = ["/etc/alternatives", "/etc/ld.so.cache", "/etc/ssl/certs", "/etc/fonts", "/etc/mime.types"];
/// Where `setpriv` is bound from; part of util-linux.
pub(crate) const SETPRIV: &str = "/usr/bin/setpriv";

/// As whom the command runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Identity {
    /// We are root: drop to this uid inside.
    Slot(u32),
    /// We are somebody: a user namespace.
    Namespace {
        /// Whether this bubblewrap can close the door to further user namespaces (0.8 and later).
        can_disable: bool,
    },
}

impl Identity {
    fn uid(self) -> u32 {
        match self {
            Self::Slot(uid) => uid,
            Self::Namespace { .. } => INNER_UID,
        }
    }
}

/// Descriptors that bubblewrap reads from or writes to, by number.
#[derive(Debug, Clone)]
pub(crate) struct Descriptors {
    pub(crate) seccomp: Vec<RawFd>,
    pub(crate) status: RawFd,
    /// Contents of the generated files, in the order of [`generated_files`].
    pub(crate) files: Vec<RawFd>,
}

/// Small files of `/etc` that are made up: who is who, and which names resolve.
pub(crate) fn generated_files(identity: Identity) -> Vec<(&'static str, String)> {
    let uid = identity.uid();
    vec![
        (
            "/etc/passwd",
            format!(
                "root:x:0:0:root:/nonexistent:/usr/sbin/nologin\nkaggle:x:{uid}:{uid}:kaggle:/tmp:/bin/sh\n\
                 nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n"
            ),
        ),
        ("/etc/group", format!("root:x:0:\nkaggle:x:{uid}:\nnogroup:x:65534:\n")),
        ("/etc/hosts", "127.0.0.1 localhost kaggle\n::1 localhost\n".to_owned()),
        ("/etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files\n".to_owned()),
    ]
}

/// All options, to be handed over zero-separated through `--args`.
pub(crate) fn options(
    command: &Command,
    limits: &Limits,
    identity: Identity,
    descriptors: &Descriptors,
    gpus: &Passed,
) -> Vec<OsString> {
    let mut list = Options::default();
    list.isolation(identity);
    list.system();
    for ((path, _), descriptor) in generated_files(identity).iter().zip(&descriptors.files) {
        list.add(["--perms", "0444", "--file", &descriptor.to_string(), path]);
    }
    list.add(["--proc", "/proc", "--dev", "/dev"]);
    for node in &gpus.nodes {
        list.push("--dev-bind", [node.host.as_os_str(), node.inside.as_os_str()]);
    }
    list.tmpfs("/tmp", limits.temporary_bytes);
    list.tmpfs("/dev/shm", limits.shared_memory_bytes);
    list.binds(command, &gpus.libraries);
    list.add(["--remount-ro", "/", "--remount-ro", "/dev"]);
    list.push("--chdir", [command.working_directory.as_os_str()]);
    list.add(["--clearenv"]);
    for (name, value) in command.env.iter().chain(&gpu::variables(&limits.gpu_ids, true)) {
        list.add(["--setenv", name, value]);
    }
    for descriptor in &descriptors.seccomp {
        list.add(["--add-seccomp-fd", &descriptor.to_string()]);
    }
    list.add(["--json-status-fd", &descriptors.status.to_string()]);
    list.list
}

/// The command as bubblewrap runs it: itself, or behind `setpriv`.
pub(crate) fn inner_argv(command: &Command, identity: Identity) -> Vec<OsString> {
    let mut argv: Vec<OsString> = Vec::new();
    if let Identity::Slot(uid) = identity {
        argv.push(SETPRIV.into());
        argv.push(format!("--reuid={uid}").into());
        argv.push(format!("--regid={uid}").into());
        let rest = ["--clear-groups", "--no-new-privs", "--inh-caps=-all", "--bounding-set=-all", "--"];
        argv.extend(rest.map(OsString::from));
    }
    argv.extend(command.argv.iter().cloned());
    argv
}

#[derive(Default)]
struct Options {
    list: Vec<OsString>,
}

impl Options {
    fn add<'a>(&mut self, parts: impl IntoIterator<Item = &'a str>) {
        self.list.extend(parts.into_iter().map(OsString::from));
    }

    fn push<'a>(&mut self, option: &str, values: impl IntoIterator<Item = &'a OsStr>) {
        self.list.push(option.into());
        self.list.extend(values.into_iter().map(OsStr::to_os_string));
    }

    fn isolation(&mut self, identity: Identity) {
        if let Identity::Namespace { can_disable } = identity {
            let uid = INNER_UID.to_string();
            self.add(["--unshare-user", "--uid", &uid, "--gid", &uid]);
            if can_disable {
                self.add(["--disable-userns"]);
            }
        }
        self.add(["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]);
        self.add(["--die-with-parent", "--new-session", "--hostname", "kaggle"]);
    }

    fn system(&mut self) {
        self.add(["--ro-bind", "/usr", "/usr"]);
        for link in USR_LINKS {
            match std::fs::read_link(link) {
                Ok(target) => self.push("--symlink", [target.as_os_str(), OsStr::new(link)]),
                Err(_) if Path::new(link).is_dir() => self.add(["--ro-bind", link, link]),
                Err(_) => {}
            }
        }
        for folder in ["/etc", "/etc/ssl", "/run", "/kaggle"] {
            self.add(["--perms", "0755", "--dir", folder]);
        }
        for path in ETC {
            self.add(["--ro-bind-try", path, path]);
        }
    }

    fn tmpfs(&mut self, path: &str, bytes: u64) {
        self.add(["--size", &bytes.max(4096).to_string(), "--perms", "1777", "--tmpfs", path]);
    }

    /// Binds from the top down. Every folder above a bind is made by name, since those that bubblewrap makes by
    /// itself are closed to everybody but root.
    fn binds(&mut self, command: &Command, libraries: &[Bind]) {
        let read_only = command.read_only.iter().chain(libraries).map(|bind| ("--ro-bind", bind));
        let mut binds: Vec<(&str, &Bind)> = read_only
            .chain(command.writable.iter().map(|bind| ("--bind", bind)))
            .filter(|(_, bind)| needed(bind))
            .collect();
        binds.sort_by_key(|(_, bind)| bind.inside.components().count());
        let mut mounted: Vec<&Path> = ["/usr", "/proc", "/dev"].map(Path::new).to_vec();
        let mut made: BTreeSet<PathBuf> = ["/", "/etc", "/run", "/kaggle", "/tmp"].map(PathBuf::from).into();
        for (option, bind) in binds {
            let mut above: Vec<&Path> = bind.inside.ancestors().skip(1).collect();
            above.reverse();
            for folder in above {
                if !mounted.iter().any(|point| folder.starts_with(point)) && made.insert(folder.to_path_buf()) {
                    self.add(["--perms", "0755"]);
                    self.push("--dir", [folder.as_os_str()]);
                }
            }
            self.push(option, [bind.host.as_os_str(), bind.inside.as_os_str()]);
            mounted.push(&bind.inside);
        }
    }
}

/// What lies in `/usr` is there already.
fn needed(bind: &Bind) -> bool {
    !(bind.host == bind.inside && bind.inside.starts_with("/usr"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(command: &Command, identity: Identity) -> String {
        let descriptors = Descriptors { seccomp: vec![7, 8], status: 9, files: vec![10, 11, 12, 13] };
        let options = options(command, &Limits::default(), identity, &descriptors, &Passed::default());
        options.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join(" ")
    }

    fn command() -> Command {
        Command {
            argv: vec!["/opt/venv/bin/python".into(), "-V".into()],
            env: vec![("LANG".into(), "C.UTF-8".into())],
            read_only: vec![Bind::same("/home/me/deep/python"), Bind::same("/usr/share"), Bind::same("/home/me/venv")],
            writable: vec![Bind::new("/srv/run/working", "/kaggle/working")],
            working_directory: "/kaggle/working".into(),
            log: "/dev/null".into(),
        }
    }

    #[test]
    fn every_folder_above_a_bind_is_made_once_before_it() {
        let text = joined(&command(), Identity::Slot(20_000));
        assert!(
            text.contains(
                "--bind /srv/run/working /kaggle/working --perms 0755 --dir /home --perms 0755 --dir /home/me \
             --ro-bind /home/me/venv /home/me/venv --perms 0755 --dir /home/me/deep \
             --ro-bind /home/me/deep/python /home/me/deep/python --remount-ro /"
            ),
            "{text}"
        );
        assert!(!text.contains("/usr/share"));
        assert!(!text.contains("--unshare-user"));
        assert!(text.ends_with("--setenv LANG C.UTF-8 --add-seccomp-fd 7 --add-seccomp-fd 8 --json-status-fd 9"));
    }

    #[test]
    fn nodes_of_gpus_are_the_only_devices_that_are_bound_and_what_they_are_named_comes_last() {
        let descriptors = Descriptors { seccomp: vec![], status: 9, files: vec![] };
        let gpus = Passed {
            nodes: vec![Bind::same("/dev/nvidia3"), Bind::same("/dev/nvidiactl")],
            libraries: vec![Bind::same("/opt/driver/libcuda.so.1")],
        };
        let limits = Limits { gpu_ids: vec![3], ..Limits::default() };
        let options = options(&command(), &limits, Identity::Slot(20_000), &descriptors, &gpus);
        let text = options.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join(" ");
        let nodes = "--dev /dev --dev-bind /dev/nvidia3 /dev/nvidia3 --dev-bind /dev/nvidiactl /dev/nvidiactl --size";
        assert!(text.contains(nodes), "{text}");
        assert!(text.contains("--ro-bind /opt/driver/libcuda.so.1 /opt/driver/libcuda.so.1"), "{text}");
        assert!(text.contains(
            "--setenv LANG C.UTF-8 --setenv CUDA_DEVICE_ORDER PCI_BUS_ID --setenv CUDA_VISIBLE_DEVICES 0 --"
        ));
        assert!(!joined(&command(), Identity::Slot(20_000)).contains("dev-bind"));
    }

    #[test]
    fn an_ordinary_user_gets_a_namespace_and_no_setpriv() {
        let identity = Identity::Namespace { can_disable: true };
        assert!(joined(&command(), identity).starts_with("--unshare-user --uid 1000 --gid 1000 --disable-userns"));
        assert_eq!(inner_argv(&command(), identity), ["/opt/venv/bin/python", "-V"]);
        let as_root = inner_argv(&command(), Identity::Slot(20_007));
        assert_eq!(as_root[..3], [SETPRIV, "--reuid=20007", "--regid=20007"]);
        assert_eq!(as_root.last().unwrap(), "-V");
    }
}
