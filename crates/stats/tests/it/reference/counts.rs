//! Statistics of counts, and of p-values.

use nbrevive_stats::{
    barnard_exact, bonferroni, chi_squared, fisher_exact, holm, mcnemar_exact, stuart_maxwell, wilson_interval,
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
