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

mod parse;
mod token;

use nbrevive_spelling::UnknownWord;

/// Longest text that is read, in bytes.
const LONGEST: usize = 4096;
/// Parentheses and `not` in one another.
const DEEPEST: usize = 64;

/// A column that rows have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilterColumn {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub kind: FilterKind,
}

/// What a column holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FilterKind {
    /// Any text.
    Text,
    /// One of these words.
    Word(Vec<&'static str>),
    /// A number.
    Number,
}

/// The value of a column in one row.
#[derive(Debug, Clone, PartialEq)]
pub enum FilterValue<'row> {
    /// A text or word.
    Text(&'row str),
    /// A number.
    Number(f64),
    /// It has none.
    Missing,
}

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

/// A condition over rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Filter(Node);

#[derive(Debug, Clone, PartialEq)]
enum Node {
    Not(Box<Node>),
    All(Vec<Node>),
    Any(Vec<Node>),
    Is(&'static str, Operator, Wanted),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Equal,
    Unequal,
    Less,
    AtMost,
    More,
    AtLeast,
    Contains,
    ContainsNot,
}

#[derive(Debug, Clone, PartialEq)]
enum Wanted {
    Text(String),
    Number(f64),
    Missing,
}

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

impl Node {
    fn holds<'row>(&self, row: &dyn Fn(&str) -> FilterValue<'row>) -> bool {
        match self {
            Node::Not(inner) => !inner.holds(row),
            Node::All(nodes) => nodes.iter().all(|node| node.holds(row)),
            Node::Any(nodes) => nodes.iter().any(|node| node.holds(row)),
            Node::Is(column, operator, wanted) => operator.holds(&row(column), wanted),
        }
    }
}

impl Operator {
    const ALL: [(&'static str, Self); 8] = [
        ("!=", Self::Unequal),
        ("!~", Self::ContainsNot),
        ("<=", Self::AtMost),
        (">=", Self::AtLeast),
        ("=", Self::Equal),
        ("<", Self::Less),
        (">", Self::More),
        ("~", Self::Contains),
    ];

    fn text(self) -> &'static str {
        Self::ALL.iter().find(|(_, operator)| *operator == self).map_or("=", |(text, _)| text)
    }

    const fn asks_order(self) -> bool {
        matches!(self, Self::Less | Self::AtMost | Self::More | Self::AtLeast)
    }

    fn holds(self, value: &FilterValue<'_>, wanted: &Wanted) -> bool {
        match (value, wanted) {
            (FilterValue::Missing, Wanted::Missing) => self == Self::Equal,
            (FilterValue::Missing, _) | (_, Wanted::Missing) => self == Self::Unequal,
            (FilterValue::Text(value), Wanted::Text(wanted)) => match self {
                Self::Equal => value == wanted,
                Self::Unequal => value != wanted,
                Self::Contains => value.contains(wanted.as_str()),
                Self::ContainsNot => !value.contains(wanted.as_str()),
                Self::Less | Self::AtMost | Self::More | Self::AtLeast => false,
            },
            (FilterValue::Number(value), Wanted::Number(wanted)) => match self {
                // As people type numbers.
                Self::Equal => value == wanted,
                Self::Unequal => value != wanted,
                Self::Less => value < wanted,
                Self::AtMost => value <= wanted,
                Self::More => value > wanted,
                Self::AtLeast => value >= wanted,
                Self::Contains | Self::ContainsNot => false,
            },
            (FilterValue::Text(_), Wanted::Number(_)) | (FilterValue::Number(_), Wanted::Text(_)) => false,
        }
    }
}

#[cfg(test)]
mod tests;
