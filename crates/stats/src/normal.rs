//! The distributions that statistics tend to, as the tests need them.

use statrs::distribution::{ChiSquared, ContinuousCDF, Normal};

/// The probability that a standard normal value is above `z`.
pub(crate) fn upper_tail(z: f64) -> f64 {
    standard().sf(z)
}

/// The value below which a standard normal value lies with `probability`.
pub(crate) fn inverse(probability: f64) -> f64 {
    standard().inverse_cdf(probability)
}

/// The probability that a standard normal value is below `z`.
pub(crate) fn lower_tail(z: f64) -> f64 {
    standard().cdf(z)
}

/// The probability that a chi-squared value with `degrees` of freedom, at least 1, is above `statistic`.
pub(crate) fn chi_squared_tail(statistic: f64, degrees: u64) -> f64 {
    ChiSquared::new(degrees as f64).expect("at least one degree of freedom is valid").sf(statistic)
}

fn standard() -> Normal {
    Normal::new(0.0, 1.0).expect("mean 0 and deviation 1 are valid")
}
