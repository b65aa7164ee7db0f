//! What every statistic asks of its samples before it starts.

use crate::interval::is_confidence;

/// Why a statistic has no value for the samples that were given.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SampleError {
    /// A sample is too small.
    #[error("the {sample} sample has {found} values, at least {needed} are needed")]
    TooFew {
        /// Which sample: `first` or `second`.
        sample: &'static str,
        /// The smallest size with which the statistic is defined.
        needed: usize,
        /// The size that was given.
        found: usize,
    },
    /// Paired samples differ in length.
    #[error("paired samples differ in length: {first} and {second} values")]
    LengthMismatch {
        /// The length of the first sample.
        first: usize,
        /// The length of the second sample.
        second: usize,
    },
    /// A value is NaN, or infinite where only finite values have a meaning.
    #[error("value {value} at position {index} of the {sample} sample cannot be used")]
    NotUsable {
        /// Which sample: `first` or `second`.
        sample: &'static str,
        /// The position in the sample, from 0.
        index: usize,
        /// The value: NaN or an infinity.
        value: f64,
    },
    /// All values of a sample are equal, so that it has no order to compare.
    #[error("all values of the {sample} sample are equal")]
    Constant {
        /// Which sample: `first` or `second`.
        sample: &'static str,
    },
    /// A quantile was asked for outside of 0 to 1.
    #[error("quantile {fraction} is not between 0 and 1")]
    Fraction {
        /// The fraction that was asked for.
        fraction: f64,
    },
    /// An interval was asked for with a confidence that is not strictly between 0 and 1.
    #[error("confidence {confidence} is not strictly between 0 and 1, for example 0.95")]
    Confidence {
        /// The confidence that was asked for.
        confidence: f64,
    },
    /// A value that should be a p-value is not between 0 and 1.
    #[error("value {value} at position {index} is no p-value between 0 and 1")]
    NoPValue {
        /// The position, from 0.
        index: usize,
        /// The value.
        value: f64,
    },
}

/// The name of the first sample in errors.
pub(crate) const FIRST: &str = "first";
/// The name of the second sample in errors.
pub(crate) const SECOND: &str = "second";

/// Checks that `values` can be ordered and are at least `needed`; infinities have a place in an order.
pub(crate) fn check_ordered(sample: &'static str, values: &[f64], needed: usize) -> Result<(), SampleError> {
    check_size(sample, values, needed)?;
    refuse(sample, values, |value| value.is_nan())
}

/// Checks that `values` can be computed with and are at least `needed`.
pub(crate) fn check_finite(sample: &'static str, values: &[f64], needed: usize) -> Result<(), SampleError> {
    check_size(sample, values, needed)?;
    refuse(sample, values, |value| !value.is_finite())
}

fn check_size(sample: &'static str, values: &[f64], needed: usize) -> Result<(), SampleError> {
    if values.len() < needed {
        return Err(SampleError::TooFew { sample, needed, found: values.len() });
    }
    Ok(())
}

fn refuse(sample: &'static str, values: &[f64], bad: impl Fn(f64) -> bool) -> Result<(), SampleError> {
    match values.iter().position(|&value| bad(value)) {
        Some(index) => Err(SampleError::NotUsable { sample, index, value: values[index] }),
        None => Ok(()),
    }
}

/// Checks that `confidence` is strictly between 0 and 1.
pub(crate) fn check_confidence(confidence: f64) -> Result<(), SampleError> {
    if is_confidence(confidence) { Ok(()) } else { Err(SampleError::Confidence { confidence }) }
}

/// The order of two values that [`check_ordered`] let through; unlike `total_cmp`, -0 equals 0.
pub(crate) fn order(left: f64, right: f64) -> std::cmp::Ordering {
    left.partial_cmp(&right).expect("NaN was refused before")
}
