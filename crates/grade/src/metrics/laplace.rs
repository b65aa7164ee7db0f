//! A likelihood that asks for a value and for the confidence in it.

use std::f64::consts::SQRT_2;

/// The mean of `-sqrt(2) d / s - ln(sqrt(2) s)` with `s = max(confidence, 70)` and `d = min(|y - p|, 1000)`, all in
/// millilitres: at most about -4.6 for right values at the smallest `s`, to maximize. NaN without rows.
///
/// Each row is the truth, the prediction and its confidence. Source: the modified Laplace log likelihood of Kaggle's OSIC
/// competition.
#[must_use]
pub fn laplace_log_likelihood(rows: impl Iterator<Item = (f64, f64, f64)>) -> f64 {
    let (mut sum, mut count) = (0.0, 0_usize);
    for (truth, predicted, confidence) in rows {
        let spread = confidence.max(70.0);
        let difference = (truth - predicted).abs();
        // A difference that is NaN stays so: `f64::min` would take the 1000.
        let distance = if difference > 1000.0 { 1000.0 } else { difference };
        sum += -SQRT_2 * distance / spread - (SQRT_2 * spread).ln();
        count += 1;
    }
    sum / count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_and_confidence_are_clipped() {
        let one = |p, c| laplace_log_likelihood([(2000.0, p, c)].into_iter());
        assert_eq!(one(2000.0, 1.0), -(SQRT_2 * 70.0).ln());
        assert_eq!(one(9000.0, 100.0), one(3000.0, 100.0));
        assert_eq!(one(2000.0, f64::INFINITY), f64::NEG_INFINITY);
        assert!(one(f64::NAN, 100.0).is_nan());
    }
}
