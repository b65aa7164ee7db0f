//! How much of a notebook is still what was saved.

mod category;
mod nbdime;
mod ratio;

use serde::Serialize;

pub use category::ScoreCategory;
pub use nbdime::is_unchanged_for_nbdime;

/// A share of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CellShare {
    /// Cells that are counted.
    pub cells: usize,
    /// Of all so many.
    pub of: usize,
}

impl CellShare {
    /// The share, from 0 to 1; `None` where there is no cell to count.
    #[must_use]
    pub fn value(self) -> Option<f64> {
        (self.of > 0).then(|| self.cells as f64 / self.of as f64)
    }

    /// Its class; `None` likewise.
    #[must_use]
    pub fn category(self) -> Option<ScoreCategory> {
        self.value().map(ScoreCategory::of)
    }
}
