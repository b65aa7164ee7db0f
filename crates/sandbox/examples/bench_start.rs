//! What a sandbox costs over the bare process: `/bin/true` in turn without and with bubblewrap, from the start to the known
//! end; medians. `BENCH_RUNS` (default 40) runs of each, after one that warms up.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::error::Error;
use std::process::{Command as Process, Stdio};
use std::time::{Duration, Instant};

use nbrevive_sandbox::{Backend, Bind, Command, Ended, Limits, start};

/// The promise of docs/security.md.
const GOAL: Duration = Duration::from_millis(50);

fn main() -> Result<(), Box<dyn Error>> {
    let runs: usize = std::env::var("BENCH_RUNS").map_or(Ok(40), |text| text.parse())?;
    let folder = tempfile::tempdir()?;
    let working = folder.path().join("working");
    std::fs::create_dir(&working)?;
    let command = Command {
        argv: vec!["/bin/true".into()],
        env: vec![("PATH".into(), "/usr/bin:/bin".into())],
        read_only: Vec::new(),
        writable: vec![Bind::new(&working, "/kaggle/working")],
        working_directory: "/kaggle/working".into(),
        log: folder.path().join("log"),
    };
    let limits = Limits { disk_reserve_bytes: 0, ..Limits::default() };
    let (mut bare, mut sandboxed) = (Vec::new(), Vec::new());
    for run in 0..=runs {
        let began = Instant::now();
        let status = Process::new("/bin/true").env_clear().stdin(Stdio::null()).status()?;
        let without = began.elapsed();
        let began = Instant::now();
        let ended = start(&command, &limits, &Backend::Bubblewrap)?.wait(Duration::from_secs(60));
        let with = began.elapsed();
        if !status.success() || ended != Some(Ended::Exited(0)) {
            return Err(format!("/bin/true ended with {status} and {ended:?}").into());
        }
        if run > 0 {
            bare.push(without);
            sandboxed.push(with);
        }
    }
    let (bare, sandboxed) = (median(&mut bare), median(&mut sandboxed));
    let over = sandboxed.saturating_sub(bare);
    println!("bare {:.1} ms, sandboxed {:.1} ms, {runs} runs in turn", milliseconds(bare), milliseconds(sandboxed));
    println!("overhead {:.1} ms, goal below {} ms", milliseconds(over), GOAL.as_millis());
    if over < GOAL { Ok(()) } else { Err("the sandbox is slower than promised".into()) }
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
