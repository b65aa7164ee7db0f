//! The system call filter as engines read it (the OCI runtime specification's `linux.seccomp`, in Docker's JSON).

use serde_json::{Value, json};

use crate::seccomp::{CLOSE_UNSHARED, OWN_TABLE, SET_DUMPABLE};
use crate::seccomp::{DENIED, DENIED_ON_X86, FAMILIES, NAMESPACE_FLAGS, NETLINK, TERMINAL_CONTROLS};
use crate::seccomp::{NOT_IMPLEMENTED, NOT_PERMITTED};

/// Number of socket families that a kernel could know; those above are refused by every kernel of today.
const MOST_FAMILIES: u64 = 64;

/// The same deny-list as bubblewrap gets. Calls of other architectures than the machine's (x32 above all) are refused
/// by the runtime, since the list names none.
pub(crate) fn profile() -> Value {
    with(deny(&["clone3"], NOT_IMPLEMENTED, &json!([])))
}

/// The same for Apptainer, which knows no error but "not permitted": a call that a tracer is to decide on is one that is not implemented
/// where there is no tracer (seccomp(2)), and `ptrace` is among those that are denied.
pub(crate) fn profile_of_one_error() -> Value {
    with(json!({ "names": ["clone3"], "action": "SCMP_ACT_TRACE", "args": [] }))
}

fn with(clone3: Value) -> Value {
    let names: Vec<&str> = DENIED.split_ascii_whitespace().chain(DENIED_ON_X86.split_ascii_whitespace()).collect();
    let mut rules = vec![deny(&names, NOT_PERMITTED, &json!([])), clone3];
    for flag in NAMESPACE_FLAGS {
        rules.push(deny(&["clone"], NOT_PERMITTED, &json!([masked(0, flag)])));
    }
    let [mask, value] = OWN_TABLE;
    let own_table = json!({ "index": 0, "value": mask, "valueTwo": value, "op": "SCMP_CMP_MASKED_EQ" });
    rules.push(deny(&["clone"], NOT_PERMITTED, &json!([own_table])));
    rules.push(deny(&["close_range"], NOT_PERMITTED, &json!([masked(2, CLOSE_UNSHARED)])));
    rules.push(deny(&["prctl"], NOT_PERMITTED, &json!([equal(0, SET_DUMPABLE), equal(1, 0)])));
    // Runtimes read several conditions on one argument as alternatives, so every family is refused by itself.
    for family in (0..MOST_FAMILIES).filter(|family| !FAMILIES.contains(family)) {
        rules.push(deny(&["socket"], NOT_PERMITTED, &json!([equal(0, family)])));
    }
    let other_protocol = json!({ "index": 2, "value": 0, "op": "SCMP_CMP_NE" });
    rules.push(deny(&["socket"], NOT_PERMITTED, &json!([equal(0, NETLINK), other_protocol])));
    for control in TERMINAL_CONTROLS {
        rules.push(deny(
            &["ioctl"],
            NOT_PERMITTED,
            &json!([{
                "index": 1, "value": 0xffff_ffff_u64, "valueTwo": control, "op": "SCMP_CMP_MASKED_EQ"
            }]),
        ));
    }
    json!({ "defaultAction": "SCMP_ACT_ALLOW", "syscalls": rules })
}

fn deny(names: &[&str], error: u32, arguments: &Value) -> Value {
    json!({ "names": names, "action": "SCMP_ACT_ERRNO", "errnoRet": error, "args": arguments })
}

fn equal(index: u32, value: u64) -> Value {
    json!({ "index": index, "value": value, "op": "SCMP_CMP_EQ" })
}

fn masked(index: u32, flag: u64) -> Value {
    json!({ "index": index, "value": flag, "valueTwo": flag, "op": "SCMP_CMP_MASKED_EQ" })
}
