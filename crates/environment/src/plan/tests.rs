//! Plans over real histories, fetched once and trimmed (`tests/histories/`), offline.

use super::*;
use crate::home::Home;
use crate::index::IndexSettings;
use std::path::Path;

fn interpreter(version: &str) -> Interpreter {
    Interpreter {
        path: "python".into(),
        version: version.parse().unwrap(),
        prefix: "prefix".into(),
        machine: "x86_64".into(),
        glibc: Some((2, 36)),
        wide_unicode: true,
    }
}

fn planned(imports: &[&str], pins: &[&str], major: u32, submitted: &str) -> Plan {
    let histories = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/histories");
    let index = Index::at(histories, IndexSettings { offline: true, ..IndexSettings::default() });
    let folder = tempfile::tempdir().unwrap();
    let machine = ["2.7.18", "3.6.15", "3.7.16", "3.8.18", "3.10.13"].map(interpreter).to_vec();
    let interpreters = Interpreters::fixed(&Home::at(folder.path()), machine);
    let own = |texts: &[&str]| texts.iter().map(ToString::to_string).collect();
    let needs = Needs { imports: own(imports), major, minimum_minor: 0, pins: own(pins) };
    plan(&needs, submitted.parse().unwrap(), &index, &interpreters).unwrap()
}

/// Interpreter, then each line with its reason and wheels, then what is left.
fn summary(plan: &Plan) -> String {
    let mut text = format!("python {} (latest {})\n", plan.interpreter.version, plan.python_latest_patch);
    for line in &plan.lines {
        let _ = writeln!(text, "{} {:?} {:?}", line.requirement(), line.reason, line.wheels);
    }
    for left in &plan.unresolved {
        let _ = writeln!(text, "? {}: {}", left.what, left.reason);
    }
    text
}

#[test]
fn a_notebook_of_early_2018() {
    let plan = planned(
        &["numpy", "pandas", "sklearn.linear_model", "tensorflow", "os", "xgboost"],
        &[],
        3,
        "2018-03-01T00:00:00Z",
    );
    insta::assert_snapshot!(summary(&plan), @r"
    python 3.6.15 (latest 3.6.15)
    numpy<=1.14.1 NewestBeforeDate Fit
    pandas<=0.22.0 NewestBeforeDate Fit
    scikit-learn<=0.19.1 NewestBeforeDate Fit
    tensorflow<=1.5.0 NewestBeforeDate Fit
    xgboost<=0.72.1 OldestCompatible Fit
    ");
    assert_eq!(plan.skipped, [Skipped { import: "os".into(), reason: "standard library" }]);
}

#[test]
fn a_minor_that_is_newer_than_the_wheels() {
    // 3.7 was five days old; tensorflow had no release for it until 2019.
    let plan = planned(&["numpy", "tensorflow"], &[], 3, "2018-07-02T00:00:00Z");
    insta::assert_snapshot!(summary(&plan), @r"
    python 3.7.16 (latest 3.7.17)
    numpy<=1.14.5 NewestBeforeDate Fit
    tensorflow<=1.13.1 OldestCompatible Fit
    ");
}

#[test]
fn python_two_gets_what_admits_it() {
    let plan = planned(&["numpy", "pandas", "sklearn", "xgboost"], &[], 2, "2021-01-01T00:00:00Z");
    insta::assert_snapshot!(summary(&plan), @r"
    python 2.7.18 (latest 2.7.18)
    numpy<=1.16.6 NewestBeforeDate Fit
    pandas<=0.24.2 NewestBeforeDate Fit
    scikit-learn<=0.20.4 NewestBeforeDate Fit
    xgboost<=0.82 NewestBeforeDate Fit
    ");
}

#[test]
fn own_pins_win_and_bare_names_follow_the_date() {
    let pins = ["pandas==0.25.3", "xgboost", "git+https://host/x.git", "numpy==99.0"];
    let plan = planned(&["pandas"], &pins, 3, "2022-01-15T00:00:00Z");
    insta::assert_snapshot!(summary(&plan), @r"
    python 3.10.13 (latest 3.10.20)
    numpy==99.0 NotebookPin SourceOnly
    pandas==0.25.3 NotebookPin NoneFits
    xgboost<=1.5.1 NewestBeforeDate Fit
    ? git+https://host/x.git: no requirement that an index can serve
    ");
    assert_eq!(plan.requirements_text(), "numpy==99.0\npandas==0.25.3\nxgboost<=1.5.1\n");
}

#[test]
fn only_the_far_future_or_nothing() {
    let plan = planned(&["kaggle_secrets", "catboost", "nbrevive_no_such_name"], &[], 3, "2017-01-15T00:00:00Z");
    insta::assert_snapshot!(summary(&plan), @r"
    python 3.6.15 (latest 3.6.15)
    catboost<=0.1.1.5 OldestCompatible Fit
    ? kaggle_secrets: exists only in Kaggle's image
    ? nbrevive_no_such_name: neither in the table of import names nor on the index
    ");
}

#[test]
fn majors_without_releases_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::at(folder.path());
    let index = Index::open(&home, IndexSettings { offline: true, ..IndexSettings::default() });
    let needs = Needs { major: 4, ..Needs::default() };
    let result = plan(&needs, Timestamp::UNIX_EPOCH, &index, &Interpreters::fixed(&home, Vec::new()));
    assert!(matches!(result, Err(PlanError::Major(4))));
}
