//! Plans a second from histories in memory, for both strategies.
//!
//! `bench_plans SNAPSHOT DATE [SETS]`: `SETS` is a file with one
//! notebook's imports a line, separated by blanks (default: sets of ordinary notebooks). Every set is planned once,
//! which reads what it needs into memory, then all of them again and again for some seconds, on all cores.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::error::Error;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use nbrevive_environment::{Home, Index, Interpreter, Interpreters, Needs, PlanRequest, Strategy, plan};
use rayon::prelude::*;

/// Imports of ordinary notebooks, a line each.
const SETS: &str = include_str!("../../../scripts/bench-sets.txt");
/// How long each strategy is measured; with `BENCH_SMOKE` once through the sets.
const MEASURED: Duration = Duration::from_secs(4);

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [snapshot, date, sets @ ..] = arguments.as_slice() else {
        return Err("usage: bench_plans SNAPSHOT DATE [SETS]".into());
    };
    let date: Timestamp = format!("{date}T00:00:00Z").parse()?;
    let index = Index::of_snapshot(snapshot.as_ref())?;
    let sets = sets.first().map_or_else(|| Ok(SETS.to_owned()), std::fs::read_to_string)?;
    let needs: Vec<Needs> = sets.lines().map(needs).collect();
    let folder = tempfile::tempdir()?;
    let interpreters = Interpreters::fixed(&Home::at(folder.path()), machine());
    for strategy in Strategy::ALL.iter().copied() {
        measure(strategy, &needs, date, &index, &interpreters)?;
    }
    Ok(())
}

fn needs(line: &str) -> Needs {
    Needs { imports: line.split_whitespace().map(str::to_owned).collect(), major: 3, ..Needs::default() }
}

/// One interpreter of each minor, on a Linux of today.
fn machine() -> Vec<Interpreter> {
    (5..=13)
        .map(|minor| Interpreter {
            path: "python".into(),
            version: pep440_rs::Version::new([3, minor, 15]),
            prefix: "prefix".into(),
            machine: "x86_64".into(),
            glibc: Some((2, 36)),
            wide_unicode: true,
        })
        .collect()
}

fn measure(
    strategy: Strategy,
    needs: &[Needs],
    date: Timestamp,
    index: &Index,
    interpreters: &Interpreters,
) -> Result<(), Box<dyn Error>> {
    let mut lines = 0;
    let mut failing = 0;
    for needs in needs {
        let made = plan(&PlanRequest::new(needs, date, strategy), index, interpreters)?;
        lines += made.lines.len();
        failing += usize::from(made.expected_failure.is_some());
    }
    let started = Instant::now();
    let plans = AtomicUsize::new(0);
    let measured = if std::env::var_os("BENCH_SMOKE").is_some() { Duration::ZERO } else { MEASURED };
    loop {
        (0..20).into_par_iter().for_each(|_| {
            for needs in needs {
                let made = plan(&PlanRequest::new(needs, date, strategy), index, interpreters);
                plans.fetch_add(usize::from(made.is_ok()), Ordering::Relaxed);
            }
        });
        if started.elapsed() >= measured {
            break;
        }
    }
    let seconds = started.elapsed().as_secs_f64();
    let plans = u32::try_from(plans.into_inner())?;
    let many = u32::try_from(needs.len())?;
    println!(
        "{strategy}: {:.0} plans/s on {} threads ({many} sets, {:.1} lines a plan, {failing} expected to fail)",
        f64::from(plans) / seconds,
        rayon::current_num_threads(),
        f64::from(u32::try_from(lines)?) / f64::from(many),
    );
    Ok(())
}
