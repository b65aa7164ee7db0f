//! Every statistic against scipy, on the tables in `tests/reference/` that `generate.py` there wrote.

use nbrevive_stats::{cliffs_delta, kendall_tau_b, mann_whitney_u, mcnemar_exact, quantiles, wilson_interval};
use serde::Deserialize;

/// The largest error that is allowed, relative to the reference value.
const TOLERANCE: f64 = 1e-9;

#[derive(Deserialize)]
struct Table<Case> {
    cases: Vec<Case>,
}

fn cases<Case: for<'de> Deserialize<'de>>(text: &str) -> Vec<Case> {
    let table: Table<Case> = serde_json::from_str(text).expect("generate.py writes what the cases ask for");
    assert!(!table.cases.is_empty());
    table.cases
}

/// Tails are compared relatively, so that a p-value of 1e-40 has to be right too.
fn assert_close(name: &str, what: &str, found: f64, expected: f64) {
    let error = (found - expected).abs();
    assert!(error <= TOLERANCE * expected.abs().max(1e-300), "{name}: {what} is {found:e}, scipy says {expected:e}");
}

#[derive(Deserialize)]
struct Kendall {
    name: String,
    x: Vec<f64>,
    y: Vec<f64>,
    tau: f64,
    p: f64,
}

#[test]
fn kendall_agrees_with_scipy() {
    for case in cases::<Kendall>(include_str!("reference/kendall.json")) {
        let found = kendall_tau_b(&case.x, &case.y).unwrap();
        assert_close(&case.name, "tau", found.tau, case.tau);
        assert_close(&case.name, "p", found.p_value, case.p);
        let swapped = kendall_tau_b(&case.y, &case.x).unwrap();
        assert_close(&case.name, "tau of the swapped samples", swapped.tau, case.tau);
    }
}

#[derive(Deserialize)]
struct TwoSamples {
    name: String,
    a: Vec<f64>,
    b: Vec<f64>,
    u: f64,
    p: f64,
    delta: f64,
}

#[test]
fn mann_whitney_and_cliff_agree_with_scipy() {
    for case in cases::<TwoSamples>(include_str!("reference/mann_whitney.json")) {
        let found = mann_whitney_u(&case.a, &case.b).unwrap();
        assert_eq!(found.u_first, case.u, "{}", case.name);
        assert_eq!(found.u_first + found.u_second, (case.a.len() * case.b.len()) as f64, "{}", case.name);
        assert_close(&case.name, "p", found.p_value, case.p);
        let delta = cliffs_delta(&case.a, &case.b).unwrap().delta;
        assert!((delta - case.delta).abs() <= TOLERANCE, "{}: delta {delta}, expected {}", case.name, case.delta);
    }
}

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
    for case in cases::<Wilson>(include_str!("reference/wilson.json")) {
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
    for case in cases::<McNemar>(include_str!("reference/mcnemar.json")) {
        assert_close(&case.name, "p", mcnemar_exact(case.first, case.second), case.p);
    }
}

#[derive(Deserialize)]
struct Quantiles {
    name: String,
    values: Vec<f64>,
    fractions: Vec<f64>,
    quantiles: Vec<f64>,
}

#[test]
fn quantiles_agree_with_numpy() {
    for case in cases::<Quantiles>(include_str!("reference/quantile.json")) {
        let found = quantiles(&case.values, &case.fractions).unwrap();
        for (found, expected) in found.iter().zip(&case.quantiles) {
            assert_close(&case.name, "quantile", *found, *expected);
        }
    }
}
