//! What the errors of a notebook may take in its record: it may have thousands of cells that fail at length.

use crate::record::CellError;

/// Bytes that the errors of a notebook may take. Beyond it, only which exception it was is kept of each, and how its message
/// begins.
const MOST_BYTES: usize = 16 << 20;
/// What is kept of a name and a message beyond that, in bytes.
const LONGEST_TEXT: usize = 200;

/// The bytes that were used so far.
#[derive(Debug, Default)]
pub(crate) struct ErrorBudget {
    used: usize,
}

impl ErrorBudget {
    /// Cuts an error that is beyond the budget.
    pub(crate) fn keep(&mut self, error: &mut CellError) {
        let size = size(error);
        if self.used + size <= MOST_BYTES {
            self.used += size;
            return;
        }
        error.traceback.clear();
        for text in [&mut error.evalue, &mut error.ename] {
            text.truncate(text.floor_char_boundary(LONGEST_TEXT));
        }
    }
}

fn size(error: &CellError) -> usize {
    error.ename.len() + error.evalue.len() + error.traceback.iter().map(String::len).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_beyond_the_budget_keep_their_kind_and_small_ones_all() {
        let mut budget = ErrorBudget::default();
        let error = |bytes: usize| CellError {
            ename: "ValueError".into(),
            evalue: "ä".repeat(bytes / 2),
            traceback: vec!["line".into()],
            line: Some(3),
        };
        let (mut first, mut large, mut small) = (error(MOST_BYTES / 2), error(MOST_BYTES), error(10));
        for error in [&mut first, &mut large, &mut small] {
            budget.keep(error);
        }
        assert_eq!((first, small), (error(MOST_BYTES / 2), error(10)));
        assert_eq!((large.ename.as_str(), large.evalue.as_str()), ("ValueError", "ä".repeat(100).as_str()));
        assert_eq!((large.traceback.len(), large.line), (0, Some(3)));
    }
}
