//! Kernels that keep sending, or never answer: time ends them all the same. The sandbox is over two seconds after its time on a quiet
//! machine; here as much is granted as a busy one may take.

use std::time::{Duration, Instant};

use nbrevive_execute::{End, Execution, ExecutionSettings, Kernel, NotebookWorld, execute};

use super::stage::{Attacked, attack};
use super::{in_time, keeps_output, unhurried};
use crate::kernel::{kernel, notebook};

const SECONDS: u64 = 3;
/// What a flood that was not ended would exceed by far.
const PATIENCE: Duration = Duration::from_secs(15);

fn is_over_in_time(name: &str) -> Attacked {
    let began = Instant::now();
    let attacked = attack(name, &in_time(SECONDS));
    assert!(began.elapsed() < PATIENCE + Duration::from_secs(5), "{name}: {:?}", began.elapsed());
    let execution = &attacked.ran.execution;
    let taken = execution.usage.wall_clock.as_secs_f64() - execution.startup_seconds;
    assert!(taken < PATIENCE.as_secs_f64(), "{name}: {taken}");
    keeps_output(&attacked, "so far");
    attacked
}

macro_rules! ends_with_time {
    ($($test:ident $name:literal;)*) => {
        $(#[test]
        fn $test() {
            let attacked = is_over_in_time($name);
            let ended = &attacked.ran.execution.ended;
            assert!(matches!(ended, End::Timeout { .. } | End::OutOfMemory { .. }), "{}", attacked.told());
        })*
    };
}

ends_with_time! {
    busy_without_end_ends_with_time "flood-busy";
    messages_that_mean_nothing_end_with_time "flood-unsigned";
    answers_without_end_end_with_time "flood-replies";
}

#[test]
fn a_flood_at_the_exit_ends_with_time() {
    let mut settings = unhurried();
    settings.shutdown_grace = Duration::from_secs(1);
    let began = Instant::now();
    let attacked = attack("flood-at-exit", &settings);
    assert!(began.elapsed() < PATIENCE, "{:?}", began.elapsed());
    let ended = &attacked.ran.execution.ended;
    assert!(matches!(ended, End::Completed | End::OutOfMemory { .. }), "{}", attacked.told());
    keeps_output(&attacked, "so far");
}

/// What a kernel does that is hostile from the start, with pyzmq at hand.
fn hostile(script: &str) -> Execution {
    let mut hostile: Kernel = kernel();
    let open = "import json, socket, sys, time; c = json.load(open(sys.argv[1])); place = c['ip'] + '-%d'\n";
    hostile.argv = vec![hostile.argv[0].clone(), "-c".into(), format!("{open}{script}"), "{connection_file}".into()];
    let working = tempfile::tempdir().expect("a working folder");
    let world = NotebookWorld {
        input: Vec::new(),
        working: working.path().to_path_buf(),
        starts_in: std::path::PathBuf::new(),
    };
    let settings = ExecutionSettings { startup_timeout: Duration::from_secs(3), ..in_time(3) };
    let began = Instant::now();
    let execution = execute(&notebook(&["print('never')"]), &hostile, &world, &settings).expect("the execution starts");
    assert!(began.elapsed() < PATIENCE, "{:?}: {}", began.elapsed(), execution.kernel_log_tail);
    assert!(matches!(execution.ended, End::StartupFailed { .. }), "{}", execution.ended);
    execution
}

#[test]
fn a_kernel_that_never_listens_is_given_up() {
    let script = "kept = []\nfor number in (1, 2):\n    kept.append(socket.socket(socket.AF_UNIX)); kept[-1].bind(place % number)\n\
                  print('bound', flush=True); time.sleep(600)";
    assert!(hostile(script).kernel_log_tail.contains("bound"));
}

#[test]
fn a_kernel_that_never_greets_is_given_up() {
    let script = "kept = []\nfor number in (1, 2):\n    kept.append(socket.socket(socket.AF_UNIX)); kept[-1].bind(place % number); \
                  kept[-1].listen()\nprint('listening', flush=True); time.sleep(600)";
    assert!(hostile(script).kernel_log_tail.contains("listening"));
}

#[test]
fn a_kernel_that_floods_from_the_start_is_given_up() {
    let script = "import hashlib, hmac, zmq\nz = zmq.Context()\nshell, iopub = z.socket(zmq.ROUTER), z.socket(zmq.PUB)\n\
                  shell.bind('ipc://' + place % 1); iopub.bind('ipc://' + place % 2)\nprint('flooding', flush=True)\n\
                  parts = [b'{\"msg_type\": \"status\", \"msg_id\": \"1\"}', b'{}', b'{}', b'{}']\n\
                  sign = hmac.new(c['key'].encode(), b''.join(parts), hashlib.sha256).hexdigest().encode()\n\
                  while True:\n    iopub.send_multipart([b'status', b'<IDS|MSG>', sign] + parts)\n    \
                  iopub.send_multipart([b'x', b'<IDS|MSG>', b'00'] + parts)";
    assert!(hostile(script).kernel_log_tail.contains("flooding"));
}
