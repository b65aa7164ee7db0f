//! Hostile notebooks, for real: each file `*.py` beside this one tries one thing, and is watched from outside.
//!
//! A cell that got what it wanted prints `ESCAPED`. What lies outside is staged for every attack anew: a home, another
//! notebook's folder, hidden answers, a store, servers on loopback and on unix sockets; each holds or is named by a random
//! marker, which must not turn up in the notebook. After every attack nothing may be left of it: no process, no change outside.

mod floods;
mod hoards;
mod stage;

use std::time::Duration;

use nbrevive_execute::{End, ExecutionSettings};
use nbrevive_notebook::{CellKind, Output};
use stage::{Attacked, attack};

use crate::kernel;

/// Small limits, so that a bomb is over soon.
fn small(change: impl FnOnce(&mut ExecutionSettings)) -> ExecutionSettings {
    let mut settings = kernel::settings();
    settings.limits.memory_bytes = 512 << 20;
    settings.limits.processes = 64;
    settings.limits.disk_bytes = 64 << 20;
    settings.limits.disk_entries = 5_000;
    settings.limits.file_bytes = 48 << 20;
    settings.limits.temporary_bytes = 32 << 20;
    settings.limits.shared_memory_bytes = 16 << 20;
    // Out of reach of a busy machine: what it is to end, ends in time of its own.
    settings.limits.wall_clock = Duration::from_secs(900);
    settings.interrupt_grace = Duration::from_secs(1);
    change(&mut settings);
    settings
}

fn unhurried() -> ExecutionSettings {
    small(|_| ())
}

fn in_time(seconds: u64) -> ExecutionSettings {
    small(|settings| settings.limits.wall_clock = Duration::from_secs(seconds))
}

/// An attack that is refused: every cell has its chance, and nothing comes of it.
fn is_refused(name: &str) -> Attacked {
    let attacked = attack(name, &unhurried());
    assert_eq!(attacked.ran.execution.ended, End::Completed, "{name}: {}", attacked.told());
    attacked
}

/// A flood ends with time; or with memory, where the kernel queues faster than it can send.
fn ends_as_a_flood(attacked: &Attacked) {
    let ended = &attacked.ran.execution.ended;
    assert!(matches!(ended, End::Timeout { cell: 0 } | End::OutOfMemory { cell: Some(0) }), "{ended}");
    attacked.took_at_most(400 << 20);
}

/// What the first cell printed before it was stopped is kept.
fn keeps_output(attacked: &Attacked, text: &str) {
    assert!(attacked.told().contains(text), "partial output is lost: {}", attacked.told());
}

macro_rules! refused {
    ($($test:ident $name:literal;)*) => {
        $(#[test]
        fn $test() {
            is_refused($name);
        })*
    };
}

refused! {
    the_home_is_not_there "read-home";
    the_hosts_passwords_are_not_there "read-shadow";
    another_notebooks_folder_is_not_there "read-other-notebook";
    the_hidden_answers_are_not_there "read-answers";
    memory_of_others_cannot_be_read "read-memory";
    nothing_outside_can_be_written "write-outside";
    a_server_on_loopback_is_not_reached "reach-loopback";
    a_public_address_is_not_reached "reach-public";
    a_metadata_address_is_not_reached "reach-metadata";
    unix_sockets_of_the_host_are_not_reached "reach-unix-socket";
    shared_memory_and_tmp_are_capped "memory-bomb-in-tmp";
    a_sparse_file_is_capped "sparse-file";
    the_supervisor_cannot_be_killed "kill-supervisor";
    the_kernels_doors_are_closed "ptrace";
    limits_cannot_be_raised "raise-limits";
    devices_and_programs_of_others_cannot_be_made "make-devices";
    nobody_answers_a_question "input-for-ever";
    no_thread_has_descriptors_of_its_own "own-table";
}

#[test]
fn the_store_is_not_there() {
    let attacked = is_refused("read-store");
    assert_eq!(attacked.ran.statuses(), ["ok", "error"], "{}", attacked.told());
}

#[test]
fn no_variable_of_ours_is_seen() {
    let attacked = is_refused("read-environment");
    let told = attacked.told();
    assert!(told.contains("KAGGLE_KERNEL_RUN_TYPE"), "the notebook's own variables are seen: {told}");
    for name in ["CARGO_MANIFEST_DIR", "CARGO_PKG_NAME", "NEXTEST"] {
        assert!(!told.contains(name), "{name} is seen: {told}");
    }
    assert!(!told.contains(env!("CARGO_MANIFEST_DIR")), "a path of the host is seen: {told}");
}

#[test]
fn a_fork_bomb_stays_small() {
    let attacked = is_refused("fork-bomb");
    assert!(attacked.told().contains("refused after"), "{}", attacked.told());
}

#[test]
fn a_thread_bomb_stays_small() {
    let attacked = is_refused("thread-bomb");
    assert!(attacked.told().contains("refused after"), "{}", attacked.told());
}

#[test]
fn a_kernel_that_dies_of_its_fork_bomb_ends_as_too_many_processes() {
    let attacked = attack("fork-bomb-to-death", &unhurried());
    let ended = &attacked.ran.execution.ended;
    // Where other programs of the user count as well, it may be refused before it is a crowd itself.
    let refused = End::KernelDied { cell: Some(0), exit_code: Some(3), signal: None };
    let own = rustix::process::geteuid().is_root();
    assert!(*ended == End::TooManyProcesses { cell: Some(0) } || !own && *ended == refused, "{}", attacked.told());
    keeps_output(&attacked, "so far");
}

#[test]
fn processor_time_of_children_ends_it_too() {
    let attacked = attack("busy-children", &small(|settings| settings.limits.cpu_time = Some(Duration::from_secs(4))));
    assert_eq!(attacked.ran.execution.ended, End::ProcessorTime { cell: Some(0) }, "{}", attacked.told());
    keeps_output(&attacked, "so far");
}

#[test]
fn a_memory_bomb_ends_as_out_of_memory() {
    let attacked = attack("memory-bomb", &unhurried());
    assert_eq!(attacked.ran.execution.ended, End::OutOfMemory { cell: Some(0) }, "{}", attacked.told());
    keeps_output(&attacked, "so far");
}

#[test]
fn a_memory_bomb_in_many_children_ends_as_out_of_memory() {
    let attacked = attack("memory-bomb-in-children", &unhurried());
    assert_eq!(attacked.ran.execution.ended, End::OutOfMemory { cell: Some(0) }, "{}", attacked.told());
    keeps_output(&attacked, "so far");
}

#[test]
fn a_full_disk_ends_as_disk_full() {
    let attacked = attack("disk-fill", &unhurried());
    assert_eq!(attacked.ran.execution.ended, End::DiskFull { cell: Some(0) }, "{}", attacked.told());
    keeps_output(&attacked, "so far");
}

#[test]
fn too_many_files_end_as_disk_full() {
    let attacked = attack("inode-fill", &unhurried());
    assert_eq!(attacked.ran.execution.ended, End::DiskFull { cell: Some(0) }, "{}", attacked.told());
}

#[test]
fn folders_too_deep_to_walk_end_as_disk_full() {
    let attacked = attack("deep-folders", &unhurried());
    assert!(matches!(attacked.ran.execution.ended, End::DiskFull { .. }), "{}", attacked.told());
}

#[test]
fn endless_output_is_cut_and_ends() {
    // Room for what a kernel queues: one that dies of it may not have sent much; nor has one on a busy machine.
    let settings = small(|settings| {
        settings.limits.wall_clock = Duration::from_secs(5);
        settings.limits.memory_bytes = 8 << 30;
        settings.output_bytes_per_cell = 64 << 10;
    });
    let attacked = attack("endless-output", &settings);
    ends_as_a_flood(&attacked);
    assert!(attacked.ran.execution.cells[0].truncated);
    assert!(attacked.told().len() < 66 << 10, "{} bytes are kept", attacked.told().len());
}

#[test]
fn endless_writing_past_the_protocol_is_cut_and_ends() {
    let attacked = attack("endless-errors", &in_time(5));
    ends_as_a_flood(&attacked);
}

#[test]
fn an_output_of_a_gigabyte_is_no_danger_to_the_program() {
    let attacked = attack("one-gigabyte-output", &small(|settings| settings.limits.memory_bytes = 4 << 30));
    let execution = &attacked.ran.execution;
    assert!(matches!(execution.ended, End::Completed | End::OutOfMemory { .. }), "{}", execution.ended);
    assert!(!execution.ended.is_completed() || execution.cells[1].truncated, "the note is missing");
    keeps_output(&attacked, "so far");
    assert!(execution.notebook.cells[1].outputs().iter().all(|output| format!("{output:?}").len() < 32 << 20));
    attacked.took_at_most(400 << 20);
}

#[test]
fn an_announced_exabyte_is_not_waited_for() {
    let attacked = attack("claim-a-frame", &in_time(5));
    assert_eq!(attacked.ran.execution.ended, End::Timeout { cell: 1 }, "{}", attacked.told());
    keeps_output(&attacked, "so far");
    assert!(attacked.ran.execution.kernel_log_tail.contains("claimed"), "{}", attacked.ran.execution.kernel_log_tail);
    attacked.took_at_most(400 << 20);
}

#[test]
fn a_message_of_endless_frames_is_not_kept() {
    let attacked = attack("endless-frames", &in_time(10));
    assert!(matches!(attacked.ran.execution.ended, End::Timeout { .. }), "{}", attacked.told());
    keeps_output(&attacked, "so far");
    attacked.took_at_most(400 << 20);
}

#[test]
fn endless_carriage_returns_stay_one_line() {
    let attacked = attack("endless-carriage-returns", &in_time(5));
    ends_as_a_flood(&attacked);
    assert!(attacked.told().len() < 2 << 20);
}

#[test]
fn endless_updates_of_a_display_are_one_display() {
    let attacked = attack("endless-displays", &in_time(5));
    ends_as_a_flood(&attacked);
    let outputs = attacked.ran.execution.notebook.cells[0].outputs();
    assert_eq!(outputs.iter().filter(|output| matches!(output, Output::DisplayData { .. })).count(), 1, "{outputs:?}");
}

#[test]
fn deaf_ears_end_with_time() {
    let attacked = attack("ignore-signals", &in_time(3));
    assert_eq!(attacked.ran.execution.ended, End::Timeout { cell: 1 });
    keeps_output(&attacked, "deaf");
}

#[test]
fn a_daemon_does_not_outlive_the_notebook() {
    keeps_output(&is_refused("daemon"), "left");
}

#[test]
fn an_exit_in_a_cell_is_the_kernels_death() {
    let attacked = attack("exit-kernel", &unhurried());
    let died = End::KernelDied { cell: Some(0), exit_code: Some(7), signal: None };
    assert_eq!(attacked.ran.execution.ended, died);
    keeps_output(&attacked, "before");
}

#[test]
fn a_crash_in_a_cell_is_the_kernels_death() {
    let attacked = attack("crash-kernel", &unhurried());
    assert_eq!(attacked.ran.execution.ended, End::KernelDied { cell: Some(0), exit_code: None, signal: Some(11) });
    keeps_output(&attacked, "before");
}

#[test]
fn another_program_in_the_kernels_place_ends_with_time() {
    let attacked = attack("replace-kernel", &in_time(4));
    assert_eq!(attacked.ran.execution.ended, End::Timeout { cell: 0 });
    keeps_output(&attacked, "before");
}

#[test]
fn a_destroyed_connection_changes_nothing() {
    let attacked = is_refused("corrupt-connection-file");
    keeps_output(&attacked, "and on");
}

#[test]
fn forged_messages_harm_the_forger_alone() {
    let attacked = is_refused("forge-messages");
    assert_eq!(attacked.ran.statuses(), ["ok", "error", "ok"], "{}", attacked.told());
    let error = attacked.ran.execution.cells[1].error.as_ref().map(|error| error.ename.as_str());
    assert_eq!(error, Some("ZeroDivisionError"));
    keeps_output(&attacked, "the third cell");
}

#[test]
fn a_cell_runs_once_whatever_it_raises_or_says() {
    for name in ["own-abort", "forge-abort"] {
        let attacked = is_refused(name);
        assert_eq!(attacked.left_behind("ran").as_deref(), Some("x"), "{name}: {}", attacked.told());
        assert_eq!(attacked.ran.statuses(), ["error", "ok"], "{name}: {}", attacked.told());
        let error = attacked.ran.execution.cells[0].error.as_ref().map(|error| error.ename.as_str());
        assert_eq!(error, Some("ExecutionAborted"), "{name}");
        keeps_output(&attacked, "and on");
    }
}

#[test]
fn claims_do_not_reach_the_saved_notebook() {
    let attacked = is_refused("forge-claims");
    let cell = &attacked.ran.execution.notebook.cells[0];
    assert!(matches!(cell.kind, CellKind::Code { execution_count: Some(1), .. }), "{:?}", cell.kind);
    assert!(!format!("{:?}", cell.metadata).contains("52;c"), "{:?}", cell.metadata);
    for output in cell.outputs() {
        if let Output::ExecuteResult { execution_count, data, .. } = output {
            assert_eq!(*execution_count, None);
            assert!(data["text/html"] == "5" && data["text/plain"] == "{\"a\":[]}", "{data:?}");
        }
    }
    keeps_output(&attacked, "claimed");
}

#[test]
fn sleep_ends_with_time() {
    let attacked = attack("sleep-for-ever", &in_time(3));
    assert_eq!(attacked.ran.execution.ended, End::Timeout { cell: 0 });
    keeps_output(&attacked, "so far");
}

#[test]
fn native_code_that_never_looks_up_ends_with_time() {
    let attacked = attack("busy-wait", &in_time(3));
    assert_eq!(attacked.ran.execution.ended, End::Timeout { cell: 0 });
    keeps_output(&attacked, "so far");
}

#[test]
fn a_stopped_kernel_ends_with_time() {
    let attacked = attack("stop-itself", &in_time(4));
    assert_eq!(attacked.ran.execution.ended, End::Timeout { cell: 0 });
    keeps_output(&attacked, "so far");
}
