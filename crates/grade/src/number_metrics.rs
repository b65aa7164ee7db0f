//! Metrics that compare numbers. Truth and prediction have one entry a row, in the same order, and at least one row; every
//! number is finite.

/// How far probabilities keep from 0 and 1 under log loss: the spacing of double precision at 1, as in scikit-learn 1.5.
const CLIP: f64 = f64::EPSILON;

/// The area under the ROC curve; `positive` holds both yes and no.
pub(crate) fn roc_auc(positive: &[bool], predicted: &[f64]) -> f64 {
    let mut rows: Vec<(f64, bool)> = predicted.iter().copied().zip(positive.iter().copied()).collect();
    rows.sort_unstable_by(|left, right| left.0.partial_cmp(&right.0).expect("every number is finite"));
    // Twice the number of pairs that are in the right order, a tied pair counting one half.
    let mut twice_ordered = 0_u128;
    let (mut positives, mut negatives) = (0_u128, 0_u128);
    for tied in rows.chunk_by(|left, right| left.0 == right.0) {
        let tied_positives = tied.iter().filter(|row| row.1).count() as u128;
        let tied_negatives = tied.len() as u128 - tied_positives;
        twice_ordered += tied_positives * (2 * negatives + tied_negatives);
        positives += tied_positives;
        negatives += tied_negatives;
    }
    twice_ordered as f64 / (2 * positives * negatives) as f64
}

/// The mean of `-ln p` of the true class; `columns` has one column of probabilities a class.
pub(crate) fn multiclass_log_loss(classes: &[usize], columns: &[Vec<f64>]) -> f64 {
    let loss = |(row, &class): (usize, &usize)| -columns[class][row].clamp(CLIP, 1.0 - CLIP).ln();
    classes.iter().enumerate().map(loss).sum::<f64>() / classes.len() as f64
}

/// The root of the mean squared error; infinite only when an error is too large for a number.
pub(crate) fn rmse(truth: &[f64], predicted: &[f64]) -> f64 {
    root_mean_square(truth.iter().zip(predicted).map(|(truth, predicted)| predicted - truth))
}

/// The root of the mean squared difference of `ln(1 + p)` and `ln(1 + y)`; no number is negative.
pub(crate) fn rmsle(truth: &[f64], predicted: &[f64]) -> f64 {
    root_mean_square(truth.iter().zip(predicted).map(|(truth, predicted)| predicted.ln_1p() - truth.ln_1p()))
}

/// The mean absolute error; infinite only when an error is too large for a number.
pub(crate) fn mae(truth: &[f64], predicted: &[f64]) -> f64 {
    let errors = || truth.iter().zip(predicted).map(|(truth, predicted)| (predicted - truth).abs());
    let rows = truth.len() as f64;
    let sum: f64 = errors().sum();
    if sum.is_finite() { sum / rows } else { errors().map(|error| error / rows).sum() }
}

fn root_mean_square(errors: impl ExactSizeIterator<Item = f64> + Clone) -> f64 {
    let rows = errors.len() as f64;
    let sum: f64 = errors.clone().map(|error| error * error).sum();
    if sum.is_finite() {
        return (sum / rows).sqrt();
    }
    // The squares overflow, the root need not.
    let largest = errors.clone().fold(0.0_f64, |largest, error| largest.max(error.abs()));
    largest * (errors.map(|error| (error / largest).powi(2)).sum::<f64>() / rows).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn auc_of_order_and_of_none() {
        let positive = [true, false, true, false];
        assert_eq!(roc_auc(&positive, &[0.9, 0.1, 0.8, 0.2]), 1.0);
        assert_eq!(roc_auc(&positive, &[0.1, 0.9, 0.2, 0.8]), 0.0);
        assert_eq!(roc_auc(&positive, &[0.5; 4]), 0.5);
        assert_eq!(roc_auc(&[true, false], &[0.0, -0.0]), 0.5);
    }

    #[test]
    fn log_loss_is_clipped() {
        let certain = vec![vec![1.0], vec![0.0]];
        assert!((multiclass_log_loss(&[1], &certain) - 36.043_653_389_117_15).abs() < 1e-12);
        let right = multiclass_log_loss(&[0], &certain);
        assert!(right > 0.0 && right < 3e-16);
    }

    #[test]
    fn large_errors_do_not_overflow_before_they_must() {
        let close =
            |found: f64, expected: f64| assert!((found / expected - 1.0).abs() < 1e-15, "{found:e} {expected:e}");
        close(rmse(&[0.0, 0.0], &[1e308, 1e308]), 1e308);
        close(mae(&[0.0, 0.0], &[1e308, -1e308]), 1e308);
        assert_eq!(rmsle(&[0.0], &[1e308]), 1e308_f64.ln_1p());
        assert!(!rmse(&[-1e308], &[1e308]).is_finite());
        assert!(!mae(&[-1e308], &[1e308]).is_finite());
    }

    #[test]
    fn known_errors() {
        assert_eq!(rmse(&[1.0, 2.0], &[4.0, 6.0]), 12.5_f64.sqrt());
        assert_eq!(mae(&[1.0, 2.0], &[4.0, 0.0]), 2.5);
        assert_eq!(rmsle(&[0.0], &[std::f64::consts::E - 1.0]), 1.0);
    }
}
