//! How far two sets of points are from each other at their worst.

/// The Hausdorff distance of two sets of points in space: the largest distance from a point of one set to the nearest of the
/// other; in the unit of the points, from 0, to minimize. NaN when a set is empty; no coordinate may be NaN.
#[must_use]
pub fn hausdorff(left: &[[f64; 3]], right: &[[f64; 3]]) -> f64 {
    if left.is_empty() || right.is_empty() {
        return f64::NAN;
    }
    directed(left, &Tree::of(right)).max(directed(right, &Tree::of(left))).sqrt()
}

/// The largest squared distance of a point to the nearest one of the tree.
fn directed(points: &[[f64; 3]], tree: &Tree) -> f64 {
    points.iter().fold(0.0, |worst, point| {
        // A point with a neighbour nearer than the worst so far changes nothing: its search ends there.
        let nearest = tree.nearest(point, worst);
        if nearest > worst { nearest } else { worst }
    })
}

/// A k-d tree: each part is ordered around its middle element along the axis of its depth.
struct Tree {
    points: Vec<[f64; 3]>,
}

impl Tree {
    fn of(points: &[[f64; 3]]) -> Self {
        let mut points = points.to_vec();
        arrange(&mut points, 0);
        Tree { points }
    }

    /// The squared distance to the nearest point, or any found distance that is not larger than `enough`.
    fn nearest(&self, point: &[f64; 3], enough: f64) -> f64 {
        let mut best = f64::INFINITY;
        search(&self.points, point, 0, enough, &mut best);
        best
    }
}

fn arrange(points: &mut [[f64; 3]], axis: usize) {
    if points.len() > 1 {
        let middle = points.len() / 2;
        points.select_nth_unstable_by(middle, |left, right| left[axis].total_cmp(&right[axis]));
        let (below, above) = points.split_at_mut(middle);
        arrange(below, (axis + 1) % 3);
        arrange(&mut above[1..], (axis + 1) % 3);
    }
}

fn search(points: &[[f64; 3]], point: &[f64; 3], axis: usize, enough: f64, best: &mut f64) {
    if points.is_empty() || *best <= enough {
        return;
    }
    let middle = points.len() / 2;
    let node = &points[middle];
    let squared: f64 = node.iter().zip(point).map(|(node, point)| (node - point).powi(2)).sum();
    *best = best.min(squared);
    let offset = point[axis] - node[axis];
    let (below, above) = (&points[..middle], &points[middle + 1..]);
    let (near, far) = if offset < 0.0 { (below, above) } else { (above, below) };
    search(near, point, (axis + 1) % 3, enough, best);
    if offset * offset < *best {
        search(far, point, (axis + 1) % 3, enough, best);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn by_definition(left: &[[f64; 3]], right: &[[f64; 3]]) -> f64 {
        let distance = |a: &[f64; 3], b: &[f64; 3]| a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
        let worst = |from: &[[f64; 3]], to: &[[f64; 3]]| {
            let nearest = |a| to.iter().map(|b| distance(a, b)).fold(f64::INFINITY, f64::min);
            from.iter().map(nearest).fold(0.0, f64::max)
        };
        worst(left, right).max(worst(right, left))
    }

    fn points() -> impl Strategy<Value = Vec<[f64; 3]>> {
        prop::collection::vec([0..9_u8, 0..9_u8, 0..9_u8].prop_map(|point| point.map(f64::from)), 1..40)
    }

    proptest! {
        #[test]
        fn agrees_with_the_definition(left in points(), right in points()) {
            prop_assert_eq!(hausdorff(&left, &right), by_definition(&left, &right));
        }
    }

    #[test]
    fn an_empty_set_has_no_distance() {
        assert!(hausdorff(&[], &[[0.0; 3]]).is_nan());
    }
}
