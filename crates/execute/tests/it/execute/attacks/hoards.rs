//! Disk, memory and terminals held where no folder and no resident size shows them; and that honest notebooks which do a little of the
//! same are left alone.

use std::process::Command;

use nbrevive_execute::{End, ExecutionSettings};

use super::stage::attack;
use super::{keeps_output, small, unhurried};
use crate::kernel::run_with;

/// The same limits where no control group can be written, as for an ordinary user.
fn watched() -> ExecutionSettings {
    small(|settings| settings.limits.without_groups = true)
}

/// With control groups and without, which is one and the same to an ordinary user.
fn both() -> Vec<ExecutionSettings> {
    if rustix::process::geteuid().is_root() { vec![unhurried(), watched()] } else { vec![watched()] }
}

/// Of what is out of sight a run may be charged with what others do meanwhile: the limit that is not tried is out of their reach.
fn tries_disk(mut settings: ExecutionSettings) -> ExecutionSettings {
    settings.limits.memory_bytes = 16 << 30;
    settings
}

/// As [`tries_disk`].
fn tries_memory(mut settings: ExecutionSettings) -> ExecutionSettings {
    settings.limits.disk_bytes = 64 << 30;
    settings
}

fn ends(name: &str, settings: &ExecutionSettings, end: &End) {
    let attacked = attack(name, settings);
    // Else an ordinary user could not remove them.
    let opened = Command::new("chmod").args(["-R", "u+rwX"]).arg(attacked.ran.working.path().join("working")).status();
    assert!(opened.is_ok_and(|status| status.success()), "the folders are opened again");
    assert_eq!(attacked.ran.execution.ended, *end, "{name}: {}", attacked.told());
    keeps_output(&attacked, "so far");
}

macro_rules! ends_as_disk_full {
    ($($test:ident $name:literal;)*) => {
        $(#[test]
        fn $test() {
            for settings in both() {
                ends($name, &tries_disk(settings), &End::DiskFull { cell: Some(0) });
            }
        })*
    };
}

ends_as_disk_full! {
    files_without_a_name_are_counted "hoard-without-names";
    files_that_are_only_mapped_are_counted "hoard-in-mappings";
    files_that_are_under_way_are_counted "hoard-in-flight";
    blocks_that_are_under_way_in_sockets_under_way_are_counted "hoard-in-nested-flight";
    files_of_a_process_without_its_first_thread_are_counted "hoard-behind-a-dead-thread";
    programs_without_a_name_are_counted "hoard-in-programs";
    files_of_a_process_that_hides_are_counted "hoard-out-of-sight";
    files_in_closed_folders_are_counted "hoard-in-closed-folders";
    files_behind_too_many_descriptors_are_counted "hoard-behind-descriptors";
}

macro_rules! ends_as_out_of_memory {
    ($($test:ident $name:literal;)*) => {
        $(#[test]
        fn $test() {
            for settings in both() {
                let attacked = attack($name, &tries_memory(settings));
                let execution = &attacked.ran.execution;
                assert_eq!(execution.ended, End::OutOfMemory { cell: Some(0) }, "{}", attacked.told());
                assert!(execution.usage.peak_memory_bytes > 300 << 20, "{:?}", execution.usage);
            }
        })*
    };
}

ends_as_out_of_memory! {
    memory_files_are_counted "memory-bomb-in-memory-files";
    memory_files_that_are_under_way_are_counted "memory-bomb-in-flight";
    memory_that_the_dead_have_filled_is_counted "memory-bomb-of-the-dead";
    memory_of_a_process_without_its_first_thread_is_counted "memory-bomb-behind-a-dead-thread";
}

#[test]
fn segments_of_shared_memory_are_refused_where_nobody_counts_them() {
    let attacked = attack("memory-bomb-in-segments", &watched());
    assert_eq!(attacked.ran.execution.ended, End::Completed, "{}", attacked.told());
    keeps_output(&attacked, "refused Function not implemented");
}

#[test]
fn one_notebook_does_not_take_all_terminals() {
    ends("terminal-flood", &unhurried(), &End::TooManyProcesses { cell: Some(0) });
}

/// What the limits are not meant for.
#[test]
fn honest_use_of_the_same_means_is_left_alone() {
    let mut settings = watched();
    settings.limits.shared_memory_bytes = 128 << 20;
    settings.limits.file_bytes = 256 << 20;
    let ran = run_with(
        &[
            // Six times the limit of the disk, into one file, which stays mapped without a name the first time.
            "import mmap, os\nopen('x', 'wb').write(b'x' * (8 << 20))\nkept = open('x', 'r+b')\n\
             mapped = mmap.mmap(kept.fileno(), 0)\nkept.close(); os.unlink('x')\nimport time\n\
             for _ in range(24):\n    open('x', 'wb').write(b'x' * (16 << 20)); time.sleep(0.1)\nprint('overwritten')",
            // Shared memory that three processes have mapped is counted once: thrice would be too much.
            "from multiprocessing import Pool, shared_memory\n\
             with Pool(3) as pool: print(sum(pool.map(abs, range(1000))))\n\
             blocks = [shared_memory.SharedMemory(create=True, size=16 << 20) for _ in range(5)]\n\
             for block in blocks: block.buf[:] = bytes(16 << 20)\n\
             file = os.memfd_create('m')\nfor _ in range(200): os.write(file, bytes(1 << 20))\n\
             again = mmap.mmap(file, 0)\n\
             def touch():\n    sum(again[::4096]); time.sleep(1.5); os._exit(0)\n\
             children = [os.fork() or touch() for _ in range(2)]\n\
             sum(again[::4096])\nfor child in children: os.waitpid(child, 0)\n\
             time.sleep(0.7)\nfor block in blocks: block.close(); block.unlink()\nprint('shared')",
        ],
        &settings,
    );
    assert_eq!(ran.execution.ended, End::Completed, "{:?}", ran.execution.usage);
    assert_eq!(ran.statuses(), ["ok", "ok"], "{:?}", ran.execution.first_error());
    assert_eq!((ran.text(0), ran.text(1)), ("overwritten\n".into(), "499500\nshared\n".into()));
    // While a file is under way between sockets, the run is charged with what others write and share meanwhile.
    let settings = tries_memory(tries_disk(settings));
    let ran = run_with(
        &["import os, socket, time\nhere, there = socket.socketpair()\n\
             for _ in range(20):\n    socket.send_fds(here, [b'x'], [1]); time.sleep(0.02); \
             [os.close(fd) for fd in socket.recv_fds(there, 1, 1)[1]]\n\
             get_ipython().system('echo in a shell')\nopened = [os.openpty() for _ in range(20)]; time.sleep(0.6)"],
        &settings,
    );
    assert_eq!(ran.execution.ended, End::Completed, "{:?}", ran.execution.usage);
    assert_eq!(ran.statuses(), ["ok"], "{:?}", ran.execution.first_error());
    assert!(ran.text(0).contains("in a shell"), "{}", ran.text(0));
}
