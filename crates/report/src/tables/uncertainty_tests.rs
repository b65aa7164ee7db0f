//! Intervals, tests and curves of synthetic studies.

use nbrevive_corpus::Condition;

use super::tests::{json, read, rendered};
use crate::tables::Line;
use crate::testing::Synthetic;

/// Twelve versions: two reproduce at baseline, six after backporting; four of the others are modernized.
fn study() -> Synthetic {
    let mut study = Synthetic::default();
    study.add_table(Condition::Baseline, &[2, 1, 0, 0, 4, 5, 0, 0]);
    study.add_table(Condition::Backport, &[6, 0, 0, 0, 2, 4, 0, 0, 0]);
    study.add(Condition::Modernize, Line::ErrorFreeCsvWithin, 3, 3);
    study.add(Condition::Modernize, Line::ErrorNoCsv, 6, 1);
    for (index, row) in study.outcomes.iter_mut().enumerate() {
        row.deviation = row.outcome.is_reproducible().then_some(0.02 * (index % 5) as f64);
        row.seconds = 1.0 + index as f64;
        row.fixes = if row.condition == Condition::Modernize { 1 + index as u32 % 3 } else { 0 };
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
fn paired_tests_count_what_differs() {
    let folder = rendered(&study());
    let table = json(folder.path(), "paired-tests.json");
    let rows = table["rows"].as_array().unwrap();
    // Four versions reproduce after backporting alone, none at baseline alone: 2 / 2^4.
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[0]["counted"], "reproducible under the first alone 0, under the second alone 4");
    assert_eq!(rows[1]["test"], "Stuart-Maxwell");
    // It is the smaller of two p-values, and so counts twice.
    assert!(rows[1]["p"].as_f64() > Some(0.125));
    assert_eq!((rows[0]["p"].as_f64(), rows[0]["adjusted_p"].as_f64()), (Some(0.125), Some(0.25)));
    assert!(read(folder.path(), "paired-tests.md").contains("| baseline | backport | McNemar | 12 |"));
}

#[test]
fn curves_rise_and_meet_the_headline() {
    let folder = rendered(&study());
    for (name, condition, end) in [("curve-tau", "backport", 6), ("curve-fixes", "modernize", 3)] {
        let table = json(folder.path(), &format!("{name}.json"));
        let rows = table["rows"].as_array().unwrap().iter().filter(|row| row["condition"] == condition);
        let counts: Vec<u64> = rows.filter_map(|row| row["count"].as_u64()).collect();
        assert!(counts.is_sorted() && counts[0] < end && counts.last() == Some(&end), "{name}: {counts:?}");
    }
}

#[test]
fn a_study_of_nothing_has_empty_tables_and_no_nan() {
    let folder = rendered(&Synthetic::default());
    for name in ["uncertainty", "paired-tests", "curve-tau", "curve-fixes"] {
        let text = read(folder.path(), &format!("{name}.md"));
        assert!(text.contains('–') && !text.contains("NaN"), "{text}");
        assert!(json(folder.path(), &format!("{name}.json"))["rows"].as_array().unwrap().is_empty());
    }
}
