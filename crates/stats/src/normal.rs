//! The standard normal distribution, as the tests need it.

use statrs::distribution::{ContinuousCDF, Normal};

/// The probability that a standard normal value is above `z`.
pub(crate) fn upper_tail(z: f64) -> f64 {
    standard().sf(z)
}

/// The value below which a standard normal value lies with `probability`.
pub(crate) fn inverse(probability: f64) -> f64 {
    standard().inverse_cdf(probability)
}

fn standard() -> Normal {
    Normal::new(0.0, 1.0).expect("mean 0 and deviation 1 are valid")
}
