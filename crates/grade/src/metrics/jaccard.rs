//! Word sets compared.

use std::collections::HashSet;

use crate::python::words;

/// `|A ∩ B| / |A ∪ B|` of the sets of lower-cased words: from 0 to 1, to maximize; none when both texts are without words.
#[must_use]
pub fn jaccard(truth: &str, predicted: &str) -> Option<f64> {
    let (truth, predicted) = (truth.to_lowercase(), predicted.to_lowercase());
    let truth: HashSet<&str> = words(&truth).collect();
    let predicted: HashSet<&str> = words(&predicted).collect();
    let both = truth.intersection(&predicted).count();
    let either = truth.len() + predicted.len() - both;
    (either > 0).then(|| both as f64 / either as f64)
}

#[cfg(test)]
mod tests {
    use super::jaccard;

    #[test]
    fn words_are_sets_without_case() {
        assert_eq!(jaccard("Good good day", "good"), Some(0.5));
        assert_eq!(jaccard("a", ""), Some(0.0));
        assert_eq!(jaccard(" ", ""), None);
    }
}
