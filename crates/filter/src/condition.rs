//! What a condition consists of, and whether a row meets it.

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

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Node {
    Not(Box<Node>),
    All(Vec<Node>),
    Any(Vec<Node>),
    Is(&'static str, Operator, Wanted),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operator {
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
pub(crate) enum Wanted {
    Text(String),
    Number(f64),
    Missing,
}

impl Node {
    pub(crate) fn holds<'row>(&self, row: &dyn Fn(&str) -> FilterValue<'row>) -> bool {
        match self {
            Node::Not(inner) => !inner.holds(row),
            Node::All(nodes) => nodes.iter().all(|node| node.holds(row)),
            Node::Any(nodes) => nodes.iter().any(|node| node.holds(row)),
            Node::Is(column, operator, wanted) => operator.holds(&row(column), wanted),
        }
    }
}

impl Operator {
    pub(crate) const ALL: [(&'static str, Self); 8] = [
        ("!=", Self::Unequal),
        ("!~", Self::ContainsNot),
        ("<=", Self::AtMost),
        (">=", Self::AtLeast),
        ("=", Self::Equal),
        ("<", Self::Less),
        (">", Self::More),
        ("~", Self::Contains),
    ];

    pub(crate) fn text(self) -> &'static str {
        Self::ALL.iter().find(|(_, operator)| *operator == self).map_or("=", |(text, _)| text)
    }

    pub(crate) const fn asks_order(self) -> bool {
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
