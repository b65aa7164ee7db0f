//! Average precision of the first k of a list.

/// `sum over ranks i < k of (hits so far / (i + 1)) at each first hit`, divided by `min(|truth|, k)`: from 0 to 1, to
/// maximize. The names of `truth` have single blanks between them; an empty text is one name. The list is cut to `k` first, and a name that repeats counts once. MAP@k is the mean over rows.
///
/// Source: the public graders, after the `ml_metrics` package.
#[must_use]
pub fn average_precision_at_k<'t>(truth: &str, predicted: impl Iterator<Item = &'t str>, k: usize) -> f64 {
    let mut names: Vec<&str> = truth.split(' ').collect();
    names.sort_unstable();
    names.dedup();
    let mut hits: Vec<&str> = Vec::new();
    let mut sum = 0.0;
    for (rank, name) in predicted.take(k).enumerate() {
        if names.binary_search(&name).is_ok() && !hits.contains(&name) {
            hits.push(name);
            sum += hits.len() as f64 / (rank + 1) as f64;
        }
    }
    sum / names.len().min(k) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeats_and_what_is_beyond_k_do_not_count() {
        let one = |predicted: &str, k| average_precision_at_k("a", predicted.split(' '), k);
        assert_eq!(one("a", 5), 1.0);
        assert_eq!(one("b a a", 5), 0.5);
        assert_eq!(one("b c a", 2), 0.0);
        assert_eq!(average_precision_at_k("a b c b", ["a", "b"].into_iter(), 2), 1.0);
        assert_eq!(average_precision_at_k("", ["a", ""].into_iter(), 2), 0.5);
    }
}
