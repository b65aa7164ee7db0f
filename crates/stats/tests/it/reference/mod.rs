//! Every statistic against scipy, and statsmodels where scipy has none, on the tables beside this file that `generate.py` wrote.

mod counts;
mod samples;

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

/// What is no probability is compared relatively too, but with a floor: its last digits are rounding alone near 0.
fn assert_near(name: &str, what: &str, found: f64, expected: f64) {
    let error = (found - expected).abs();
    assert!(
        error <= TOLERANCE * expected.abs().max(1.0),
        "{name}: {what} is {found:e}, the reference says {expected:e}"
    );
}
