//! From a checked submission to its score: which cells a metric takes, and what it cannot take.

pub(crate) mod detections;
pub(crate) mod labels;
pub(crate) mod masks;
pub(crate) mod numbers;
pub(crate) mod probabilities;
pub(crate) mod texts;

use crate::Invalid;
use crate::mle::case::Case;

/// The mean over the pairs of a value.
fn mean(case: &Case<'_>, mut value: impl FnMut(usize) -> Result<f64, Invalid>) -> Result<f64, Invalid> {
    let mut sum = 0.0;
    for pair in 0..case.len() {
        sum += value(pair)?;
    }
    Ok(sum / case.len() as f64)
}
