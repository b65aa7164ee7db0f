//! The paper's limit by the length of a notebook (section 4).
//!
//! The tokens of a notebook's source and of the errors of its baseline are counted, and what is longer than the 95th
//! percentile over all notebooks is left out of the study, so that no call exceeds a model's context.

use nbrevive_notebook::{Notebook, percent};
use nbrevive_stats::quantile;
use nbrevive_tokens::Encoding;
use serde::{Deserialize, Serialize};

use crate::CellFeedback;
use crate::prompt::shorten::plain;

/// The cut-off of the paper: the 95th percentile of its notebooks.
pub const DEFAULT_CUTOFF_TOKENS: usize = 13_485;
/// The share of notebooks that the paper's cut-off keeps.
const SHARE: f64 = 0.95;

/// The longest notebook that is modernized by a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cutoff {
    /// Tokens of source and errors together, [`DEFAULT_CUTOFF_TOKENS`] unless told.
    pub tokens: usize,
}

impl Default for Cutoff {
    fn default() -> Self {
        Self { tokens: DEFAULT_CUTOFF_TOKENS }
    }
}

impl Cutoff {
    /// The cut-off of a study of its own: the 95th percentile (type 7) of its notebooks' counts, rounded down.
    /// `None` without notebooks.
    #[must_use]
    pub fn of_counts(counts: &[usize]) -> Option<Self> {
        let counts: Vec<f64> = counts.iter().map(|count| *count as f64).collect();
        let tokens = quantile(&counts, SHARE).ok()?;
        Some(Self { tokens: tokens as usize })
    }

    /// Whether a notebook of so many tokens is kept.
    #[must_use]
    pub const fn keeps(self, tokens: usize) -> bool {
        tokens <= self.tokens
    }
}

/// Tokens of the source in percent cells and of all tracebacks, colour codes left out.
#[must_use]
pub fn source_and_error_tokens(notebook: &Notebook, errors: &[CellFeedback], encoding: Encoding) -> usize {
    let tracebacks: usize = errors.iter().map(|error| encoding.count(&plain(&error.traceback))).sum();
    encoding.count(&percent::render(notebook)) + tracebacks
}

#[cfg(test)]
mod tests {
    use nbrevive_notebook::Cell;

    use super::*;

    #[test]
    fn the_longest_twentieth_is_left_out() {
        let counts: Vec<usize> = (1..=100).collect();
        let cutoff = Cutoff::of_counts(&counts).unwrap();
        assert_eq!(counts.iter().filter(|count| cutoff.keeps(**count)).count(), 95);
        assert_eq!(Cutoff::of_counts(&[]), None);
        assert!(Cutoff::default().keeps(13_485) && !Cutoff::default().keeps(13_486));
    }

    #[test]
    fn source_and_errors_count_together() {
        let notebook = Notebook::from_cells(vec![Cell::code("import pandas as pd")]);
        let error = CellFeedback {
            cell: 0,
            ename: "E".to_owned(),
            evalue: String::new(),
            traceback: "\u{1b}[31mimport pandas as pd\u{1b}[0m".to_owned(),
            line: None,
        };
        let alone = source_and_error_tokens(&notebook, &[], Encoding::O200k);
        assert_eq!(source_and_error_tokens(&notebook, &[error], Encoding::O200k), alone + 4);
    }
}
