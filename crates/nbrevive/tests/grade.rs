//! `nbrevive grade` from the command line: scores, reasons, medals, and the test of a prepared competition.

use std::path::Path;

use assert_cmd::Command;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use serde_json::Value;

fn nbrevive() -> Command {
    Command::new(env!("CARGO_BIN_EXE_nbrevive"))
}

/// A folder as MLE-bench's `prepare` leaves it.
fn prepared(folder: &Path) {
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().expect("files lie in folders")).expect("the folder can be made");
        std::fs::write(path, text).expect("the folder takes files");
    };
    write("private/answers.csv", "segment_id,time_to_eruption\n1,10\n2,20\n3,30\n");
    write("private/test.csv", "segment_id,time_to_eruption\n1,10\n2,20\n3,30\n");
    write("public/sample_submission.csv", "segment_id,time_to_eruption\n1,0\n2,0\n3,0\n");
    write("mine/a.csv", "segment_id,time_to_eruption\n3,31\n2,22\n1,10\n");
    write("mine/b.csv", "segment_id,time_to_eruption\n1,x\n2,20\n3,30\n");
    write("mine/board.txt", "team,score\na,1\nb,5\nc,9\nd,10\ne,11\n");
}

#[test]
fn submissions_get_scores_medals_and_reasons() {
    let folder = tempfile::tempdir().expect("a folder");
    prepared(folder.path());
    let board = folder.path().join("mine/board.txt");
    let mut command = nbrevive();
    command.args(["grade", "submissions", "--competition", "predict-volcanic-eruptions-ingv-oe"]);
    command.arg("--answers").arg(folder.path()).arg("--dir").arg(folder.path().join("mine"));
    command.arg("--leaderboard").arg(&board).args(["--target", "2", "--format", "json"]);
    let output = command.output().expect("it runs");
    let lines: Vec<Value> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).expect("each line is JSON"))
        .collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(
        (&lines[0]["score"], &lines[0]["medal"], &lines[0]["deviation"]),
        (&1.0.into(), &"gold".into(), &0.5.into())
    );
    assert_eq!((&lines[1]["invalid"], &lines[1]["score"]), (&"not-numeric".into(), &Value::Null));
    let reason = lines[1]["reason"].as_str().expect("a reason");
    assert_eq!(reason, "\"x\" in column `time_to_eruption` on line 2 is not a number");
}

#[test]
fn a_prepared_competition_is_tested() {
    let folder = tempfile::tempdir().expect("a folder");
    let prepared_folder = folder.path().join("predict-volcanic-eruptions-ingv-oe/prepared");
    prepared(&prepared_folder);
    let mut command = nbrevive();
    command.args(["grade", "self-test"]).arg(folder.path().join("predict-volcanic-eruptions-ingv-oe"));
    command.assert().success().stdout(contains("scores 0, the best value is 0").and(contains("FAIL").not()));
    std::fs::write(prepared_folder.join("public/sample_submission.csv"), "segment_id\n1\n").expect("it is replaced");
    let mut command = nbrevive();
    command.args(["grade", "self-test"]).arg(&prepared_folder);
    command.assert().code(8).stdout(contains("FAIL").and(contains("expected segment_id, time_to_eruption")));
}

#[test]
fn what_is_unknown_is_named() {
    let grade = |competition: &str| {
        let mut command = nbrevive();
        command.args(["grade", "submissions", "--competition", competition, "--answers", "none.csv", "a.csv"]);
        command
    };
    grade("no-such").assert().code(2).stderr(contains("MLE-bench has no competition `no-such`"));
    grade("spaceship-titanic").assert().code(3).stderr(contains("answers none.csv cannot be used"));
    nbrevive().args(["grade", "list"]).assert().success().stdout(contains("spaceship-titanic"));
}
