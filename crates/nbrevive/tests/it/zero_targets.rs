//! A study in which every target score is zero: no version has a relative deviation, so none is studied, and everything that is made of
//! such a run says so.

use std::path::Path;

use crate::support::{nbrevive, repository, scratch};
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use serde_json::Value;

/// The golden study under every condition, with zero for each of its targets.
fn write_study(folder: &Path) {
    let shared = repository().join("study");
    let targets = std::fs::read_to_string(shared.join("golden/targets.toml")).expect("the targets are there");
    let zero: String = targets
        .lines()
        .map(|line| if line.starts_with("score") { "score = 0.0\n".to_owned() } else { format!("{line}\n") })
        .collect();
    std::fs::write(folder.join("targets.toml"), zero).expect("the targets can be written");
    let study = format!(
        "name = \"zero\"\ntitle = \"Zero\"\ncompetitions = {:?}\nnotebooks = {:?}\ntargets = \"targets.toml\"\n\
         environments = {:?}\nbaseline = \"contemporary\"\n\
         conditions = [\"baseline\", \"modernize\", \"modernize-cell\", \"backport\"]\n[limits]\ndisk_mib = 256\n",
        shared.join("competitions"),
        shared.join("golden/notebooks"),
        shared.join("environments"),
    );
    std::fs::write(folder.join("study.toml"), study).expect("the study can be written");
}

/// No number that is none, in any text below a folder.
fn assert_numbers(folder: &Path) -> usize {
    let mut texts = 0;
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() {
            texts += assert_numbers(&path);
        } else if let Ok(text) = std::fs::read_to_string(&path) {
            let words = text.split(|character: char| !character.is_alphanumeric());
            let found = words.map(str::to_lowercase).find(|word| matches!(word.as_str(), "nan" | "inf" | "infinity"));
            assert_eq!(found, None, "{}", path.display());
            texts += 1;
        }
    }
    texts
}

#[test]
fn a_study_whose_targets_are_all_zero_leaves_every_version_out_and_says_so_everywhere() {
    let folder = scratch();
    write_study(folder.path());
    let [study, store, out] = ["study.toml", "store", "out"].map(|name| folder.path().join(name));
    nbrevive().args(["study", "prepare"]).arg(&study).assert().success();
    nbrevive()
        .args(["study", "run"])
        .arg(&study)
        .arg("--store")
        .arg(&store)
        .assert()
        .success()
        .stderr(contains("0 jobs").and(contains("zero-target")));
    let made = |command: &str, target: &Path| {
        let mut made = nbrevive();
        made.arg(command).arg("--data").arg(store.join("data")).arg("--published");
        made.arg(repository().join("study/mle-modernizer/published")).arg("--out").arg(target);
        made.assert().success()
    };
    made("tables", &out).stdout(contains("no version was run under baseline").and(contains("NaN").not()));
    made("report", &folder.path().join("report.html"));
    nbrevive().args(["audit", "--tables"]).arg(&out).assert().success();
    let files = assert_numbers(&out);
    assert!(files > 60, "only {files} texts were written");
    let json = |name: &str| -> Value {
        let text = std::fs::read_to_string(out.join(name)).expect("it was written");
        serde_json::from_str(&text).expect("it is JSON")
    };
    assert_eq!(json("tables/table1.json")["total"]["count"], 0);
    assert_eq!(json("figures/figure2.json")["share_within_limit"], Value::Null);
    assert!(!out.join("figures/figure10a.json").exists(), "there is a figure of a condition that never ran");
}
