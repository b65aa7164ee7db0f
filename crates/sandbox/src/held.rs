//! What the processes of a run hold that no folder shows: files without a name, memory files, terminals, and what is under way
//! between them.
//!
//! A file lives on without a name while a descriptor, a mapping, a running program or a message in a unix socket holds it. The first
//! and third can be measured; the second by root alone. What is under way in sockets is counted by the kernel and not named. For what
//! cannot be measured there is [`crate::ledger`].

use std::collections::{HashMap, HashSet};
use std::ffi::CStr;
use std::fs;
use std::io::Read as _;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, Stat, major, minor, statat, statfs};

/// Device and number: what a file is, under whatever name.
pub(crate) type Inode = (u64, u64);

/// Descriptors that one look takes in; who holds more has some that are not seen.
const MOST_DESCRIPTORS: u64 = 40_000;
/// Bytes of lists of mappings that one look reads: some 300,000 mappings.
const MOST_MAPPINGS: u64 = 32 << 20;
/// Magic numbers of file systems that are memory.
const MEMORY_FILE_SYSTEMS: [u64; 2] = [0x0102_1994, 0x9584_58f6];
/// Device numbers of pseudo terminals, and of the door at which they are asked for.
const TERMINALS: std::ops::RangeInclusive<u32> = 136..=143;
const TERMINAL_DOOR: (u32, u32) = (5, 2);

/// What was found in one look.
#[derive(Debug, Default)]
pub(crate) struct Held {
    /// Files on storage without a name, and the bytes that they occupy.
    pub(crate) nameless: HashMap<Inode, u64>,
    /// Files that are memory and belong to no mount, and the bytes that they occupy.
    pub(crate) memory: HashMap<Inode, u64>,
    /// Files on storage that are only mapped, and cannot be measured.
    pub(crate) covered: HashSet<Inode>,
    /// Shared memory that is only mapped and cannot be measured: how far the mappings reach.
    pub(crate) reach: HashMap<Inode, u64>,
    /// Pseudo terminals, by number.
    pub(crate) terminals: HashSet<u64>,
    /// Whether something could be held out of sight: under way in a socket, or by a process that cannot be looked into.
    pub(crate) blind: bool,
    /// Processes that could be looked into.
    pub(crate) looked_into: usize,
    descriptors: u64,
    mappings: u64,
}

/// What tells storage and memory apart.
#[derive(Debug, Default)]
pub(crate) struct Devices {
    /// Of the folders that the run may write.
    pub(crate) writable: HashSet<u64>,
    /// Of `/tmp` and `/dev/shm` of the run, which are measured as a whole.
    pub(crate) private: HashSet<u64>,
    /// Of memory files and shared mappings.
    pub(crate) memory: Option<u64>,
}

impl Held {
    /// Looks into every process.
    pub(crate) fn by(pids: &[i32], devices: &Devices) -> Self {
        let mut held = Self::default();
        for &pid in pids {
            match View::of(pid) {
                Some(view) => held.look_into(&view, devices),
                None => held.blind |= is_alive(pid),
            }
        }
        held.covered.retain(|inode| !held.nameless.contains_key(inode));
        held.reach.retain(|inode, _| !held.memory.contains_key(inode));
        held
    }

    fn look_into(&mut self, view: &View, devices: &Devices) {
        self.looked_into += 1;
        self.look_at_descriptors(view, devices);
        if let Ok(program) = rustix::fs::stat(view.path.join("exe")) {
            self.count(&program, &view.path.join("exe"), devices);
        }
        self.look_at_mappings(view, devices);
    }

    fn look_at_descriptors(&mut self, view: &View, devices: &Devices) {
        let Ok(listing) = Dir::read_from(&view.descriptors) else { return };
        for entry in listing.flatten() {
            let name = entry.file_name();
            if matches!(name.to_bytes(), b"." | b"..") {
                continue;
            }
            self.descriptors += 1;
            if self.descriptors > MOST_DESCRIPTORS {
                self.blind = true;
                return;
            }
            // Followed by the kernel to the file itself, without opening it.
            let Ok(found) = statat(&view.descriptors, name, AtFlags::empty()) else { continue };
            match FileType::from_raw_mode(found.st_mode) {
                FileType::Socket => self.blind |= told(view, name, "scm_fds:").is_some_and(|under_way| under_way > 0),
                FileType::CharacterDevice => self.count_terminal(&found, view, name),
                FileType::RegularFile => self.count(&found, &view.path.join("fd").join(text(name)), devices),
                _ => {}
            }
        }
    }

    fn count_terminal(&mut self, found: &Stat, view: &View, name: &CStr) {
        let (major, minor) = (major(found.st_rdev), minor(found.st_rdev));
        if TERMINALS.contains(&major) {
            self.terminals.insert(u64::from(major - TERMINALS.start()) * 256 + u64::from(minor));
        } else if (major, minor) == TERMINAL_DOOR {
            self.terminals.extend(told(view, name, "tty-index:"));
        }
    }

    /// Counts a regular file, if no folder shows it.
    fn count(&mut self, found: &Stat, path: &Path, devices: &Devices) {
        if found.st_nlink > 0 || FileType::from_raw_mode(found.st_mode) != FileType::RegularFile {
            return;
        }
        let inode = (found.st_dev, found.st_ino);
        let bytes = u64::try_from(found.st_blocks).unwrap_or(0) * 512;
        if devices.memory == Some(found.st_dev) {
            self.memory.insert(inode, bytes);
        } else if !devices.private.contains(&found.st_dev)
            && !self.nameless.contains_key(&inode)
            && (devices.writable.contains(&found.st_dev) || !is_memory(path))
        {
            self.nameless.insert(inode, bytes);
        }
    }

    fn look_at_mappings(&mut self, view: &View, devices: &Devices) {
        let mut lines = String::new();
        let Ok(file) = fs::File::open(view.path.join("maps")) else { return };
        let left = MOST_MAPPINGS.saturating_sub(self.mappings);
        // What is cut in the middle of a character ends there.
        let _ = file.take(left).read_to_string(&mut lines);
        self.mappings += lines.len() as u64;
        self.blind |= self.mappings >= MOST_MAPPINGS;
        for line in lines.lines().filter(|line| line.ends_with(" (deleted)")) {
            let Some(mapping) = Mapping::parse(line) else { continue };
            let at = view.process.join("map_files").join(&mapping.range);
            if let Ok(found) = rustix::fs::stat(&at) {
                self.count(&found, &at, devices);
            } else if devices.memory == Some(mapping.inode.0) {
                let reach = self.reach.entry(mapping.inode).or_default();
                *reach = mapping.end.max(*reach);
            } else if !devices.private.contains(&mapping.inode.0) {
                self.covered.insert(mapping.inode);
            }
        }
    }
}

/// A process, seen through a thread of it that still has what the process holds.
struct View {
    process: PathBuf,
    path: PathBuf,
    descriptors: OwnedFd,
}

impl View {
    fn of(pid: i32) -> Option<Self> {
        let process = PathBuf::from(format!("/proc/{pid}"));
        if let Some(descriptors) = open_folder(&process.join("fd")).filter(holds_any) {
            return Some(Self { path: process.clone(), process, descriptors });
        }
        // The first thread may have ended before the others.
        for task in fs::read_dir(process.join("task")).ok()?.flatten() {
            if let Some(descriptors) = open_folder(&task.path().join("fd")).filter(holds_any) {
                return Some(Self { path: task.path(), process, descriptors });
            }
        }
        let descriptors = open_folder(&process.join("fd"))?;
        Some(Self { path: process.clone(), process, descriptors })
    }
}

fn open_folder(path: &Path) -> Option<OwnedFd> {
    rustix::fs::open(path, OFlags::DIRECTORY | OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty()).ok()
}

fn holds_any(descriptors: &OwnedFd) -> bool {
    Dir::read_from(descriptors).is_ok_and(|listing| listing.flatten().nth(2).is_some())
}

/// Whether a process still has something to hold: what has ended, and only waits to be noticed, has not.
fn is_alive(pid: i32) -> bool {
    let alive = |stat: &str| stat.rfind(") ").is_some_and(|end| !stat[end + 2..].starts_with(['Z', 'X']));
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    tasks.filter_map(|task| fs::read_to_string(task.path().join("stat")).ok()).any(|stat| alive(&stat))
}

/// A number that `fdinfo` tells of a descriptor.
fn told(view: &View, name: &CStr, key: &str) -> Option<u64> {
    let lines = fs::read_to_string(view.path.join("fdinfo").join(text(name))).ok()?;
    lines.lines().find_map(|line| line.strip_prefix(key)?.trim().parse().ok())
}

fn text(name: &CStr) -> &str {
    name.to_str().unwrap_or_default()
}

fn is_memory(path: &Path) -> bool {
    statfs(path).is_ok_and(|found| u64::try_from(found.f_type).is_ok_and(|kind| MEMORY_FILE_SYSTEMS.contains(&kind)))
}

/// A line of `/proc/<pid>/maps` that names a file.
#[derive(Debug, PartialEq)]
pub(crate) struct Mapping {
    /// As the files in `map_files` are called.
    range: String,
    pub(crate) inode: Inode,
    /// Up to which byte of the file it reaches.
    end: u64,
}

impl Mapping {
    /// `7f00-7f80 rw-s 00000000 fe:00 10018852 /w/c (deleted)`
    pub(crate) fn parse(line: &str) -> Option<Self> {
        let mut fields = line.split_ascii_whitespace();
        let (start, end) = fields.next()?.split_once('-')?;
        let hexadecimal = |text: &str| u64::from_str_radix(text, 16).ok();
        let (start, end) = (hexadecimal(start)?, hexadecimal(end)?);
        let offset = hexadecimal(fields.nth(1)?)?;
        let (major, minor) = fields.next()?.split_once(':')?;
        let device = rustix::fs::makedev(u32::from_str_radix(major, 16).ok()?, u32::from_str_radix(minor, 16).ok()?);
        let number = fields.next()?.parse().ok()?;
        let end_of_file = offset.saturating_add(end.saturating_sub(start));
        Some(Self { range: format!("{start:x}-{end:x}"), inode: (device, number), end: end_of_file })
    }
}

impl Devices {
    /// Those of a run, seen through any of its processes.
    pub(crate) fn of(writable: &[PathBuf], pids: &[i32]) -> Self {
        let memory = rustix::fs::memfd_create("nbrevive", rustix::fs::MemfdFlags::CLOEXEC);
        let memory = memory.ok().and_then(|file| rustix::fs::fstat(file).ok()).map(|found| found.st_dev);
        let writable = writable.iter().filter_map(|path| device(path)).collect();
        let private = private_mounts(pids).iter().filter_map(|path| device(path)).collect();
        Self { writable, private, memory }
    }

    /// Whether the private mounts have been found.
    pub(crate) fn are_known(&self) -> bool {
        !self.private.is_empty()
    }
}

/// `/tmp` and `/dev/shm` of a run, by a path of the host; none while it still has those of the host.
pub(crate) fn private_mounts(pids: &[i32]) -> Vec<PathBuf> {
    let names = ["tmp", "dev/shm"];
    let of = |pid: &i32| names.map(|name| Path::new("/proc").join(pid.to_string()).join("root").join(name));
    let ours = names.map(|name| device(&Path::new("/").join(name)));
    let is_private = |path: &PathBuf| is_memory(path) && !ours.contains(&device(path));
    pids.iter().map(of).find(|paths| paths.iter().all(is_private)).map(Vec::from).unwrap_or_default()
}

fn device(path: &Path) -> Option<u64> {
    rustix::fs::stat(path).ok().map(|found| found.st_dev)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mapping_is_read() {
        let line = "00400000-7f80 rw-s 00001000 fe:01 10018852                   /w/c 1-2 (deleted)";
        let mapping = Mapping::parse(line).unwrap();
        assert_eq!(mapping.range, "400000-7f80");
        assert_eq!(mapping.inode, (rustix::fs::makedev(0xfe, 1), 10_018_852));
        assert_eq!(Mapping::parse("VmFlags: rd wr"), None);
    }

    #[test]
    fn what_is_without_a_name_is_found_once_and_told_from_memory() {
        use std::io::Write as _;
        let folder = tempfile::tempdir().unwrap();
        let mut file = tempfile::tempfile_in(folder.path()).unwrap();
        file.write_all(&vec![1; 1 << 20]).unwrap();
        let _again = file.try_clone().unwrap();
        let mut memory = fs::File::from(rustix::fs::memfd_create("x", rustix::fs::MemfdFlags::CLOEXEC).unwrap());
        memory.write_all(&vec![1; 1 << 20]).unwrap();
        let own = i32::try_from(std::process::id()).unwrap();
        let devices = Devices::of(&[folder.path().to_path_buf()], &[]);
        let held = Held::by(&[own, own], &devices);
        let found = file.metadata().unwrap();
        let inode = (std::os::unix::fs::MetadataExt::dev(&found), std::os::unix::fs::MetadataExt::ino(&found));
        assert!(held.nameless[&inode] >= 1 << 20);
        assert!(held.memory.values().any(|&bytes| bytes == 1 << 20), "{:?}", held.memory);
        assert!(!held.blind && held.looked_into == 2);
    }

    #[test]
    fn messages_under_way_make_it_blind() {
        let (here, _there) = std::os::unix::net::UnixStream::pair().unwrap();
        let own = i32::try_from(std::process::id()).unwrap();
        let devices = Devices::default();
        assert!(!Held::by(&[own], &devices).blind);
        use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};
        let mut space = [std::mem::MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        let file = fs::File::open("/dev/null").unwrap();
        let sent = [std::os::fd::AsFd::as_fd(&file)];
        assert!(control.push(SendAncillaryMessage::ScmRights(&sent)));
        sendmsg(&here, &[std::io::IoSlice::new(b"x")], &mut control, SendFlags::empty()).unwrap();
        assert!(Held::by(&[own], &devices).blind);
    }

    #[test]
    fn what_is_gone_hides_nothing() {
        let mut child = std::process::Command::new("/bin/true").spawn().unwrap();
        let pid = i32::try_from(child.id()).unwrap();
        // It has ended and waits to be noticed.
        let ended = || fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| stat.contains(") Z "));
        while !ended() {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        assert!(!Held::by(&[pid, i32::MAX], &Devices::default()).blind);
        child.wait().unwrap();
        assert!(!Held::by(&[pid], &Devices::default()).blind);
    }
}
