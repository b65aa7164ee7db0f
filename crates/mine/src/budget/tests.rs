//! The budget by a clock moved by hand, by threads, and by processes.

use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use jiff::Timestamp;

use super::*;

const HOST: &str = "127.0.0.1:80";

fn budget(folder: &Path, manners: Manners, clock: &Clock) -> Budget {
    Budget::open(folder, manners, clock.clone()).unwrap()
}

fn clock() -> Clock {
    Clock::manual("2026-01-01T00:00:00Z".parse().unwrap())
}

fn waited(budget: &Budget) -> f64 {
    budget.acquire(HOST).unwrap().waited.as_secs_f64()
}

#[test]
fn requests_come_at_the_rate_after_the_burst() {
    let folder = tempfile::tempdir().unwrap();
    let clock = clock();
    let budget = budget(folder.path(), Manners { rate: 2.0, burst: 3, ..Manners::default() }, &clock);
    let waits: Vec<f64> = (0..6).map(|_| waited(&budget)).collect();
    assert_eq!(waits, [0.0, 0.0, 0.0, 0.5, 0.5, 0.5]);
    clock.sleep(Duration::from_secs(3600));
    let waits: Vec<f64> = (0..4).map(|_| waited(&budget)).collect();
    assert_eq!(waits, [0.0, 0.0, 0.0, 0.5]);
    assert_eq!(budget.acquire("another.host").unwrap().waited, Duration::ZERO);
}

#[test]
fn two_budgets_on_one_folder_share() {
    let folder = tempfile::tempdir().unwrap();
    let clock = clock();
    let (first, second) =
        (budget(folder.path(), Manners::default(), &clock), budget(folder.path(), Manners::default(), &clock));
    assert_eq!([waited(&first), waited(&second), waited(&first)], [0.0, 1.0, 1.0]);
}

#[test]
fn a_host_that_has_enough_is_left_alone_by_all() {
    let folder = tempfile::tempdir().unwrap();
    let clock = clock();
    let (first, second) =
        (budget(folder.path(), Manners::default(), &clock), budget(folder.path(), Manners::default(), &clock));
    first.hold_back(HOST, Duration::from_secs(30)).unwrap();
    first.hold_back(HOST, Duration::from_secs(5)).unwrap();
    assert_eq!(waited(&second), 30.0);
    first.hold_back(HOST, Duration::from_secs(3600)).unwrap();
    let error = second.acquire(HOST).unwrap_err();
    assert!(matches!(error, BudgetError::TooLong { wait, .. } if wait == Duration::from_secs(3600)), "{error}");
    assert!(error.to_string().contains("3600 s"), "{error}");
    clock.sleep(Duration::from_secs(3599));
    assert_eq!(waited(&second), 1.0);
}

#[test]
fn a_damaged_file_or_a_clock_gone_wrong_does_not_stop_us() {
    let folder = tempfile::tempdir().unwrap();
    let clock = clock();
    let budget = budget(folder.path(), Manners::default(), &clock);
    std::fs::write(budget.path(HOST, "budget"), "{\"tokens\":").unwrap();
    assert_eq!(waited(&budget), 0.0);
    budget.hold_back(HOST, Duration::MAX).unwrap();
    let error = budget.acquire(HOST).unwrap_err();
    assert!(matches!(error, BudgetError::TooLong { wait, .. } if wait == Duration::from_secs(24 * 3600)));
}

#[test]
fn no_more_requests_run_at_once_than_agreed() {
    let folder = tempfile::tempdir().unwrap();
    let manners = Manners { rate: f64::INFINITY, concurrency: 2, ..Manners::default() };
    let (running, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| {
                let budget = budget(folder.path(), manners, &Clock::System);
                for _ in 0..5 {
                    let permit = budget.acquire(HOST).unwrap();
                    most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    std::thread::sleep(Duration::from_millis(2));
                    running.fetch_sub(1, Ordering::SeqCst);
                    drop(permit);
                }
            });
        }
    });
    assert_eq!(most.load(Ordering::SeqCst), 2);
}

#[test]
fn hosts_cannot_leave_the_folder() {
    let budget = Budget { folder: "f".into(), manners: Manners::default(), clock: Clock::System };
    assert_eq!(budget.path("../../x:1/[::]", "budget"), Path::new("f/h-.._.._x_1_____.budget"));
}

/// Folder that [`other_process`] asks in, when it is run as another process.
const FOLDER: &str = "NBREVIVE_TEST_BUDGET";

/// What the child of the next test does; without its variable it does nothing.
#[test]
fn other_process() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let manners = Manners { rate: 20.0, ..Manners::default() };
    let budget = budget(Path::new(&folder), manners, &Clock::System);
    for _ in 0..5 {
        drop(budget.acquire(HOST).unwrap());
    }
}

#[test]
fn processes_share_the_rate() {
    let folder = tempfile::tempdir().unwrap();
    let start = Timestamp::now();
    let children: Vec<_> = (0..3)
        .map(|_| {
            Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "budget::tests::other_process"])
                .env(FOLDER, folder.path())
                .stdout(std::process::Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    // Fifteen requests at 20 a second: the first is free.
    let took = until(start, Timestamp::now());
    assert!(took >= Duration::from_millis(690), "{took:?}");
}
