//! Metrics that compare labels. Truth and prediction have one entry a row, in the same order, and at least one row.

use std::collections::{BTreeMap, BTreeSet};

use crate::cell::Label;

/// The share of rows with the right label.
pub(crate) fn accuracy(truth: &[Label], predicted: &[Label]) -> f64 {
    let right = truth.iter().zip(predicted).filter(|(truth, predicted)| truth == predicted).count();
    right as f64 / truth.len() as f64
}

/// The plain mean of the F1 of every label that occurs on either side: `2 TP / (2 TP + FP + FN)`.
pub(crate) fn macro_f1(truth: &[Label], predicted: &[Label]) -> f64 {
    /// Rows in which a label is right, and rows in which it occurs on each side.
    #[derive(Default)]
    struct Counts {
        right: u64,
        occurrences: u64,
    }
    let mut labels: BTreeMap<&Label, Counts> = BTreeMap::new();
    for (truth, predicted) in truth.iter().zip(predicted) {
        labels.entry(truth).or_default().occurrences += 1;
        let counts = labels.entry(predicted).or_default();
        counts.occurrences += 1;
        counts.right += u64::from(truth == predicted);
    }
    let sum: f64 = labels.values().map(|counts| 2.0 * counts.right as f64 / counts.occurrences as f64).sum();
    sum / labels.len() as f64
}

/// Cohen's kappa with squared weights; none when both sides hold one and the same label.
///
/// The sums over the table of all pairs of labels are taken apart, so that the time does not depend on the number of
/// distinct labels that a submission brings: `sum (i - j)^2 r_i c_j = n sum i^2 r_i + n sum j^2 c_j - 2 sum i r_i sum j c_j`.
pub(crate) fn quadratic_weighted_kappa(truth: &[i128], predicted: &[i128]) -> Option<f64> {
    let sorted: BTreeSet<i128> = truth.iter().chain(predicted).copied().collect();
    let places: BTreeMap<i128, u128> = sorted.into_iter().zip(0..).collect();
    let rows = truth.len() as u128;
    let (mut observed, mut squares, mut truth_sum, mut predicted_sum) = (0, 0, 0, 0);
    for (truth, predicted) in truth.iter().zip(predicted) {
        let (i, j) = (places[truth], places[predicted]);
        observed += i.abs_diff(j).pow(2);
        squares += i * i + j * j;
        truth_sum += i;
        predicted_sum += j;
    }
    let expected = rows * squares - 2 * truth_sum * predicted_sum;
    (expected > 0).then(|| 1.0 - (observed * rows) as f64 / expected as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(words: &[&str]) -> Vec<Label> {
        words.iter().map(|word| Label::read(word)).collect()
    }

    #[test]
    fn accuracy_counts_rows() {
        assert_eq!(accuracy(&labels(&["a", "1", "b"]), &labels(&["a", "1.0", "c"])), 2.0 / 3.0);
    }

    #[test]
    fn a_label_that_only_one_side_has_counts_as_zero() {
        assert_eq!(macro_f1(&labels(&["a", "a", "b"]), &labels(&["a", "a", "c"])), 1.0 / 3.0);
    }

    #[test]
    fn kappa_ranges_from_opposite_to_equal() {
        assert_eq!(quadratic_weighted_kappa(&[1, 2, 3], &[1, 2, 3]), Some(1.0));
        assert_eq!(quadratic_weighted_kappa(&[1, 3], &[3, 1]), Some(-1.0));
        assert_eq!(quadratic_weighted_kappa(&[1, 2, 3], &[2, 2, 2]), Some(0.0));
        assert_eq!(quadratic_weighted_kappa(&[4, 4], &[4, 4]), None);
        assert_eq!(quadratic_weighted_kappa(&[4, 4], &[5, 5]), Some(0.0));
    }

    #[test]
    fn kappa_takes_places_not_values() {
        assert_eq!(
            quadratic_weighted_kappa(&[0, 1, 2, 0], &[0, 1, 1, 2]),
            quadratic_weighted_kappa(
                &[-5, i128::MAX - 1, i128::MAX, -5],
                &[-5, i128::MAX - 1, i128::MAX - 1, i128::MAX]
            )
        );
    }
}
