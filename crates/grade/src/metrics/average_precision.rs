//! Average precision: the area under the steps of precision over recall.

/// The sum over distinct scores, from high to low, of precision times the recall gained: from 0 to 1, to maximize. Rows of
/// one score are taken together; without a positive row it is 0.
///
/// Source: `average_precision_score` of scikit-learn. No score may be NaN.
#[must_use]
pub fn average_precision(mut rows: Vec<(f64, bool)>) -> f64 {
    rows.sort_unstable_by(|left, right| right.0.total_cmp(&left.0));
    let positives = rows.iter().filter(|row| row.1).count() as f64;
    let (mut seen, mut found, mut sum) = (0.0, 0.0, 0.0);
    for tied in rows.chunk_by(|left, right| left.0 == right.0) {
        let gained = tied.iter().filter(|row| row.1).count() as f64;
        seen += tied.len() as f64;
        found += gained;
        sum += gained * found / seen;
    }
    if positives == 0.0 { 0.0 } else { sum / positives }
}

#[cfg(test)]
mod tests {
    use super::average_precision;

    #[test]
    fn known_values() {
        let rows = vec![(0.1, false), (0.4, false), (0.35, true), (0.8, true)];
        assert!((average_precision(rows) - 5.0 / 6.0).abs() < 1e-15);
        assert_eq!(average_precision(vec![(0.5, true), (0.5, false)]), 0.5);
        assert_eq!(average_precision(vec![(0.5, false)]), 0.0);
    }
}
