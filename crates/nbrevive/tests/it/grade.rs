//! `nbrevive grade` from the command line: scores, reasons, medals, the test of a prepared competition, and a study over one.

use std::path::Path;

use assert_cmd::Command;
use nbrevive_environment::Home;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use serde_json::{Value, json};

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

const ID: &str = "predict-volcanic-eruptions-ingv-oe";

fn json_lines(command: &mut Command) -> Vec<Value> {
    let output = command.output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}

#[test]
fn submissions_get_scores_medals_and_reasons() {
    let folder = tempfile::tempdir().expect("a folder");
    prepared(folder.path());
    let grade = |format: &str| {
        let mut command = nbrevive();
        command.args(["grade", "--competition", ID, "--answers"]).arg(folder.path());
        command.arg("--dir").arg(folder.path().join("mine"));
        command.arg("--leaderboard").arg(folder.path().join("mine/board.txt"));
        command.args(["--target", "2", "--format", format]);
        command
    };
    let lines = json_lines(&mut grade("json"));
    assert_eq!(lines.len(), 2);
    assert_eq!(
        (&lines[0]["score"], &lines[0]["medal"], &lines[0]["deviation"]),
        (&1.0.into(), &"gold".into(), &0.5.into())
    );
    let board = &lines[0]["leaderboard"];
    assert_eq!((&board["median"], &board["above_median"]), (&9.0.into(), &true.into()));
    assert_eq!((&lines[1]["invalid"], &lines[1]["score"]), (&"not-numeric".into(), &Value::Null));
    assert_eq!((&lines[1]["line"], &lines[1]["column"]), (&2.into(), &"time_to_eruption".into()));
    let reason = lines[1]["reason"].as_str().expect("a reason");
    assert_eq!(reason, "\"x\" in column `time_to_eruption` on line 2 is not a number");
    let table = grade("table").assert().success();
    table.stdout(contains("+50.00% gold   ").and(contains("not-numeric                     - -      ")));
}

#[test]
fn a_prepared_competition_is_tested() {
    let folder = tempfile::tempdir().expect("a folder");
    let prepared_folder = folder.path().join(ID).join("prepared");
    prepared(&prepared_folder);
    let mut command = nbrevive();
    command.args(["grade", "self-test"]).arg(folder.path().join(ID));
    let worse = "with the next row's predictions it is worse: 13";
    command
        .assert()
        .success()
        .stdout(contains("scores 0, the best value is 0").and(contains(worse)).and(contains("FAIL").not()));
    std::fs::write(prepared_folder.join("public/sample_submission.csv"), "segment_id\n1\n").expect("it is replaced");
    let mut command = nbrevive();
    command.args(["grade", "self-test"]).arg(&prepared_folder);
    command.assert().code(8).stdout(contains("FAIL").and(contains("expected segment_id, time_to_eruption")));
}

#[test]
fn what_is_imported_is_graded_by_its_name() {
    let (folder, home) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a home"));
    let data = folder.path().join(ID).join("prepared");
    prepared(&data);
    let at_home = || {
        let mut command = nbrevive();
        command.env("NBREVIVE_HOME", home.path());
        command
    };
    let grade = || {
        let mut command = at_home();
        command.args(["grade", "--competition", ID, "--format", "json"]).arg(data.join("mine/a.csv"));
        command
    };
    grade().assert().code(3).stderr(contains("nbrevive competitions import FOLDER"));
    let bundled = at_home().args(["grade", "self-test"]).assert().success();
    bundled
        .stdout(contains("iris-species").and(contains("scores 0.75: 3 of 4 labels right")).and(contains("FAIL").not()));
    let import = |more: &[&str]| {
        let mut command = at_home();
        command.args(["competitions", "import"]).arg(&data).args(more);
        command.assert()
    };
    import(&[]).code(3).stderr(contains("private/test.csv has MD5").and(contains("public/train.csv is missing")));
    import(&["--allow-differences"]).success().stdout(contains("imported, 3 files in"));
    import(&["--allow-differences"]).success().stdout(contains("present, 3 files in"));
    assert_eq!(json_lines(&mut grade())[0]["score"], 1.0);
    at_home().args(["grade", "self-test"]).assert().success().stdout(contains(ID).and(contains("FAIL").not()));
}

#[test]
fn what_cannot_be_graded_is_named() {
    let (folder, home) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a home"));
    prepared(folder.path());
    let file = |name: &str| folder.path().join(name);
    std::fs::write(file("other.csv"), "PassengerId,Transported\n1_01,True\n").expect("the folder takes files");
    std::fs::write(file("near.csv"), "segment_id,Transported\n1,True\n2,True\n").expect("the folder takes files");
    let columns_alike = "segment_id,time_to_eruption\n71,10\n72,20\n73,30\n";
    std::fs::write(file("alike.csv"), columns_alike).expect("the folder takes files");
    let grade = |competition: &str, answers: &str, submissions: &[&str]| {
        let mut command = nbrevive();
        command.env("NBREVIVE_HOME", home.path()).args(["grade", "--competition", competition]);
        if !answers.is_empty() {
            command.arg("--answers").arg(file(answers));
        }
        command.args(submissions.iter().map(|name| file(name))).assert()
    };
    grade("spaceship-titanic", "", &["mine/a.csv"])
        .code(3)
        .stderr(contains("competition `spaceship-titanic` has no answers"));
    let iris = concat!(env!("CARGO_MANIFEST_DIR"), "/../../study/competitions/iris-species");
    grade(iris, "", &["mine/a.csv"]).code(3).stderr(contains("iris-species"));
    grade(ID, "mine", &["mine/a.csv"]).code(3).stderr(contains("mine/private/test.csv"));
    std::fs::create_dir_all(file("folder/private/test.csv")).expect("a folder can be made");
    grade(ID, "folder", &["mine/a.csv"]).code(3).stderr(contains("folder/private/test.csv"));
    grade(ID, "private/test.csv", &["mine/a.csv", "other.csv"])
        .code(3)
        .stderr(contains("other.csv is no submission to"));
    for foreign in ["near.csv", "alike.csv"] {
        grade(ID, "private/test.csv", &[foreign]).code(3).stderr(contains(format!("{foreign} is no submission to")));
    }
    grade(ID, "private/test.csv", &["mine/a.csv", "mine/../mine/./a.csv"]).success();
    grade(ID, "private/test.csv", &["mine/a.csv", "mine/a.csv"]).code(3).stderr(contains("mine/a.csv is named twice"));
}

/// A home of its own, which knows the user's uv.
fn home_with_tools(folder: &Path) {
    let tools = Home::from_environment().expect("the user has a home").root().join("tools/bin");
    std::fs::create_dir(folder.join("tools")).expect("the home takes folders");
    std::os::unix::fs::symlink(tools, folder.join("tools/bin")).expect("a link can be made");
}

/// A competition as MLE-bench prepares it, and a study of two notebooks over it: one that gets three passengers of four right, and
/// one that names a passenger who is not asked for.
fn titanic(folder: &Path) {
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().expect("files lie in folders")).expect("the folder can be made");
        std::fs::write(path, text).expect("the folder takes files");
    };
    let data = "spaceship-titanic/prepared";
    write(&format!("{data}/public/train.csv"), "PassengerId,CryoSleep,Transported\n0001_01,True,True\n");
    write(&format!("{data}/public/test.csv"), "PassengerId,CryoSleep\n1_01,True\n1_02,False\n1_03,True\n1_04,False\n");
    let answers = "PassengerId,Transported\n1_01,True\n1_02,False\n1_03,True\n1_04,True\n";
    write(&format!("{data}/private/test.csv"), answers);
    let sample = "PassengerId,Transported\n1_01,False\n1_02,False\n1_03,False\n1_04,False\n";
    write(&format!("{data}/public/sample_submission.csv"), sample);
    let notebook = |last: &str| {
        let lines = [
            "import csv",
            "rows = list(csv.reader(open('/kaggle/input/spaceship-titanic/test.csv')))[1:]",
            last,
            "csv.writer(open('submission.csv', 'w')).writerows([['PassengerId', 'Transported'], *rows])",
        ];
        let cell = |line: &&str| json!({"cell_type": "code", "metadata": {}, "execution_count": null, "outputs": [], "source": line});
        let kernel = json!({"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}});
        let cells: Vec<Value> = lines.iter().map(cell).collect();
        json!({"nbformat": 4, "nbformat_minor": 4, "metadata": kernel, "cells": cells}).to_string()
    };
    write("notebooks/spaceship-titanic/asleep.ipynb", &notebook("len(rows)"));
    write("notebooks/spaceship-titanic/stray.ipynb", &notebook("rows[0][0] = '9_99'"));
    let version =
        |slug: &str| format!("[[version]]\nslug = \"{slug}\"\ntitle = \"x\"\nsubmitted = \"2024-09-01T12:00:00Z\"\n");
    write("notebooks/spaceship-titanic/versions.toml", &(version("asleep") + &version("stray")));
    write("targets.toml", "[target.asleep]\nscore = 0.8\n[target.stray]\nscore = 0.8\n");
    write("environments/bare.lock", "# python: 3.12\n");
    let study = "name = \"titanic\"\ntitle = \"An imported competition\"\ncompetitions = \"competitions\"\nnotebooks = \"notebooks\"\n\
         targets = \"targets.toml\"\nenvironments = \"environments\"\nbaseline = \"bare\"\n\
         [limits]\nseconds = 60.0\nmemory_mib = 1024\ncores = 1\ndisk_mib = 256\n";
    write("study.toml", study);
    std::fs::create_dir(folder.join("competitions")).expect("the folder can be made");
}

#[test]
fn a_study_grades_over_what_is_imported() {
    let (folder, home) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a home"));
    titanic(folder.path());
    home_with_tools(home.path());
    let at_home = |words: &[&str]| {
        let mut command = nbrevive();
        command.env("NBREVIVE_HOME", home.path()).current_dir(folder.path()).args(words);
        command
    };
    let run = ["study", "run", "study.toml", "--store", "store", "--condition", "baseline"];
    let prepared = ["competitions", "import", "spaceship-titanic", "--allow-differences"];
    at_home(&prepared).assert().success().stdout(contains("imported, 4 files in"));
    at_home(&["study", "prepare", "study.toml"]).assert().success();
    at_home(&run).assert().success();

    let store = nbrevive_store::Store::open_read_only(&folder.path().join("store")).expect("the store can be read");
    let outcomes = nbrevive_store::outcomes::all(&store).expect("it has outcomes");
    let found: Vec<_> = outcomes
        .iter()
        .map(|row| {
            (
                row.version.as_str(),
                row.verdict.outcome.as_str(),
                row.verdict.score,
                row.verdict.output_reason.as_deref(),
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            ("asleep", "error-free-reproducible", Some(0.75), None),
            ("stray", "error-free-non-reproducible", None, Some("wrong-ids")),
        ]
    );
}

#[test]
fn a_competition_of_ones_own_may_have_any_metric() {
    let folder = tempfile::tempdir().expect("a folder");
    let own = folder.path().join("birds");
    std::fs::create_dir_all(own.join("private")).expect("the folder can be made");
    std::fs::create_dir_all(own.join("public")).expect("the folder can be made");
    let write = |name: &str, text: &str| std::fs::write(own.join(name), text).expect("the folder takes files");
    let description = "id = \"birds\"\ntitle = \"Birds\"\nmetric = \"lwlrap\"\ndirection = \"maximize\"\nid-column = \"clip\"\n\
                       checks = [\"columns\", \"rows\", \"ids\", \"probabilities\"]\n\
                       [data]\nsource = \"made up\"\nlicence = \"CC0-1.0\"\n";
    write("competition.toml", description);
    write("private/answers.csv", "clip,owl,jay\na,1,0\nb,0,1\n");
    write("public/sample_submission.csv", "clip,owl,jay\na,0.5,0.5\nb,0.5,0.5\n");
    write("a.csv", "clip,owl,jay\nb,0.2,0.3\na,0.9,0.1\n");
    write("b.csv", "clip,owl,jay\nb,0.2,1.3\na,0.9,0.1\n");
    let grade = || {
        let mut command = nbrevive();
        command.args(["grade", "--format", "json", "--competition"]).arg(&own).arg("--dir").arg(&own);
        command
    };
    let lines = json_lines(&mut grade());
    assert_eq!((&lines[0]["score"], &lines[0]["metric"]), (&1.0.into(), &"lwlrap".into()));
    assert_eq!(
        (&lines[1]["invalid"], &lines[1]["line"], &lines[1]["column"]),
        (&"out-of-range".into(), &2.into(), &"jay".into())
    );
    let mut command = nbrevive();
    command.args(["grade", "self-test"]).arg(&own);
    command.assert().success().stdout(contains("answers.csv scores 1, the best value is 1"));
    write("competition.toml", &description.replace("\"rows\"", "\"row\""));
    grade().assert().code(3).stderr(contains("competition `birds`: unknown check `row`: expected one of rows,"));
    write("competition.toml", &description.replace("id-column", "id-colum"));
    grade().assert().code(3).stderr(contains("id-colum"));
}

#[test]
fn what_is_unknown_is_named() {
    let grade = |competition: &str| {
        let mut command = nbrevive();
        command.args(["grade", "--competition", competition, "--answers", "none.csv", "a.csv"]);
        command
    };
    grade("no-such").assert().code(2).stderr(contains("there is no competition `no-such`"));
    grade("spaceship-titanic").assert().code(3).stderr(contains("answers none.csv cannot be used"));
    nbrevive().args(["grade", "a.csv"]).assert().code(2).stderr(contains("--competition"));
    nbrevive().args(["grade", "list"]).assert().success().stdout(contains("spaceship-titanic"));
}
