//! Tables of made-up crashes, whose counts are known.

use nbrevive_diagnosis::crash::{ExceptionType, Label, RootCause, Stage};

use super::printed::PrintedShares;
use super::{CrashRow, render_crashes, tables};
use crate::tables::Table;

fn crash(group: &str, exception_type: &str, root_cause: &str) -> CrashRow {
    CrashRow {
        group: group.to_owned(),
        ename: exception_type.to_owned(),
        exception_type: exception_type.to_owned(),
        root_cause: root_cause.to_owned(),
        ml_bug: "True".to_owned(),
        stage: "DATAP".to_owned(),
        ..CrashRow::default()
    }
}

fn table(rows: &[CrashRow], name: &str) -> Box<dyn Table> {
    tables(rows, &PrintedShares::default()).into_iter().find(|table| table.name() == name).unwrap()
}

#[test]
fn counts_shares_and_the_test_are_those_of_the_rows() {
    let mut rows = vec![crash("kaggle", "NameError", "NB"); 3];
    rows.extend(vec![crash("kaggle", "KeyError", "DATA"); 1]);
    rows.extend(vec![crash("github", "NameError", "NB"); 1]);
    rows.extend(vec![crash("github", "KeyError", "solar flare"); 5]);
    let causes = table(&rows, "root-causes").json();
    // The scheme's order, then what is outside of it; groups as they come.
    assert_eq!(causes["rows"], serde_json::json!(["DATA", "NB", "solar flare"]));
    assert_eq!(causes["columns"], serde_json::json!(["kaggle", "github"]));
    assert_eq!(causes["counts"], serde_json::json!([[1, 0], [3, 1], [0, 5]]));
    // By hand: 10 (1/4 + 9/16 + 1/24 + 25/30) - 10, of [[1, 0], [3, 1], [0, 5]].
    let statistic = causes["test"]["statistic"].as_f64().unwrap();
    let expected = 10.0 * (1.0 / 4.0 + 9.0 / 16.0 + 1.0 / 24.0 + 25.0 / 30.0 - 1.0);
    assert!((statistic - expected).abs() < 1e-5, "{statistic} is not {expected}");
    let text = table(&rows, "root-causes").grid().plain();
    assert!(text.contains("3 (75.0 %)") && text.contains("4 (40.0 %)"), "{text}");
    let names = table(&rows, "names").csv();
    assert!(names.contains("built in,all,10,10,1"), "{names}");
}

#[test]
fn every_type_is_compared_in_every_cause() {
    let mut rows = Vec::new();
    for (place, kind) in ExceptionType::ALL.iter().enumerate() {
        for (number, cause) in RootCause::ALL.iter().enumerate() {
            for group in ["github", "kaggle"] {
                let many = 1 + (place + number) % 3;
                rows.extend(vec![crash(group, kind.code(), cause.code()); many]);
            }
        }
    }
    let lines = table(&rows, "causes-by-type-and-group").json()["rows"].as_array().unwrap().clone();
    assert_eq!(lines.len(), 180);
    // Both groups are alike, so that nothing is significant, and the correction ends at 1.
    assert!(lines.iter().all(|line| line["p"] == 1.0 && line["p_corrected"] == 1.0 && line["points"] == 0.0));
}

#[test]
fn a_category_is_tested_by_itself_against_all_others() {
    let mut rows = vec![crash("github", "NameError", "NB"); 20];
    rows.extend(vec![crash("github", "KeyError", "DATA"); 1]);
    rows.extend(vec![crash("kaggle", "NameError", "NB"); 10]);
    rows.extend(vec![crash("kaggle", "KeyError", "API"); 11]);
    let lines = table(&rows, "causes-and-group").json()["rows"].as_array().unwrap().clone();
    let of = |cause: &str| lines.iter().find(|line| line["words"] == serde_json::json!(["all", cause])).unwrap();
    // 20 of 21 beside 10 of 21: Barnard's p is below that of Fisher, 0.0015; three causes are one family.
    let (one, other) = (of("NB")["p"].as_f64().unwrap(), of("NB")["p_corrected"].as_f64().unwrap());
    assert!(one < 0.0015 && (other - 3.0 * one).abs() < 1e-12, "{one} {other}");
    assert_eq!(of("DATA")["cells"][1]["count"], 0);
    assert!(of("DATA")["p"].as_f64().unwrap() > 0.1);
    assert_eq!(
        table(&rows, "types-and-group").json()["rows"].as_array().unwrap().len(),
        1,
        "two words are one question"
    );
}

#[test]
fn all_files_are_written_also_of_nothing_and_of_one_group() {
    let folder = tempfile::tempdir().unwrap();
    let rows = [crash("", "NameError", "NB")];
    for rows in [&rows[..], &[]] {
        let rendered = render_crashes(rows, None, folder.path(), &[]).unwrap();
        assert_eq!(rendered.files.len(), 16 * 4 + 7 * 3);
    }
    assert!(std::fs::read_to_string(folder.path().join("figures/figure7.svg")).unwrap().contains("No crash."));
}

#[test]
fn every_stage_and_cause_has_its_place() {
    let rows: Vec<CrashRow> = Stage::ALL
        .iter()
        .rev()
        .map(|stage| CrashRow { stage: stage.code().to_owned(), ..crash("a", "KeyError", "API") })
        .collect();
    let stages: Vec<&str> = Stage::ALL.iter().map(|stage| stage.code()).collect();
    assert_eq!(table(&rows, "stages").json()["rows"], serde_json::json!(stages));
    assert_eq!(table(&rows, "stages-of-the-pipeline").json()["rows"].as_array().unwrap().len(), 6);
}
