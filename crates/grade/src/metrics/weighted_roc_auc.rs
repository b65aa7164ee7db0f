//! The area under the ROC curve where its lower part counts more.

/// The share of true positives below which the area counts twice.
const LOW: f64 = 0.4;

/// The area under the ROC curve with weight 2 up to a true positive rate of 0.4 and 1 above, divided by the weights' total:
/// from 0 to 1, to maximize; NaN when one class is missing.
///
/// Source: the metric of Kaggle's ALASKA2 competition. No prediction may be NaN.
#[must_use]
pub fn weighted_roc_auc(positive: &[bool], predicted: &[f64]) -> f64 {
    if positive.iter().all(|&own| own == positive[0]) {
        return f64::NAN;
    }
    let curve = curve(positive, predicted);
    let areas = 2.0 * area(&curve, 0.0, LOW) + area(&curve, LOW, 1.0);
    areas / (2.0 * LOW + (1.0 - LOW))
}

/// The points of the ROC curve (false and true positive rate), with one at a true positive rate of 0.4.
fn curve(positive: &[bool], predicted: &[f64]) -> Vec<(f64, f64)> {
    let mut rows: Vec<(f64, bool)> = predicted.iter().copied().zip(positive.iter().copied()).collect();
    rows.sort_unstable_by(|left, right| right.0.total_cmp(&left.0));
    let positives = positive.iter().filter(|positive| **positive).count();
    let negatives = positive.len() - positives;
    let (mut right, mut wrong) = (0_usize, 0_usize);
    let mut points = vec![(0.0, 0.0)];
    for tied in rows.chunk_by(|left, right| left.0 == right.0) {
        let found = tied.iter().filter(|row| row.1).count();
        right += found;
        wrong += tied.len() - found;
        points.push((wrong as f64 / negatives as f64, right as f64 / positives as f64));
    }
    if let Some(above) = points.iter().position(|point| point.1 > LOW)
        && points.iter().all(|point| point.1 != LOW)
    {
        let ((x, y), (next_x, next_y)) = (points[above - 1], points[above]);
        points.insert(above, (x + (next_x - x) * (LOW - y) / (next_y - y), LOW));
    }
    points
}

/// The area between the heights `low` and `high`, by trapezoids, to the right end of the plot.
fn area(curve: &[(f64, f64)], low: f64, high: f64) -> f64 {
    let inside = curve.iter().copied().filter(|point| (low..=high).contains(&point.1));
    let points: Vec<(f64, f64)> = inside.chain([(1.0, high)]).collect();
    points.windows(2).map(|pair| (pair[1].0 - pair[0].0) * (f64::midpoint(pair[0].1, pair[1].1) - low)).sum()
}

#[cfg(test)]
mod tests {
    use super::weighted_roc_auc;

    #[test]
    fn perfect_worst_and_undefined() {
        assert!((weighted_roc_auc(&[true, false], &[0.9, 0.1]) - 1.0).abs() < 1e-15);
        assert!(weighted_roc_auc(&[true, false], &[0.1, 0.9]).abs() < 1e-15);
        assert!(weighted_roc_auc(&[true, true], &[0.1, 0.9]).is_nan());
    }

    #[test]
    fn the_lower_part_counts_more() {
        // Half of the positives first, or half of them last: the same plain area.
        let early = weighted_roc_auc(&[true, false, false, true], &[0.9, 0.8, 0.7, 0.1]);
        let middle = weighted_roc_auc(&[false, true, true, false], &[0.9, 0.8, 0.7, 0.1]);
        assert!(early > 0.5 && (middle - 0.5).abs() < 1e-12, "{early} {middle}");
    }
}
