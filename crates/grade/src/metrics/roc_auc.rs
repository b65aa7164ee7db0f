//! The area under the ROC curve.

/// The share of pairs of a positive and a negative row in which the positive row has the higher `p`, a tie counting one half:
/// from 0 to 1, to maximize. Both classes have to occur, and no prediction may be NaN; else the result is NaN.
#[must_use]
pub fn roc_auc(positive: &[bool], predicted: &[f64]) -> f64 {
    let mut rows: Vec<(f64, bool)> = predicted.iter().copied().zip(positive.iter().copied()).collect();
    rows.sort_unstable_by(|left, right| left.0.partial_cmp(&right.0).unwrap_or(std::cmp::Ordering::Equal));
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

#[cfg(test)]
mod tests {
    use super::roc_auc;

    #[test]
    fn order_and_none() {
        let positive = [true, false, true, false];
        assert_eq!(roc_auc(&positive, &[0.9, 0.1, 0.8, 0.2]), 1.0);
        assert_eq!(roc_auc(&positive, &[0.1, 0.9, 0.2, 0.8]), 0.0);
        assert_eq!(roc_auc(&positive, &[0.5; 4]), 0.5);
        assert_eq!(roc_auc(&[true, false], &[0.0, -0.0]), 0.5);
        assert!(roc_auc(&[true, true], &[0.1, 0.2]).is_nan());
    }
}
