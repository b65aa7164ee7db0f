//! Cohen's kappa with squared weights.

/// Cohen's kappa with squared weights: from -1 to 1, to maximize; none when both sides hold one and the same label.
///
/// The distance of two labels is that of their places in the sorted list of labels that occur on either side. The sums over
/// the table of all pairs of labels are taken apart, so that the time does not depend on the number of distinct labels that a
/// submission brings: `sum (i - j)^2 r_i c_j = n sum i^2 r_i + n sum j^2 c_j - 2 sum i r_i sum j c_j`.
#[must_use]
pub fn quadratic_weighted_kappa<T: Ord + Copy>(truth: &[T], predicted: &[T]) -> Option<f64> {
    let mut labels = distinct(truth);
    labels.extend(distinct(predicted));
    labels.sort_unstable();
    labels.dedup();
    let place = |label: &T| labels.binary_search(label).map_or(0, |place| place as u128);
    let rows = truth.len() as u128;
    let (mut observed, mut squares, mut truth_sum, mut predicted_sum) = (0, 0, 0, 0);
    for (truth, predicted) in truth.iter().zip(predicted) {
        let (i, j) = (place(truth), place(predicted));
        observed += i.abs_diff(j).pow(2);
        squares += i * i + j * j;
        truth_sum += i;
        predicted_sum += j;
    }
    let expected = rows * squares - 2 * truth_sum * predicted_sum;
    (expected > 0).then(|| 1.0 - (observed * rows) as f64 / expected as f64)
}

/// The distinct values, sorted; quick when they are few, as labels are.
fn distinct<T: Ord + Copy>(values: &[T]) -> Vec<T> {
    /// From this many distinct values on, sorting everything is quicker than looking each one up.
    const FEW: usize = 64;
    let mut found: Vec<T> = Vec::new();
    for &value in values {
        if let Err(place) = found.binary_search(&value) {
            if found.len() == FEW {
                let mut all = values.to_vec();
                all.sort_unstable();
                all.dedup();
                return all;
            }
            found.insert(place, value);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let few = quadratic_weighted_kappa(&[0, 1, 2, 0], &[0, 1, 1, 2]);
        let far = quadratic_weighted_kappa(
            &[-5, i128::MAX - 1, i128::MAX, -5],
            &[-5, i128::MAX - 1, i128::MAX - 1, i128::MAX],
        );
        assert_eq!(few, far);
    }

    #[test]
    fn distinct_values_few_or_many() {
        let many: Vec<u32> = (0..200).map(|value| value % 100).collect();
        assert_eq!(distinct(&many), (0..100).collect::<Vec<_>>());
        assert_eq!(distinct(&[3, 1, 3]), [1, 3]);
    }
}
