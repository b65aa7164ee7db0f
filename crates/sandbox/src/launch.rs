//! The spawn itself: descriptors, control groups and resource limits of the child.

use std::ffi::{CStr, CString, OsStr, OsString};
use std::fs::File;
use std::io::{self, Seek as _, Write as _};
use std::os::fd::{AsFd, AsRawFd as _, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command as Process, Stdio};
use std::sync::OnceLock;

use rustix::fs::{AtFlags, CWD, Dir, Gid, MemfdFlags, Mode, OFlags, Uid, chownat, memfd_create, openat};
use rustix::io::{Errno, FdFlags, fcntl_setfd};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Resource, Rlimit, Signal, getrlimit, set_parent_process_death_signal, setrlimit};
use rustix::thread::{CpuSet, sched_setaffinity};

use crate::apptainer::Room;
use crate::bubblewrap::{Descriptors, Identity, generated_files, inner_argv, options};
use crate::cgroup::Groups;
use crate::gpu::{self, Passed};
use crate::log::Log;
use crate::missing::MissingMeans;
use crate::oci::Container;
use crate::programs::{Bubblewrap, find_bubblewrap};
use crate::slot::Slot;
use crate::{Backend, Command, Limits, Notice, SandboxStartError};

/// A child that runs, with everything that must live as long as it does.
#[derive(Debug)]
pub(crate) struct Launched {
    pub(crate) child: Child,
    pub(crate) log: Log,
    /// Where bubblewrap reports; `None` without it.
    pub(crate) status: Option<File>,
    pub(crate) groups: Groups,
    /// The container, where there is one.
    pub(crate) container: Option<Container>,
    /// What a container of Apptainer has on the disk.
    pub(crate) _room: Option<Room>,
    pub(crate) _slot: Option<Slot>,
}

impl Launched {
    /// What the run enforces, and what is left to the watcher.
    pub(crate) fn notices(&self, limits: &Limits, backend: &Backend) -> Vec<Notice> {
        match backend {
            Backend::Oci(oci) => oci.notices(limits),
            Backend::Bubblewrap | Backend::Apptainer(_) | Backend::None => self.groups.notices(backend.isolates()),
        }
    }
}

/// Starts the command behind the backend, in the room that this needs. The calling thread must outlive the run: bubblewrap dies with it.
pub(crate) fn launch(
    command: &Command,
    limits: &Limits,
    backend: &Backend,
    room: Option<Room>,
) -> Result<Launched, SandboxStartError> {
    let contained = matches!(backend, Backend::Oci(_));
    // A container has groups of its own, which the engine makes.
    let groups = if contained || limits.without_groups { Groups::default() } else { Groups::create(limits) };
    let mut setup = ChildSetup {
        entrances: groups.entrances().map_err(SandboxStartError::setup("opening the control groups"))?,
        inherited: open_descriptors(),
        passed: Vec::new(),
        limits: if contained { Vec::new() } else { resource_limits(limits, &groups, backend) },
        cores: (!contained && !limits.core_ids.is_empty()).then(|| cpu_set(&limits.core_ids)),
    };
    let (read, write) =
        pipe_with(PipeFlags::CLOEXEC).map_err(|error| SandboxStartError::setup("making a pipe")(error.into()))?;
    set_nonblocking(&read).map_err(SandboxStartError::setup("making a pipe"))?;
    let log = Log::create(&command.log, read, limits.log_bytes)
        .map_err(SandboxStartError::setup(format!("creating {}", command.log.display())))?;
    let slot = (backend.isolates() && rustix::process::geteuid().is_root()).then(Slot::take).transpose()?;
    if let Some(slot) = &slot {
        for bind in &command.writable {
            hand_over(&bind.host, slot.uid)
                .map_err(SandboxStartError::setup(format!("chown of {}", bind.host.display())))?;
        }
    }
    let (mut process, status, container) = match backend {
        Backend::Bubblewrap => {
            let segments = groups.meter().has("memory");
            let (process, status) = behind_bubblewrap(command, limits, slot.as_ref(), &mut setup, segments)?;
            (process, Some(status), None)
        }
        Backend::Oci(oci) => {
            let (container, process) = Container::prepare(oci, command, limits, user(slot.as_ref()))
                .map_err(SandboxStartError::setup("preparing the container"))?;
            (process, None, Some(container))
        }
        Backend::Apptainer(apptainer) => {
            let room = room.as_ref().ok_or_else(|| io::Error::other("there is no room"));
            let process =
                room.and_then(|room| apptainer.process(command, limits, room, slot.as_ref().map(|slot| slot.uid)));
            (process.map_err(SandboxStartError::setup("preparing the container"))?, None, None)
        }
        Backend::None => (plain(command, limits), None, None),
    };
    let second = write.try_clone().map_err(SandboxStartError::setup("making a pipe"))?;
    process.stdin(Stdio::null()).stdout(Stdio::from(write)).stderr(Stdio::from(second));
    // SAFETY: the closure runs between fork and exec and only makes system calls on numbers prepared before the fork;
    // it neither allocates nor takes a lock.
    unsafe { process.pre_exec(move || setup.apply()) };
    let child = process.spawn().map_err(SandboxStartError::setup("starting the sandbox"))?;
    Ok(Launched { child, log, status, groups, container, _room: room, _slot: slot })
}

fn behind_bubblewrap(
    command: &Command,
    limits: &Limits,
    slot: Option<&Slot>,
    setup: &mut ChildSetup,
    segments: bool,
) -> Result<(Process, File), SandboxStartError> {
    let bubblewrap = bubblewrap()?;
    let in_namespace = Identity::Namespace { can_disable: bubblewrap.can_disable_namespaces };
    let identity = slot.map_or(in_namespace, |slot| Identity::Slot(slot.uid));
    let failed = || SandboxStartError::setup("preparing the options of the sandbox");
    let (status, status_end) = pipe_with(PipeFlags::CLOEXEC).map_err(|error| failed()(error.into()))?;
    set_nonblocking(&status).map_err(failed())?;
    let mut descriptors = Descriptors { seccomp: Vec::new(), status: status_end.as_raw_fd(), files: Vec::new() };
    for program in crate::seccomp::programs(segments)? {
        descriptors.seccomp.push(setup.pass(in_memory(program).map_err(failed())?));
    }
    for (_, content) in generated_files(identity) {
        descriptors.files.push(setup.pass(in_memory(content.as_bytes()).map_err(failed())?));
    }
    setup.pass(status_end);
    let gpus = Passed::of(&limits.gpu_ids)?;
    let arguments = zero_separated(&options(command, limits, identity, &descriptors, &gpus));
    let arguments = setup.pass(in_memory(&arguments).map_err(failed())?);
    let mut process = Process::new(&bubblewrap.path);
    process.env_clear().args(["--args", &arguments.to_string(), "--"]).args(inner_argv(command, identity));
    Ok((process, File::from(status)))
}

/// Uid and gid of a container's command: one of its own, or ours where we are not root.
fn user(slot: Option<&Slot>) -> (u32, u32) {
    let own = (rustix::process::getuid().as_raw(), rustix::process::getgid().as_raw());
    slot.map_or(own, |slot| (slot.uid, slot.uid))
}

fn plain(command: &Command, limits: &Limits) -> Process {
    let mut process = Process::new(command.argv.first().map_or(OsStr::new(""), OsString::as_os_str));
    process.args(command.argv.iter().skip(1)).env_clear().envs(command.env.iter().map(|(name, value)| (name, value)));
    process.envs(gpu::variables(&limits.gpu_ids, false));
    process.current_dir(command.on_host(&command.working_directory)).process_group(0);
    process
}

/// Asked once a process: the answer does not change, and the question costs a process of its own.
fn bubblewrap() -> Result<Bubblewrap, MissingMeans> {
    static FOUND: OnceLock<Bubblewrap> = OnceLock::new();
    if let Some(found) = FOUND.get() {
        return Ok(found.clone());
    }
    let found = find_bubblewrap()?;
    Ok(FOUND.get_or_init(|| found).clone())
}

/// What the child does to itself between fork and exec.
struct ChildSetup {
    entrances: Vec<File>,
    inherited: Vec<RawFd>,
    passed: Vec<OwnedFd>,
    limits: Vec<(Resource, Rlimit)>,
    cores: Option<CpuSet>,
}

impl ChildSetup {
    /// Keeps a descriptor open across the exec and says its number.
    fn pass(&mut self, descriptor: impl Into<OwnedFd>) -> RawFd {
        let descriptor = descriptor.into();
        let number = descriptor.as_raw_fd();
        self.passed.push(descriptor);
        number
    }

    fn apply(&mut self) -> io::Result<()> {
        for entrance in &mut self.entrances {
            entrance.write_all(b"0")?;
        }
        for (resource, limit) in &self.limits {
            setrlimit(*resource, *limit)?;
        }
        if let Some(cores) = &self.cores {
            sched_setaffinity(None, cores)?;
        }
        // Bubblewrap asks for this itself, but only after it has forked: too late for a supervisor killed right now.
        set_parent_process_death_signal(Some(Signal::KILL))?;
        for &number in &self.inherited {
            // SAFETY: only the flag of the number is set; a number that is closed by now is an error we do not need.
            let descriptor = unsafe { BorrowedFd::borrow_raw(number) };
            let _ = fcntl_setfd(descriptor, FdFlags::CLOEXEC);
        }
        for descriptor in &self.passed {
            fcntl_setfd(descriptor.as_fd(), FdFlags::empty())?;
        }
        Ok(())
    }
}

/// Descriptors that we were started with and that are not marked to close would reach the command: a folder among
/// them is a way out of the sandbox.
fn open_descriptors() -> Vec<RawFd> {
    let entries = std::fs::read_dir("/proc/self/fd").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<RawFd>().ok());
    numbers.filter(|&number| number > 2).collect()
}

fn resource_limits(limits: &Limits, groups: &Groups, backend: &Backend) -> Vec<(Resource, Rlimit)> {
    let mut list = vec![
        lowered(Resource::Core, 0),
        lowered(Resource::Fsize, limits.file_bytes),
        lowered(Resource::Nofile, limits.open_files),
    ];
    let counted = groups.meter().has("pids");
    if matches!(backend, Backend::Bubblewrap | Backend::Apptainer(_)) && rustix::process::geteuid().is_root() {
        // The kernel asks this limit before the group's, and counts whoever else has the uid, but keeps no record of what it refused.
        let times = if counted { 2 } else { 1 };
        list.push(lowered(Resource::Nproc, times * u64::from(limits.processes)));
    } else if !counted {
        // Counted over everything the user runs, so what runs already must be granted on top.
        let own = threads_of(rustix::process::getuid().as_raw());
        list.push(lowered(Resource::Nproc, own + u64::from(limits.processes)));
    }
    if let Some(time) = limits.cpu_time {
        // The watcher sees the sum sooner; this holds a single process even while nobody watches.
        list.push(lowered(Resource::Cpu, time.as_secs() + 2));
    }
    list
}

/// A limit no higher than the present hard limit, which only a privileged process could raise.
fn lowered(resource: Resource, value: u64) -> (Resource, Rlimit) {
    let value = getrlimit(resource).maximum.map_or(value, |hard| hard.min(value));
    (resource, Rlimit { current: Some(value), maximum: Some(value) })
}

/// Cores as a set; numbers beyond what the kernel's mask holds are none.
fn cpu_set(core_ids: &[u32]) -> CpuSet {
    let mut set = CpuSet::new();
    for id in core_ids.iter().filter_map(|&id| usize::try_from(id).ok()).filter(|&id| id < CpuSet::MAX_CPU) {
        set.set(id);
    }
    set
}

fn threads_of(uid: u32) -> u64 {
    use std::os::unix::fs::MetadataExt as _;
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let own = entries.filter(|entry| entry.metadata().is_ok_and(|metadata| metadata.uid() == uid));
    own.map(|entry| std::fs::read_dir(entry.path().join("task")).map_or(0, |tasks| tasks.count() as u64)).sum()
}

/// Gives a folder and what it holds to the uid of the run. Links are changed and not followed, whoever puts them there meanwhile.
fn hand_over(path: &Path, uid: u32) -> io::Result<()> {
    let name = CString::new(path.as_os_str().as_bytes())?;
    Ok(hand_over_in(CWD, &name, uid)?)
}

fn hand_over_in(above: BorrowedFd<'_>, name: &CStr, uid: u32) -> rustix::io::Result<()> {
    chownat(above, name, Some(Uid::from_raw(uid)), Some(Gid::from_raw(uid)), AtFlags::SYMLINK_NOFOLLOW)?;
    let folder = match openat(above, name, OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty()) {
        Err(Errno::NOTDIR | Errno::LOOP) => return Ok(()),
        opened => opened?,
    };
    for entry in Dir::read_from(&folder)? {
        let entry = entry?;
        if !matches!(entry.file_name().to_bytes(), b"." | b"..") {
            hand_over_in(folder.as_fd(), entry.file_name(), uid)?;
        }
    }
    Ok(())
}

fn in_memory(content: &[u8]) -> io::Result<File> {
    let mut file = File::from(memfd_create("nbrevive", MemfdFlags::CLOEXEC)?);
    file.write_all(content)?;
    file.rewind()?;
    Ok(file)
}

fn zero_separated(parts: &[OsString]) -> Vec<u8> {
    parts.iter().flat_map(|part| part.as_bytes().iter().copied().chain([0])).collect()
}

fn set_nonblocking(descriptor: &OwnedFd) -> io::Result<()> {
    let flags = rustix::fs::fcntl_getfl(descriptor)?;
    Ok(rustix::fs::fcntl_setfl(descriptor, flags | rustix::fs::OFlags::NONBLOCK)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_zero_terminated() {
        assert_eq!(zero_separated(&["a".into(), "".into(), "b c".into()]), b"a\0\0b c\0");
    }

    #[test]
    fn a_limit_never_exceeds_the_hard_one() {
        let (_, limit) = lowered(Resource::Nofile, u64::MAX);
        assert_eq!(limit.maximum, getrlimit(Resource::Nofile).maximum);
        assert_eq!(lowered(Resource::Core, 0).1.current, Some(0));
    }

    #[test]
    fn handing_over_spares_what_a_link_points_to() {
        use std::os::unix::fs::MetadataExt as _;
        if !rustix::process::geteuid().is_root() {
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let outside = tempfile::NamedTempFile::new().unwrap();
        std::os::unix::fs::symlink(outside.path(), folder.path().join("link")).unwrap();
        std::fs::write(folder.path().join("file"), "x").unwrap();
        hand_over(folder.path(), 20_123).unwrap();
        assert_eq!(outside.path().metadata().unwrap().uid(), 0);
        assert_eq!(folder.path().join("file").metadata().unwrap().uid(), 20_123);
    }
}
