//! Boxes found in space.

use std::collections::BTreeSet;

use super::boxes_2d::falling;

/// A box that stands upright and is turned around the vertical axis; lengths in metres.
#[derive(Debug, Clone, PartialEq)]
pub struct Box3 {
    /// The middle.
    pub centre: [f64; 3],
    /// Width, length and height; each more than 0.
    pub size: [f64; 3],
    /// The turn around the vertical axis, in radians.
    pub yaw: f64,
}

/// A true box with its class.
#[derive(Debug, Clone, PartialEq)]
pub struct Object3<'t> {
    /// The class.
    pub class: &'t str,
    /// The box.
    pub place: Box3,
}

/// A predicted box with its class and the confidence in it.
#[derive(Debug, Clone, PartialEq)]
pub struct VolumeDetection<'t> {
    /// The class.
    pub class: &'t str,
    /// The confidence: higher comes first.
    pub confidence: f64,
    /// The box.
    pub place: Box3,
}

/// The overlaps that count as a find, one after the other.
const THRESHOLDS: [f64; 10] = [0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95];

/// One scene's mean of average precision over the thresholds 0.5, 0.55, …, 0.95 and the classes of its truth: from 0 to 1, to
/// maximize; NaN without a true box.
///
/// By falling confidence, a prediction looks at the true box of its class that it overlaps most, even one that is taken, and is
/// right when the overlap exceeds the threshold and the box was free. Average precision is the area under the precision made
/// monotone. No confidence may be NaN.
///
/// Source: the metric of Kaggle's Lyft 3D object detection competition.
#[must_use]
pub fn mean_average_precision_3d(truth: &[Object3<'_>], predicted: &[VolumeDetection<'_>]) -> f64 {
    let classes: BTreeSet<&str> = truth.iter().map(|object| object.class).collect();
    let per_class: f64 = classes.iter().map(|class| class_precision(truth, predicted, class)).sum();
    per_class / classes.len() as f64
}

/// The mean over thresholds of one class's average precision.
fn class_precision(truth: &[Object3<'_>], predicted: &[VolumeDetection<'_>], class: &str) -> f64 {
    let truth: Vec<Shape> = truth.iter().filter(|own| own.class == class).map(|own| Shape::of(&own.place)).collect();
    let mut predicted: Vec<_> = predicted.iter().filter(|own| own.class == class).collect();
    predicted.sort_by(|left, right| falling(left.confidence, right.confidence));
    let best: Vec<(f64, usize)> = predicted.iter().map(|own| best_overlap(&Shape::of(&own.place), &truth)).collect();
    let precision = |&threshold: &f64| {
        let mut taken = vec![false; truth.len()];
        let right = best
            .iter()
            .map(|&(overlap, place)| overlap > threshold && !std::mem::replace(&mut taken[place], true))
            .collect::<Vec<bool>>();
        envelope_area(&right, truth.len())
    };
    THRESHOLDS.iter().map(precision).sum::<f64>() / THRESHOLDS.len() as f64
}

fn best_overlap(own: &Shape, truth: &[Shape]) -> (f64, usize) {
    let overlaps = truth.iter().map(|other| own.overlap(other)).enumerate();
    overlaps
        .fold((f64::NEG_INFINITY, 0), |best, (place, overlap)| if overlap > best.0 { (overlap, place) } else { best })
}

/// The area under precision over recall, with each precision raised to the best one of a higher recall.
fn envelope_area(right: &[bool], boxes: usize) -> f64 {
    let (mut found, mut curve) = (0_usize, Vec::with_capacity(right.len()));
    for (seen, right) in right.iter().enumerate() {
        found += usize::from(*right);
        curve.push((found as f64 / boxes as f64, found as f64 / (seen + 1) as f64));
    }
    let (mut area, mut best) = (0.0, 0.0_f64);
    for place in (0..curve.len()).rev() {
        best = best.max(curve[place].1);
        let before = if place == 0 { 0.0 } else { curve[place - 1].0 };
        area += (curve[place].0 - before) * best;
    }
    area
}

/// A box as its base and its heights.
struct Shape {
    base: [[f64; 2]; 4],
    heights: (f64, f64),
    volume: f64,
}

impl Shape {
    fn of(place: &Box3) -> Self {
        let ([x, y, z], [width, length, height]) = (place.centre, place.size);
        let (sine, cosine) = place.yaw.sin_cos();
        let corner = |along: f64, across: f64| {
            let (along, across) = (along * length / 2.0, across * width / 2.0);
            [x + along * cosine - across * sine, y + along * sine + across * cosine]
        };
        // Counter-clockwise, as clipping needs them.
        let base = [corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0), corner(-1.0, -1.0)];
        Shape { base, heights: (z - height / 2.0, z + height / 2.0), volume: width * length * height }
    }

    /// The volume of the intersection over that of the union.
    fn overlap(&self, other: &Shape) -> f64 {
        let height = (self.heights.1.min(other.heights.1) - self.heights.0.max(other.heights.0)).max(0.0);
        let both = height * intersection_area(&self.base, &other.base);
        (both / (self.volume + other.volume - both)).clamp(0.0, 1.0)
    }
}

/// The area that two convex polygons with counter-clockwise corners share (Sutherland and Hodgman's clipping).
fn intersection_area(subject: &[[f64; 2]], clip: &[[f64; 2]]) -> f64 {
    let mut polygon = subject.to_vec();
    for (place, &from) in clip.iter().enumerate() {
        let to = clip[(place + 1) % clip.len()];
        let side =
            |point: [f64; 2]| (to[0] - from[0]) * (point[1] - from[1]) - (to[1] - from[1]) * (point[0] - from[0]);
        let mut clipped = Vec::with_capacity(polygon.len() + 1);
        for (place, &current) in polygon.iter().enumerate() {
            let next = polygon[(place + 1) % polygon.len()];
            let (here, there) = (side(current), side(next));
            if here >= 0.0 {
                clipped.push(current);
            }
            if here * there < 0.0 {
                let share = here / (here - there);
                clipped.push([0, 1].map(|axis| current[axis] + share * (next[axis] - current[axis])));
            }
        }
        polygon = clipped;
    }
    let corner = |place: usize| {
        let ([x, y], [next_x, next_y]) = (polygon[place], polygon[(place + 1) % polygon.len()]);
        x * next_y - next_x * y
    };
    (0..polygon.len()).map(corner).sum::<f64>().abs() / 2.0
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_4;

    use super::*;

    fn cube(x: f64, yaw: f64) -> Box3 {
        Box3 { centre: [x, 0.0, 0.0], size: [2.0, 2.0, 2.0], yaw }
    }

    #[test]
    fn turned_squares_share_an_octagon() {
        let share = Shape::of(&cube(0.0, 0.0)).overlap(&Shape::of(&cube(0.0, FRAC_PI_4)));
        let octagon = 8.0 * (2.0_f64.sqrt() - 1.0);
        assert!((share - octagon / (8.0 - octagon)).abs() < 1e-12, "{share}");
        assert_eq!(Shape::of(&cube(0.0, 0.0)).overlap(&Shape::of(&cube(5.0, 0.3))), 0.0);
        assert!((Shape::of(&cube(0.0, 0.7)).overlap(&Shape::of(&cube(0.0, 0.7))) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_box_is_found_once() {
        let truth = [Object3 { class: "car", place: cube(0.0, 0.0) }];
        let found = |confidence| VolumeDetection { class: "car", confidence, place: cube(0.0, 0.0) };
        assert!((mean_average_precision_3d(&truth, &[found(0.9), found(0.8)]) - 1.0).abs() < 1e-12);
        assert_eq!(mean_average_precision_3d(&truth, &[]), 0.0);
        assert!(mean_average_precision_3d(&[], &[found(0.5)]).is_nan());
    }
}
