//! Masks of images, written as runs of pixels, and how they overlap.

use crate::python;

/// A mask: runs of pixels, sorted and apart from each other. Pixels are numbered in the order in which the runs go, down first
/// in all competitions but one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Runs {
    /// The first pixel, from 0, and the one after the last.
    runs: Vec<(usize, usize)>,
}

/// Why a text is no mask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RunsError {
    /// A token is not a whole number.
    #[error("pairs of whole numbers, start and length")]
    NotWhole,
    /// The number of tokens is odd.
    #[error("pairs of start and length: a length is missing")]
    Unpaired,
    /// Starts are not in order.
    #[error("runs with ascending starts")]
    NotSorted,
    /// A start or a length is below 1.
    #[error("starts and lengths of 1 or more")]
    NotPositive,
    /// Two runs share a pixel.
    #[error("runs that do not overlap")]
    Overlap,
    /// They need different types, and numpy adds floats.
    #[error("starts and lengths below 2^63")]
    Mixed,
}

impl Runs {
    /// The mask that `text` spells as pairs of start (from 1) and length, in an image of `pixels`; what lies beyond is cut off.
    /// A text without tokens is an empty mask.
    ///
    /// Three oddities are those of the public graders: a single number is an empty mask, of three numbers the one length is that
    /// of both starts, and numbers that 64 bits do not hold are added as numpy adds them.
    ///
    /// # Errors
    /// Says what the text would have to be.
    pub fn parse(text: &str, pixels: usize) -> Result<Self, RunsError> {
        let numbers: Option<Vec<i128>> = python::words(text).map(python::clamped_whole).collect();
        let numbers = numbers.ok_or(RunsError::NotWhole)?;
        let starts: Vec<i128> = numbers.iter().copied().step_by(2).collect();
        let mut lengths: Vec<i128> = numbers.iter().copied().skip(1).step_by(2).collect();
        if !starts.is_sorted() {
            return Err(RunsError::NotSorted);
        }
        if starts.iter().chain(&lengths).any(|&number| number <= 0) {
            return Err(RunsError::NotPositive);
        }
        match (starts.len(), lengths.len()) {
            (1, 0) => return Ok(Runs::default()),
            (2, 1) => lengths.push(lengths[0]),
            (starts, lengths) if starts != lengths => return Err(RunsError::Unpaired),
            _ => {}
        }
        let last = last_pixel(&starts, &lengths).ok_or(RunsError::Mixed)?;
        let inside = |pixel: i128| usize::try_from(pixel).unwrap_or(usize::MAX).min(pixels);
        let mut runs: Vec<(usize, usize)> = Vec::with_capacity(starts.len());
        for (start, length) in starts.into_iter().zip(lengths) {
            let end = (start - 1).saturating_add(length);
            let (first, end) = (inside(start - 1), if end > last { 0 } else { inside(end) });
            if first >= end {
                continue;
            }
            if runs.last().is_some_and(|last| first < last.1) {
                return Err(RunsError::Overlap);
            }
            runs.push((first, end));
        }
        Ok(Runs { runs })
    }

    /// The number of pixels in the mask.
    #[must_use]
    pub fn pixels(&self) -> usize {
        self.runs.iter().map(|run| run.1 - run.0).sum()
    }

    /// Every pixel in the mask, ascending.
    pub fn each(&self) -> impl Iterator<Item = usize> + '_ {
        self.runs.iter().flat_map(|run| run.0..run.1)
    }

    /// How this true mask and a predicted one overlap.
    #[must_use]
    pub fn overlap(&self, predicted: &Runs) -> Overlap {
        let (mut i, mut j, mut both) = (0, 0, 0);
        while let (Some(left), Some(right)) = (self.runs.get(i), predicted.runs.get(j)) {
            both += left.1.min(right.1).saturating_sub(left.0.max(right.0));
            if left.1 <= right.1 {
                i += 1;
            } else {
                j += 1;
            }
        }
        Overlap { both: both as u64, truth: self.pixels() as u64, predicted: predicted.pixels() as u64 }
    }
}

/// The last pixel up to which numpy adds such starts and lengths, all above 0; beyond it sums wrap around, and their runs are
/// empty. None where it adds floats, which are no places.
fn last_pixel(starts: &[i128], lengths: &[i128]) -> Option<i128> {
    match (largest(starts)?, largest(lengths)?) {
        (i128::MAX, _) | (_, i128::MAX) => Some(i128::MAX),
        (starts, lengths) => (starts == lengths).then_some(starts),
    }
}

/// The largest number of the type that numpy takes for an array of such numbers, all above 0; none for floats.
fn largest(numbers: &[i128]) -> Option<i128> {
    const SIGNED: i128 = i64::MAX as i128;
    const UNSIGNED: i128 = u64::MAX as i128;
    let beyond = |limit: i128| numbers.iter().filter(|number| **number > limit).count();
    match (beyond(SIGNED), beyond(UNSIGNED)) {
        (0, _) => Some(SIGNED),
        (_, 1..) => Some(i128::MAX),
        (all, 0) => (all == numbers.len()).then_some(UNSIGNED),
    }
}

/// Pixels of a true and a predicted mask.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Overlap {
    /// Pixels in both.
    pub both: u64,
    /// Pixels in the true mask.
    pub truth: u64,
    /// Pixels in the predicted mask.
    pub predicted: u64,
}

impl Overlap {
    /// The pixels of two pairs of masks together.
    #[must_use]
    pub const fn and(self, other: Overlap) -> Self {
        Overlap {
            both: self.both + other.both,
            truth: self.truth + other.truth,
            predicted: self.predicted + other.predicted,
        }
    }
}

/// The Dice coefficient `2 |A ∩ B| / (|A| + |B|)`: from 0 to 1, to maximize; none when both masks are empty.
#[must_use]
pub fn dice(overlap: Overlap) -> Option<f64> {
    let all = overlap.truth + overlap.predicted;
    (all > 0).then(|| 2.0 * overlap.both as f64 / all as f64)
}

/// F with precision counting twice recall, `1.25 TP / (1.25 TP + 0.25 FN + FP)`: from 0 to 1, to maximize; 0 when both masks
/// are empty.
#[must_use]
pub fn f_half(overlap: Overlap) -> f64 {
    let right = overlap.both as f64;
    let all = 0.25 * overlap.truth as f64 + overlap.predicted as f64;
    if all == 0.0 { 0.0 } else { 1.25 * right / all }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn runs(text: &str) -> Result<Vec<usize>, RunsError> {
        Runs::parse(text, 20).map(|runs| runs.each().collect())
    }

    #[test]
    fn what_is_a_mask() {
        assert_eq!(runs("1 2 5 1"), Ok(vec![0, 1, 4]));
        assert_eq!(runs("19 5 30 2"), Ok(vec![18, 19]));
        assert_eq!(runs(" \u{1c}"), Ok(vec![]));
        assert_eq!(runs("3"), Ok(vec![]));
        assert_eq!(runs("3 2 7"), Ok(vec![2, 3, 6, 7]));
        assert_eq!(runs("3 2 7 1 9"), Err(RunsError::Unpaired));
        assert_eq!(runs("1 x"), Err(RunsError::NotWhole));
        assert_eq!(runs("5 1 1 1"), Err(RunsError::NotSorted));
        assert_eq!(runs("0 1"), Err(RunsError::NotPositive));
        assert_eq!(runs("1 3 3 1"), Err(RunsError::Overlap));
    }

    /// Source: `rle_decode` of MLE-bench with numpy 2.1.3.
    #[test]
    fn numbers_beyond_64_bits() {
        let (signed, unsigned, more) =
            ("9223372036854775807", "9223372036854775808", "99999999999999999999999999999999999999999");
        let all = |first| Ok((first..20).collect::<Vec<usize>>());
        for text in [more, unsigned, &"9".repeat(4300)] {
            assert_eq!(runs(text), Ok(vec![]));
        }
        assert_eq!(runs(&"9".repeat(4301)), Err(RunsError::NotWhole));
        assert_eq!(runs(&format!("3 {signed}")), Ok(vec![]));
        assert_eq!(runs("4 9223372036854775804"), all(3));
        assert_eq!(runs(&format!("2 3 {signed}")), Ok(vec![1, 2, 3]));
        assert_eq!(runs(&format!("3 {more}")), all(2));
        assert_eq!(runs(&format!("2 1 {more} 4")), Ok(vec![1]));
        assert_eq!(runs(&format!("{unsigned} {unsigned}")), Ok(vec![]));
        assert_eq!(runs(&format!("2 {more} 5 3")), Err(RunsError::Overlap));
        assert_eq!(runs(&format!("-{more} 2")), Err(RunsError::NotPositive));
        for [start, length, second] in
            [["3", unsigned, ""], ["2", "1", unsigned], ["2", unsigned, unsigned], ["2", more, unsigned]]
        {
            let rest = if second.is_empty() { String::new() } else { format!(" {second} 4") };
            assert_eq!(runs(&format!("{start} {length}{rest}")), Err(RunsError::Mixed), "{start} {length}{rest}");
        }
    }

    #[test]
    fn empty_masks() {
        assert_eq!(dice(Overlap::default()), None);
        assert_eq!(f_half(Overlap::default()), 0.0);
    }

    proptest! {
        /// Runs overlap as the sets of their pixels do.
        #[test]
        fn overlap_is_that_of_sets(
            left in prop::collection::btree_set(1..40_usize, 0..20),
            right in prop::collection::btree_set(1..40_usize, 0..20),
        ) {
            let text = |pixels: &std::collections::BTreeSet<usize>| {
                pixels.iter().map(|pixel| format!("{pixel} 1 ")).collect::<String>()
            };
            let mask = |pixels| Runs::parse(&text(pixels), 50).unwrap();
            let overlap = mask(&left).overlap(&mask(&right));
            prop_assert_eq!(overlap.both, left.intersection(&right).count() as u64);
            prop_assert_eq!((overlap.truth, overlap.predicted), (left.len() as u64, right.len() as u64));
        }
    }
}
