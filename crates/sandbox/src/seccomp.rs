//! The system call filter: a deny-list under which scientific Python works and kernel surface shrinks.
//!
//! Small programs, all loaded by bubblewrap just before the command starts:
//! the deny-list answers `EPERM`; `clone3` answers `ENOSYS`, so that libc falls back to `clone`, whose flags a filter
//! can read; on x86-64 the x32 twin of every call is refused, since it would slip past both; and where no control group
//! counts memory, `shmget` answers `ENOSYS`: its segments belong to no process that could be looked into.

use std::sync::OnceLock;

use seccompiler::{BpfProgram, TargetArch, compile_from_json};
use serde_json::{Value, json};

use crate::SandboxStartError;

/// Refused whatever the arguments: mounts, namespaces, tracing, keys, kernel interfaces, clocks, devices.
pub(crate) const DENIED: &str = "mount umount2 pivot_root chroot setns unshare ptrace process_vm_readv process_vm_writev \
    process_madvise kcmp pidfd_getfd keyctl add_key request_key bpf perf_event_open userfaultfd init_module \
    finit_module delete_module kexec_load kexec_file_load reboot swapon swapoff open_by_handle_at name_to_handle_at \
    io_uring_setup io_uring_enter io_uring_register acct quotactl quotactl_fd settimeofday clock_settime \
    clock_adjtime adjtimex syslog vhangup open_tree move_mount fsopen fsconfig fsmount fspick mount_setattr \
    fanotify_init lookup_dcookie nfsservctl sethostname setdomainname mknodat migrate_pages move_pages vmsplice";
/// Further calls that exist on x86-64 only.
pub(crate) const DENIED_ON_X86: &str = "iopl ioperm mknod modify_ldt";
/// The `CLONE_NEW*` flags: mount, cgroup, uts, ipc, user, pid and network namespaces.
pub(crate) const NAMESPACE_FLAGS: [u64; 7] =
    [0x0002_0000, 0x0200_0000, 0x0400_0000, 0x0800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000];
/// Socket families that stay: unix, IPv4, IPv6, netlink. Everything else goes, vsock above all, which a network
/// namespace does not cut.
pub(crate) const FAMILIES: [u64; 4] = [1, 2, 10, NETLINK];
pub(crate) const NETLINK: u64 = 16;
/// Terminal controls that push input into a terminal: TIOCSTI and TIOCLINUX.
pub(crate) const TERMINAL_CONTROLS: [u64; 2] = [0x5412, 0x541C];
/// A thread with a table of descriptors of its own (`CLONE_THREAD` without `CLONE_FILES`): nobody honest makes one, and a file
/// that only it has open would be out of sight. Mask and value of the flags of `clone`.
pub(crate) const OWN_TABLE: [u64; 2] = [0x0001_0400, 0x0001_0000];
/// `CLOSE_RANGE_UNSHARE`, the other way to such a table.
pub(crate) const CLOSE_UNSHARED: u64 = 2;
/// `PR_SET_DUMPABLE` to zero: it takes a process out of the sight of the user who watches it.
pub(crate) const SET_DUMPABLE: u64 = 4;
pub(crate) const NOT_PERMITTED: u32 = 1;
pub(crate) const NOT_IMPLEMENTED: u32 = 38;
/// Bit that marks a call of the x32 interface.
const X32_BIT: u32 = 0x4000_0000;

/// The programs as bubblewrap reads them (`struct sock_filter` one after the other), compiled once. The last one refuses
/// segments of shared memory, and is left out where `segments` may be made.
pub(crate) fn programs(segments: bool) -> Result<&'static [Vec<u8>], SandboxStartError> {
    static PROGRAMS: OnceLock<Result<Vec<Vec<u8>>, String>> = OnceLock::new();
    match PROGRAMS.get_or_init(|| compile(std::env::consts::ARCH)) {
        Ok(programs) => Ok(&programs[..programs.len() - usize::from(segments)]),
        Err(message) => {
            Err(SandboxStartError::setup("compiling the system call filter")(std::io::Error::other(message.clone())))
        }
    }
}

fn compile(architecture: &str) -> Result<Vec<Vec<u8>>, String> {
    let target = TargetArch::try_from(architecture).map_err(|error| error.to_string())?;
    let text = definition(architecture).to_string();
    let compiled = compile_from_json(text.as_bytes(), target).map_err(|error| error.to_string())?;
    let mut names: Vec<&String> = compiled.keys().collect();
    names.sort();
    let mut programs: Vec<Vec<u8>> = names.iter().map(|name| bytes(&compiled[*name])).collect();
    if architecture == "x86_64" {
        programs.insert(0, refuse_x32());
    }
    Ok(programs)
}

fn definition(architecture: &str) -> Value {
    json!({
        "denied": {
            "mismatch_action": "allow",
            "match_action": { "errno": NOT_PERMITTED },
            "filter": denied_rules(architecture),
        },
        "unimplemented": {
            "mismatch_action": "allow",
            "match_action": { "errno": NOT_IMPLEMENTED },
            "filter": [ { "syscall": "clone3" } ],
        },
        // The last one by its name.
        "unimplemented_segments": {
            "mismatch_action": "allow",
            "match_action": { "errno": NOT_IMPLEMENTED },
            "filter": [ { "syscall": "shmget" } ],
        },
    })
}

fn denied_rules(architecture: &str) -> Vec<Value> {
    let extra = if architecture == "x86_64" { DENIED_ON_X86 } else { "" };
    let names = DENIED.split_ascii_whitespace().chain(extra.split_ascii_whitespace());
    let mut rules: Vec<Value> = names.map(|name| json!({ "syscall": name })).collect();
    for flag in NAMESPACE_FLAGS {
        let condition = json!({ "index": 0, "type": "qword", "op": { "masked_eq": flag }, "val": flag });
        rules.push(json!({ "syscall": "clone", "args": [condition] }));
    }
    let [mask, value] = OWN_TABLE;
    rules.push(json!({ "syscall": "clone", "args": [
        { "index": 0, "type": "qword", "op": { "masked_eq": mask }, "val": value },
    ] }));
    rules.push(json!({ "syscall": "close_range", "args": [
        { "index": 2, "type": "dword", "op": { "masked_eq": CLOSE_UNSHARED }, "val": CLOSE_UNSHARED },
    ] }));
    rules.push(json!({ "syscall": "prctl", "args": [
        { "index": 0, "type": "dword", "op": "eq", "val": SET_DUMPABLE },
        { "index": 1, "type": "qword", "op": "eq", "val": 0 },
    ] }));
    let foreign: Vec<Value> =
        FAMILIES.iter().map(|family| json!({ "index": 0, "type": "dword", "op": "ne", "val": family })).collect();
    rules.push(json!({ "syscall": "socket", "args": foreign }));
    // Of netlink only the routing protocol stays: Python's if_nameindex needs it.
    rules.push(json!({ "syscall": "socket", "args": [
        { "index": 0, "type": "dword", "op": "eq", "val": NETLINK },
        { "index": 2, "type": "dword", "op": "ne", "val": 0 },
    ] }));
    for control in TERMINAL_CONTROLS {
        let condition = json!({ "index": 1, "type": "dword", "op": "eq", "val": control });
        rules.push(json!({ "syscall": "ioctl", "args": [condition] }));
    }
    rules
}

fn bytes(program: &BpfProgram) -> Vec<u8> {
    program.iter().flat_map(|step| instruction(step.code, step.jt, step.jf, step.k)).collect()
}

fn instruction(code: u16, if_true: u8, if_false: u8, value: u32) -> [u8; 8] {
    let [code_low, code_high] = code.to_ne_bytes();
    let [a, b, c, d] = value.to_ne_bytes();
    [code_low, code_high, if_true, if_false, a, b, c, d]
}

/// Load the call's number; refuse it when the x32 bit is set, allow it otherwise.
fn refuse_x32() -> Vec<u8> {
    const LOAD_WORD: u16 = 0x20;
    const JUMP_IF_SET: u16 = 0x45;
    const RETURN: u16 = 0x06;
    const ALLOW: u32 = 0x7fff_0000;
    const ERRNO: u32 = 0x0005_0000;
    let steps = [
        instruction(LOAD_WORD, 0, 0, 0),
        instruction(JUMP_IF_SET, 0, 1, X32_BIT),
        instruction(RETURN, 0, 0, ERRNO | NOT_PERMITTED),
        instruction(RETURN, 0, 0, ALLOW),
    ];
    steps.concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compiles_for_both_architectures() {
        assert_eq!(compile("x86_64").unwrap().len(), 4);
        assert_eq!(compile("aarch64").unwrap().len(), 3);
        assert!(compile("sparc").is_err());
    }

    #[test]
    fn programs_are_whole_instructions() {
        for program in programs(false).unwrap() {
            assert!(!program.is_empty() && program.len() % 8 == 0);
        }
        assert_eq!(programs(true).unwrap().len() + 1, programs(false).unwrap().len());
    }
}
