//! How far an order of cells is from the true one.

use std::collections::HashMap;

/// Kendall's tau of several orders pooled: `1 - 4 S / sum n (n - 1)` with `S` the number of neighbours that have to be
/// swapped in all; from -1 to 1, to maximize.
///
/// Each pair is the true and the predicted order of the same names; of a name that repeats the first place counts. None when
/// a true name is missing from the prediction, with the pair's place; NaN when no order has two names.
///
/// Source: the metric of Kaggle's AI4Code competition.
///
/// # Errors
/// The place of the first pair whose prediction lacks a name.
pub fn kendall_tau_pooled<'t>(pairs: impl Iterator<Item = (Vec<&'t str>, Vec<&'t str>)>) -> Result<f64, usize> {
    let (mut swaps, mut most) = (0_u64, 0_u64);
    for (place, (truth, predicted)) in pairs.enumerate() {
        let mut places = HashMap::with_capacity(predicted.len());
        for (rank, name) in predicted.iter().enumerate() {
            places.entry(*name).or_insert(rank);
        }
        let ranks: Option<Vec<usize>> = truth.iter().map(|name| places.get(name).copied()).collect();
        swaps += inversions(&mut ranks.ok_or(place)?);
        let names = truth.len() as u64;
        most += names * names.saturating_sub(1);
    }
    Ok(if most == 0 { f64::NAN } else { 1.0 - 4.0 * swaps as f64 / most as f64 })
}

/// The number of pairs in the wrong order, counted while merging; sorts `ranks`.
fn inversions(ranks: &mut [usize]) -> u64 {
    if ranks.len() < 2 {
        return 0;
    }
    let middle = ranks.len() / 2;
    let mut count = inversions(&mut ranks[..middle]) + inversions(&mut ranks[middle..]);
    let (left, right) = (ranks[..middle].to_vec(), ranks[middle..].to_vec());
    let (mut i, mut j) = (0, 0);
    for slot in ranks.iter_mut() {
        if j == right.len() || (i < left.len() && left[i] <= right[j]) {
            *slot = left[i];
            i += 1;
        } else {
            *slot = right[j];
            j += 1;
            count += (left.len() - i) as u64;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tau(truth: &str, predicted: &str) -> Result<f64, usize> {
        kendall_tau_pooled([(truth.split(' ').collect(), predicted.split(' ').collect())].into_iter())
    }

    #[test]
    fn order_opposite_and_missing_names() {
        assert_eq!(tau("a b c d", "a b c d"), Ok(1.0));
        assert_eq!(tau("a b c d", "d c b a"), Ok(-1.0));
        assert_eq!(tau("a b", "a c"), Err(0));
        assert!(tau("a", "a").unwrap().is_nan());
    }

    #[test]
    fn inversions_are_those_of_the_definition() {
        let ranks = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5];
        let pairs = (0..ranks.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
        let expected = pairs.filter(|&(i, j)| ranks[i] > ranks[j]).count() as u64;
        assert_eq!(inversions(&mut ranks.to_vec()), expected);
    }
}
