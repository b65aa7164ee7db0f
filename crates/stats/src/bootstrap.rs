//! Bootstrap intervals of any statistic of one sample.

use crate::interval::Interval;
use crate::normal::{inverse, lower_tail};
use crate::quantile::quantiles;
use crate::random::Random;
use crate::sample::{FIRST, SampleError, check_confidence, check_finite};

/// How the ends of an interval are read off the resamples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BootstrapMethod {
    /// The quantiles of the resampled statistics.
    Percentile,
    /// The same at places moved for bias and skewness: bias-corrected and accelerated.
    Bca,
}

/// The settings of a bootstrap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bootstrap {
    /// How many resamples are drawn, at least 1; 10,000 is usual.
    pub resamples: u32,
    /// The confidence, strictly between 0 and 1.
    pub confidence: f64,
    /// Where the random numbers start: the same seed gives the same interval on every machine.
    pub seed: u64,
    /// How the ends are read off.
    pub method: BootstrapMethod,
}

/// Why a bootstrap has no interval.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum BootstrapError {
    /// The sample or a setting cannot be used.
    #[error(transparent)]
    Sample(#[from] SampleError),
    /// No resample was asked for.
    #[error("no interval from 0 resamples")]
    NoResamples,
    /// The statistic has no finite value for the sample or a resample of it.
    #[error("the statistic of {place} is {value}")]
    NotFinite {
        /// `the sample`, `a resample`, or `the sample without a value`.
        place: &'static str,
        /// NaN or an infinity.
        value: f64,
    },
    /// Every resample lies on one side of the sample's own statistic, so that no bias can be measured.
    #[error("the sample's statistic {value} is beyond every resample's: use the percentile method, or more resamples")]
    OneSided {
        /// The sample's statistic.
        value: f64,
    },
}

/// The bootstrap interval of `statistic` for `values`.
///
/// Efron and Tibshirani, An Introduction to the Bootstrap, 1993: chapter 13 for percentiles, section 14.3 for BCa, with resamples
/// that equal the sample's statistic counted half below it, and quantiles of type 7. BCa moves nothing for skewness when the
/// statistic does not change as single values are left out. A sample of one value has the interval of that value alone,
/// as has one of equal values. Assumes that the values are independent draws from one distribution; for extremes such as
/// the largest value no bootstrap interval is right. Resample `i` draws from a stream of its own, started by the seed
/// and `i`.
///
/// # Errors
/// When the sample is empty or a value is NaN or infinite, a setting is out of range, the statistic is not finite, or (BCa)
/// every resample lies on one side of the sample's statistic.
pub fn bootstrap(
    values: &[f64],
    statistic: impl Fn(&[f64]) -> f64,
    settings: Bootstrap,
) -> Result<Interval, BootstrapError> {
    check_finite(FIRST, values, 1)?;
    check_confidence(settings.confidence)?;
    if settings.resamples == 0 {
        return Err(BootstrapError::NoResamples);
    }
    let checked = |sample: &[f64], place| match statistic(sample) {
        value if value.is_finite() => Ok(value),
        value => Err(BootstrapError::NotFinite { place, value }),
    };
    let observed = checked(values, "the sample")?;
    let mut resample = vec![0.0; values.len()];
    let mut found = Vec::with_capacity(settings.resamples as usize);
    for number in 0..settings.resamples {
        draw(values, Random::stream(settings.seed, u64::from(number)), &mut resample);
        found.push(checked(&resample, "a resample")?);
    }
    let tail = (1.0 - settings.confidence) / 2.0;
    let places = match settings.method {
        BootstrapMethod::Percentile => [tail, 1.0 - tail],
        BootstrapMethod::Bca => {
            let bias = bias(&found, observed)?;
            let acceleration = acceleration(values, |sample| checked(sample, "the sample without a value"))?;
            [tail, 1.0 - tail].map(|place| {
                let shifted = bias + inverse(place);
                lower_tail(bias + shifted / (1.0 - acceleration * shifted))
            })
        }
    };
    let ends = quantiles(&found, &places)?;
    Ok(Interval { lower: ends[0], upper: ends[1] })
}

/// Fills a resample. Apart from its caller, whose copy for each statistic is compiled where it is used, optimised or not.
fn draw(values: &[f64], mut random: Random, resample: &mut [f64]) {
    resample.fill_with(|| values[random.below(values.len() as u64) as usize]);
}

/// The median bias of the resamples in standard deviations.
fn bias(found: &[f64], observed: f64) -> Result<f64, BootstrapError> {
    let below = found.iter().filter(|&&value| value < observed).count();
    let equal = found.iter().filter(|&&value| value == observed).count();
    let share = (2 * below + equal) as f64 / (2 * found.len()) as f64;
    if share == 0.0 || share == 1.0 {
        return Err(BootstrapError::OneSided { value: observed });
    }
    Ok(inverse(share))
}

/// The skewness of the statistic as single values are left out, over 6.
fn acceleration(
    values: &[f64],
    statistic: impl Fn(&[f64]) -> Result<f64, BootstrapError>,
) -> Result<f64, BootstrapError> {
    if values.len() < 2 {
        return Ok(0.0);
    }
    let mut rest = values[1..].to_vec();
    let mut without = Vec::with_capacity(values.len());
    for (index, &value) in values.iter().enumerate() {
        without.push(statistic(&rest)?);
        if let Some(place) = rest.get_mut(index) {
            *place = value;
        }
    }
    let mean = without.iter().sum::<f64>() / without.len() as f64;
    let deviations = without.iter().map(|value| mean - value);
    let (squares, cubes) =
        deviations.fold((0.0, 0.0), |(squares, cubes): (f64, f64), d| (squares + d * d, cubes + d * d * d));
    Ok(if squares == 0.0 { 0.0 } else { cubes / (6.0 * squares.powf(1.5)) })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: Bootstrap = Bootstrap { resamples: 200, confidence: 0.9, seed: 7, method: BootstrapMethod::Bca };

    fn mean(values: &[f64]) -> f64 {
        values.iter().sum::<f64>() / values.len() as f64
    }

    #[test]
    fn the_same_seed_gives_the_same_interval() {
        let values: Vec<f64> = (0..40).map(|value| f64::from(value * value % 23)).collect();
        let first = bootstrap(&values, mean, SETTINGS).unwrap();
        assert_eq!(first, bootstrap(&values, mean, SETTINGS).unwrap());
        assert_ne!(first, bootstrap(&values, mean, Bootstrap { seed: 8, ..SETTINGS }).unwrap());
        assert!(first.lower < mean(&values) && mean(&values) < first.upper);
    }

    #[test]
    fn equal_values_have_the_interval_of_one() {
        for method in [BootstrapMethod::Percentile, BootstrapMethod::Bca] {
            for values in [&[4.0][..], &[4.0, 4.0, 4.0]] {
                let found = bootstrap(values, mean, Bootstrap { method, ..SETTINGS }).unwrap();
                assert_eq!((found.lower, found.upper), (4.0, 4.0));
            }
        }
    }

    #[test]
    fn what_has_no_answer_is_an_error() {
        let first = |values: &[f64]| values[0];
        let refused = |settings| bootstrap(&[1.0, 2.0], first, settings).unwrap_err();
        assert_eq!(refused(Bootstrap { resamples: 0, ..SETTINGS }), BootstrapError::NoResamples);
        assert!(matches!(refused(Bootstrap { confidence: 1.0, ..SETTINGS }), BootstrapError::Sample(_)));
        assert!(matches!(bootstrap(&[], mean, SETTINGS), Err(BootstrapError::Sample(_))));
        assert!(matches!(bootstrap(&[1.0], |_| f64::NAN, SETTINGS), Err(BootstrapError::NotFinite { .. })));
        let beyond = |values: &[f64]| if values == [1.0, 2.0] { 9.0 } else { 1.0 };
        assert_eq!(bootstrap(&[1.0, 2.0], beyond, SETTINGS), Ok(Interval { lower: 1.0, upper: 9.0 }));
        let never = |values: &[f64]| if values == [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0] { 9.0 } else { 1.0 };
        let values: Vec<f64> = (1..=8).map(f64::from).collect();
        assert_eq!(bootstrap(&values, never, SETTINGS), Err(BootstrapError::OneSided { value: 9.0 }));
    }
}
