//! The area under the ROC curve.

/// The share of pairs of a positive and a negative row in which the positive row has the higher `p`, a tie counting one half:
/// from 0 to 1, to maximize. Both classes have to occur, and no prediction may be NaN; else the result is NaN.
#[must_use]
pub fn roc_auc(positive: &[bool], predicted: &[f64]) -> f64 {
    if predicted.iter().any(|p| p.is_nan()) {
        return f64::NAN;
    }
    let side = |wanted: bool| {
        let own = positive.iter().zip(predicted).filter(|row| *row.0 == wanted);
        let mut keys: Vec<u64> = own.map(|row| key(*row.1)).collect();
        keys.sort_unstable();
        keys
    };
    let (positives, negatives) = rayon::join(|| side(true), || side(false));
    // Twice the number of pairs that are in the right order, a tied pair counting one half.
    let mut twice_ordered = 0_u128;
    let (mut below, mut up_to) = (0, 0);
    for &key in &positives {
        while negatives.get(below).is_some_and(|&other| other < key) {
            below += 1;
        }
        up_to = up_to.max(below);
        while negatives.get(up_to).is_some_and(|&other| other == key) {
            up_to += 1;
        }
        twice_ordered += (below + up_to) as u128;
    }
    twice_ordered as f64 / (2 * positives.len() as u128 * negatives.len() as u128) as f64
}

/// A number's place in the order of all numbers; 0 and -0 have one place.
fn key(number: f64) -> u64 {
    let bits = (number + 0.0).to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
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
        assert!(roc_auc(&[true, false], &[0.1, f64::NAN]).is_nan());
        assert_eq!(roc_auc(&[false, true, false], &[f64::NEG_INFINITY, -1e-300, f64::INFINITY]), 0.5);
    }
}
