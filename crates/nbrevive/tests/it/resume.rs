//! A run that is killed goes on where it was: nothing is lost, and nothing is counted twice.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use crate::support::{nbrevive, repository, scratch};

/// The golden notebooks that this test runs: quick ones, at baseline.
const SELECTION: [&str; 4] = ["--condition", "baseline", "--only", "wrong"];
/// How many there are: wrong-columns, wrong-ids, wrong-rows.
const JOBS: usize = 3;

#[test]
fn a_killed_run_goes_on_where_it_was() {
    let scratch = scratch();
    let study = repository().join("study/golden/study.toml");
    nbrevive().args(["study", "prepare"]).arg(&study).assert().success();
    kill_after_first_outcome(&study, scratch.path());

    let again =
        nbrevive().args(["study", "run"]).arg(&study).arg("--store").arg(scratch.path()).args(SELECTION).assert();
    let said = String::from_utf8_lossy(&again.success().get_output().stderr).into_owned();
    let first = said.lines().next().unwrap_or_default().to_owned();
    assert!(first.starts_with("3 jobs: ") && !first.contains("3 to run"), "the first run's outcome was lost: {first}");

    let store = nbrevive_store::Store::open_read_only(scratch.path()).unwrap();
    assert_eq!(nbrevive_store::outcomes::all(&store).unwrap().len(), JOBS);
    assert_eq!(nbrevive_store::executions::all(&store).unwrap().len(), JOBS, "an execution was counted twice or lost");
}

/// Starts a run one job at a time, and kills it the moment it has told its first outcome.
fn kill_after_first_outcome(study: &std::path::Path, store: &std::path::Path) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_nbrevive"))
        .args(["study", "run"])
        .arg(study)
        .arg("--store")
        .arg(store)
        .args(SELECTION)
        .args(["--jobs", "1"])
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let lines = BufReader::new(child.stderr.take().expect("stderr is piped")).lines();
    let told = lines.map_while(Result::ok).find(|line| line.starts_with("1/"));
    assert!(told.is_some(), "the run ended without an outcome");
    child.kill().expect("the run can be killed");
    child.wait().expect("a killed run is reaped");
}
