//! A study whose jobs other processes carry out: the rows of one machine.

use std::path::Path;

use crate::support::{nbrevive, repository, scratch};

/// The golden notebook that these tests run: a quick one, at baseline.
const SELECTION: [&str; 4] = ["--condition", "baseline", "--only", "wrong-rows"];

fn run(store: &Path, further: &[&str]) -> assert_cmd::assert::Assert {
    let study = repository().join("study/golden/study.toml");
    nbrevive().args(["study", "prepare"]).arg(&study).assert().success();
    nbrevive().args(["study", "run"]).arg(&study).arg("--store").arg(store).args(SELECTION).args(further).assert()
}

fn said(assert: &assert_cmd::assert::Assert) -> String {
    String::from_utf8_lossy(&assert.get_output().stderr).into_owned()
}

#[test]
fn tasks_that_a_command_starts_give_the_rows_of_one_machine() {
    let (here, there) = (scratch(), scratch());
    run(here.path(), &["--jobs", "2"]).success();
    // GNU parallel where it is; what it does of this is to start a shell.
    let program = env!("CARGO_BIN_EXE_nbrevive");
    let work = format!("'{program}' study work --batch {{batch}}");
    let parallel = std::process::Command::new("sem").arg("--version").output();
    let is_gnu = parallel.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("GNU"));
    let submit = if is_gnu { format!("sem --id nbrevive-test -j 2 --fg {work}") } else { work };
    let done = run(there.path(), &["--jobs", "2", "--on", "command", "--submit", &submit]).success();
    assert!(said(&done).contains("1/1 jobs: batch 1 of "), "{}", said(&done));
    let data = |store: &Path| store.join("data");
    let told = nbrevive_store::compare::differences(&data(here.path()), &data(there.path())).unwrap();
    assert_eq!(told, Vec::<String>::new());
    let again = run(there.path(), &["--on", "command", "--submit", &submit]).success();
    assert!(said(&again).contains("1 jobs: 0 to run"), "{}", said(&again));
    let study = repository().join("study/mle-modernizer/study.toml");
    let other = nbrevive()
        .args(["study", "run"])
        .arg(study)
        .args(["--condition", "baseline", "--on", "command", "--submit", &submit])
        .arg("--store")
        .arg(here.path())
        .arg("--shared")
        .arg(there.path().join("cluster"))
        .assert()
        .code(3);
    assert!(said(&other).contains("choose another folder with --shared"), "{}", said(&other));
}

#[test]
fn made_up_jobs_are_all_merged_and_where_the_time_goes_is_drawn() {
    let place = scratch();
    let figure = place.path().join("efficiency.svg");
    let mut simulate = nbrevive();
    simulate
        .args(["study", "simulate", "--jobs", "60", "--nodes", "1,4", "--task-minutes", "2", "--figure"])
        .arg(&figure);
    let done = simulate.assert().success();
    let said = String::from_utf8_lossy(&done.get_output().stdout).into_owned();
    assert!(
        said.contains("60 jobs, 1 nodes: 60 stored, 0 undone")
            && said.contains("60 jobs, 4 nodes: 60 stored, 0 undone"),
        "{said}"
    );
    assert!(std::fs::read_to_string(&figure).unwrap().starts_with("<svg"));
    nbrevive().args(["study", "simulate", "--nodes", "0"]).assert().code(2);
}

#[test]
fn a_command_that_starts_nothing_is_told_and_nothing_is_stored() {
    let store = scratch();
    let failed = run(store.path(), &["--on", "command", "--submit", "exit 3 # {batch}"]).code(4);
    assert!(said(&failed).contains("never began"), "{}", said(&failed));
    let store = nbrevive_store::Store::open_read_only(store.path()).unwrap();
    assert_eq!(nbrevive_store::outcomes::all(&store).unwrap(), []);
}

#[test]
fn what_cannot_be_meant_is_refused_before_anything_runs() {
    for (words, told) in [
        (&["--on", "command", "--submit", "qsub task.sh"][..], "{batch}"),
        (&["--on", "command"], "--submit"),
        (&["--submit", "qsub {batch}"], "--on command"),
        (&["--partition", "p"], "--on slurm"),
    ] {
        let store = scratch();
        let refused = run(store.path(), words).code(2);
        assert!(said(&refused).contains(told), "{words:?}: {}", said(&refused));
        assert!(!store.path().join("study.db").exists());
    }
    let store = scratch();
    let study = repository().join("study/golden/study.toml");
    let mut without = nbrevive();
    without.args(["study", "run"]).arg(study).arg("--store").arg(store.path()).args(SELECTION).args(["--on", "slurm"]);
    let refused = without.env("PATH", "/nowhere").assert().code(4);
    assert!(said(&refused).contains("`sinfo` cannot be run"), "{}", said(&refused));
    nbrevive().args(["study", "attach", "--store"]).arg(store.path()).assert().code(3);
}
