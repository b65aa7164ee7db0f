//! How well scores rank the labels of a row that are true.

/// Label-weighted label-ranking average precision: from 0 to 1, to maximize; none when no row has a true label.
///
/// For each true label of a row: the number of true labels with a score at least as high, divided by the number of labels with
/// a score at least as high. The mean is over all true labels of all rows. `truth` and `scores` have one column a label.
///
/// Source: lwlrap of Kaggle's Freesound Audio Tagging 2019, by scikit-learn's `label_ranking_average_precision_score`.
#[must_use]
pub fn label_ranking(truth: &[Vec<bool>], scores: &[Vec<f64>]) -> Option<f64> {
    let rows = truth.first().map_or(0, Vec::len);
    let (mut sum, mut labels) = (0.0, 0_usize);
    for row in 0..rows {
        for (own, column) in truth.iter().enumerate() {
            if !column[row] {
                continue;
            }
            let above = |other: &usize| scores[*other][row] >= scores[own][row];
            let rank = (0..truth.len()).filter(above).count();
            let right = (0..truth.len()).filter(above).filter(|&other| truth[other][row]).count();
            sum += right as f64 / rank as f64;
            labels += 1;
        }
    }
    (labels > 0).then(|| sum / labels as f64)
}

#[cfg(test)]
mod tests {
    use super::label_ranking;

    #[test]
    fn ties_count_in_full() {
        let truth = [vec![true], vec![false]];
        assert_eq!(label_ranking(&truth, &[vec![0.9], vec![0.1]]), Some(1.0));
        assert_eq!(label_ranking(&truth, &[vec![0.5], vec![0.5]]), Some(0.5));
        assert_eq!(label_ranking(&[vec![false]], &[vec![0.5]]), None);
    }
}
