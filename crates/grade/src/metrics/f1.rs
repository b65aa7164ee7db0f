//! F1 over classes: as a plain mean of the classes, and pooled over tokens.

use std::collections::HashMap;
use std::hash::Hash;

/// The plain mean of the F1 of every label that occurs on either side, `2 TP / (2 TP + FP + FN)`: from 0 to 1, to maximize.
#[must_use]
pub fn macro_f1<T: Eq + Hash>(truth: &[T], predicted: &[T]) -> f64 {
    let mut places: HashMap<&T, usize> = HashMap::new();
    let mut counts: Vec<Counts> = Vec::new();
    let mut place = |label| {
        *places.entry(label).or_insert_with(|| {
            counts.push(Counts::default());
            counts.len() - 1
        })
    };
    let rows: Vec<(usize, usize)> = truth.iter().zip(predicted).map(|(y, p)| (place(y), place(p))).collect();
    mean_f1(&mut counts, rows.into_iter())
}

/// The same of labels that are whole numbers, which needs no table where they lie close together.
#[must_use]
pub fn macro_f1_of_numbers(truth: &[i128], predicted: &[i128]) -> f64 {
    let labels = || truth.iter().chain(predicted).copied();
    let (Some(least), Some(most)) = (labels().min(), labels().max()) else { return f64::NAN };
    let span = most.saturating_sub(least);
    if span > truth.len() as i128 {
        return macro_f1(truth, predicted);
    }
    let place = |label: &i128| (label - least) as usize;
    let mut counts: Vec<Counts> = (0..=span).map(|_| Counts::default()).collect();
    mean_f1(&mut counts, truth.iter().map(place).zip(predicted.iter().map(place)))
}

/// Rows in which a label is right, and rows in which it occurs on each side.
#[derive(Default)]
struct Counts {
    right: u64,
    occurrences: u64,
}

/// The mean over the labels that occur, from the places of each row's true and predicted label. Labels are in a fixed order:
/// sums of the same numbers in one order are the same for every machine.
fn mean_f1(counts: &mut [Counts], rows: impl Iterator<Item = (usize, usize)>) -> f64 {
    for (truth, predicted) in rows {
        counts[truth].occurrences += 1;
        counts[predicted].occurrences += 1;
        counts[truth].right += u64::from(truth == predicted);
    }
    let occurring = || counts.iter().filter(|counts| counts.occurrences > 0);
    let sum: f64 = occurring().map(|counts| 2.0 * counts.right as f64 / counts.occurrences as f64).sum();
    sum / occurring().count() as f64
}

/// Tokens that are right, predicted and true, pooled over rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TokenCounts {
    /// True tokens that were predicted.
    pub right: u64,
    /// Predicted tokens, each once a row, that some true row has.
    pub predicted: u64,
    /// True tokens, each once a row.
    pub truth: u64,
}

/// `2 TP / (2 TP + FP + FN)` over all tokens: from 0 to 1, to maximize; 0 where there are no tokens at all.
///
/// A predicted token that occurs nowhere in the truth has to be left out of the counts, as scikit-learn's
/// `MultiLabelBinarizer` does in the graders.
#[must_use]
pub fn micro_f1(counts: TokenCounts) -> f64 {
    match counts.predicted + counts.truth {
        0 => 0.0,
        all => 2.0 * counts.right as f64 / all as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_that_only_one_side_has_counts_as_zero() {
        assert_eq!(macro_f1(&["a", "a", "b"], &["a", "a", "c"]), 1.0 / 3.0);
    }

    #[test]
    fn numbers_close_together_or_far_apart() {
        for far in [1, i128::MAX / 2] {
            assert_eq!(macro_f1_of_numbers(&[-far, -far, 0], &[-far, -far, far]), 1.0 / 3.0);
        }
        assert!(macro_f1_of_numbers(&[], &[]).is_nan());
    }

    #[test]
    fn tokens_are_pooled() {
        assert_eq!(micro_f1(TokenCounts { right: 2, predicted: 3, truth: 4 }), 4.0 / 7.0);
        assert_eq!(micro_f1(TokenCounts::default()), 0.0);
    }
}
