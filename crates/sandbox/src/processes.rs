//! The process tree of a run as `/proc` shows it: who belongs to it, what memory and processor time it holds.

use std::collections::HashMap;
use std::fs;

use rustix::process::{Pid, Signal, kill_process};
use rustix::thread::{CapabilitySet, capabilities};

use crate::held::{Inode, Mapping};

/// One line of `/proc/<pid>/stat`, as far as it is needed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Process {
    pub(crate) pid: i32,
    pub(crate) parent: i32,
    pub(crate) group: i32,
    ticks: u64,
    resident_pages: u64,
    start: u64,
    threads: u64,
}

/// Memory and processor time of a tree at one moment.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Sample {
    pub(crate) resident_bytes: u64,
    pub(crate) cpu_seconds: f64,
    pub(crate) threads: u64,
}

/// `root` and everything below it. Orphans of a pid namespace are adopted by its first process, so below that
/// process nothing escapes.
pub(crate) fn tree(root: i32) -> Vec<Process> {
    let mut children: HashMap<i32, Vec<Process>> = HashMap::new();
    let mut found = Vec::new();
    for process in all() {
        if process.pid == root {
            found.push(process);
        } else {
            children.entry(process.parent).or_default().push(process);
        }
    }
    let mut next = 0;
    while next < found.len() {
        if let Some(mut below) = children.remove(&found[next].pid) {
            found.append(&mut below);
        }
        next += 1;
    }
    found
}

fn all() -> impl Iterator<Item = Process> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| {
        let pid: i32 = entry.file_name().to_str()?.parse().ok()?;
        read(pid)
    })
}

fn read(pid: i32) -> Option<Process> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let mut process = parse(pid, &stat)?;
    if process.threads > 1 && process.resident_pages == 0 {
        // The first thread has ended, and shows no memory any more; the others have it still.
        process.resident_pages =
            living_thread(pid).and_then(|stat| parse(pid, &stat)).map_or(0, |it| it.resident_pages);
    }
    Some(process)
}

/// The line of a thread that still has memory.
fn living_thread(pid: i32) -> Option<String> {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).ok()?.flatten();
    let lines = tasks.filter_map(|task| fs::read_to_string(task.path().join("stat")).ok());
    lines.filter(|line| parse(pid, line).is_some_and(|thread| thread.resident_pages > 0)).last()
}

/// A file of a process that tells of its memory, through a thread that still has it.
fn of_memory(pid: i32, name: &str) -> Option<String> {
    let read = |folder: &str| fs::read_to_string(format!("{folder}/{name}")).ok().filter(|text| !text.is_empty());
    read(&format!("/proc/{pid}")).or_else(|| {
        let mut tasks = fs::read_dir(format!("/proc/{pid}/task")).ok()?.flatten();
        tasks.find_map(|task| read(task.path().to_str()?))
    })
}

/// The process that is number 1 inside a container, found by the container's control groups.
pub(crate) fn first_of_container(container: &str) -> Option<i32> {
    let inside = |pid: i32| {
        let groups = fs::read_to_string(format!("/proc/{pid}/cgroup")).unwrap_or_default();
        // Podman's monitor has a group whose name holds the id too.
        groups.lines().any(|line| line.contains(container) && !line.contains("conmon"))
    };
    all().map(|process| process.pid).find(|&pid| inside(pid) && is_first(pid))
}

/// The process below `root` that is number 1 inside a container, once it has given up the name under which it makes the container.
pub(crate) fn first_below(root: i32, maker: &str) -> Option<i32> {
    let name = |pid: i32| fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
    tree(root).iter().map(|process| process.pid).find(|&pid| is_first(pid) && name(pid).trim_end() != maker)
}

/// Whether a process is number 1 of a pid namespace below ours.
fn is_first(pid: i32) -> bool {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let numbers = status.lines().find_map(|line| line.strip_prefix("NSpid:")).unwrap_or_default();
    let numbers: Vec<&str> = numbers.split_ascii_whitespace().collect();
    numbers.len() > 1 && numbers.last() == Some(&"1")
}

/// When a process began, in clock ticks since boot: tells it from a later one with the same number.
pub(crate) fn start_ticks(pid: u32) -> Option<u64> {
    read(i32::try_from(pid).ok()?).map(|process| process.start)
}

/// Field numbers are those of proc(5), counted from the state behind the bracketed name, which can hold anything.
fn parse(pid: i32, stat: &str) -> Option<Process> {
    let fields: Vec<&str> = stat[stat.rfind(')')? + 1..].split_ascii_whitespace().collect();
    let number = |index: usize| fields.get(index).and_then(|field| field.parse::<u64>().ok());
    Some(Process {
        pid,
        parent: i32::try_from(number(1)?).ok()?,
        group: i32::try_from(number(2)?).ok()?,
        // own time in user and kernel mode, and that of children already waited for
        ticks: number(11)? + number(12)? + number(13)? + number(14)?,
        resident_pages: number(21)?,
        start: number(19)?,
        threads: number(17)?,
    })
}

/// What the tree below `root` holds now.
pub(crate) fn sample(root: i32) -> Sample {
    let tree = tree(root);
    let pages: u64 = tree.iter().map(|process| process.resident_pages).sum();
    let ticks: u64 = tree.iter().map(|process| process.ticks).sum();
    Sample {
        resident_bytes: pages.saturating_mul(rustix::param::page_size() as u64),
        threads: tree.iter().map(|process| process.threads).sum(),
        cpu_seconds: to_float(ticks) / to_float(rustix::param::clock_ticks_per_second().max(1)),
    }
}

/// Memory of the tree with shared pages counted once; slower than [`sample`].
pub(crate) fn proportional_bytes(root: i32) -> u64 {
    let one = |process: &Process| kibibytes(&of_memory(process.pid, "smaps_rollup")?, "Pss:");
    tree(root).iter().filter_map(one).sum::<u64>().saturating_mul(1024)
}

/// Memory of a tree, and what of it are pages of files.
#[derive(Debug, Default)]
pub(crate) struct Proportions {
    /// Bytes, with shared pages counted once.
    pub(crate) whole: u64,
    pub(crate) of_files: HashMap<Inode, u64>,
}

/// As [`proportional_bytes`], by file; slower still.
pub(crate) fn proportions(root: i32) -> Proportions {
    let mut found = Proportions::default();
    for process in tree(root) {
        let text = of_memory(process.pid, "smaps").unwrap_or_default();
        let mut inode = None;
        for line in text.lines() {
            if let Some(bytes) = line.strip_prefix("Pss:").and_then(kibibytes_in) {
                found.whole += bytes * 1024;
                if let Some(inode) = inode {
                    *found.of_files.entry(inode).or_default() += bytes * 1024;
                }
            } else if line.starts_with(|first: char| first.is_ascii_digit() || ('a'..='f').contains(&first)) {
                inode = Mapping::parse(line).map(|mapping| mapping.inode).filter(|&(_, number)| number != 0);
            }
        }
    }
    found
}

/// Shared memory that these processes have in their own resident sizes.
pub(crate) fn shared_resident_bytes(pids: &[i32]) -> u64 {
    let one = |&pid: &i32| kibibytes(&of_memory(pid, "status")?, "RssShmem:");
    pids.iter().filter_map(one).sum::<u64>().saturating_mul(1024)
}

fn kibibytes(text: &str, key: &str) -> Option<u64> {
    kibibytes_in(text.lines().find_map(|line| line.strip_prefix(key))?)
}

fn kibibytes_in(rest: &str) -> Option<u64> {
    rest.split_ascii_whitespace().next()?.parse().ok()
}

/// Bytes that these processes, and children of theirs that are gone, caused to be written to storage.
pub(crate) fn written_bytes(pids: impl IntoIterator<Item = i32>) -> u64 {
    let one = |pid: i32| {
        let text = fs::read_to_string(format!("/proc/{pid}/io")).ok()?;
        text.lines().find_map(|line| line.strip_prefix("write_bytes: "))?.parse::<u64>().ok()
    };
    pids.into_iter().filter_map(one).sum()
}

/// Sends a signal; a process that is gone already is no error.
pub(crate) fn signal(pid: i32, signal: Signal) {
    if let Some(pid) = Pid::from_raw(pid)
        && let Err(error) = kill_process(pid, signal)
        && error != rustix::io::Errno::SRCH
    {
        tracing::debug!(?pid, %error, "cannot signal a process of a sandbox");
    }
}

/// Ticks and nanoseconds of a run are far below 2^52, so nothing is lost.
#[expect(clippy::cast_precision_loss, reason = "processor times of a run are far below 2^52")]
pub(crate) fn to_float(count: u64) -> f64 {
    count as f64
}

/// Whether the machine lets us look into the processes of a run: they are a user's own, but under another uid for root.
pub(crate) fn can_look() -> bool {
    let traces = || capabilities(None).is_ok_and(|sets| sets.effective.contains(CapabilitySet::SYS_PTRACE));
    !rustix::process::geteuid().is_root() || traces()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hostile_process_name_does_not_shift_fields() {
        let stat = "7 (a) R 1 (b)) S 3 4 4 0 -1 4194560 1 0 0 0 10 20 1 2 20 0 1 0 99 1000 55 18446744073709551615";
        let process = parse(7, stat).unwrap();
        assert_eq!(
            process,
            Process { pid: 7, parent: 3, group: 4, ticks: 33, resident_pages: 55, start: 99, threads: 1 }
        );
    }

    #[test]
    fn the_own_tree_holds_this_process_and_its_child() {
        let mut child = std::process::Command::new("sleep").arg("30").spawn().unwrap();
        let own = i32::try_from(std::process::id()).unwrap();
        let pid = i32::try_from(child.id()).unwrap();
        let tree = tree(own);
        assert!(tree.iter().any(|process| process.pid == pid && process.parent == own));
        assert!(sample(own).resident_bytes > 1 << 20);
        assert!(proportional_bytes(own) > 1 << 18);
        signal(pid, Signal::KILL);
        child.wait().unwrap();
    }
}
