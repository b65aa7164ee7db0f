//! The angle between directions in space.

/// A direction: azimuth and zenith, both in radians.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Direction3 {
    /// The angle in the plane.
    pub azimuth: f64,
    /// The angle from the axis.
    pub zenith: f64,
}

/// The mean angle between true and predicted direction, `arccos` of their scalar product clipped to `[-1, 1]`: from 0 to pi
/// radians, to minimize.
///
/// Source: the metric of Kaggle's IceCube competition. Near 0 the angle is only good to about 2e-8, the root of the
/// precision of the scalar product.
#[must_use]
pub fn mean_angular_error(pairs: impl Iterator<Item = (Direction3, Direction3)>) -> f64 {
    let (mut sum, mut rows) = (0.0, 0_usize);
    for (truth, predicted) in pairs {
        let (sine_azimuth, cosine_azimuth) = truth.azimuth.sin_cos();
        let (sine_zenith, cosine_zenith) = truth.zenith.sin_cos();
        let (other_sine_azimuth, other_cosine_azimuth) = predicted.azimuth.sin_cos();
        let (other_sine_zenith, other_cosine_zenith) = predicted.zenith.sin_cos();
        let in_plane = cosine_azimuth * other_cosine_azimuth + sine_azimuth * other_sine_azimuth;
        let product = sine_zenith * other_sine_zenith * in_plane + cosine_zenith * other_cosine_zenith;
        sum += product.clamp(-1.0, 1.0).acos();
        rows += 1;
    }
    sum / rows as f64
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;

    #[test]
    fn right_and_opposite() {
        let at = |azimuth, zenith| Direction3 { azimuth, zenith };
        let angle = |truth, predicted| mean_angular_error([(truth, predicted)].into_iter());
        assert!(angle(at(1.0, 1.0), at(1.0, 1.0)) < 1e-7);
        assert!((angle(at(0.0, PI / 2.0), at(PI, PI / 2.0)) - PI).abs() < 1e-7);
        assert!((angle(at(0.3, 0.0), at(5.0, PI / 2.0)) - PI / 2.0).abs() < 1e-12);
    }
}
