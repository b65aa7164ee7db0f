//! Which rows are meant: a condition over the columns of a row, as people type it.
//!
//! ```text
//! outcome = failed and condition = backport
//! not (competition ~ iris or seconds > 60) and score != none
//! ```
//!
//! A comparison is a column, an operator (`=`, `!=`, `<`, `<=`, `>`, `>=`, `~` for "contains", `!~`) and a value; `none` stands for what has
//! no value. Comparisons are joined by `not`, `and` and `or`, which bind in this order, and by parentheses. Words of letters, digits
//! and `-_.:/+` stand for themselves, others stand in double quotes. A comparison of order, and `~`, never hold for what has no value; nor do
//! their opposites.
//!
//! Which columns there are, and which words a column can have, is told by who filters ([`FilterColumn`]); what is not among them is named
//! with the nearest that is.

mod condition;
mod error;
mod parse;
mod token;

pub use condition::{FilterColumn, FilterKind, FilterValue};
pub use error::FilterError;

use condition::Node;
use error::LONGEST;

/// A condition over rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Filter(Node);

impl Filter {
    /// Reads a condition over these columns.
    ///
    /// # Errors
    /// [`FilterError`] names the first thing that is wrong.
    pub fn parse(text: &str, columns: &[FilterColumn]) -> Result<Self, FilterError> {
        if text.len() > LONGEST {
            return Err(FilterError::TooLong);
        }
        parse::parse(text, columns).map(Self)
    }

    /// Whether it holds for a row, whose values are asked for by column.
    #[must_use]
    pub fn holds<'row>(&self, row: &dyn Fn(&str) -> FilterValue<'row>) -> bool {
        self.0.holds(row)
    }
}

#[cfg(test)]
mod tests;
