//! Errors of numbers. Every number is finite, and there is at least one row.

/// The root of the mean squared error, in units of the target: from 0, to minimize; infinite where the squares are too large for
/// a number, as with numpy.
#[must_use]
pub fn rmse(truth: &[f64], predicted: &[f64]) -> f64 {
    root_mean_square(truth.iter().zip(predicted).map(|(truth, predicted)| predicted - truth))
}

/// The root of the mean squared difference of `ln(1 + p)` and `ln(1 + y)`: from 0, to minimize, without units; no number is
/// negative.
#[must_use]
pub fn rmsle(truth: &[f64], predicted: &[f64]) -> f64 {
    root_mean_square(truth.iter().zip(predicted).map(|(truth, predicted)| predicted.ln_1p() - truth.ln_1p()))
}

/// The mean absolute error, in units of the target: from 0, to minimize; infinite where the sum of the errors is too large for a
/// number, as with numpy.
#[must_use]
pub fn mae(truth: &[f64], predicted: &[f64]) -> f64 {
    let errors = truth.iter().zip(predicted).map(|(truth, predicted)| (predicted - truth).abs());
    errors.sum::<f64>() / truth.len() as f64
}

/// The mean over groups of the logarithm of their [`mae`]: to minimize, minus infinity as soon as one group is perfect.
///
/// Source: the metric of Kaggle's CHAMPS competition, without its floor of 1e-9.
#[must_use]
pub fn log_mae(groups: impl ExactSizeIterator<Item = (Vec<f64>, Vec<f64>)>) -> f64 {
    let count = groups.len() as f64;
    groups.map(|(truth, predicted)| mae(&truth, &predicted).ln()).sum::<f64>() / count
}

fn root_mean_square(errors: impl ExactSizeIterator<Item = f64>) -> f64 {
    let rows = errors.len() as f64;
    (errors.map(|error| error * error).sum::<f64>() / rows).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_errors_overflow_as_with_numpy() {
        assert_eq!(rmse(&[0.0, 0.0], &[1e200, 0.0]), f64::INFINITY);
        assert_eq!(mae(&[0.0, 0.0], &[1e308, -1e308]), f64::INFINITY);
        assert_eq!(rmsle(&[0.0], &[1e308]), 1e308_f64.ln_1p());
        assert!(!rmse(&[-1e308], &[1e308]).is_finite());
        assert!(!mae(&[-1e308], &[1e308]).is_finite());
    }

    #[test]
    fn known_errors() {
        assert_eq!(rmse(&[1.0, 2.0], &[4.0, 6.0]), 12.5_f64.sqrt());
        assert_eq!(mae(&[1.0, 2.0], &[4.0, 0.0]), 2.5);
        assert_eq!(rmsle(&[0.0], &[std::f64::consts::E - 1.0]), 1.0);
        assert_eq!(log_mae([(vec![1.0], vec![2.0]), (vec![1.0], vec![2.0])].into_iter()), 0.0);
        assert_eq!(log_mae([(vec![1.0], vec![1.0])].into_iter()), f64::NEG_INFINITY);
    }
}
