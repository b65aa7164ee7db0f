//! The bootstrap interval of a median, without drawing resamples value by value.

use crate::bootstrap::BootstrapError;
use crate::interval::Interval;
use crate::quantile::quantiles;
use crate::random::Random;
use crate::sample::{FIRST, check_confidence, check_finite, order};

/// The percentile bootstrap interval of the median of `values`: that of [`bootstrap`](crate::bootstrap) with the median, in a time that
/// does not grow with the resamples times the values.
///
/// A resample is n independent uniform places in the sorted sample, and its median stands at the middle one or two of them. These are
/// drawn at once: the k-th smallest of n uniform numbers is Beta-distributed, and together with the next one made of Gamma-distributed
/// spacings (David and Nagaraja, Order Statistics, 2003, sections 2.3 and 6.4). So the numbers are not those of `bootstrap` with the
/// same seed, but their distribution is. The order of `values` does not matter. Assumes that they are independent draws from one
/// distribution; a sample of one value, or of equal ones, has the interval of that value alone.
///
/// # Errors
/// When the sample is empty or a value is NaN or infinite, the confidence is not strictly between 0 and 1, or `resamples` is 0.
pub fn bootstrap_median(
    values: &[f64],
    resamples: u32,
    confidence: f64,
    seed: u64,
) -> Result<Interval, BootstrapError> {
    check_finite(FIRST, values, 1)?;
    check_confidence(confidence)?;
    if resamples == 0 {
        return Err(BootstrapError::NoResamples);
    }
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(|left, right| order(*left, *right));
    let mut random = Random::stream(seed, 0);
    let found: Vec<f64> = (0..resamples).map(|_| resampled_median(&sorted, &mut random)).collect();
    let tail = (1.0 - confidence) / 2.0;
    let ends = quantiles(&found, &[tail, 1.0 - tail])?;
    Ok(Interval { lower: ends[0], upper: ends[1] })
}

fn resampled_median(sorted: &[f64], random: &mut Random) -> f64 {
    let n = sorted.len();
    let at = |share: f64| sorted[((share * n as f64) as usize).min(n - 1)];
    // The sums of the spacings below the middle, in it, and above.
    let below = gamma(n.div_ceil(2), random);
    if n % 2 == 1 {
        return at(below / (below + gamma(n.div_ceil(2), random)));
    }
    let middle = gamma(1, random);
    let whole = below + middle + gamma(n / 2, random);
    f64::midpoint(at(below / whole), at((below + middle) / whole))
}

/// A number of the Gamma distribution with a whole shape and scale 1: Marsaglia and Tsang (ACM Transactions on Mathematical Software
/// 26, 2000).
fn gamma(shape: usize, random: &mut Random) -> f64 {
    let d = shape as f64 - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(random);
        let v = (1.0 + c * x).powi(3);
        if v > 0.0 && random.fraction().ln() < 0.5 * x * x + d - d * v + d * v.ln() {
            return d * v;
        }
    }
}

/// A number of the standard normal distribution: Marsaglia's polar method (SIAM Review 6, 1964).
fn normal(random: &mut Random) -> f64 {
    loop {
        let (x, y) = (2.0 * random.fraction() - 1.0, 2.0 * random.fraction() - 1.0);
        let square = x * x + y * y;
        if square < 1.0 {
            return x * (-2.0 * square.ln() / square).sqrt();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bootstrap, BootstrapMethod, bootstrap, median};

    #[test]
    fn the_ends_are_those_of_resamples_drawn_value_by_value() {
        for n in [2_u32, 3, 10, 101, 400] {
            let values: Vec<f64> = (0..n).map(|value| f64::from(value * 7 % n)).collect();
            let method = BootstrapMethod::Percentile;
            let settings = Bootstrap { resamples: 4000, confidence: 0.95, seed: 5, method };
            let drawn = bootstrap(&values, |sample| median(sample).unwrap(), settings).unwrap();
            let found = bootstrap_median(&values, 4000, 0.95, 5).unwrap();
            // Each end is uncertain by about a fiftieth of a standard deviation of the median, of sqrt(n) / 2 places.
            let near = 0.1 * f64::from(n).sqrt() + 0.51;
            assert!((found.lower - drawn.lower).abs() < near, "{n}: {found:?} {drawn:?}");
            assert!((found.upper - drawn.upper).abs() < near, "{n}: {found:?} {drawn:?}");
        }
    }

    #[test]
    fn order_does_not_matter_and_the_seed_does() {
        let values: Vec<f64> = (0..999).map(f64::from).collect();
        let backwards: Vec<f64> = values.iter().rev().copied().collect();
        let found = bootstrap_median(&values, 500, 0.9, 1).unwrap();
        assert_eq!(found, bootstrap_median(&backwards, 500, 0.9, 1).unwrap());
        assert_ne!(found, bootstrap_median(&values, 500, 0.9, 2).unwrap());
    }

    #[test]
    fn one_value_is_its_own_interval_and_none_has_no_answer() {
        assert_eq!(bootstrap_median(&[4.0], 10, 0.9, 0), Ok(Interval { lower: 4.0, upper: 4.0 }));
        assert_eq!(bootstrap_median(&[4.0; 6], 10, 0.9, 0), Ok(Interval { lower: 4.0, upper: 4.0 }));
        assert!(matches!(bootstrap_median(&[], 10, 0.9, 0), Err(BootstrapError::Sample(_))));
        assert!(matches!(bootstrap_median(&[f64::NAN], 10, 0.9, 0), Err(BootstrapError::Sample(_))));
        assert_eq!(bootstrap_median(&[1.0], 0, 0.9, 0), Err(BootstrapError::NoResamples));
    }
}
