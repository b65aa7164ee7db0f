//! F1 of probabilities.

/// F1 with every probability counted as a share of a detection: from 0 to 1, to maximize; 0 where precision or recall is 0 or
/// cannot be told. Probabilities are clipped to `[0, 1]`.
///
/// None when no row is positive, or when every prediction is below 0: there the grader divides by zero.
///
/// Source: pF1 of Kaggle's RSNA breast cancer competition.
#[must_use]
pub fn probabilistic_f1(positive: &[bool], predicted: &[f64]) -> Option<f64> {
    let positives = positive.iter().filter(|positive| **positive).count();
    if positives == 0 || predicted.iter().all(|&p| p < 0.0) {
        return None;
    }
    let (mut right, mut wrong) = (0.0, 0.0);
    for (&positive, &p) in positive.iter().zip(predicted) {
        *(if positive { &mut right } else { &mut wrong }) += p.clamp(0.0, 1.0);
    }
    let (precision, recall) = (right / (right + wrong), right / positives as f64);
    let defined = precision > 0.0 && recall > 0.0;
    Some(if defined { 2.0 * precision * recall / (precision + recall) } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::probabilistic_f1;

    #[test]
    fn clipping_and_what_is_not_defined() {
        let score = |predicted: &[f64]| probabilistic_f1(&[true, false, true, false], predicted);
        assert!((score(&[0.9, -0.2, 1.5, 0.3]).unwrap() - 0.904_761_904_761_904_8).abs() < 1e-15);
        assert_eq!(score(&[0.0; 4]), Some(0.0));
        assert_eq!(score(&[f64::NAN, 0.0, 0.0, 0.0]), Some(0.0));
        assert_eq!(score(&[-1.0; 4]), None);
        assert_eq!(probabilistic_f1(&[false], &[0.5]), None);
    }
}
