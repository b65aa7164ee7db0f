//! How much of a notebook is still what was saved.

mod category;
mod nbdime;
mod ratio;

use serde::Serialize;

pub use category::ScoreCategory;
pub use nbdime::is_unchanged_for_nbdime;

use crate::agreement::Agreement;
use crate::document::ComparedNotebook;

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

impl ComparedNotebook {
    /// The paper's score, by our reading: cells whose outputs nbdime calls unchanged over all code cells, empty equal to empty
    /// ([`is_unchanged_for_nbdime`]).
    #[must_use]
    pub fn score_of_paper(&self) -> CellShare {
        CellShare { cells: self.cells.iter().filter(|cell| cell.is_unchanged_for_nbdime).count(), of: self.cells.len() }
    }

    /// Our score: cells that agree at `level` or more strictly, over those that can be compared. At [`Agreement::Exact`] it stands beside
    /// the paper's.
    #[must_use]
    pub fn score_at(&self, level: Agreement) -> CellShare {
        let agreements = || self.cells.iter().filter_map(|cell| cell.comparison.agreement.ok());
        CellShare {
            cells: agreements().filter(|agreement| agreement.holds_at(level)).count(),
            of: agreements().count(),
        }
    }
}
