//! Distances on the Earth.

/// The radius that the metric of Kaggle's Smartphone Decimeter Challenge takes for the Earth, in metres.
const EARTH_RADIUS: f64 = 6_371_000.0;

/// The distance in metres of two places given as latitude and longitude in degrees, on a sphere.
#[must_use]
pub fn haversine(from: (f64, f64), to: (f64, f64)) -> f64 {
    let (from_latitude, to_latitude) = (from.0.to_radians(), to.0.to_radians());
    let half_latitude = ((to_latitude - from_latitude) / 2.0).sin();
    let half_longitude = ((to.1.to_radians() - from.1.to_radians()) / 2.0).sin();
    let chord = half_latitude.powi(2) + from_latitude.cos() * to_latitude.cos() * half_longitude.powi(2);
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
        let quarter = haversine((0.0, 0.0), (0.0, 90.0));
        assert!((quarter - EARTH_RADIUS * std::f64::consts::FRAC_PI_2).abs() < 1e-6);
    }

    #[test]
    fn percentiles_are_interpolated() {
        assert!((mean_of_median_and_tail(vec![3.0, 1.0, 2.0]) - f64::midpoint(2.0, 2.9)).abs() < 1e-12);
        assert!(mean_of_median_and_tail(vec![1.0, f64::NAN]).is_nan());
    }
}
