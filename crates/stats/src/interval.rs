//! Intervals and the confidence that they are asked for with.

/// A closed interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub lower: f64,
    /// The upper end.
    pub upper: f64,
}

/// Whether `confidence` is strictly between 0 and 1; NaN is not.
pub(crate) fn is_confidence(confidence: f64) -> bool {
    confidence > 0.0 && confidence < 1.0
}
