//! Measures Kendall's tau-b on a file of pairs, and Cliff's delta against its definition over all pairs.
//!
//! Arguments: a file of little-endian 64-bit floats, x1 y1 x2 y2 …, written by `scripts/bench_stats.py`, and how many values of
//! each side the definition gets. Prints one JSON object: seconds, and the values, so that the caller can compare them.

use std::time::Instant;

use nbrevive_stats::{cliffs_delta, kendall_tau_b};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().expect("a file of pairs");
    let size: usize = arguments.next().and_then(|text| text.parse().ok()).expect("a number of values");
    let bytes = std::fs::read(file).expect("a readable file");
    let number = |bytes: &[u8]| f64::from_le_bytes(bytes.try_into().expect("8 bytes"));
    let (x, y): (Vec<f64>, Vec<f64>) =
        bytes.chunks_exact(16).map(|pair| (number(&pair[..8]), number(&pair[8..]))).unzip();

    let (tau, kendall) = timed(|| kendall_tau_b(&x, &y).expect("samples that vary").tau);
    let (_, cliff_all) = timed(|| cliffs_delta(&x, &y).expect("samples without NaN").delta);
    let (a, b) = (&x[..size], &y[..size]);
    let (delta, cliff) = timed(|| cliffs_delta(a, b).expect("samples without NaN").delta);
    let (by_definition, definition) = timed(|| definition(a, b));
    assert!((delta - by_definition).abs() < 1e-12, "{delta} is not {by_definition}");
    #[expect(clippy::print_stdout, reason = "the figures are the program's output")]
    {
        println!(
            "{{\"tau\": {tau}, \"kendall\": {kendall}, \"cliff_all\": {cliff_all}, \"cliff\": {cliff}, \"definition\": {definition}}}"
        );
    }
}

fn timed(work: impl FnOnce() -> f64) -> (f64, f64) {
    let started = Instant::now();
    let value = std::hint::black_box(work());
    (value, started.elapsed().as_secs_f64())
}

/// Cliff's delta as it is defined: every value of one sample beside every value of the other.
fn definition(a: &[f64], b: &[f64]) -> f64 {
    let mut balance = 0_i64;
    for x in a {
        for y in b {
            balance += i64::from(x > y) - i64::from(x < y);
        }
    }
    balance as f64 / (a.len() as f64 * b.len() as f64)
}
