//! Where the bars and ribbons of a flow stand, in the units of the picture.
//!
//! A flow is as thick as its share of the versions, but never thinner than [`MINIMUM`], so that one version among
//! thousands can be seen; a bar is as high as its flows together, on both sides alike.

use nbrevive_corpus::Outcome;

use super::flow::{Flow, position};

/// The least thickness of a flow.
pub(crate) const MINIMUM: f64 = 4.0;

/// The points along one edge of a ribbon, apart from its start.
const STEPS: u32 = 64;

/// A point or a size in the units of the picture.
pub(crate) type Point = (f64, f64);

/// The room for bars and ribbons: the outer edges of the bars, and the height.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Room {
    /// The left edge of the left bars.
    pub(crate) left: f64,
    /// The right edge of the right bars.
    pub(crate) right: f64,
    /// The top of the highest bar.
    pub(crate) top: f64,
    /// The bottom of the lowest bar.
    pub(crate) bottom: f64,
    /// The width of a bar.
    pub(crate) bar: f64,
    /// The least distance between two bars: room for the label of a thin one.
    pub(crate) gap: f64,
}

/// A bar: all versions with one outcome on one side.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Bar {
    /// The outcome.
    pub(crate) outcome: Outcome,
    /// How many versions.
    pub(crate) count: u64,
    /// Upper left corner.
    pub(crate) from: Point,
    /// Lower right corner.
    pub(crate) to: Point,
}

/// A ribbon: all versions with one outcome on the left and one on the right.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ribbon {
    /// The outcome on the left.
    pub(crate) outcome: Outcome,
    /// Thickness.
    pub(crate) thickness: f64,
    /// The outline.
    pub(crate) outline: Vec<Point>,
}

/// Bars and ribbons of a flow.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Layout {
    /// Bars on the left, from the top; none for an outcome without versions.
    pub(crate) left: Vec<Bar>,
    /// Bars on the right.
    pub(crate) right: Vec<Bar>,
    /// Ribbons, the thickest first, so that the thin ones lie above.
    pub(crate) ribbons: Vec<Ribbon>,
}

impl Layout {
    /// Arranges a flow in a room.
    pub(crate) fn new(flow: &Flow, room: Room) -> Self {
        let thickness = thicknesses(flow, room);
        let heights = |side: fn(usize, usize) -> (usize, usize)| -> [f64; 5] {
            std::array::from_fn(|node| {
                (0..5).map(|other| side(node, other)).map(|(left, right)| thickness[left][right]).sum()
            })
        };
        let left = bars(flow.left(), heights(|node, other| (node, other)), room.left, room);
        let right = bars(flow.right(), heights(|node, other| (other, node)), room.right - room.bar, room);
        let ribbons = ribbons(flow, &thickness, &left, &right);
        Layout { left, right, ribbons }
    }
}

fn thicknesses(flow: &Flow, room: Room) -> [[f64; 5]; 5] {
    let bars = |counts: [u64; 5]| counts.iter().filter(|count| **count > 0).count();
    let gaps = bars(flow.left()).max(bars(flow.right())).saturating_sub(1) as f64 * room.gap;
    let minima = flow.links().count() as f64 * MINIMUM;
    let height = (room.bottom - room.top - gaps - minima).max(0.0);
    let mut thickness = [[0.0; 5]; 5];
    for (from, to, count) in flow.links() {
        let share = count as f64 / flow.total() as f64;
        thickness[position(from)][position(to)] = (share * height).max(MINIMUM);
    }
    thickness
}

/// The bars of one side, one below the other, in the middle of the room.
fn bars(counts: [u64; 5], heights: [f64; 5], x: f64, room: Room) -> Vec<Bar> {
    let present = counts.iter().filter(|count| **count > 0).count();
    let height = heights.iter().sum::<f64>() + present.saturating_sub(1) as f64 * room.gap;
    let mut y = room.top + (room.bottom - room.top - height) / 2.0;
    let mut bars = Vec::new();
    for (outcome, (count, height)) in Outcome::ALL.iter().zip(counts.into_iter().zip(heights)) {
        if count > 0 {
            bars.push(Bar { outcome: *outcome, count, from: (x, y), to: (x + room.bar, y + height) });
            y += height + room.gap;
        }
    }
    bars
}

fn ribbons(flow: &Flow, thickness: &[[f64; 5]; 5], left: &[Bar], right: &[Bar]) -> Vec<Ribbon> {
    let tops = |bars: &[Bar]| {
        let mut tops = [0.0; 5];
        bars.iter().for_each(|bar| tops[position(bar.outcome)] = bar.from.1);
        tops
    };
    let (mut left_tops, mut right_tops) = (tops(left), tops(right));
    let start = left.first().map_or(0.0, |bar| bar.to.0);
    let end = right.first().map_or(0.0, |bar| bar.from.0);
    let mut ribbons = Vec::new();
    for (from, to, _) in flow.links() {
        let (from_index, to_index) = (position(from), position(to));
        let thickness = thickness[from_index][to_index];
        let outline = outline((start, left_tops[from_index]), (end, right_tops[to_index]), thickness);
        left_tops[from_index] += thickness;
        right_tops[to_index] += thickness;
        ribbons.push(Ribbon { outcome: from, thickness, outline });
    }
    // A stable sort: equal ones stay in the order of the outcomes.
    ribbons.sort_by(|a, b| b.thickness.total_cmp(&a.thickness));
    ribbons
}

/// The outline of a ribbon between two upper corners: a cubic curve there, and back below it.
fn outline(from: Point, to: Point, thickness: f64) -> Vec<Point> {
    let curve = |step: u32| {
        let t = f64::from(step) / f64::from(STEPS);
        // Control points lie half-way, at the heights of the ends; so the curve leaves and arrives level.
        let (middle, rest) = ((from.0 + to.0) / 2.0, 1.0 - t);
        let weights = (rest.powi(3), 3.0 * rest * rest * t, 3.0 * rest * t * t, t.powi(3));
        let x = weights.0 * from.0 + (weights.1 + weights.2) * middle + weights.3 * to.0;
        (x, (weights.0 + weights.1) * from.1 + (weights.2 + weights.3) * to.1)
    };
    let upper = (0..=STEPS).map(curve);
    let lower = (0..=STEPS).rev().map(curve).map(|(x, y)| (x, y + thickness));
    upper.chain(lower).collect()
}
