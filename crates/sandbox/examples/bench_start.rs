//! What a sandbox costs over the bare process: `/bin/true` in turn without, behind bubblewrap and in a container of podman, from the
//! start to the known end; medians. `BENCH_RUNS` (default 40) runs of each, after one that warms up; with `BENCH_SMOKE` no goal is held.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

#[path = "../tests/it/image/mod.rs"]
mod image;

use std::error::Error;
use std::path::Path;
use std::process::{Command as Process, Stdio};
use std::time::{Duration, Instant};

use nbrevive_sandbox::{Backend, Bind, Command, Ended, Limits, start};

/// The promise of docs/security.md, for bubblewrap.
const GOAL: Duration = Duration::from_millis(50);

fn main() -> Result<(), Box<dyn Error>> {
    let runs: usize = std::env::var("BENCH_RUNS").map_or(Ok(40), |text| text.parse())?;
    let folder = tempfile::tempdir()?;
    let engine = image::settings();
    let container = Backend::contained(&engine)?;
    let mut series = [Vec::new(), Vec::new(), Vec::new()];
    for run in 0..=runs {
        let times = [bare()?, behind(&Backend::Bubblewrap, folder.path())?, behind(&container, folder.path())?];
        if run > 0 {
            series.iter_mut().zip(times).for_each(|(series, time)| series.push(time));
        }
    }
    let own = format!("nbrevive-{}-", std::process::id());
    if let Some(left) = image::containers(&engine).into_iter().find(|name| name.starts_with(&own)) {
        return Err(format!("the container {left} is left").into());
    }
    let [bare, bubblewrap, container] = series.map(|mut times| median(&mut times));
    println!("{runs} runs in turn, medians: bare {}", milliseconds(bare));
    println!("bubblewrap: {} more, goal below {}", milliseconds(bubblewrap.saturating_sub(bare)), milliseconds(GOAL));
    println!("podman: {} more", milliseconds(container.saturating_sub(bare)));
    let is_held = bubblewrap.saturating_sub(bare) < GOAL || std::env::var_os("BENCH_SMOKE").is_some();
    if is_held { Ok(()) } else { Err("the sandbox is slower than promised".into()) }
}

/// The process alone.
fn bare() -> Result<Duration, Box<dyn Error>> {
    let began = Instant::now();
    let status = Process::new("/bin/true").env_clear().stdin(Stdio::null()).status()?;
    if status.success() { Ok(began.elapsed()) } else { Err(format!("/bin/true ended with {status}").into()) }
}

/// The same in a sandbox.
fn behind(backend: &Backend, folder: &Path) -> Result<Duration, Box<dyn Error>> {
    let working = folder.join("working");
    std::fs::create_dir_all(&working)?;
    let command = Command {
        argv: vec!["/bin/true".into()],
        env: vec![("PATH".into(), "/usr/bin:/bin".into())],
        // The image has nothing of its own.
        read_only: if matches!(backend, Backend::Oci(_)) { vec![Bind::same("/usr")] } else { Vec::new() },
        writable: vec![Bind::new(&working, "/kaggle/working")],
        working_directory: "/kaggle/working".into(),
        log: folder.join("log"),
    };
    let limits = Limits { disk_reserve_bytes: 0, ..Limits::default() }.fitted_to_machine().0;
    let began = Instant::now();
    match start(&command, &limits, backend)?.wait(Duration::from_secs(60)) {
        Some(Ended::Exited(0)) => Ok(began.elapsed()),
        ended => Err(format!("/bin/true ended with {ended:?}").into()),
    }
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1000.0)
}
