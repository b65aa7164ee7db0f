//! Statistics of counts, and of p-values.

use nbrevive_stats::{
    CountRanges, FittingTables, barnard_exact, barnard_of_fitting, bonferroni, chi_squared, chi_squared_of_fitting,
    fisher_exact, holm, mcnemar_exact, paired_difference, stuart_maxwell, unpaired_difference, wilson_interval,
};
use serde::Deserialize;

use super::{TOLERANCE, assert_close, assert_near, cases};

#[derive(Deserialize)]
struct Wilson {
    name: String,
    successes: u64,
    trials: u64,
    confidence: f64,
    lower: f64,
    upper: f64,
}

#[test]
fn wilson_agrees_with_scipy() {
    for case in cases::<Wilson>(include_str!("wilson.json")) {
        let found = wilson_interval(case.successes, case.trials, case.confidence).unwrap();
        assert_close(&case.name, "lower end", found.lower, case.lower);
        assert_close(&case.name, "upper end", found.upper, case.upper);
    }
}

#[derive(Deserialize)]
struct McNemar {
    name: String,
    first: u64,
    second: u64,
    p: f64,
}

#[test]
fn mcnemar_agrees_with_scipy() {
    for case in cases::<McNemar>(include_str!("mcnemar.json")) {
        assert_close(&case.name, "p", mcnemar_exact(case.first, case.second), case.p);
    }
}

#[derive(Deserialize)]
struct Paired {
    name: String,
    first: u64,
    second: u64,
    items: u64,
    confidence: f64,
    difference: f64,
    lower: f64,
    upper: f64,
}

#[test]
fn paired_difference_agrees_with_its_definition() {
    for case in cases::<Paired>(include_str!("paired_difference.json")) {
        let found = paired_difference(case.first, case.second, case.items, case.confidence).unwrap();
        assert_close(&case.name, "difference", found.difference, case.difference);
        assert_close(&case.name, "lower end", found.interval.lower, case.lower);
        assert_close(&case.name, "upper end", found.interval.upper, case.upper);
    }
}

#[derive(Deserialize)]
struct Unpaired {
    name: String,
    first: [u64; 2],
    second: [u64; 2],
    confidence: f64,
    difference: f64,
    lower: f64,
    upper: f64,
}

#[test]
fn unpaired_difference_agrees_with_statsmodels() {
    for case in cases::<Unpaired>(include_str!("unpaired_difference.json")) {
        let found = unpaired_difference(case.first, case.second, case.confidence).unwrap();
        assert_close(&case.name, "difference", found.difference, case.difference);
        assert_near(&case.name, "lower end", found.interval.lower, case.lower);
        assert_near(&case.name, "upper end", found.interval.upper, case.upper);
    }
}

#[derive(Deserialize)]
struct ChiSquared {
    name: String,
    table: Vec<Vec<u64>>,
    statistic: f64,
    degrees: u64,
    p: f64,
    expected: Vec<Vec<f64>>,
    residuals: Vec<Vec<f64>>,
    v: f64,
}

#[test]
fn chi_squared_agrees_with_scipy_and_its_residuals_with_statsmodels() {
    for case in cases::<ChiSquared>(include_str!("chi_squared.json")) {
        let found = chi_squared(&case.table).unwrap();
        assert_near(&case.name, "statistic", found.statistic, case.statistic);
        assert_eq!(found.degrees, case.degrees, "{}", case.name);
        assert_close(&case.name, "p", found.p_value, case.p);
        assert_near(&case.name, "V", found.cramers_v, case.v);
        for (what, found, expected) in
            [("expected count", found.expected, case.expected), ("residual", found.adjusted_residuals, case.residuals)]
        {
            let pairs = found.iter().flatten().zip(expected.iter().flatten());
            pairs.for_each(|(found, expected)| assert_near(&case.name, what, *found, *expected));
        }
    }
}

#[derive(Deserialize)]
struct Fisher {
    name: String,
    table: [[u64; 2]; 2],
    /// None where it is infinite, which JSON cannot say.
    ratio: Option<f64>,
    p: f64,
}

#[test]
fn fisher_agrees_with_scipy() {
    for case in cases::<Fisher>(include_str!("fisher.json")) {
        let found = fisher_exact(case.table).unwrap();
        assert_close(&case.name, "p", found.p_value, case.p);
        assert_near(&case.name, "odds ratio", found.odds_ratio.unwrap().min(1e300), case.ratio.unwrap_or(1e300));
    }
}

#[derive(Deserialize)]
struct Barnard {
    name: String,
    table: [[u64; 2]; 2],
    statistic: f64,
    p: f64,
    scipy: f64,
    /// Whether scipy, which compares rounded statistics, loses tables that are exactly as extreme as the observed one.
    loses: bool,
}

#[test]
fn barnard_agrees_with_a_fine_scan_and_with_scipy_where_that_loses_no_table() {
    for case in cases::<Barnard>(include_str!("barnard.json")) {
        let found = barnard_exact(case.table).unwrap();
        assert_near(&case.name, "statistic", found.statistic, case.statistic);
        assert_close(&case.name, "p", found.p_value, case.p);
        let over = found.p_value - case.scipy;
        assert!(over >= -TOLERANCE, "{}: {over} over scipy's {}", case.name, case.scipy);
        assert!(case.loses || over <= TOLERANCE, "{}: {over} over scipy's {}", case.name, case.scipy);
    }
}

#[derive(Deserialize)]
struct StuartMaxwell {
    name: String,
    table: Vec<Vec<u64>>,
    statistic: f64,
    degrees: u64,
    p: f64,
}

#[test]
fn stuart_maxwell_agrees_with_statsmodels() {
    for case in cases::<StuartMaxwell>(include_str!("stuart_maxwell.json")) {
        let found = stuart_maxwell(&case.table).unwrap();
        assert_near(&case.name, "statistic", found.statistic, case.statistic);
        assert_eq!(found.degrees, case.degrees, "{}", case.name);
        assert_close(&case.name, "p", found.p_value, case.p);
    }
}

#[derive(Deserialize)]
struct Adjusted {
    name: String,
    values: Vec<f64>,
    bonferroni: Vec<f64>,
    holm: Vec<f64>,
}

#[test]
fn adjusted_p_values_agree_with_statsmodels() {
    for case in cases::<Adjusted>(include_str!("adjusted.json")) {
        let (each, steps) = (bonferroni(&case.values).unwrap(), holm(&case.values).unwrap());
        for (found, expected) in each.iter().zip(&case.bonferroni).chain(steps.iter().zip(&case.holm)) {
            assert_close(&case.name, "p", *found, *expected);
        }
    }
}

#[derive(Deserialize)]
struct Fitting {
    name: String,
    groups: [u64; 2],
    /// Of each category, the ends of the counts in both groups and of their sum.
    categories: Vec<[[u64; 2]; 3]>,
    tables: u64,
    p: Option<[f64; 2]>,
    barnard: Option<[f64; 2]>,
}

#[test]
fn tables_that_fit_are_those_that_are_tested_one_by_one() {
    for case in cases::<Fitting>(include_str!("fitting.json")) {
        let range = |[low, high]: [u64; 2]| low..=high;
        let ranges = |[a, b, c]: [[u64; 2]; 3]| CountRanges { first: range(a), second: range(b), both: range(c) };
        let categories: Vec<CountRanges> = case.categories.iter().copied().map(ranges).collect();
        let compare = |found: Option<FittingTables>, expected: Option<[f64; 2]>| {
            assert_eq!(found.is_some(), expected.is_some(), "{}", case.name);
            if let (Some(found), Some([low, high])) = (found, expected) {
                assert_close(&case.name, "lowest p", found.lowest, low);
                assert_close(&case.name, "highest p", found.highest, high);
            }
        };
        let found = chi_squared_of_fitting(case.groups, &categories).unwrap();
        assert!((found.map_or(0.0, |found| found.tables) - case.tables as f64).abs() < 0.5, "{}", case.name);
        compare(found, case.p);
        compare(barnard_of_fitting(case.groups, &categories[0]).unwrap(), case.barnard);
    }
}
