//! The share of right labels.

/// The share of rows with `p = y`: from 0 to 1, to maximize; NaN without rows. Its complement is the top-1 error.
#[must_use]
pub fn accuracy<T: PartialEq>(truth: &[T], predicted: &[T]) -> f64 {
    let right = truth.iter().zip(predicted).filter(|(truth, predicted)| truth == predicted).count();
    right as f64 / truth.len() as f64
}

#[cfg(test)]
mod tests {
    use super::accuracy;

    #[test]
    fn rows_are_counted() {
        assert_eq!(accuracy(&["a", "1", "b"], &["a", "1", "c"]), 2.0 / 3.0);
        assert!(accuracy::<u8>(&[], &[]).is_nan());
    }
}
