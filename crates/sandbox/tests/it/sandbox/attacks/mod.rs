//! What hostile commands do to the sandbox itself; those that need a kernel of Jupyter are in the crate `execute`.

use std::fs;
use std::time::{Duration, Instant};

use nbrevive_sandbox::{Backend, Ended, SandboxStartError, start};

use super::{Bench, PATIENCE, processes_with, until};

/// As root with and without control groups.
fn both(bench: &mut Bench, expected: &Ended) {
    for without_groups in [false, true] {
        bench.limits.without_groups = without_groups;
        let (ended, log) = bench.run();
        assert_eq!(ended, *expected, "without groups: {without_groups}: {log}");
    }
}

#[test]
fn files_without_a_name_end_as_disk() {
    let script = "my @kept; for (1..50) { open(my $h, '>', 'x'); unlink 'x'; syswrite($h, 'x' x 4_000_000); push @kept, $h; \
                  select(undef, undef, undef, 0.05) } sleep 50";
    let mut bench = Bench::perl(script);
    bench.limits.disk_bytes = 20 << 20;
    both(&mut bench, &Ended::Disk);
    // It may be stopped just before it takes a name away, when nothing is in that file yet.
    let named = fs::read_dir(bench.working()).unwrap().map(|left| left.unwrap().metadata().unwrap().len());
    assert_eq!(named.sum::<u64>(), 0);
}

#[test]
fn files_without_a_name_in_many_processes_end_as_disk() {
    let script = "for (1..40) { next if fork; open(my $h, '>', \"x$_\"); unlink \"x$_\"; syswrite($h, 'x' x 4_000_000); \
                  sleep 50 } sleep 50";
    let mut bench = Bench::perl(script);
    bench.limits.disk_bytes = 20 << 20;
    both(&mut bench, &Ended::Disk);
}

#[test]
fn what_is_held_and_overwritten_within_the_limit_is_left_alone() {
    let script = "open(my $h, '+>', 'x'); unlink 'x'; for (1..30) { sysseek($h, 0, 0); syswrite($h, 'x' x 8_000_000); \
                  open(my $n, '>', 'named'); syswrite($n, 'x' x 8_000_000); select(undef, undef, undef, 0.05) }";
    let mut bench = Bench::perl(script);
    bench.limits.disk_bytes = 20 << 20;
    both(&mut bench, &Ended::Exited(0));
}

#[test]
fn files_in_the_private_mounts_are_no_disk() {
    let script = "my @kept; for ('/tmp/x', '/dev/shm/x') { open(my $h, '>', $_); unlink $_; syswrite($h, 'x' x 40_000_000); \
                  push @kept, $h } sleep 1";
    let mut bench = Bench::perl(script);
    bench.limits.disk_bytes = 20 << 20;
    both(&mut bench, &Ended::Exited(0));
}

#[test]
fn the_private_mounts_are_memory() {
    let mut bench = Bench::perl(
        "for ('/tmp/x', '/dev/shm/x') { open(my $h, '>', $_); unlink $_; syswrite($h, 'x' x 100_000_000) for (1..2); \
         push @kept, $h } sleep 50",
    );
    bench.limits.memory_bytes = 256 << 20;
    both(&mut bench, &Ended::Memory);
}

#[test]
fn a_deadline_ends_what_ignores_every_signal() {
    let bench = Bench::shell("trap '' TERM INT HUP; sleep 31547 & while :; do echo flood; done");
    let running = bench.start();
    until("it runs", || processes_with("31547") > 0);
    let began = Instant::now();
    running.end_by(Instant::now() + Duration::from_secs(600));
    running.end_by(Instant::now() + Duration::from_millis(500));
    assert_eq!(running.wait(PATIENCE), Some(Ended::WallClock));
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    until("all are gone", || processes_with("31547") == 0);
}

#[test]
fn a_pipe_in_the_place_of_the_log_is_not_waited_for() {
    let bench = Bench::shell("true");
    rustix::fs::mknodat(rustix::fs::CWD, &bench.command.log, rustix::fs::FileType::Fifo, 0o666.into(), 0).unwrap();
    let refused = start(&bench.command, &bench.limits, &Backend::Bubblewrap);
    assert!(matches!(refused, Err(SandboxStartError::Setup { .. })), "{refused:?}");
    // Nor does a link lead the output away.
    fs::remove_file(&bench.command.log).unwrap();
    fs::write(bench.folder.path().join("mine"), "mine").unwrap();
    std::os::unix::fs::symlink("mine", &bench.command.log).unwrap();
    assert!(start(&bench.command, &bench.limits, &Backend::Bubblewrap).is_err());
    assert_eq!(fs::read_to_string(bench.folder.path().join("mine")).unwrap(), "mine");
}
