//! A study whose jobs other processes carry out: the rows of one machine.

use std::path::Path;

use nbrevive_fakemodel::FakeModel;
use nbrevive_model::{LEDGER, Ledger, LedgerRow, RECORD};

use crate::model::{SLUG, mended};
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
    another_start_hands_in_nothing(&there.path().join("cluster"));
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

/// Of a batch that is merged, by a scheduler that forgot its end: before it begins, and while it is at work.
fn another_start_hands_in_nothing(shared: &Path) {
    let (mark, journal) = (shared.join("cancelled/1"), shared.join("tasks/1"));
    let work = || {
        let mut work = std::process::Command::new(env!("CARGO_BIN_EXE_nbrevive"));
        work.args(["study", "work", "--batch"]).arg(shared.join("batches/1.json"));
        work
    };
    assert_eq!(work().status().expect("a task").code(), Some(9));
    std::fs::rename(&mark, shared.join("mark")).expect("a mark");
    let begun = || std::fs::read_to_string(&journal).unwrap_or_default().matches("started").count();
    let before = begun();
    let mut second = work().spawn().expect("a task");
    while begun() == before {
        assert!(second.try_wait().expect("it is ours").is_none(), "it was over before it began");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    std::fs::rename(shared.join("mark"), &mark).expect("a mark");
    assert!(second.wait().expect("it is ours").success());
    assert_eq!(std::fs::read_dir(shared.join("shards")).expect("a folder").count(), 0);
}

/// A run of the golden notebook that no rule mends, with more arguments.
fn run_asking(store: &Path, further: &[&str], key: &str) -> assert_cmd::assert::Assert {
    let mut command = nbrevive();
    command.args(["study", "run"]).arg(repository().join("study/golden/study.toml")).arg("--store").arg(store);
    command.args(["--condition", "baseline,modernize", "--only", SLUG, "--model", "gpt-5.2"]).args(further);
    command.env("OPENAI_API_KEY", key).assert()
}

/// What the ledger of a store says of its calls, but for their names and times.
fn calls(store: &Path) -> Vec<LedgerRow> {
    let at = jiff::Timestamp::UNIX_EPOCH;
    let steady = |row: LedgerRow| LedgerRow {
        call: String::new(),
        reserved_at: at,
        settled_at: row.settled_at.map(|_| at),
        request_id: None,
        seconds: None,
        ..row
    };
    Ledger::rows_of(&store.join(LEDGER)).expect("the ledger can be read").into_iter().map(steady).collect()
}

#[test]
fn tasks_ask_a_model_under_the_one_ledger_of_who_follows() {
    let (here, there, replayed) = (scratch(), scratch(), scratch());
    let server = FakeModel::start().unwrap();
    server.otherwise(mended());
    nbrevive().args(["study", "prepare"]).arg(repository().join("study/golden/study.toml")).assert().success();
    let (url, submit) = (server.url(), format!("'{}' study work --batch {{batch}}", env!("CARGO_BIN_EXE_nbrevive")));
    let elsewhere: [&str; 4] = ["--on", "command", "--submit", &submit];
    let endpoint: [&str; 2] = ["--endpoint", &url];
    run_asking(here.path(), &endpoint, server.key()).success();
    run_asking(there.path(), &[&endpoint[..], &elsewhere].concat(), server.key()).success();
    assert_eq!((server.log().len(), server.bills().len()), (2, 1), "the same question has the same key");
    let record = there.path().join(RECORD).to_string_lossy().into_owned();
    let replay: [&str; 2] = ["--replay", &record];
    run_asking(replayed.path(), &[&replay[..], &elsewhere].concat(), "").success();
    assert_eq!(server.log().len(), 2, "a replay asks nobody");
    let data = |store: &Path| store.join("data");
    let mut told = nbrevive_store::compare::differences(&data(here.path()), &data(there.path())).unwrap();
    // Calls have names of their own, and are compared below.
    told.retain(|line| !line.starts_with("llm-calls"));
    assert_eq!(told, Vec::<String>::new());
    for store in [there.path(), replayed.path()] {
        assert_eq!(std::fs::read_dir(store.join("cluster/accounts")).unwrap().count(), 0, "all is taken back");
    }
    assert_eq!((calls(there.path()), calls(there.path()).len()), (calls(here.path()), 1));
    assert_eq!(
        calls(replayed.path()).iter().map(|row| (row.cost, row.is_paid)).collect::<Vec<_>>(),
        [(calls(here.path())[0].cost, false)]
    );
    let shared = there.path().join("cluster");
    for file in ["run.json", "batches/1.json", "followed"] {
        assert!(!std::fs::read_to_string(shared.join(file)).unwrap().contains(server.key()), "the key is in {file}");
    }
    // A second start of the task has nothing to spend, and one that is cancelled does not begin.
    let batch = shared.join("batches/1.json");
    let work = || nbrevive().args(["study", "work", "--batch"]).arg(&batch).assert().code(9);
    std::fs::remove_file(shared.join("cancelled/1")).unwrap();
    assert!(said(&work()).contains("begun before"), "{}", said(&work()));
    std::fs::write(shared.join("cancelled/1"), "").unwrap();
    assert!(said(&work()).contains("cancelled"), "{}", said(&work()));
    assert_eq!(server.log().len(), 2);
}

#[test]
fn people_who_answer_by_files_are_not_waited_for_by_tasks() {
    let store = scratch();
    let folder = store.path().join("exchange").to_string_lossy().into_owned();
    let refused = run(store.path(), &["--on", "command", "--submit", "x {batch}", "--exchange", &folder]).code(2);
    assert!(said(&refused).contains("people answer"), "{}", said(&refused));
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

#[test]
fn a_machine_without_the_shared_folder_says_so() {
    let nowhere = scratch().path().join("shared/batches/1.json");
    let failed = nbrevive().args(["study", "work", "--batch"]).arg(&nowhere).assert().code(3);
    let said = said(&failed);
    assert!(said.contains("does not see") && said.contains("shared/batches/1.json"), "{said}");
}
