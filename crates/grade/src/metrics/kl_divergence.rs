//! The divergence of predicted from true class shares.

/// How far a share keeps from 0 and 1, where it is clipped at all.
const CLIP: f64 = 1e-15;

/// The mean over rows of `sum y ln(y / p)`, in nats: from 0, to minimize; infinite where a share is 0 that is not clipped.
///
/// `truth` and `predicted` have one column a class; the truth are counts, divided here by the sum of their row. What is NaN
/// counts nothing. `clipped`
/// says of each predicted column whether it is clipped to `[1e-15, 1 - 1e-15]`: the grader leaves a column of whole numbers as
/// it is.
///
/// Source: the Kullback-Leibler divergence of Kaggle's HMS competition.
#[must_use]
pub fn kl_divergence(truth: &[Vec<f64>], predicted: &[Vec<f64>], clipped: &[bool]) -> f64 {
    let rows = truth.first().map_or(0, Vec::len);
    let row_sum = |row: usize| {
        let votes: f64 = truth.iter().map(|column| column[row]).filter(|votes| !votes.is_nan()).sum();
        let term = |class: usize| {
            let (share, p) = (truth[class][row] / votes, predicted[class][row]);
            let p = if clipped[class] { p.clamp(CLIP, 1.0 - CLIP) } else { p };
            let divergence = if share == 0.0 { 0.0 } else { share * (share / p).ln() };
            if divergence.is_nan() { 0.0 } else { divergence }
        };
        (0..truth.len()).map(term).sum::<f64>()
    };
    (0..rows).map(row_sum).sum::<f64>() / rows as f64
}

#[cfg(test)]
mod tests {
    use super::kl_divergence;

    #[test]
    fn equal_shares_do_not_diverge() {
        let votes = [vec![3.0], vec![1.0]];
        assert_eq!(kl_divergence(&votes, &[vec![0.75], vec![0.25]], &[true, true]), 0.0);
        assert!(kl_divergence(&votes, &[vec![0.0], vec![1.0]], &[false, false]).is_infinite());
        assert!(kl_divergence(&votes, &[vec![0.0], vec![1.0]], &[true, true]).is_finite());
    }
}
