//! Intervals, tests and curves of synthetic studies.

use nbrevive_corpus::Condition;

use super::list::Table;
use super::share_table::ShareTable;
use super::tests::{json, read, rendered};
use super::{sensitivity, strata};
use crate::kinds::Kinds;
use crate::outcome_line::Line;
use crate::rows::Data;
use crate::testing::Synthetic;

/// Twelve versions: two reproduce at baseline, six after backporting; four of the others are modernized.
fn study() -> Synthetic {
    let mut study = Synthetic::default();
    study.add_table(Condition::BASELINE, &[2, 1, 0, 0, 4, 5, 0, 0]);
    study.add_table(Condition::BACKPORT, &[6, 0, 0, 0, 2, 4, 0, 0, 0]);
    study.add(Condition::MODERNIZE, Line::ErrorFreeCsvWithin, 3, 3);
    study.add(Condition::MODERNIZE, Line::ErrorNoCsv, 6, 1);
    for (index, row) in study.outcomes.iter_mut().enumerate() {
        row.deviation = row.outcome.is_reproducible().then_some(0.02 * (index % 5) as f64);
        row.seconds = 1.0 + index as f64;
        row.fixes = if row.condition == Condition::MODERNIZE { 1 + index as u32 % 3 } else { 0 };
    }
    study
}

#[test]
fn rates_and_medians_have_their_intervals() {
    let folder = rendered(&study());
    let table = json(folder.path(), "uncertainty.json");
    let rows = table["rows"].as_array().unwrap();
    let find = |condition: &str, what: &str| {
        rows.iter()
            .find(|row| row["condition"] == condition && row["what"].as_str().unwrap().starts_with(what))
            .unwrap()
    };
    let rate = find("backport", "reproducible");
    assert_eq!((rate["of"].as_u64(), rate["estimate"].as_f64()), (Some(12), Some(0.5)));
    // 6 of 12 at 95 %: by hand from Wilson's formula with z = 1.959964.
    assert_eq!(rate["interval"], serde_json::json!([0.253782, 0.746218]));
    let seconds = find("baseline", "seconds");
    assert_eq!(seconds["estimate"], 6.5);
    let ends: Vec<f64> = seconds["interval"].as_array().unwrap().iter().filter_map(|end| end.as_f64()).collect();
    assert!(ends[0] >= 1.0 && ends[0] < 6.5 && ends[1] > 6.5 && ends[1] <= 12.0, "{ends:?}");
    assert_eq!(find("modernize", "fixes")["of"], 3);
}

#[test]
fn the_headline_says_what_the_tables_say() {
    let folder = rendered(&study());
    let text = read(folder.path(), "headline.md");
    assert!(
        text.contains("| backport | 12 | 6 | 50.0 % | 25.4–74.6 % | 50.0 % | 35.1 % (4,464 of 12,720) |"),
        "{text}"
    );
    assert!(text.contains("| modernize | 4 | 3 | 75.0 % |") && text.contains("74.2 % (5,492 of 7,402)"), "{text}");
    assert!(read(folder.path(), "headline.csv").contains("backport,12,6,0.5,0.253782,0.746218,0.5,4464,12720"));
}

#[test]
fn paired_tests_count_what_differs() {
    let folder = rendered(&study());
    let table = json(folder.path(), "paired-tests.json");
    let rows = table["rows"].as_array().unwrap();
    // Four versions reproduce after backporting alone, none at baseline alone: 2 / 2^4.
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[0]["counted"], "reproducible under the first alone 0, under the second alone 4");
    let effect = ["difference", "lower", "upper"].map(|name| rows[0][name].as_f64().unwrap());
    assert_eq!(effect, [0.333333, 0.010008, 0.609378]);
    assert_eq!(rows[1]["test"], "Stuart-Maxwell");
    assert!(rows[1]["difference"].is_null());
    // It is the smaller of two p-values, and so counts twice.
    assert!(rows[1]["p"].as_f64() > Some(0.125));
    assert_eq!((rows[0]["p"].as_f64(), rows[0]["adjusted_p"].as_f64()), (Some(0.125), Some(0.25)));
    assert!(read(folder.path(), "paired-tests.md").contains("| baseline | backport | McNemar | 12 |"));
}

#[test]
fn curves_rise_and_meet_the_headline() {
    let folder = rendered(&study());
    for (name, condition, end) in
        [("curve-tau", "backport", 6), ("curve-fixes", "modernize", 3), ("curve-time", "baseline", 2)]
    {
        let table = json(folder.path(), &format!("{name}.json"));
        let rows = table["rows"].as_array().unwrap().iter().filter(|row| row["condition"] == condition);
        let counts: Vec<u64> = rows.filter_map(|row| row["count"].as_u64()).collect();
        assert!(counts.is_sorted() && counts[0] < end && counts.last() == Some(&end), "{name}: {counts:?}");
    }
}

/// The first word or words of each line, its count and its whole.
fn shares(table: &ShareTable, fields: &[&str]) -> Vec<String> {
    let json = table.json();
    let words = |row: &serde_json::Value| {
        fields.iter().map(|field| row[field].as_str().unwrap_or_default()).collect::<Vec<_>>().join(" ")
    };
    let line = |row: &serde_json::Value| format!("{}: {} of {}", words(row), row["count"], row["of"]);
    json["rows"].as_array().unwrap().iter().map(line).collect()
}

/// Four versions at baseline, two of them reproducible: targets 0.5, 0.0005, 0.05 and -0.5, deviations 0.02, 0.05, 0.5 and none.
fn four() -> Data {
    let mut study = Synthetic::default();
    study.add(Condition::BASELINE, Line::ErrorFreeCsvWithin, 0, 2);
    study.add(Condition::BASELINE, Line::ErrorFreeCsvBeyond, 2, 1);
    study.add(Condition::BASELINE, Line::ErrorNoCsv, 3, 1);
    let values = [(0.5, Some(0.02)), (0.0005, Some(0.05)), (0.002, Some(0.5)), (-0.5, None)];
    for (row, (target, deviation)) in study.outcomes.iter_mut().zip(values) {
        (row.target_score, row.deviation) = (Some(target), deviation);
    }
    study.outcomes[3].competition = "other".into();
    let folder = tempfile::tempdir().unwrap();
    study.write(folder.path());
    Data::read(folder.path()).unwrap()
}

#[test]
fn the_headline_is_counted_in_other_ways() {
    let table = sensitivity::table(&four(), &Kinds { zero_targets: 6, ..Kinds::default() });
    let expected = [
        "as in the tables: 2 of 4",
        "without flaky versions (not measured): 0 of 0",
        "without targets closer to zero than 0.001: 1 of 3",
        "without targets closer to zero than 0.01: 1 of 2",
        "without targets closer to zero than 0.1: 1 of 2",
        "or within 0.001 of the target: 3 of 4",
        "with targets of zero, none reproduced: 2 of 10",
        "with targets of zero, all reproduced: 8 of 10",
    ];
    assert_eq!(shares(&table, &["counted"]), expected);
}

#[test]
fn strata_add_up_to_the_whole() {
    let years = [("v000000", 2018), ("v000001", 2019), ("v000002", 2018)];
    let years = years.map(|(version, year)| (version.to_owned(), year)).into_iter().collect();
    let metrics = [("made-up".to_owned(), "accuracy".to_owned())].into_iter().collect();
    let table = strata::table(&four(), &Kinds { years, metrics, zero_targets: 0 });
    let expected = [
        "competition made-up: 2 of 3",
        "competition other: 0 of 1",
        "year 2018: 1 of 2",
        "year 2019: 1 of 1",
        "year unknown: 0 of 1",
        "metric accuracy: 2 of 3",
        "metric unknown: 0 of 1",
    ];
    assert_eq!(shares(&table, &["kind", "stratum"]), expected);
    assert!(table.grid().markdown().contains("| baseline | year | 2018 | 1 | 2 | 50.0 % |"));
}

#[test]
fn a_study_of_nothing_has_empty_tables_and_no_nan() {
    let folder = rendered(&Synthetic::default());
    for name in
        ["headline", "uncertainty", "paired-tests", "curve-tau", "curve-fixes", "curve-time", "sensitivity", "strata"]
    {
        let text = read(folder.path(), &format!("{name}.md"));
        assert!(text.contains('–') && !text.contains("NaN"), "{text}");
        assert!(json(folder.path(), &format!("{name}.json"))["rows"].as_array().unwrap().is_empty());
    }
}
