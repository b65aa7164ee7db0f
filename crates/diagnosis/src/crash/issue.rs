//! Which of the ways of notebooks a crash went: cells in another order, or an earlier cell that had failed (section 4.1).

use super::classify::CrashLabel;
use super::label::RootCause;

/// What of notebooks made a crash; the paper has these two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotebookIssue {
    /// Cells ran in another order than they stand in.
    OutOfOrder,
    /// A cell before had failed.
    PreviousCell,
}

impl NotebookIssue {
    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::OutOfOrder => "execution order",
            Self::PreviousCell => "previous cell error",
        }
    }

    /// The issue that a reason of ours names, or a labeller's own words: `nb specific - need execute future cells`.
    #[must_use]
    pub fn named(words: &str) -> Option<Self> {
        let words = words.to_lowercase();
        let says = |parts: &[&str]| parts.iter().any(|part| words.contains(part));
        if says(&["previous cell"]) {
            return Some(Self::PreviousCell);
        }
        says(&["execution order", "out of order", "out-of-order", "future cell"]).then_some(Self::OutOfOrder)
    }

    /// The issue behind a root cause; none of other causes, and none where the error alone was seen.
    #[must_use]
    pub fn of(cause: &CrashLabel<RootCause>) -> Option<Self> {
        if cause.label == RootCause::Notebook { Self::named(&cause.reason) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_name_their_issue() {
        for (words, issue) in [
            ("nb specific - execution order", Some(NotebookIssue::OutOfOrder)),
            ("nb specific - need execute future cells", Some(NotebookIssue::OutOfOrder)),
            ("the cell that gives it had failed before (previous cell error)", Some(NotebookIssue::PreviousCell)),
            ("undefined variable", None),
            ("", None),
        ] {
            assert_eq!(NotebookIssue::named(words), issue, "{words}");
        }
        let cause = |label| CrashLabel { label, confidence: 1.0, reason: "Execution order".to_owned() };
        assert_eq!(NotebookIssue::of(&cause(RootCause::Notebook)), Some(NotebookIssue::OutOfOrder));
        assert_eq!(NotebookIssue::of(&cause(RootCause::Data)), None);
    }
}
