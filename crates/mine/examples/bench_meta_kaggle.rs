//! Times a whole pass over a Meta Kaggle dump: all joins, the facts of every version, and a funnel over them, then the
//! records of its first competition, each with the peak of memory. `bench_meta_kaggle DUMP`; prints two lines of JSON.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use nbrevive_corpus::funnel::{Funnel, Tally, TargetScore};
use nbrevive_mine::metakaggle::{Dump, DumpPlan, DumpScope, DumpSummary};
use nbrevive_mine::raw::RawStore;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from).ok_or("usage: bench_meta_kaggle DUMP")?;
    let began = Instant::now();
    let funnel = Funnel::default();
    let mut tally = Tally::new(&funnel);
    let summary = Dump::open(&folder)?.candidates(&DumpPlan::default(), &mut |batch| {
        for facts in &batch {
            // What is dropped is counted in the tally.
            let _ = tally.judge(&funnel, &facts.candidate(TargetScore::default()));
        }
        ControlFlow::Continue(())
    })?;
    report(&summary, &tally, began.elapsed().as_secs_f64());
    records(&folder)
}

#[expect(clippy::print_stdout, reason = "the figures are what the program is for")]
fn report(summary: &DumpSummary, tally: &Tally, seconds: f64) {
    let line = serde_json::json!({
        "versions": summary.versions,
        "left_out": summary.dropped,
        "cannot_be_read": summary.bad.values().map(|bad| bad.count).sum::<u64>(),
        "left": tally.steps().iter().map(|step| step.kept).collect::<Vec<_>>(),
        "seconds": (seconds * 10.0).round() / 10.0,
        "peak_mib": peak(),
    });
    println!("{line}");
}

/// Brings the records of one competition, as a study does; the hashes of the files are part of it.
#[expect(clippy::print_stdout, reason = "the figures are what the program is for")]
fn records(folder: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let (began, raw) = (Instant::now(), tempfile::tempdir()?);
    let dump = Dump::open(folder)?;
    let first = dump.competition_names()?.into_iter().next().ok_or("the dump holds no competition")?.1;
    let plan = DumpPlan { scope: DumpScope::Competitions(vec![first]), ..DumpPlan::default() };
    let mut count = 0_u64;
    let summary = dump.mine(&plan, &RawStore::open(raw.path())?, None, &mut |_| {
        count += 1;
        ControlFlow::Continue(())
    })?;
    let seconds = (began.elapsed().as_secs_f64() * 10.0).round() / 10.0;
    let line = serde_json::json!({
        "versions": summary.versions,
        "records": count,
        "seconds": seconds,
        "peak_mib": peak(),
    });
    println!("{line}");
    Ok(())
}

/// The peak of resident memory in MiB, as the kernel tells it.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok().map(|kibibytes| kibibytes / 1024)
}
