//! Statistics of samples.

use nbrevive_stats::{
    Bootstrap, BootstrapMethod, PValueMethod, Zeros, bootstrap, cliffs_delta, cliffs_delta_interval, kendall_tau_b,
    mann_whitney_u, median, quantiles, wilcoxon_signed_rank,
};
use serde::Deserialize;

use super::{TOLERANCE, assert_close, assert_near, cases};

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
    for case in cases::<Kendall>(include_str!("kendall.json")) {
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
    for case in cases::<TwoSamples>(include_str!("mann_whitney.json")) {
        let found = mann_whitney_u(&case.a, &case.b).unwrap();
        assert_eq!(found.u_first, case.u, "{}", case.name);
        assert_eq!(found.u_first + found.u_second, (case.a.len() * case.b.len()) as f64, "{}", case.name);
        assert_close(&case.name, "p", found.p_value, case.p);
        let delta = cliffs_delta(&case.a, &case.b).unwrap().delta;
        assert!((delta - case.delta).abs() <= TOLERANCE, "{}: delta {delta}, expected {}", case.name, case.delta);
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
    for case in cases::<Quantiles>(include_str!("quantile.json")) {
        let found = quantiles(&case.values, &case.fractions).unwrap();
        for (found, expected) in found.iter().zip(&case.quantiles) {
            assert_close(&case.name, "quantile", *found, *expected);
        }
    }
}

#[derive(Deserialize)]
struct CliffInterval {
    name: String,
    a: Vec<f64>,
    b: Vec<f64>,
    confidence: f64,
    lower: f64,
    upper: f64,
}

#[test]
fn the_interval_of_cliffs_delta_agrees_with_the_definition() {
    for case in cases::<CliffInterval>(include_str!("cliff_interval.json")) {
        let found = cliffs_delta_interval(&case.a, &case.b, case.confidence).unwrap();
        assert_near(&case.name, "lower end", found.lower, case.lower);
        assert_near(&case.name, "upper end", found.upper, case.upper);
    }
}

#[derive(Deserialize)]
struct Wilcoxon {
    name: String,
    x: Vec<f64>,
    y: Vec<f64>,
    zeros: String,
    exact: bool,
    w: f64,
    p: f64,
}

#[test]
fn wilcoxon_agrees_with_scipy() {
    for case in cases::<Wilcoxon>(include_str!("wilcoxon.json")) {
        let zeros = match case.zeros.as_str() {
            "drop" => Zeros::Drop,
            "pratt" => Zeros::Pratt,
            _ => Zeros::Split,
        };
        let found = wilcoxon_signed_rank(&case.x, &case.y, zeros).unwrap();
        assert_eq!(found.method == PValueMethod::Exact, case.exact, "{}", case.name);
        assert_eq!(found.w_plus.min(found.w_minus), case.w, "{}", case.name);
        assert_close(&case.name, "p", found.p_value, case.p);
    }
}

#[derive(Deserialize)]
struct Bootstrapped {
    name: String,
    values: Vec<f64>,
    statistic: String,
    seed: u64,
    confidence: f64,
    percentile: [f64; 2],
    bca: [f64; 2],
}

#[test]
fn bootstraps_agree_with_scipy_on_the_same_resamples() {
    for case in cases::<Bootstrapped>(include_str!("bootstrap.json")) {
        let statistic = |values: &[f64]| match case.statistic.as_str() {
            "mean" => values.iter().sum::<f64>() / values.len() as f64,
            _ => median(values).unwrap(),
        };
        for (method, expected) in [(BootstrapMethod::Percentile, case.percentile), (BootstrapMethod::Bca, case.bca)] {
            let settings = Bootstrap { resamples: 400, confidence: case.confidence, seed: case.seed, method };
            let found = bootstrap(&case.values, statistic, settings).unwrap();
            assert_near(&case.name, "lower end", found.lower, expected[0]);
            assert_near(&case.name, "upper end", found.upper, expected[1]);
        }
    }
}
