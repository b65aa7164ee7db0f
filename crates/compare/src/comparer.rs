//! How strictly outputs are compared.

use crate::text::Tolerance;

/// How strictly outputs are compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutputComparer {
    /// When numbers agree, at the levels `value` and `picture`.
    pub tolerance: Tolerance,
    /// The least structural similarity of pictures that agree, from 0 to 1; 0.95 by default.
    pub similarity: f64,
}

impl Default for OutputComparer {
    fn default() -> Self {
        Self { tolerance: Tolerance::default(), similarity: 0.95 }
    }
}
