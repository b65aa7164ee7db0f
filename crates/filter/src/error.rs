//! Why a condition cannot be used.

use nbrevive_spelling::UnknownWord;

/// Longest text that is read, in bytes.
pub(crate) const LONGEST: usize = 4096;
/// Parentheses and `not` in one another.
pub(crate) const DEEPEST: usize = 64;

/// Why a condition cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FilterError {
    /// A column or word that is not known.
    #[error(transparent)]
    Unknown(#[from] UnknownWord),
    /// Something else was expected at a place.
    #[error("at character {at} of the filter: expected {expected}, found {found}")]
    Expected {
        /// From 1.
        at: usize,
        /// What can stand there.
        expected: &'static str,
        /// What does.
        found: String,
    },
    /// A column is compared with what it cannot have.
    #[error("`{column}` is a number: `{word}` is none")]
    NoNumber {
        /// The column.
        column: &'static str,
        /// What it is compared with.
        word: String,
    },
    /// Texts and what has no value have no order.
    #[error("`{column}` cannot be compared by `{operator}`: it has no order, use = or !=")]
    NoOrder {
        /// The column.
        column: &'static str,
        /// The operator.
        operator: &'static str,
    },
    /// It is longer or deeper than anybody types.
    #[error("the filter is too long: at most {LONGEST} bytes and {DEEPEST} parentheses in one another")]
    TooLong,
}
