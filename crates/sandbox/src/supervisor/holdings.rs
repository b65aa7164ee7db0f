//! What a run holds beyond what its folders and its processes' own memory show, from look to look.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::fs::statvfs;

use crate::held::{Devices, Held, Inode, private_mounts};
use crate::ledger::{Growth, Ledger};
use crate::processes::{Proportions, can_look, proportional_bytes, proportions, shared_resident_bytes};
use crate::{Backend, Command};

/// Pseudo terminals that a run may have at once: the machine has some thousand for everybody.
pub(super) const MOST_TERMINALS: u64 = 64;
/// Shared memory below this is not worth an exact look.
const NEGLIGIBLE: u64 = 1 << 20;
/// An exact look at memory may take a third of the time.
const EXACT_SHARE: u32 = 2;

#[derive(Debug, Default)]
pub(super) struct Holdings {
    writable: Vec<PathBuf>,
    devices: Devices,
    /// Whether private mounts stand in the place of the host's.
    isolates: bool,
    storage: Ledger,
    memory: Ledger,
    terminals: Ledger,
    written: Growth,
    filled: Growth,
    shared: Growth,
    asked_for: Growth,
    /// Shared memory of the whole machine when the run began.
    at_first: Option<u64>,
    /// Shared memory of the run at the last look.
    pub(super) sharing: Sharing,
    next_exact: Option<Instant>,
}

/// Memory that is nobody's own.
#[derive(Debug, Default)]
pub(super) struct Sharing {
    files: HashMap<Inode, u64>,
    reach: HashMap<Inode, u64>,
    /// Bytes in the private mounts.
    private: u64,
    /// More that may be out of sight.
    hidden: u64,
    /// By how much the whole machine's grew; what cannot be measured is no more than that.
    grown: u64,
    /// What of all of it no process has in its own resident size.
    pub(super) apart: u64,
}

/// What was found in storage.
pub(super) struct Found {
    /// Bytes of files without a name.
    pub(super) nameless: u64,
    pub(super) covered: HashSet<Inode>,
    pub(super) blind: bool,
    /// Most terminals that the run can have.
    pub(super) terminals: u64,
}

impl Holdings {
    pub(super) fn new(command: &Command, backend: &Backend) -> Self {
        let writable = command.writable.iter().map(|bind| bind.host.clone()).collect();
        Self { writable, isolates: backend.isolates(), at_first: shared_of_machine(), ..Self::default() }
    }

    /// Looks into the processes.
    pub(super) fn look(&mut self, pids: &[i32], memory_is_counted: bool) -> Found {
        if !self.devices.are_known() {
            self.devices = Devices::of(&self.writable, if self.isolates { pids } else { &[] });
        }
        let held = Held::by(pids, &self.devices);
        // Where no process at all can be looked into, it is not the run that hides.
        let blind = held.blind && held.looked_into > 0 && can_look();
        if !memory_is_counted {
            self.look_at_memory(&held, pids, blind);
        }
        let asked_for = self.asked_for.since(number_in("/proc/sys/kernel/pty/nr"));
        let terminals = self.terminals.whole(held.terminals.len() as u64, asked_for, &HashSet::new(), blind);
        Found { nameless: held.nameless.values().sum(), covered: held.covered, blind, terminals }
    }

    /// Most bytes that the run can hold in storage, of which it shows `seen`; `written` is what its processes wrote so far.
    pub(super) fn storage(&mut self, found: &Found, seen: u64, written: u64) -> u64 {
        let filled = self.filled.since(self.used_bytes());
        let added = self.written.since(Some(written)).max(filled);
        self.storage.whole(seen, added, &found.covered, found.blind)
    }

    /// Used on the file systems of the writable folders.
    fn used_bytes(&self) -> Option<u64> {
        let mut seen = HashSet::new();
        let systems = self.writable.iter().filter_map(|folder| {
            let device = rustix::fs::stat(folder).ok()?.st_dev;
            seen.insert(device).then(|| used(folder)).flatten()
        });
        Some(systems.sum())
    }

    fn look_at_memory(&mut self, held: &Held, pids: &[i32], blind: bool) {
        let now = shared_of_machine();
        let private = if self.isolates { private_mounts(pids) } else { Vec::new() };
        let private = private.iter().filter_map(|mount| used(mount)).sum::<u64>();
        let seen = private + held.memory.values().sum::<u64>();
        let whole = self.memory.whole(seen, self.shared.since(now), &HashSet::new(), blind);
        let grown = now.zip(self.at_first).map_or(0, |(now, first)| now.saturating_sub(first)).saturating_sub(seen);
        let (files, reach) = (held.memory.clone(), held.reach.clone());
        let mut sharing = Sharing { files, reach, private, hidden: whole - seen, grown, apart: 0 };
        let all = sharing.most();
        // Asked for only where there is something: it costs a file of every process.
        if all > NEGLIGIBLE {
            sharing.apart = all.saturating_sub(shared_resident_bytes(pids));
        }
        self.sharing = sharing;
    }

    /// Whether the processes below `root` and what they share take more than `most`, each page counted once; asked when
    /// `resident`, their sizes taken together, says that it could be so.
    pub(super) fn exact_bytes(&mut self, root: i32, resident: u64, most: u64) -> Option<u64> {
        let sharing = &self.sharing;
        if resident.saturating_add(sharing.most()) <= most {
            return None;
        }
        if sharing.most() <= NEGLIGIBLE {
            return Some(proportional_bytes(root));
        }
        let before = Instant::now();
        if self.next_exact.is_some_and(|next| before < next) {
            return None;
        }
        let bytes = sharing.with(&proportions(root), &self.devices);
        self.next_exact = Some(Instant::now() + before.elapsed().max(Duration::from_millis(1)) * EXACT_SHARE);
        Some(bytes)
    }
}

impl Sharing {
    /// All of it, at most.
    fn most(&self) -> u64 {
        let reach = self.reach.values().sum::<u64>().min(self.grown);
        self.files.values().sum::<u64>() + self.private + self.hidden + reach
    }

    /// The memory of processes, and what of this is not in it.
    fn with(&self, proportions: &Proportions, devices: &Devices) -> u64 {
        let mapped = |inode: &Inode| proportions.of_files.get(inode).copied().unwrap_or(0);
        let beyond = |(inode, bytes): (&Inode, &u64)| bytes.saturating_sub(mapped(inode));
        let in_private = proportions.of_files.iter().filter(|(inode, _)| devices.private.contains(&inode.0));
        let in_private: u64 = in_private.map(|(_, bytes)| bytes).sum();
        proportions.whole
            + self.files.iter().map(beyond).sum::<u64>()
            + self.private.saturating_sub(in_private)
            + self.hidden
            + self.reach.iter().map(beyond).sum::<u64>().min(self.grown)
    }
}

fn used(folder: &Path) -> Option<u64> {
    let found = statvfs(folder).ok()?;
    Some(found.f_blocks.saturating_sub(found.f_bfree).saturating_mul(found.f_frsize))
}

fn number_in(path: &str) -> Option<u64> {
    std::fs::read_to_string(path).ok()?.trim().parse().ok()
}

/// Memory files, mounts in memory and shared mappings of everybody.
fn shared_of_machine() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("Shmem:"))?;
    line.trim().trim_end_matches("kB").trim().parse::<u64>().ok().map(|kibibytes| kibibytes * 1024)
}
