//! Bad input ends in a message that names the thing and the way out, with its exit code; what was stored stays.

mod attacks;
mod left {
    mod attacks;
}

use crate::support::{nbrevive, repository, scratch};
use predicates::prelude::*;
use predicates::str::contains;

#[test]
fn broken_json_is_named() {
    let scratch = scratch();
    let path = scratch.path().join("old.ipynb");
    std::fs::write(&path, "{\"cells\": [").unwrap();
    nbrevive().arg("execute").arg(&path).assert().code(3).stderr(contains("old.ipynb").and(contains("JSON")));
}

#[test]
fn a_notebook_of_2011_is_named_with_the_way_out() {
    let notebook = repository().join("study/golden/notebooks/iris-species/nbformat-2.ipynb");
    nbrevive().arg("execute").arg(notebook).assert().code(3).stderr(contains("format 2 cannot be read"));
}

#[test]
fn a_notebook_without_code_is_named() {
    let notebook = repository().join("study/golden/notebooks/iris-species/empty.ipynb");
    nbrevive().arg("execute").arg(notebook).assert().code(3).stderr(contains("empty.ipynb has no code"));
}

#[test]
fn a_notebook_that_is_not_there_is_named() {
    nbrevive().args(["execute", "nowhere.ipynb"]).assert().code(3).stderr(contains("cannot read nowhere.ipynb"));
}

#[test]
fn no_sandbox_only_for_those_who_say_so() {
    let notebook = repository().join("study/golden/notebooks/iris-species/no-csv.ipynb");
    let refused = nbrevive().arg("execute").arg(notebook).args(["--sandbox", "none"]).assert();
    refused.code(2).stderr(contains("--i-trust-these-notebooks"));
}

#[test]
fn an_unknown_baseline_names_the_known_ones() {
    let scratch = scratch();
    let study = scratch.path().join("study.toml");
    let golden = std::fs::read_to_string(repository().join("study/golden/study.toml")).unwrap();
    let golden = golden.replace("\"../environments\"", &format!("{:?}", repository().join("study/environments")));
    std::fs::write(&study, golden.replace("contemporary", "yesterday")).unwrap();
    let refused = nbrevive().args(["study", "run"]).arg(&study).arg("--list").assert();
    refused.code(3).stderr(contains("`yesterday`").and(contains("contemporary, kaggle-2025")));
}

#[test]
fn what_a_study_names_and_is_not_there_is_told_with_its_key_and_line() {
    let scratch = scratch();
    let study = scratch.path().join("study.toml");
    let golden = std::fs::read_to_string(repository().join("study/golden/study.toml")).unwrap();
    let golden = golden.replace("\"..", &format!("\"{}", repository().join("study").display()));
    let golden = golden.replace("\"notebooks\"", &format!("{:?}", repository().join("study/golden/notebooks")));
    let golden = golden.replace("\"targets.toml\"", &format!("{:?}", repository().join("study/golden/targets.toml")));
    let list = |text: &str| {
        std::fs::write(&study, text).unwrap();
        nbrevive().args(["study", "run"]).arg(&study).args(["--list", "--store"]).arg(scratch.path().join("s")).assert()
    };
    list(&golden).success();
    for key in ["competitions", "notebooks", "targets", "environments"] {
        let lines = golden
            .lines()
            .map(|line| if line.starts_with(key) { format!("{key} = \"nowhere\"\n") } else { format!("{line}\n") });
        let line = 1 + golden.lines().position(|line| line.starts_with(key)).unwrap();
        list(&lines.collect::<String>())
            .code(3)
            .stderr(contains(format!("line {line}: `{key}` names ")).and(contains("nowhere")));
    }
}

#[test]
fn a_version_and_a_condition_that_no_study_has_are_told_with_the_nearest() {
    let scratch = scratch();
    let list = |more: &[&str]| {
        let mut command = nbrevive();
        command.args(["study", "run"]).arg(repository().join("study/golden/study.toml")).arg("--list");
        command.arg("--store").arg(scratch.path().join("store")).args(more).assert()
    };
    let said = "no version of the study has `wrong-rovs` in its name; did you mean `wrong-rows`?";
    list(&["--only", "wrong-rovs"]).code(2).stderr(contains(said));
    list(&["--only", "wrong-rows"]).success().stdout(contains("wrong-rows"));
    let told = list(&["--condition", "modernise"]).code(2);
    let told = String::from_utf8_lossy(&told.get_output().stderr).into_owned();
    assert!(told.contains("did you mean `modernize`?") && told.matches("backport").count() == 1, "{told}");
}

#[test]
fn a_missing_study_file_is_named() {
    nbrevive().args(["study", "run", "nowhere/study.toml"]).assert().code(3).stderr(contains("nowhere/study.toml"));
}

#[test]
fn an_audit_tells_of_the_paper_and_fails_for_our_own_tables_alone() {
    let published = repository().join("study/mle-modernizer/published");
    let audit = |tables: &std::path::Path| {
        let mut command = nbrevive();
        command.arg("audit").arg("--tables").arg(tables).arg("--published").arg(&published);
        command.assert()
    };
    audit(&repository()).code(0).stdout(contains("0 that do not hold").and(contains("but 5,042 in 4.2")));

    let scratch = scratch();
    audit(scratch.path()).code(3).stderr(contains("table1.json"));
    for kind in ["tables", "figures"] {
        std::fs::create_dir(scratch.path().join(kind)).unwrap();
        for file in std::fs::read_dir(repository().join(kind)).unwrap() {
            let file = file.unwrap();
            std::fs::copy(file.path(), scratch.path().join(kind).join(file.file_name())).unwrap();
        }
    }
    audit(scratch.path()).code(0);
    let table = scratch.path().join("tables/table1.json");
    let text = std::fs::read_to_string(&table).unwrap();
    std::fs::write(&table, text.replacen("\"count\": 10,", "\"count\": 11,", 1)).unwrap();
    audit(scratch.path()).code(16).stdout(contains("`table1.total.count` is 40, but should be 41"));
}

#[test]
fn tables_without_data_name_the_file() {
    let scratch = scratch();
    let refused = nbrevive()
        .args(["tables", "--data"])
        .arg(scratch.path().join("none"))
        .arg("--out")
        .arg(scratch.path())
        .assert();
    refused.code(3).stderr(contains("study.parquet"));
}

#[test]
fn an_output_folder_that_is_a_file_is_named() {
    let scratch = scratch();
    let file = scratch.path().join("store");
    std::fs::write(&file, "").unwrap();
    let study = repository().join("study/golden/study.toml");
    let refused = nbrevive().args(["study", "run"]).arg(&study).arg("--store").arg(&file).assert();
    refused.code(7).stderr(contains("--store"));
}

#[test]
fn two_runs_on_one_store_the_second_is_told() {
    let scratch = scratch();
    let held = nbrevive_store::Store::open(scratch.path()).unwrap();
    let study = repository().join("study/golden/study.toml");
    let refused = nbrevive().args(["study", "run"]).arg(&study).arg("--store").arg(scratch.path()).assert();
    refused.code(5).stderr(contains(format!("in use by process {}", std::process::id())));
    drop(held);
}

#[test]
fn an_index_out_of_reach_is_named_and_nothing_is_lost() {
    let scratch = scratch();
    let notebook = repository().join("study/golden/notebooks/iris-species/no-csv.ipynb");
    // Nothing listens on port 9 of loopback here; an empty home has nothing cached.
    let refused = nbrevive()
        .arg("execute")
        .arg(&notebook)
        .args(["--condition", "backport", "--date", "2024-09-01"])
        .env("NBREVIVE_HOME", scratch.path())
        .env("NBREVIVE_INDEX_URL", "http://127.0.0.1:9/simple")
        .assert();
    refused.code(6).stderr(contains("127.0.0.1:9"));
}

#[test]
fn a_report_without_rows_is_named_and_one_of_the_released_study_is_one_file() {
    let scratch = scratch();
    let out = scratch.path().join("report.html");
    let report =
        |data: &std::path::Path| nbrevive().arg("report").arg("--data").arg(data).arg("--out").arg(&out).assert();
    report(scratch.path()).code(3).stderr(contains("study.parquet"));
    assert!(!out.exists());
    report(&repository().join("data")).code(0).stderr(contains("report.html"));
    let files: Vec<_> = std::fs::read_dir(scratch.path()).unwrap().collect();
    assert_eq!(files.len(), 1, "{files:?}");
}
