//! The Mann-Whitney U test (Wilcoxon rank-sum test).

use crate::cliff::Dominance;
use crate::normal::upper_tail;
use crate::rank::{PValueMethod, runs, sorted_keys};
use crate::sample::{FIRST, SECOND, SampleError, check_ordered};

/// The exact distribution is counted when one sample has at most this many values (scipy's rule) …
const LARGEST_SMALL_SAMPLE: usize = 8;
/// … and the other at most this many, so that every count fits into 128 bits. Beyond, both methods agree closely.
const LARGEST_OTHER_SAMPLE: usize = 10_000;

/// The result of a Mann-Whitney U test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MannWhitney {
    /// The number of pairs in which the first sample's value is above; a tied pair counts one half.
    pub u_first: f64,
    /// The same for the second sample; both sum to the number of pairs.
    pub u_second: f64,
    /// The two-sided p-value of the hypothesis that both samples come from one distribution.
    pub p_value: f64,
    /// How the p-value was found.
    pub method: PValueMethod,
}

/// The two-sided Mann-Whitney U test of two independent samples, in `O(n log n)` time.
///
/// Mann and Whitney, Annals of Mathematical Statistics 18, 1947. Without ties and with at most 8 values in a sample the
/// p-value is exact; else it is that of the normal distribution with continuity correction and the variance corrected for
/// ties: scipy's `method='auto'`, except that a second sample of more than 10,000 values always takes the normal one.
/// When all values are equal the p-value is 1. Infinite values have their place in the order.
///
/// # Errors
/// When a sample is empty or holds NaN.
pub fn mann_whitney_u(a: &[f64], b: &[f64]) -> Result<MannWhitney, SampleError> {
    check_ordered(FIRST, a, 1)?;
    check_ordered(SECOND, b, 1)?;
    let all = a.len() as u64 * b.len() as u64;
    let Dominance { above, below, .. } = Dominance::of(a, b);
    let tied_between = all - above - below;
    let u_first = above as f64 + tied_between as f64 / 2.0;
    let u_second = below as f64 + tied_between as f64 / 2.0;
    let tie_runs = pooled_runs(a, b);
    let exact = tie_runs.iter().all(|&length| length == 1)
        && a.len().min(b.len()) <= LARGEST_SMALL_SAMPLE
        && a.len().max(b.len()) <= LARGEST_OTHER_SAMPLE;
    let (p_value, method) = if exact {
        (exact_p_value(a.len(), b.len(), above.min(below)), PValueMethod::Exact)
    } else {
        (normal_p_value(a.len() as f64, b.len() as f64, u_first.max(u_second), &tie_runs), PValueMethod::Normal)
    };
    Ok(MannWhitney { u_first, u_second, p_value, method })
}

fn pooled_runs(a: &[f64], b: &[f64]) -> Vec<u64> {
    runs(&sorted_keys(&[a, b].concat()), |left, right| left == right).collect()
}

fn normal_p_value(first: f64, second: f64, larger_u: f64, tie_runs: &[u64]) -> f64 {
    let n = first + second;
    let tie_sum: f64 = tie_runs.iter().map(|&length| length as f64).map(|t| t * t * t - t).sum();
    let variance = first * second / 12.0 * ((n + 1.0) - tie_sum / (n * (n - 1.0)));
    if variance <= 0.0 {
        return 1.0;
    }
    let z = (larger_u - first * second / 2.0 - 0.5) / variance.sqrt();
    (2.0 * upper_tail(z)).min(1.0)
}

/// The share of arrangements whose smaller U is at most `smaller_u`, doubled for the other tail.
fn exact_p_value(first: usize, second: usize, smaller_u: u64) -> f64 {
    let (small, other) = (first.min(second), first.max(second));
    let limit = usize::try_from(smaller_u).expect("at most 8 times 10,000 pairs");
    let ways = arrangements_up_to(small, other, limit);
    let all = (1..=small as u128).fold(1_u128, |product, k| product * (other as u128 + k) / k);
    (2.0 * (ways as f64 / all as f64)).min(1.0)
}

/// The number of arrangements with U at most `limit`: coefficients of the Gaussian binomial
/// `prod_{k=1..small} (1 - q^(other + k)) / (1 - q^k)`, the generating function of U.
fn arrangements_up_to(small: usize, other: usize, limit: usize) -> u128 {
    let mut ways = vec![0_u128; limit + 1];
    ways[0] = 1;
    for k in 1..=small {
        for u in k..=limit {
            ways[u] += ways[u - k];
        }
        for u in (other + k..=limit).rev() {
            ways[u] -= ways[u - other - k];
        }
    }
    ways.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrangements_sum_to_the_binomial() {
        assert_eq!(arrangements_up_to(3, 4, 12), 35);
        assert_eq!(arrangements_up_to(2, 2, 1), 2);
        assert_eq!(arrangements_up_to(8, 40, 320), 377_348_994);
    }

    #[test]
    fn equal_values_give_no_evidence() {
        let result = mann_whitney_u(&[2.0, 2.0], &[2.0, 2.0, 2.0]).unwrap();
        assert_eq!((result.u_first, result.u_second, result.p_value), (3.0, 3.0, 1.0));
        assert_eq!(result.method, PValueMethod::Normal);
    }

    #[test]
    fn a_large_other_sample_takes_the_normal_distribution() {
        let other: Vec<f64> = (0..10_001).map(f64::from).collect();
        let result = mann_whitney_u(&[0.5, 5.5, 9.5], &other).unwrap();
        assert_eq!(result.method, PValueMethod::Normal);
        let smaller = mann_whitney_u(&[0.5, 5.5, 9.5], &other[..10_000]).unwrap();
        assert_eq!(smaller.method, PValueMethod::Exact);
    }

    #[test]
    fn empty_and_nan_are_errors() {
        assert_eq!(mann_whitney_u(&[], &[1.0]), Err(SampleError::TooFew { sample: FIRST, needed: 1, found: 0 }));
        assert!(matches!(mann_whitney_u(&[1.0], &[f64::NAN]), Err(SampleError::NotUsable { sample: SECOND, .. })));
    }
}
