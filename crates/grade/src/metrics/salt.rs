//! Masks that have to overlap by more and more.

use super::Overlap;

/// The share of the thresholds 0.50, 0.55, …, 0.95 that the intersection over union of two masks in an image of `pixels`
/// exceeds: from 0 to 1, to maximize. Without a true pixel it is 1 for an empty prediction and 0 for any other.
///
/// Two oddities are those of the public grader: the thresholds are sums of binary fractions, so that an overlap of exactly 0.8
/// exceeds six of them, and a mask of a single value is taken for a full one, so that an empty prediction against a mask that is
/// not counts as a prediction of every pixel.
///
/// Source: the metric of Kaggle's TGS salt competition.
#[must_use]
pub fn precision_over_thresholds(overlap: Overlap, pixels: u64) -> f64 {
    /// As many thresholds as there are.
    const THRESHOLDS: u32 = 10;
    if overlap.truth == 0 {
        return if overlap.predicted == 0 { 1.0 } else { 0.0 };
    }
    let predicted_all = overlap.predicted == 0 || overlap.predicted == pixels;
    let union = match predicted_all {
        true => pixels,
        false => overlap.truth + overlap.predicted - overlap.both,
    };
    let both = if predicted_all { overlap.truth } else { overlap.both };
    let share = both as f64 / union as f64;
    let step = 0.55 - 0.5;
    let exceeded = (0..THRESHOLDS).filter(|&place| share > 0.5 + f64::from(place) * step).count();
    exceeded as f64 / f64::from(THRESHOLDS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_and_constant_masks() {
        let score = |both, truth, predicted| precision_over_thresholds(Overlap { both, truth, predicted }, 100);
        assert_eq!(score(0, 0, 0), 1.0);
        assert_eq!(score(0, 0, 1), 0.0);
        assert_eq!(score(10, 10, 10), 1.0);
        assert_eq!(score(8, 10, 8), 0.6);
        assert_eq!(score(0, 80, 0), 0.6);
        assert_eq!(score(0, 40, 0), 0.0);
        assert_eq!(score(80, 80, 100), 0.6);
    }
}
