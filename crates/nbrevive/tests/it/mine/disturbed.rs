//! Whatever happens on the way, the store ends as that of an undisturbed run.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::time::Duration;

use nbrevive_fakekaggle::{Fault, FaultRule, RetryAfter, When};

use crate::mine::bench::{Bench, FAST, small};

const LIST: &str = "/v1/kernels.KernelsApiService/ListKernels";
const PULL: &str = "/v1/kernels.KernelsApiService/GetKernel";

#[test]
fn a_second_run_asks_nothing_and_a_replay_tells_the_same() {
    let bench = Bench::new(small(), FAST);
    bench.mine("store").success();
    let (rows, asked) = (bench.rows("store"), bench.server.log().len());
    assert!(rows.len() > 40, "{}", rows.len());
    let said = String::from_utf8_lossy(&bench.mine("store").success().get_output().stderr).into_owned();
    assert_eq!((bench.rows("store"), bench.server.log().len()), (rows.clone(), asked), "{said}");
    assert!(said.contains("0 requests in"), "{said}");
    bench.server.add_rule(FaultRule::always("", Fault::Unauthorized));
    bench.command(&["mine", "replay"], "store").assert().success();
    assert_eq!((bench.rows("store"), bench.server.log().len()), (rows, asked));
    bench.assert_no_secret("store");
    assert!(bench.path("store/data/mined-versions.parquet").is_file());
}

/// Faults of the API that concern a whole answer: each is switched on for some answers of lists and of notebooks.
fn faults() -> Vec<Fault> {
    let pages = |fault: &Fault| {
        matches!(fault, Fault::LoginWall | Fault::ChangedLayout | Fault::EmbeddedState | Fault::Overlay)
    };
    let mut all = Fault::every();
    all.retain(|fault| !pages(fault));
    all
}

fn is_slow(fault: &Fault) -> bool {
    matches!(
        fault,
        Fault::TooManyRequests { retry_after: RetryAfter::Seconds(_) | RetryAfter::Date(_) }
            | Fault::HugeNotebook { .. }
            | Fault::Stall
            | Fault::StallInBody
            | Fault::SlowDrip { .. }
    )
}

fn disturb(fault: &Fault, expected: &[String]) {
    // A limit of a MiB keeps the 200 MB of the huge notebook short.
    let bench = Bench::new(small(), &format!("largest_notebook_mib = 1\n{FAST}"));
    let count = if is_slow(fault) { 1 } else { 4 };
    bench.server.add_rule(FaultRule::times(PULL, count, fault.clone()));
    match fault {
        Fault::EndlessPages | Fault::DuplicatedPages | Fault::ReorderedPages | Fault::HostileSlug => {
            bench.server.add_rule(FaultRule::always(LIST, fault.clone()));
        }
        _ => bench.server.add_rule(FaultRule::times(LIST, count.min(2), fault.clone())),
    }
    let runs = bench.persist("store");
    let (found, wanted): (BTreeSet<_>, BTreeSet<_>) =
        (bench.rows("store").into_iter().collect(), expected.iter().cloned().collect());
    let differences: Vec<_> = found.symmetric_difference(&wanted).take(2).collect();
    assert!(differences.is_empty(), "{fault:?} after {runs} runs: {differences:#?}");
    bench.assert_no_secret("store");
}

#[test]
fn with_each_fault_in_turn_the_store_ends_the_same() {
    let undisturbed = Bench::new(small(), FAST);
    undisturbed.mine("store").success();
    let expected = undisturbed.rows("store");
    let left = Mutex::new(faults());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some(fault) = { left.lock().expect("no thread panics with it").pop() } {
                    disturb(&fault, &expected);
                }
            });
        }
    });
}

/// Numbers that look like chance and are the same in every run of the test (xorshift64).
struct Moments(u64);

impl Moments {
    fn next(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

#[test]
fn killed_at_twenty_moments_on_a_bad_day_the_store_ends_the_same() {
    let undisturbed = Bench::new(small(), FAST);
    undisturbed.mine("store").success();
    let slow = FAST.replace("400.0", "25.0").replace("burst = 50", "burst = 4");
    let bench = Bench::new(small(), &slow);
    for (fault, probability) in
        [(Fault::ServerError { status: 503 }, 0.1), (Fault::ResetInBody, 0.1), (Fault::TruncatedJson, 0.05)]
    {
        bench.server.add_rule(FaultRule { when: When::Chance { probability }, ..FaultRule::always("/v1/", fault) });
    }
    let mut moments = Moments(2026);
    let mut killed = 0;
    for _ in 0..20 {
        let mut child = bench.spawn(&["mine"], "store");
        std::thread::sleep(Duration::from_millis(60 + moments.next(300)));
        killed += usize::from(child.try_wait().expect("a child can be asked").is_none());
        child.kill().expect("a child can be killed");
        child.wait().expect("a killed child is reaped");
    }
    assert!(killed >= 5, "only {killed} of 20 were still running when they were to be killed");
    bench.write_study(FAST);
    bench.persist("store");
    assert!(bench.rows("store") == undisturbed.rows("store"));
    assert!(bench.server.log().iter().all(|entry| entry.concurrent <= 1 && !entry.has_secret_in_target));
    bench.assert_no_secret("store");
}

#[test]
fn stopped_by_a_signal_it_says_so_and_goes_on() {
    let slow = FAST.replace("400.0", "10.0").replace("burst = 50", "burst = 1");
    let bench = Bench::new(small(), &slow);
    let mut child = bench.spawn(&["mine"], "store");
    // It is on its way once the server was asked for a notebook.
    while !bench.server.log().iter().any(|entry| entry.target.contains("GetKernel")) {
        assert!(child.try_wait().expect("a child can be asked").is_none(), "the run ended before it was stopped");
        std::thread::sleep(Duration::from_millis(10));
    }
    let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("kill runs").success());
    assert_eq!(child.wait().expect("the child ends").code(), Some(9));
    bench.write_study(FAST);
    bench.mine("store").success();
    bench.mine("other").success();
    assert!(bench.rows("store") == bench.rows("other"));
}
