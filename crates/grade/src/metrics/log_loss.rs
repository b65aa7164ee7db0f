//! Logarithmic losses.

use rayon::prelude::*;

/// How many rows a thread adds up; their sums are added in order, so that a score does not depend on the number of threads.
const PIECE: usize = 1 << 15;

/// How far probabilities keep from 0 and 1: the spacing of double precision at 1, as in scikit-learn 1.5.
const CLIP: f64 = f64::EPSILON;

/// How far they keep from 0 and 1 in the weighted loss of many targets.
const WEIGHTED_CLIP: f64 = 1e-15;

/// The mean of `-ln p` of the true class, with `p` clipped to `[2^-52, 1 - 2^-52]` and not renormalised, in nats: from 0, to
/// minimize. `columns` has one column of probabilities a class.
#[must_use]
pub fn multiclass_log_loss(classes: &[usize], columns: &[impl AsRef<[f64]> + Sync]) -> f64 {
    let loss = |(row, &class): (usize, &usize)| -columns[class].as_ref()[row].clamp(CLIP, 1.0 - CLIP).ln();
    let piece = |(number, classes): (usize, &[usize])| (number * PIECE..).zip(classes).map(loss).sum::<f64>();
    let sums: Vec<f64> = classes.par_chunks(PIECE).enumerate().map(piece).collect();
    sums.iter().sum::<f64>() / classes.len() as f64
}

/// The mean over rows of `-sum y ln p`, clipped likewise, in nats, to minimize: the same where `y` are weights of the classes.
#[must_use]
pub fn cross_entropy(truth: &[impl AsRef<[f64]>], columns: &[impl AsRef<[f64]>]) -> f64 {
    let rows = truth.first().map_or(0, |column| column.as_ref().len());
    let term = |y: f64, p: f64| if y == 0.0 { 0.0 } else { -y * p.clamp(CLIP, 1.0 - CLIP).ln() };
    let cells = truth.iter().zip(columns).flat_map(|(truth, column)| truth.as_ref().iter().zip(column.as_ref()));
    cells.map(|(&y, &p)| term(y, p)).sum::<f64>() / rows as f64
}

/// The mean of `-(y ln p + (1 - y) ln(1 - p))`, clipped likewise, in nats: from 0, to minimize.
#[must_use]
pub fn binary_log_loss(positive: &[bool], predicted: &[f64]) -> f64 {
    let loss = |(&positive, &p): (&bool, &f64)| {
        let p = p.clamp(CLIP, 1.0 - CLIP);
        if positive { -p.ln() } else { -(1.0 - p).ln() }
    };
    let pieces = positive.par_chunks(PIECE).zip(predicted.par_chunks(PIECE));
    let sums: Vec<f64> = pieces.map(|(positive, predicted)| positive.iter().zip(predicted).map(loss).sum()).collect();
    sums.iter().sum::<f64>() / positive.len() as f64
}

/// One unit's binary losses of several targets, weighted: `sum w loss / sum w`, in nats, from 0, to minimize.
///
/// Each row is the truth, the prediction (clipped to `[1e-15, 1 - 1e-15]`) and the weight of the target when it is absent,
/// which doubles when it is present. Source: the metric of Kaggle's RSNA 2022 competition.
#[must_use]
pub fn weighted_log_loss(rows: impl Iterator<Item = (bool, f64, f64)>) -> f64 {
    let (mut losses, mut weights) = (0.0, 0.0);
    for (present, p, weight) in rows {
        let p = p.clamp(WEIGHTED_CLIP, 1.0 - WEIGHTED_CLIP);
        let (loss, weight) = if present { (-p.ln(), 2.0 * weight) } else { (-(1.0 - p).ln(), weight) };
        losses += loss * weight;
        weights += weight;
    }
    losses / weights
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certainty_is_clipped() {
        let certain = vec![vec![1.0], vec![0.0]];
        assert!((multiclass_log_loss(&[1], &certain) - 36.043_653_389_117_15).abs() < 1e-12);
        let right = multiclass_log_loss(&[0], &certain);
        assert!(right > 0.0 && right < 3e-16);
        let weighted = cross_entropy(&[[2.0, 0.0], [0.0, 0.0]], &[[0.5, 0.0], [0.5, 1.0]]);
        assert_eq!(weighted, std::f64::consts::LN_2);
        assert!((binary_log_loss(&[true], &[0.0]) - 36.043_653_389_117_15).abs() < 1e-12);
        assert_eq!(binary_log_loss(&[true, false], &[0.5, 0.5]), std::f64::consts::LN_2);
    }

    #[test]
    fn pieces_add_up() {
        let rows = 3 * PIECE + 5;
        let (positive, predicted): (Vec<bool>, Vec<f64>) =
            (0..rows).map(|row| (row % 3 == 0, (row % 97) as f64 / 97.0)).unzip();
        let losses = positive.iter().zip(&predicted).map(|(&positive, &p)| {
            let p = if positive { p } else { 1.0 - p };
            -p.clamp(CLIP, 1.0 - CLIP).ln()
        });
        let mean = losses.sum::<f64>() / rows as f64;
        assert!((binary_log_loss(&positive, &predicted) - mean).abs() < 1e-12);
        let classes: Vec<usize> = positive.iter().map(|&positive| usize::from(positive)).collect();
        let other: Vec<f64> = predicted.iter().map(|p| 1.0 - p).collect();
        assert!((multiclass_log_loss(&classes, &[other, predicted]) - mean).abs() < 1e-12);
    }

    #[test]
    fn weights_double_where_the_target_is_present() {
        let loss = weighted_log_loss([(true, 0.25, 7.0), (false, 0.25, 1.0)].into_iter());
        assert!((loss - (14.0 * -(0.25_f64.ln()) - 0.75_f64.ln()) / 15.0).abs() < 1e-15);
    }
}
