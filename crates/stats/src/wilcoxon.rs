//! The Wilcoxon signed-rank test of paired samples.

use crate::normal::upper_tail;
use crate::rank::{PValueMethod, key};
use crate::sample::{FIRST, SECOND, SampleError, check_finite};

/// The largest number of differences for which every assignment of signs is counted (scipy's rule); 2^50 fits 64 bits.
const LARGEST_EXACT: usize = 50;

/// What becomes of pairs without a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Zeros {
    /// They are left out (Wilcoxon, Biometrics Bulletin 1, 1945).
    Drop,
    /// They take the lowest ranks, and their ranks count for neither side (Pratt, JASA 54, 1959).
    Pratt,
    /// They take the lowest ranks, and half of their ranks counts for each side.
    Split,
}

/// The result of a Wilcoxon signed-rank test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wilcoxon {
    /// The sum of the ranks of pairs whose first value is above.
    pub w_plus: f64,
    /// The sum of the ranks of pairs whose second value is above.
    pub w_minus: f64,
    /// The number of pairs that have a difference.
    pub differing: usize,
    /// The two-sided p-value of the hypothesis that the differences are symmetric around 0.
    pub p_value: f64,
    /// How the p-value was found.
    pub method: PValueMethod,
}

/// The two-sided Wilcoxon signed-rank test of two paired samples, in `O(n log n)` time.
///
/// Wilcoxon, Biometrics Bulletin 1, 1945. Equal sizes of differences share the mean of their ranks. Without such ties,
/// without ranked zeros and with at most 50 differences the p-value is exact, else it is that of the normal distribution,
/// without continuity correction and with the variance corrected for ties and zeros, as scipy's. Without any difference the
/// p-value is 1. Assumes that the pairs are independent of each other and that the size of a difference has a meaning.
///
/// # Errors
/// When the lengths differ, there is no pair, or a value is NaN or infinite.
pub fn wilcoxon_signed_rank(x: &[f64], y: &[f64], zeros: Zeros) -> Result<Wilcoxon, SampleError> {
    if x.len() != y.len() {
        return Err(SampleError::LengthMismatch { first: x.len(), second: y.len() });
    }
    check_finite(FIRST, x, 1)?;
    check_finite(SECOND, y, 1)?;
    let differences: Vec<f64> = x.iter().zip(y).map(|(x, y)| x - y).collect();
    let ranks = Ranks::of(&differences, zeros);
    let exact = !ranks.tied && ranks.ranked_zeros == 0 && ranks.differing <= LARGEST_EXACT;
    let (p_value, method) = if exact {
        (ranks.exact_p_value(), PValueMethod::Exact)
    } else {
        (ranks.normal_p_value(), PValueMethod::Normal)
    };
    Ok(Wilcoxon { w_plus: ranks.plus, w_minus: ranks.minus, differing: ranks.differing, p_value, method })
}

/// The ranks of the differences' sizes, summed by sign.
struct Ranks {
    plus: f64,
    minus: f64,
    differing: usize,
    /// Differences of 0 that have ranks.
    ranked_zeros: usize,
    /// Whether sizes above 0 are equal.
    tied: bool,
    /// The mean of the rank sum of one side under the hypothesis.
    mean: f64,
    /// Its variance under the hypothesis.
    variance: f64,
}

impl Ranks {
    fn of(differences: &[f64], zeros: Zeros) -> Self {
        let all_zeros = differences.iter().filter(|&&difference| difference == 0.0).count();
        let ranked_zeros = if zeros == Zeros::Drop { 0 } else { all_zeros };
        let mut sizes: Vec<(u64, bool)> = differences
            .iter()
            .filter(|&&difference| difference != 0.0)
            .map(|&difference| (key(difference.abs()), difference > 0.0))
            .collect();
        sizes.sort_unstable();
        let (mut plus, mut minus, mut tied, mut tie_sum) = (0.0, 0.0, false, 0.0);
        let mut before = ranked_zeros;
        for run in sizes.chunk_by(|left, right| left.0 == right.0) {
            let rank = before as f64 + (run.len() + 1) as f64 / 2.0;
            let positive = run.iter().filter(|item| item.1).count();
            plus += rank * positive as f64;
            minus += rank * (run.len() - positive) as f64;
            tied |= run.len() > 1;
            tie_sum += cube_less_itself(run.len());
            before += run.len();
        }
        let mut ranks =
            Ranks { plus, minus, differing: sizes.len(), ranked_zeros, tied, mean: quarter(before), variance: 0.0 };
        ranks.variance = (sixth(before) - tie_sum / 2.0) / 24.0;
        match zeros {
            Zeros::Drop => {}
            Zeros::Pratt => {
                ranks.mean -= quarter(ranked_zeros);
                ranks.variance -= sixth(ranked_zeros) / 24.0;
            }
            Zeros::Split => {
                ranks.plus += quarter(ranked_zeros);
                ranks.minus += quarter(ranked_zeros);
                ranks.variance -= cube_less_itself(ranked_zeros) / 48.0;
            }
        }
        ranks
    }

    fn normal_p_value(&self) -> f64 {
        if self.differing == 0 {
            return 1.0;
        }
        (2.0 * upper_tail((self.plus - self.mean).abs() / self.variance.sqrt())).min(1.0)
    }

    /// The share of sign assignments whose smaller rank sum is at most ours, doubled for the other tail.
    fn exact_p_value(&self) -> f64 {
        // Without ties and ranked zeros both sums are whole numbers.
        let limit = self.plus.min(self.minus) as usize;
        let mut ways = vec![0_u64; limit + 1];
        ways[0] = 1;
        for rank in 1..=self.differing {
            for sum in (rank..=limit).rev() {
                ways[sum] += ways[sum - rank];
            }
        }
        let all = 2.0_f64.powi(i32::try_from(self.differing).expect("at most 50 differences are counted"));
        (2.0 * ways.iter().sum::<u64>() as f64 / all).min(1.0)
    }
}

/// `n (n + 1) / 4`.
fn quarter(count: usize) -> f64 {
    let n = count as f64;
    n * (n + 1.0) / 4.0
}

/// `n (n + 1) (2 n + 1)`.
fn sixth(count: usize) -> f64 {
    let n = count as f64;
    n * (n + 1.0) * (2.0 * n + 1.0)
}

/// `t^3 - t`.
fn cube_less_itself(count: usize) -> f64 {
    let t = count as f64;
    t * t * t - t
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_signs_alike_is_two_halves_to_the_count() {
        let result = wilcoxon_signed_rank(&[2.0, 4.0, 6.0], &[1.0, 2.0, 3.0], Zeros::Drop).unwrap();
        assert_eq!((result.w_plus, result.w_minus, result.p_value), (6.0, 0.0, 0.25));
        assert_eq!(result.method, PValueMethod::Exact);
    }

    #[test]
    fn no_difference_is_no_evidence() {
        for zeros in [Zeros::Drop, Zeros::Pratt, Zeros::Split] {
            let result = wilcoxon_signed_rank(&[1.0, 2.0], &[1.0, 2.0], zeros).unwrap();
            assert_eq!((result.differing, result.p_value), (0, 1.0));
        }
    }

    #[test]
    fn zeros_take_ranks_only_where_asked() {
        let (x, y) = ([5.0, 7.0, 1.0], [5.0, 4.0, 2.0]);
        let sums = [Zeros::Drop, Zeros::Pratt, Zeros::Split].map(|zeros| {
            let result = wilcoxon_signed_rank(&x, &y, zeros).unwrap();
            (result.w_plus, result.w_minus)
        });
        assert_eq!(sums, [(2.0, 1.0), (3.0, 2.0), (3.5, 2.5)]);
    }

    #[test]
    fn what_has_no_answer_is_an_error() {
        let drop = Zeros::Drop;
        assert_eq!(
            wilcoxon_signed_rank(&[], &[], drop),
            Err(SampleError::TooFew { sample: FIRST, needed: 1, found: 0 })
        );
        assert_eq!(
            wilcoxon_signed_rank(&[1.0], &[1.0, 2.0], drop),
            Err(SampleError::LengthMismatch { first: 1, second: 2 })
        );
        assert!(matches!(
            wilcoxon_signed_rank(&[1.0, 2.0], &[1.0, f64::INFINITY], drop),
            Err(SampleError::NotUsable { sample: SECOND, index: 1, .. })
        ));
    }
}
