//! How memory, disk, processes, processor time and output end a run, or are cut.

use std::fs;
use std::os::unix::process::CommandExt as _;
use std::process::Command as Process;
use std::time::Duration;

use nbrevive_sandbox::{Ended, Notice};

use super::{Bench, PATIENCE, processes_with, until};

#[test]
fn a_memory_bomb_ends_as_memory() {
    let mut bench = Bench::perl("my @a; while (1) { push @a, 'x' x 10_000_000; }");
    bench.limits.memory_bytes = 128 << 20;
    let running = bench.start();
    assert_eq!(running.wait(PATIENCE), Some(Ended::Memory));
    assert!(running.usage().peak_memory_bytes < 200 << 20);
}

#[test]
fn a_bomb_in_a_child_ends_the_run_too() {
    let mut bench =
        Bench::shell("perl -e 'my @a; while (1) { push @a, \"x\" x 10_000_000; }'; sleep 50; echo survived");
    bench.limits.memory_bytes = 128 << 20;
    let (ended, log) = bench.run();
    assert_eq!(ended, Ended::Memory);
    assert!(!log.contains("survived"));
}

#[test]
fn a_full_working_folder_ends_as_disk() {
    let mut bench = Bench::shell("while :; do head -c 4000000 /dev/zero >> big; sleep 0.02; done");
    bench.limits.disk_bytes = 20 << 20;
    assert_eq!(bench.run().0, Ended::Disk);
    assert!(fs::metadata(bench.working().join("big")).unwrap().len() > 20 << 20);
}

#[test]
fn too_many_files_end_as_disk() {
    let mut bench = Bench::shell("i=0; while :; do i=$((i+1)); : > f$i; done");
    bench.limits.disk_entries = 500;
    assert_eq!(bench.run().0, Ended::Disk);
}

#[test]
fn one_file_and_the_private_mounts_are_capped() {
    let mut bench = Bench::perl(
        "$SIG{XFSZ} = 'IGNORE'; for my $f ('big', '/tmp/big', '/dev/shm/big') { \
         open(my $h, '>', $f); my $ok = 1; for (1..40) { $ok &&= syswrite($h, 'x' x 1_000_000) == 1_000_000; } \
         print \"$f: \", (-s $f) < 20_000_000 && !$ok ? 'capped' : 'open', \"\\n\"; }",
    );
    (bench.limits.file_bytes, bench.limits.temporary_bytes) = (10 << 20, 8 << 20);
    bench.limits.shared_memory_bytes = 4 << 20;
    let (_, log) = bench.run();
    assert_eq!(log, "big: capped\n/tmp/big: capped\n/dev/shm/big: capped\n");
}

#[test]
fn a_fork_bomb_stays_small() {
    let script = "my $n = 0; while (1) { my $p = fork(); last unless defined $p; if (!$p) { sleep 31541; exit } $n++; \
                  last if $n > 500 } print \"$n children\\n\";";
    let mut bench = Bench::perl(script);
    bench.limits.processes = 40;
    let (ended, log) = bench.run();
    assert_eq!(ended, Ended::Exited(0), "{log}");
    let children: u32 = log.split(' ').next().unwrap().parse().unwrap();
    // Without the pids cgroup the bound counts everything the user runs, other tests included.
    let most = if rustix::process::geteuid().is_root() { 40 } else { 300 };
    assert!((10..most).contains(&children), "{log}");
    until("all are gone", || processes_with("31541") == 0);
}

// Where the kernel counts no refusals, the watcher has to see the crowd: so it takes its time to die.
const FORK_BOMB: &str = "while (1) { my $p = fork(); if (!defined $p) { my $why = $!; select(undef, undef, undef, 0.5); \
                         die \"refused: $why\\n\" } if (!$p) { sleep 50; exit } }";

#[test]
fn a_command_that_dies_of_its_fork_bomb_ends_as_processes() {
    let mut bench = Bench::perl(FORK_BOMB);
    bench.limits.processes = 20;
    let (ended, log) = bench.run();
    // Where other programs of the user count as well, the run may be refused before it is a crowd itself.
    let own = rustix::process::geteuid().is_root();
    assert!(ended == Ended::Processes || !own && ended == Ended::Exited(11), "{ended:?}: {log}");
    assert!(log.starts_with("refused: Resource temporarily unavailable"), "{log}");
}

/// Those of a run before that are about to die, say.
#[test]
fn a_fork_bomb_is_called_one_beside_others_of_its_uid() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    // One of these uids, from 20000 on, is the run's.
    let others: Vec<_> = (20_000..20_016)
        .flat_map(|uid| [uid; 4])
        .map(|uid| Process::new("sleep").arg("60").uid(uid).spawn().expect("root may be anybody"))
        .collect();
    let mut bench = Bench::perl(FORK_BOMB);
    bench.limits.processes = 20;
    let running = bench.start();
    let is_counted = |notice: &Notice| matches!(notice, Notice::Enforced { limit, by } if limit == "processes" && by.contains("pids"));
    let counted = running.notices().iter().any(is_counted);
    let ended = running.wait(PATIENCE);
    for mut other in others {
        other.kill().and_then(|()| other.wait()).expect("it is ours");
    }
    assert!(!counted || ended == Some(Ended::Processes), "{ended:?}: {}", bench.log());
}

#[test]
fn processor_time_of_all_children_together_ends_as_cpu() {
    let mut bench = Bench::shell("while :; do :; done & while :; do :; done & sleep 55");
    bench.limits.cpu_time = Some(Duration::from_millis(600));
    let running = bench.start();
    assert_eq!(running.wait(PATIENCE), Some(Ended::Cpu));
    assert!((0.6..3.0).contains(&running.usage().cpu_seconds), "{:?}", running.usage());
}

#[test]
fn written_bytes_count_what_was_deleted_again() {
    // It sleeps at the end because what has ended tells nothing to an ordinary user.
    let bench = Bench::shell(
        "for i in 1 2 3; do (head -c 4000000 /dev/zero > big; rm big); done; head -c 4000000 /dev/zero > /tmp/x; sleep 0.8",
    );
    let running = bench.start();
    assert_eq!(running.wait(PATIENCE), Some(Ended::Exited(0)), "{}", bench.log());
    let written = running.usage().written_bytes;
    assert!((12_000_000..15_900_000).contains(&written), "{written}");
}

#[test]
fn endless_output_is_cut_and_does_not_block() {
    let mut bench = Bench::shell("yes | head -c 30000000; echo done > end");
    bench.limits.log_bytes = 1000;
    let running = bench.start();
    assert_eq!(running.wait(PATIENCE), Some(Ended::Exited(0)));
    assert!(bench.log().len() < 1100);
    assert_eq!(running.usage().log_bytes, 30_000_000);
    assert!(bench.working().join("end").exists());
}
