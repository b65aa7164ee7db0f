//! Quantiles of a sample.

use crate::sample::{FIRST, SampleError, check_finite, order};

/// The `fraction` quantile of `values`, for example 0.9 for the 90th percentile.
///
/// Type 7 of Hyndman and Fan (The American Statistician 50, 1996): linear between the order statistics around position
/// `(n - 1) fraction`, the default of numpy, pandas and R. The quantile of one value is that value.
///
/// # Errors
/// When `values` is empty or holds NaN or an infinity, or `fraction` is not between 0 and 1.
pub fn quantile(values: &[f64], fraction: f64) -> Result<f64, SampleError> {
    check(values, &[fraction])?;
    let mut rest = values.to_vec();
    let position = (values.len() - 1) as f64 * fraction;
    // One quantile needs two neighbours in the order, and not the whole order.
    let (_, &mut lower, above) = rest.select_nth_unstable_by(position.floor() as usize, |a, b| order(*a, *b));
    let upper = above.iter().copied().reduce(f64::min).unwrap_or(lower);
    Ok(mix(lower, upper, position.fract()))
}

/// Several quantiles of one sample, which is sorted once; see [`quantile`].
///
/// # Errors
/// As [`quantile`].
pub fn quantiles(values: &[f64], fractions: &[f64]) -> Result<Vec<f64>, SampleError> {
    check(values, fractions)?;
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(|left, right| order(*left, *right));
    Ok(fractions.iter().map(|&fraction| between(&sorted, fraction)).collect())
}

/// The median, the mean of the two middle values when there is an even number; see [`quantile`].
///
/// # Errors
/// As [`quantile`].
pub fn median(values: &[f64]) -> Result<f64, SampleError> {
    quantile(values, 0.5)
}

fn check(values: &[f64], fractions: &[f64]) -> Result<(), SampleError> {
    check_finite(FIRST, values, 1)?;
    match fractions.iter().find(|fraction| !(0.0..=1.0).contains(*fraction)) {
        Some(&fraction) => Err(SampleError::Fraction { fraction }),
        None => Ok(()),
    }
}

fn between(sorted: &[f64], fraction: f64) -> f64 {
    let position = (sorted.len() - 1) as f64 * fraction;
    mix(sorted[position.floor() as usize], sorted[position.ceil() as usize], position.fract())
}

/// The value between two neighbours, nearer to the upper one by `weight`.
fn mix(lower: f64, upper: f64, weight: f64) -> f64 {
    let gap = upper - lower;
    if gap.is_finite() { lower + weight * gap } else { lower * (1.0 - weight) + upper * weight }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_middle_and_between() {
        let values = [4.0, 1.0, 3.0, 2.0];
        assert_eq!(quantiles(&values, &[0.0, 0.25, 0.5, 1.0]).unwrap(), [1.0, 1.75, 2.5, 4.0]);
        assert_eq!(median(&[7.0]).unwrap(), 7.0);
    }

    #[test]
    fn one_quantile_is_the_same_as_among_several() {
        let values: Vec<f64> = (0..23).map(|value| f64::from(value * 7 % 11)).collect();
        let fractions: Vec<f64> = (0..=20).map(|step| f64::from(step) / 20.0).collect();
        let alone: Vec<f64> = fractions.iter().map(|&fraction| quantile(&values, fraction).unwrap()).collect();
        assert_eq!(alone, quantiles(&values, &fractions).unwrap());
    }

    #[test]
    fn the_largest_numbers_do_not_overflow() {
        assert_eq!(median(&[f64::MIN, f64::MAX]).unwrap(), 0.0);
    }

    #[test]
    fn what_has_no_answer_is_an_error() {
        assert_eq!(quantile(&[], 0.5), Err(SampleError::TooFew { sample: FIRST, needed: 1, found: 0 }));
        assert_eq!(quantile(&[1.0], 1.5), Err(SampleError::Fraction { fraction: 1.5 }));
        assert!(quantile(&[1.0], f64::NAN).is_err());
        assert!(quantile(&[1.0, f64::INFINITY], 0.5).is_err());
    }
}
