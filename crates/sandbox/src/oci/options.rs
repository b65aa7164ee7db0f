//! The command line of a container: what the command sees, as whom it runs, and its limits.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use rustix::process::{Resource, getrlimit};

use super::Oci;
use crate::engine::Engine;
use crate::mount::mount;
use crate::{Bind, Command, Limits, gpu};

/// What the engine may add to the wall clock before it ends a container that nobody supervises any more.
const BACKSTOP_SECONDS: u64 = 60;

/// Variables that Docker's client takes from the `proxies` of its configuration.
const PROXIES: [&str; 5] = ["HTTP_PROXY", "HTTPS_PROXY", "FTP_PROXY", "NO_PROXY", "ALL_PROXY"];

/// Where the files of one container's set-up are, and what it is called.
pub(super) struct Naming<'run> {
    pub(super) name: &'run str,
    pub(super) label: &'run str,
    /// File that gets the container's id.
    pub(super) id_file: &'run Path,
    /// File with the system call filter.
    pub(super) profile: &'run Path,
    /// What takes the place of the image's `/root`.
    pub(super) root: Option<&'run Path>,
    /// Uid and gid of the command.
    pub(super) user: (u32, u32),
}

/// `run` with all its options, the image and the command.
pub(super) fn options(oci: &Oci, command: &Command, limits: &Limits, naming: &Naming<'_>) -> Vec<OsString> {
    let mut list = Options { list: vec!["run".into()] };
    list.add(["--name", naming.name, "--label", naming.label, "--pull", "never"]);
    list.push("--cidfile", naming.id_file.as_os_str());
    list.isolation(oci, naming);
    list.gpus(oci.engine, &limits.gpu_ids);
    list.limits(oci, limits);
    if let Some(root) = naming.root {
        list.bind(&Bind::new(root, "/root"), true);
    }
    let read_only = command.read_only.iter().map(|bind| (bind, true));
    let binds: Vec<(&Bind, bool)> = read_only.chain(command.writable.iter().map(|bind| (bind, false))).collect();
    for (index, (bind, read_only)) in binds.iter().enumerate() {
        // Of two at one place the later would cover the earlier; engines refuse them.
        if !binds[index + 1..].iter().any(|(later, _)| later.inside == bind.inside) {
            list.bind(bind, *read_only);
        }
    }
    list.push("--workdir", command.working_directory.as_os_str());
    for (name, value) in command.env.iter().chain(&gpu::variables(&limits.gpu_ids, true)) {
        list.add(["--env", &format!("{name}={value}")]);
    }
    let (program, arguments) = match command.argv.split_first() {
        Some((program, arguments)) => (program.as_os_str(), arguments),
        None => (OsStr::new(""), &[][..]),
    };
    list.push("--entrypoint", program);
    list.add([oci.id.as_str()]);
    list.list.extend(arguments.iter().cloned());
    list.list
}

struct Options {
    list: Vec<OsString>,
}

impl Options {
    fn add<'a>(&mut self, parts: impl IntoIterator<Item = &'a str>) {
        self.list.extend(parts.into_iter().map(OsString::from));
    }

    fn push(&mut self, option: &str, value: &OsStr) {
        self.list.extend([option.into(), value.to_os_string()]);
    }

    fn isolation(&mut self, oci: &Oci, naming: &Naming<'_>) {
        // A first process of the engine's passes signals on and reaps orphans, which a notebook's kernel would not.
        self.add(["--init", "--network", "none", "--ipc", "private", "--read-only", "--hostname", "kaggle"]);
        self.add(["--cap-drop", "ALL", "--security-opt", "no-new-privileges"]);
        let mut filter = OsString::from("seccomp=");
        filter.push(naming.profile);
        self.push("--security-opt", &filter);
        // Folders are bound as they are: labels for SELinux would be written into the host's own `/usr`.
        self.add(["--security-opt", "label=disable"]);
        self.add(["--user", &format!("{}:{}", naming.user.0, naming.user.1)]);
        // The pipe to us is the only log; a log of the engine's own would be without a limit.
        self.add(["--log-driver", "none", "--stop-timeout", "0"]);
        if oci.engine == Engine::Podman { self.podman(oci) } else { self.docker() }
    }

    fn podman(&mut self, oci: &Oci) {
        // Podman would pass on the proxy's variables, the host's names, and make /run and /var/tmp writable.
        self.add(["--http-proxy=false", "--no-hosts", "--read-only-tmpfs=false"]);
        if oci.rootless {
            self.add(["--userns", "keep-id"]);
        }
    }

    fn docker(&mut self) {
        // Docker's client would pass on the proxies of its configuration, with their passwords, unless they are named.
        for name in PROXIES {
            self.add(["--env", &format!("{name}="), "--env", &format!("{}=", name.to_lowercase())]);
        }
    }

    /// By the numbers of `nvidia-smi`, which are those of the toolkit's devices too.
    fn gpus(&mut self, engine: Engine, ids: &[u32]) {
        let numbers: Vec<String> = ids.iter().map(u32::to_string).collect();
        if engine == Engine::Podman {
            numbers.iter().for_each(|id| self.add(["--device", &format!("nvidia.com/gpu={id}")]));
        } else if !ids.is_empty() {
            // Docker reads a list separated by commas, of which this is one field.
            self.add(["--gpus", &format!("\"device={}\"", numbers.join(","))]);
        }
    }

    fn limits(&mut self, oci: &Oci, limits: &Limits) {
        let memory = limits.memory_bytes.to_string();
        self.add(["--memory", &memory, "--memory-swap", &memory]);
        self.add(["--pids-limit", &limits.processes.to_string()]);
        // Engines refuse more cores than there are.
        let cores = u32::try_from(crate::core_count()).unwrap_or(1);
        self.add(["--cpus", &limits.cores.min(cores).to_string()]);
        if !limits.core_ids.is_empty() {
            self.add(["--cpuset-cpus", &limits.core_list()]);
        }
        let mut temporary = format!("/tmp:rw,size={},mode=1777", limits.temporary_bytes.max(4096));
        if oci.engine == Engine::Podman {
            // Else what lies in the image's folder comes along. (Its mode does in any case: runc keeps it.)
            temporary.push_str(",notmpcopyup");
        }
        self.add(["--tmpfs", &temporary]);
        self.add(["--shm-size", &limits.shared_memory_bytes.max(4096).to_string()]);
        self.ulimit("core", Resource::Core, 0);
        self.ulimit("fsize", Resource::Fsize, limits.file_bytes);
        self.ulimit("nofile", Resource::Nofile, limits.open_files);
        if rustix::process::geteuid().is_root() {
            // Left to itself podman raises it, which needs a right that we may lack. The uid is the container's own, and
            // twice the limit leaves the refusal to the group, which counts it.
            self.ulimit("nproc", Resource::Nproc, u64::from(limits.processes) * 2);
        }
        if let Some(time) = limits.cpu_time {
            self.ulimit("cpu", Resource::Cpu, time.as_secs() + 2);
        }
        if oci.engine == Engine::Podman {
            self.add(["--timeout", &(limits.wall_clock.as_secs() + BACKSTOP_SECONDS).to_string()]);
        }
    }

    /// No higher than our own hard limit, which only a privileged engine could raise.
    fn ulimit(&mut self, name: &str, resource: Resource, value: u64) {
        let value = getrlimit(resource).maximum.map_or(value, |hard| hard.min(value));
        self.add(["--ulimit", &format!("{name}={value}:{value}")]);
    }

    fn bind(&mut self, bind: &Bind, read_only: bool) {
        self.push("--mount", &mount(bind, read_only));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(engine: Engine, gpu_ids: &[u32]) -> Vec<String> {
        let command = Command {
            argv: vec!["/bin/python".into(), "-m".into(), "it".into()],
            env: vec![("HOME".into(), "/tmp".into())],
            read_only: vec![Bind::same("/usr"), Bind::same("/opt/x"), Bind::same("/usr")],
            writable: vec![Bind::new("/runs/7", "/kaggle/working")],
            working_directory: "/kaggle/working".into(),
            log: "/dev/null".into(),
        };
        let limits = Limits { core_ids: vec![2, 3], gpu_ids: gpu_ids.to_vec(), ..Limits::default() };
        let naming = Naming {
            name: "nbrevive-1-2-3",
            label: "nbrevive.owner=here",
            id_file: Path::new("/f/id"),
            profile: Path::new("/f/seccomp.json"),
            root: Some(Path::new("/f/root")),
            user: (20_000, 20_000),
        };
        options(&Oci::unasked(engine, "ab12"), &command, &limits, &naming)
            .into_iter()
            .map(|part| part.into_string().unwrap())
            .collect()
    }

    fn has(said: &[String], parts: &[&str]) -> bool {
        said.windows(parts.len()).any(|window| window == parts)
    }

    #[test]
    fn both_engines_isolate_and_limit_in_the_same_words_and_the_command_comes_last() {
        for engine in [Engine::Podman, Engine::Docker] {
            let said = said(engine, &[]);
            for parts in [
                ["--network", "none"],
                ["--cap-drop", "ALL"],
                ["--pull", "never"],
                ["--user", "20000:20000"],
                ["--security-opt", "no-new-privileges"],
                ["--security-opt", "seccomp=/f/seccomp.json"],
                ["--memory", "32212254720"],
                ["--memory-swap", "32212254720"],
                ["--pids-limit", "512"],
                ["--cpuset-cpus", "2,3"],
                ["--mount", "type=bind,src=/f/root,dst=/root,readonly"],
                ["--mount", "type=bind,src=/usr,dst=/usr,readonly"],
                ["--mount", "type=bind,src=/runs/7,dst=/kaggle/working"],
            ] {
                assert!(has(&said, &parts), "{engine}: {parts:?} missing in {said:?}");
            }
            assert!(said.iter().any(|part| part == "--read-only"), "{said:?}");
            let mounts = said.iter().filter(|part| *part == "--mount").count();
            assert_eq!(mounts, 4, "a place is mounted once: {said:?}");
            assert!(!said.iter().any(|part| part.contains("gpu") || part == "--privileged"), "{said:?}");
            assert_eq!(said[said.len() - 5..], ["--entrypoint", "/bin/python", "ab12", "-m", "it"]);
        }
    }

    #[test]
    fn graphics_processors_are_passed_as_each_engine_wants_them() {
        assert!(has(&said(Engine::Docker, &[1, 3]), &["--gpus", "\"device=1,3\""]));
        assert!(has(&said(Engine::Podman, &[1, 3]), &["--device", "nvidia.com/gpu=1", "--device", "nvidia.com/gpu=3"]));
        assert!(has(&said(Engine::Podman, &[1]), &["--env", "CUDA_VISIBLE_DEVICES=0"]));
    }

    #[test]
    fn no_proxy_of_the_host_reaches_the_command() {
        assert!(has(&said(Engine::Docker, &[]), &["--env", "HTTPS_PROXY=", "--env", "https_proxy="]));
        assert!(has(&said(Engine::Podman, &[]), &["--http-proxy=false"]));
    }
}
