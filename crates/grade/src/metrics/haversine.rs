//! Distances on the Earth.

/// The radius that the metric of Kaggle's Smartphone Decimeter Challenge takes for the Earth, in metres.
const EARTH_RADIUS: f64 = 6_371_000.0;

/// One degree in radians, in half precision.
const HALF_DEGREE: f64 = 1144.0 / 65536.0;

/// An angle in radians, with its cosine.
#[derive(Debug, Clone, Copy)]
pub struct Angle {
    radians: f64,
    cosine: f64,
}

impl Angle {
    /// An angle in degrees.
    #[must_use]
    pub fn of_degrees(degrees: f64) -> Self {
        let radians = degrees.to_radians();
        Angle { radians, cosine: radians.cos() }
    }

    /// One degree or none as numpy has them of a truth value: in half precision, where the cosine of both is 1.
    #[must_use]
    pub fn of_truth(value: bool) -> Self {
        Angle { radians: if value { HALF_DEGREE } else { 0.0 }, cosine: 1.0 }
    }
}

/// The distance in metres of two places given as latitude and longitude, on a sphere.
#[must_use]
pub fn haversine(from: (Angle, Angle), to: (Angle, Angle)) -> f64 {
    let half_latitude = ((to.0.radians - from.0.radians) / 2.0).sin();
    let half_longitude = ((to.1.radians - from.1.radians) / 2.0).sin();
    let chord = half_latitude.powi(2) + from.0.cosine * to.0.cosine * half_longitude.powi(2);
    2.0 * EARTH_RADIUS * chord.sqrt().asin()
}

/// The mean of the 50th and the 95th percentile of `distances`, interpolated linearly: in the unit of the distances, from 0,
/// to minimize; NaN when a distance is NaN or there is none.
#[must_use]
pub fn mean_of_median_and_tail(mut distances: Vec<f64>) -> f64 {
    if distances.is_empty() || distances.iter().any(|distance| distance.is_nan()) {
        return f64::NAN;
    }
    distances.sort_unstable_by(f64::total_cmp);
    f64::midpoint(quantile(&distances, 0.5), quantile(&distances, 0.95))
}

fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let (below, rest) = (place.floor() as usize, place.fract());
    let above = sorted[(below + 1).min(sorted.len() - 1)];
    sorted[below] + (above - sorted[below]) * rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_of_the_equator() {
        let place = |latitude, longitude| (Angle::of_degrees(latitude), Angle::of_degrees(longitude));
        let quarter = haversine(place(0.0, 0.0), place(0.0, 90.0));
        assert!((quarter - EARTH_RADIUS * std::f64::consts::FRAC_PI_2).abs() < 1e-6);
    }

    #[test]
    fn percentiles_are_interpolated() {
        assert!((mean_of_median_and_tail(vec![3.0, 1.0, 2.0]) - f64::midpoint(2.0, 2.9)).abs() < 1e-12);
        assert!(mean_of_median_and_tail(vec![1.0, f64::NAN]).is_nan());
    }
}
