//! Matthews' correlation coefficient.

use std::collections::HashMap;
use std::hash::Hash;

/// Matthews' correlation of labels, for two classes `(TP TN - FP FN) / sqrt(…)`: from -1 to 1, to maximize; 0 where the
/// denominator is 0. With more classes it is Gorodkin's generalisation, as in scikit-learn.
#[must_use]
pub fn matthews_correlation<T: Eq + Hash>(truth: &[T], predicted: &[T]) -> f64 {
    let mut counts: HashMap<&T, (u64, u64)> = HashMap::new();
    for (truth, predicted) in truth.iter().zip(predicted) {
        counts.entry(truth).or_default().0 += 1;
        counts.entry(predicted).or_default().1 += 1;
    }
    let right = truth.iter().zip(predicted).filter(|(truth, predicted)| truth == predicted).count() as f64;
    let rows = truth.len() as f64;
    let sum = |of: fn(&(u64, u64)) -> u64| counts.values().map(of).sum::<u64>() as f64;
    let chance = sum(|(truth, predicted)| truth * predicted);
    let spread = (rows * rows - sum(|(truth, _)| truth * truth)) * (rows * rows - sum(|(_, p)| p * p));
    if spread == 0.0 { 0.0 } else { (right * rows - chance) / spread.sqrt() }
}

#[cfg(test)]
mod tests {
    use super::matthews_correlation;

    #[test]
    fn from_opposite_to_equal() {
        assert_eq!(matthews_correlation(&[0, 1, 1], &[0, 1, 1]), 1.0);
        assert_eq!(matthews_correlation(&[0, 1], &[1, 0]), -1.0);
        assert_eq!(matthews_correlation(&[0, 1], &[0, 0]), 0.0);
        assert!((matthews_correlation(&[1, 0, 0, 1, 1], &[1, 0, 1, 0, 1]) - 1.0 / 6.0).abs() < 1e-15);
    }
}
