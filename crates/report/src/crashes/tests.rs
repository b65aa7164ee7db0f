//! Tables of made-up crashes, whose counts are known.

use std::path::Path;

use nbrevive_diagnosis::crash::{ExceptionType, Label, NotebookIssue, RootCause, Stage};

use super::printed::PrintedShares;
use super::{CrashRow, render_crashes, tables};
use crate::figures::Figure as _;
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
        assert_eq!(rendered.files.len(), 18 * 4 + 10 * 3);
    }
    assert!(std::fs::read_to_string(folder.path().join("figures/figure7.svg")).unwrap().contains("No crash."));
}

/// What the paper on crashes prints.
fn paper() -> PrintedShares {
    PrintedShares::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../study/crashes/published")).unwrap()
}

/// Crashes as the paper's: as many as it has, with its shares of a few labels.
fn as_in_the_paper() -> Vec<CrashRow> {
    let of = |group: &str, all: usize, bugs: usize, outside: usize| {
        let row = move |place: usize| CrashRow {
            ml_bug: if place < bugs { "True" } else { "False" }.to_owned(),
            stage: if place >= all - outside { "NONE" } else { "DATAP" }.to_owned(),
            ..crash(
                group,
                if place % 10 < 3 { "NameError" } else { "KeyError" },
                if place.is_multiple_of(5) { "NB" } else { "API" },
            )
        };
        (0..all).map(row).collect::<Vec<_>>()
    };
    [of("github", 389, 230, 97), of("kaggle", 353, 251, 25)].concat()
}

#[test]
fn findings_stand_beside_the_papers_numbers() {
    let tables = tables(&as_in_the_paper(), &paper());
    let findings = tables.iter().find(|table| table.name() == "findings").unwrap();
    let json = findings.json();
    let lines = json["rows"].as_array().unwrap();
    // Each finding of the paper has its lines, in its order.
    let mut numbers: Vec<&str> = lines.iter().map(|line| line["finding"].as_str().unwrap()).collect();
    numbers.dedup();
    assert_eq!(numbers, ["1.1", "1.2", "1.3", "1.4", "1.5", "2.1", "2.2", "2.3", "3.1", "3.2", "3.3", "3.4", "3.5"]);
    let line = |says: &str| lines.iter().find(|line| line["says"] == says).unwrap();
    let verdict =
        |says: &str, column: &str| line(says)["answers"][column]["verdict"].as_str().unwrap_or("none").to_owned();
    assert_eq!(line("NameError of all crashes")["paper"], "30% (GitHub 31%, Kaggle 28%)");
    assert_eq!(verdict("NameError of all crashes", "All"), "agrees");
    assert_eq!(verdict("ML bugs of all crashes", "kaggle"), "agrees", "beside Kaggle's own 71 %");
    assert_eq!(verdict("no exception type is as frequent as NameError", "All"), "differs");
    assert_eq!(verdict("crashes by API misuse", "All"), "differs", "four in five of these");
    assert_eq!(verdict("more ML bugs on Kaggle than on GitHub", "All"), "agrees");
    assert_eq!(verdict("more ML bugs on Kaggle than on GitHub", "github"), "none", "one group is no comparison");
    assert_eq!(verdict("ML bugs on GitHub", "kaggle"), "none");
    assert_eq!(verdict("ML bugs in model training", "All"), "cannot be told", "there is none");
    assert_eq!(
        verdict("platforms differ in the stages of the pipeline", "All"),
        "cannot be told",
        "one stage is no distribution"
    );
    let outside = line("more crashes outside of the pipeline on GitHub than on Kaggle, 3.5 times as many");
    assert_eq!(outside["answers"]["All"]["counts"][0], serde_json::json!({ "count": 97, "of": 389 }));
    assert_eq!(outside["answers"]["All"]["verdict"], "agrees");
    // Newcombe's interval of 97/389 and 25/353, by statsmodels 0.14.4.
    let interval = outside["answers"]["All"]["interval"].as_array().unwrap();
    for (end, expected) in interval.iter().zip([0.127_222_76, 0.229_072_00]) {
        assert!((end.as_f64().unwrap() - expected).abs() < 1e-6, "{end}");
    }
    let takeaways = tables.iter().find(|table| table.name() == "takeaways").unwrap().json();
    assert_eq!(takeaways["rows"].as_array().unwrap().len(), 6);
    assert!(tables.iter().any(|table| table.name() == "related-work"));
}

#[test]
fn few_crashes_of_other_groups_tell_little() {
    let mut rows = vec![crash("saved", "NameError", "NB"); 3];
    rows.extend(vec![crash("dated", "IOError", "ENV"); 60]);
    rows[0].issue = Some(NotebookIssue::OutOfOrder);
    rows.iter_mut().skip(3).for_each(|row| row.cluster = 1);
    let tables = tables(&rows, &paper());
    let table = |name: &str| tables.iter().find(|table| table.name() == name).unwrap();
    insta::assert_snapshot!("findings", table("findings").grid().plain());
    insta::assert_snapshot!("findings-csv", table("findings").csv().lines().take(12).collect::<Vec<_>>().join("\n"));
    insta::assert_snapshot!("takeaways", table("takeaways").grid().plain());
    insta::assert_snapshot!("related-work", table("related-work").grid().plain());
    insta::assert_snapshot!("alike-values", table("alike-values").grid().plain());
    insta::assert_snapshot!("clusters", table("clusters").grid().plain());
}

#[test]
fn groups_that_are_no_platforms_say_nothing_of_platforms() {
    let verdict = |groups: [&str; 2]| {
        let mut rows: Vec<CrashRow> =
            groups.iter().flat_map(|group| vec![crash(group, "NameError", "NB"); 40]).collect();
        rows.iter_mut().skip(40).for_each(|row| row.stage = "TRAIN".to_owned());
        let findings = tables(&rows, &paper()).into_iter().find(|table| table.name() == "findings").unwrap().json();
        let lines = findings["rows"].as_array().unwrap();
        let line = lines.iter().find(|line| line["says"] == "platforms differ in the stages of the pipeline").unwrap();
        line["answers"]["All"]["verdict"].clone()
    };
    assert_eq!(verdict(["github", "kaggle"]), "agrees");
    assert_eq!(verdict(["saved", "dated"]), "cannot be told");
}

#[test]
fn what_is_no_crash_is_counted_and_left_out() {
    let mut rows = vec![crash("github", "NameError", "NB"); 4];
    rows[1].excluded = "raised to print".to_owned();
    let left_out = table(&rows, "left-out").json();
    assert_eq!(left_out["rows"], serde_json::json!(["analysed", "raised to print"]));
    assert_eq!(left_out["counts"], serde_json::json!([[3], [1]]));
    for name in ["root-causes", "clusters"] {
        let text = table(&rows, name).csv();
        assert!(!text.contains('4'), "{name}: {text}");
    }
}

#[test]
fn groups_are_drawn_beside_each_other_by_type_and_cause() {
    let mut rows = vec![crash("github", "KeyError", "DATA"); 3];
    rows.extend(vec![crash("github", "KeyError", "NB"); 1]);
    rows.extend(vec![crash("kaggle", "KeyError", "NB"); 1]);
    rows.extend(vec![crash("kaggle", "NameError", "NB"); 1]);
    let figures = super::figures::of(&rows);
    let of = |name: &str| figures.iter().find(|figure| figure.name() == name).unwrap();
    let json = of("4b").json();
    assert_eq!(json["rows"], serde_json::json!(["KeyError", "NameError"]));
    // 3 of 4 beside 0 of 1; of NameError one group has none.
    assert_eq!(json["points"], serde_json::json!([[75.0, -75.0], [null, null]]));
    assert!(of("4b").svg().unwrap().contains("KeyError: DATA +75, NB -75"));
    let rates = of("6c").json();
    assert_eq!(rates["rows"][1], serde_json::json!({ "group": "kaggle", "bugs": [{ "count": 2, "of": 2 }] }));
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
