//! Pearson's and Spearman's correlation.

/// Pearson's r: from -1 to 1, to maximize; NaN when a side is constant, or holds NaN or an infinity.
#[must_use]
pub fn pearson(truth: &[f64], predicted: &[f64]) -> f64 {
    let constant = |values: &[f64]| values.iter().all(|value| *value == values[0]);
    if truth.is_empty() || constant(truth) || constant(predicted) {
        return f64::NAN;
    }
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (truth_mean, predicted_mean) = (mean(truth), mean(predicted));
    // Squares of parts of the largest do not overflow, as scipy has it.
    let length = |values: &[f64], mean: f64| {
        let largest = values.iter().map(|value| (value - mean).abs()).fold(0.0, f64::max);
        largest * values.iter().map(|value| ((value - mean) / largest).powi(2)).sum::<f64>().sqrt()
    };
    let (truth_length, predicted_length) = (length(truth, truth_mean), length(predicted, predicted_mean));
    let product = |(truth, predicted): (&f64, &f64)| {
        ((truth - truth_mean) / truth_length) * ((predicted - predicted_mean) / predicted_length)
    };
    truth.iter().zip(predicted).map(product).sum::<f64>().clamp(-1.0, 1.0)
}

/// Spearman's rho, Pearson's r of the [`mid_ranks`]: from -1 to 1, to maximize; NaN when a side is constant.
#[must_use]
pub fn spearman<T: PartialOrd, P: PartialOrd>(truth: &[T], predicted: &[P]) -> f64 {
    pearson(&mid_ranks(truth), &mid_ranks(predicted))
}

/// The rank of each value, counted from 1; values that are equal share the mean of their ranks. No value may be NaN.
#[must_use]
pub fn mid_ranks<T: PartialOrd>(values: &[T]) -> Vec<f64> {
    let compare = |left: &T, right: &T| left.partial_cmp(right).unwrap_or(std::cmp::Ordering::Equal);
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_unstable_by(|&left, &right| compare(&values[left], &values[right]));
    let mut ranks = vec![0.0; values.len()];
    let mut before = 0;
    for tied in order.chunk_by(|&left, &right| values[left] == values[right]) {
        let rank = before as f64 + (tied.len() + 1) as f64 / 2.0;
        for &place in tied {
            ranks[place] = rank;
        }
        before += tied.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_constants() {
        assert!((pearson(&[1.0, 2.0, 4.0], &[3.0, 5.0, 9.0]) - 1.0).abs() < 1e-15);
        assert!((pearson(&[1.0, 2.0, 4.0], &[-3.0, -5.0, -9.0]) + 1.0).abs() < 1e-15);
        assert!(pearson(&[1.0, 2.0], &[3.0, 3.0]).is_nan());
        assert!(pearson(&[1.0, 2.0], &[3.0, f64::NAN]).is_nan());
        assert!(pearson(&[1.0, 2.0], &[3.0, f64::INFINITY]).is_nan());
    }

    #[test]
    fn ties_share_ranks() {
        assert_eq!(mid_ranks(&[10.0, 20.0, 10.0, 5.0]), [2.5, 4.0, 2.5, 1.0]);
        assert!((spearman(&[1.0, 2.0, 3.0], &["a", "b", "c"]) - 1.0).abs() < 1e-15);
    }
}
