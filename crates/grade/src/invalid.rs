//! Why a submission has no score.

use crate::scanner::{Malformation, Malformed};

/// Text out of a submission, cut to a length that can be shown; quoted and escaped when displayed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt(String);

impl Excerpt {
    /// The number of characters that are kept.
    const LONGEST: usize = 60;

    /// The beginning of `text`.
    #[must_use]
    pub fn of(text: &str) -> Self {
        match text.char_indices().nth(Self::LONGEST) {
            Some((end, _)) => Excerpt(format!("{}…", &text[..end])),
            None => Excerpt(text.to_owned()),
        }
    }

    /// The text, not escaped.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for Excerpt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

/// Why a submission has no score. Lines are those of the file, counted from 1, on which a row starts.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Invalid {
    /// There is no file.
    #[error("there is no submission file")]
    Missing,
    /// It is a symbolic link, a folder, a pipe or a device; links are never followed.
    #[error("the submission is {found}, not a regular file")]
    NotAFile {
        /// What it is, in words.
        found: &'static str,
    },
    /// The system refuses to read it.
    #[error("the submission cannot be read: {reason}")]
    Unreadable {
        /// What the system said.
        reason: String,
    },
    /// It is larger than the limit.
    #[error("the submission has {bytes} bytes or more, the limit is {limit}")]
    TooLarge {
        /// Its size as far as it was read.
        bytes: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// It has no line that is not blank.
    #[error("the submission is empty")]
    Empty,
    /// It is not UTF-8.
    #[error("the submission is not UTF-8: byte {byte} of line {line} cannot be decoded (byte {offset} of the file)")]
    NotUtf8 {
        /// The position of the first byte that cannot be decoded, from 0.
        offset: usize,
        /// The line that it stands on.
        line: u64,
        /// Its place there, from 1.
        byte: usize,
    },
    /// It is not CSV.
    #[error("line {line} of the submission is not CSV: {reason}")]
    NotCsv {
        /// The line.
        line: u64,
        /// What is wrong.
        reason: Malformation,
    },
    /// A column is missing. Additional columns are allowed.
    #[error("the submission has the columns {}, expected {}", list(found), expected.join(", "))]
    WrongColumns {
        /// The columns that must be there, the id first.
        expected: Vec<String>,
        /// The columns that are there; at most the first 20.
        found: Vec<Excerpt>,
    },
    /// There are more or fewer rows than answers.
    #[error("the submission has {found} rows, expected {expected}")]
    WrongRows {
        /// The number of answers.
        expected: usize,
        /// The number of rows.
        found: usize,
    },
    /// An id occurs twice.
    #[error("id {id} in column `{column}` on line {line} occurred before")]
    DuplicateId {
        /// The id.
        id: Excerpt,
        /// The line of the second occurrence.
        line: u64,
        /// The column of ids.
        column: String,
    },
    /// An id is none of those asked for; as the number of rows is right, another one is missing.
    #[error("id {id} in column `{column}` on line {line} is not one of those asked for")]
    UnknownId {
        /// The id.
        id: Excerpt,
        /// The line.
        line: u64,
        /// The column of ids.
        column: String,
    },
    /// A value is not a number where one is needed.
    #[error("{value} in column `{column}` on line {line} is not a number")]
    NotNumeric {
        /// The line.
        line: u64,
        /// The column.
        column: String,
        /// The value.
        value: Excerpt,
    },
    /// A number is missing, NaN or infinite.
    #[error("{value} in column `{column}` on line {line} is not a finite number")]
    NotFinite {
        /// The line.
        line: u64,
        /// The column.
        column: String,
        /// The value, empty when it is missing.
        value: Excerpt,
    },
    /// A number is outside of what the metric or the kind of prediction allows.
    #[error("{value} in column `{column}` on line {line} is out of range: {allowed}")]
    OutOfRange {
        /// The line.
        line: u64,
        /// The column.
        column: String,
        /// The value.
        value: f64,
        /// What is allowed, in words.
        allowed: &'static str,
    },
    /// The class probabilities of a row do not sum to 1.
    #[error("the probabilities in columns `{}` to `{}` on line {line} sum to {sum}, not to 1", columns[0], columns[1])]
    RowSum {
        /// The line.
        line: u64,
        /// The first and the last column that are summed.
        columns: [String; 2],
        /// Their sum.
        sum: f64,
    },
    /// A value cannot be a class label: it is missing, a fraction where labels are whole numbers, or all values are numbers
    /// where labels are words. A label that merely does not occur among the answers is wrong, not invalid.
    #[error("{value} in column `{column}` on line {line} is not a label")]
    UnknownLabel {
        /// The line.
        line: u64,
        /// The column.
        column: String,
        /// The value, empty when it is missing.
        value: Excerpt,
    },
    /// A cell is not written as the competition needs it: runs of pixels, boxes, names, sequences.
    #[error("{value} in column `{column}` on line {line} should be {needed}")]
    BadCell {
        /// The line.
        line: u64,
        /// The column.
        column: String,
        /// The value, empty when it is missing.
        value: Excerpt,
        /// What the cell should be, in words.
        needed: String,
    },
    /// A column that has to hold text holds nothing but numbers.
    #[error("column `{column}` holds numbers alone where text is needed, the first on line {line}")]
    NotText {
        /// The line of the first.
        line: u64,
        /// The column.
        column: String,
    },
    /// A column beside the id holds words or truth values where every one has to hold shares.
    #[error("column `{column}` does not hold shares, numbers from 0 to 1: {value} on line {line}")]
    NotShares {
        /// The line of the first value that is none.
        line: u64,
        /// The column.
        column: String,
        /// That value.
        value: Excerpt,
    },
    /// The metric has no value for this submission.
    #[error("the metric is not defined for this submission: {why}")]
    Undefined {
        /// Why, in words.
        why: &'static str,
    },
    /// The answers cannot be used with the metric: a fault of the competition's data.
    #[error("the answers cannot be used: {problem}")]
    Answers {
        /// What is wrong with them.
        problem: String,
    },
    /// Answers and submission consist of one and the same label, for which kappa is not defined.
    #[error("answers and submission hold a single label, for which the metric is not defined")]
    SingleClass,
    /// The numbers are so large that the score is not finite.
    #[error("the numbers are so large that the score is not finite")]
    Overflow,
}

impl Invalid {
    /// The reason in one word, for tables: `missing`, `wrong-columns` …
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Invalid::Missing => "missing",
            Invalid::NotAFile { .. } => "not-a-file",
            Invalid::Unreadable { .. } => "unreadable",
            Invalid::TooLarge { .. } => "too-large",
            Invalid::Empty => "empty",
            Invalid::NotUtf8 { .. } => "not-utf8",
            Invalid::NotCsv { .. } => "not-csv",
            Invalid::WrongColumns { .. } => "wrong-columns",
            Invalid::WrongRows { .. } => "wrong-rows",
            Invalid::DuplicateId { .. } => "duplicate-ids",
            Invalid::UnknownId { .. } => "wrong-ids",
            Invalid::NotNumeric { .. } | Invalid::NotShares { .. } => "not-numeric",
            Invalid::NotFinite { .. } | Invalid::Overflow => "not-finite",
            Invalid::OutOfRange { .. } | Invalid::RowSum { .. } => "out-of-range",
            Invalid::UnknownLabel { .. } => "unknown-label",
            Invalid::BadCell { .. } | Invalid::NotText { .. } => "wrong-encoding",
            Invalid::Undefined { .. } => "undefined",
            Invalid::Answers { .. } => "bad-answers",
            Invalid::SingleClass => "single-class",
        }
    }

    /// Every word that [`Invalid::kind`] gives.
    pub const KINDS: &[&str] = &[
        "missing",
        "not-a-file",
        "unreadable",
        "too-large",
        "empty",
        "not-utf8",
        "not-csv",
        "wrong-columns",
        "wrong-rows",
        "duplicate-ids",
        "wrong-ids",
        "not-numeric",
        "not-finite",
        "out-of-range",
        "unknown-label",
        "wrong-encoding",
        "undefined",
        "bad-answers",
        "single-class",
    ];

    /// The line of the file that it is about, from 1, if it is about one.
    #[must_use]
    pub const fn line(&self) -> Option<u64> {
        match self {
            Invalid::NotCsv { line, .. }
            | Invalid::NotUtf8 { line, .. }
            | Invalid::DuplicateId { line, .. }
            | Invalid::UnknownId { line, .. }
            | Invalid::NotNumeric { line, .. }
            | Invalid::NotFinite { line, .. }
            | Invalid::OutOfRange { line, .. }
            | Invalid::RowSum { line, .. }
            | Invalid::NotText { line, .. }
            | Invalid::NotShares { line, .. }
            | Invalid::UnknownLabel { line, .. }
            | Invalid::BadCell { line, .. } => Some(*line),
            Invalid::Missing
            | Invalid::NotAFile { .. }
            | Invalid::Unreadable { .. }
            | Invalid::TooLarge { .. }
            | Invalid::Empty
            | Invalid::WrongColumns { .. }
            | Invalid::WrongRows { .. }
            | Invalid::Undefined { .. }
            | Invalid::Answers { .. }
            | Invalid::SingleClass
            | Invalid::Overflow => None,
        }
    }

    /// The column that it is about, if it is about one.
    #[must_use]
    pub fn column(&self) -> Option<&str> {
        match self {
            Invalid::DuplicateId { column, .. }
            | Invalid::UnknownId { column, .. }
            | Invalid::NotNumeric { column, .. }
            | Invalid::NotFinite { column, .. }
            | Invalid::OutOfRange { column, .. }
            | Invalid::UnknownLabel { column, .. }
            | Invalid::BadCell { column, .. }
            | Invalid::NotText { column, .. }
            | Invalid::NotShares { column, .. } => Some(column),
            Invalid::RowSum { columns, .. } => Some(&columns[0]),
            Invalid::Missing
            | Invalid::NotAFile { .. }
            | Invalid::Unreadable { .. }
            | Invalid::TooLarge { .. }
            | Invalid::Empty
            | Invalid::NotUtf8 { .. }
            | Invalid::NotCsv { .. }
            | Invalid::WrongColumns { .. }
            | Invalid::WrongRows { .. }
            | Invalid::Undefined { .. }
            | Invalid::Answers { .. }
            | Invalid::SingleClass
            | Invalid::Overflow => None,
        }
    }

    /// The same, where it is about an id: in this column.
    pub(crate) fn with_ids_in(mut self, name: &str) -> Self {
        if let Invalid::DuplicateId { column, .. } | Invalid::UnknownId { column, .. } = &mut self {
            name.clone_into(column);
        }
        self
    }

    /// Answers that the metric cannot use.
    pub(crate) const fn answers(problem: String) -> Self {
        Invalid::Answers { problem }
    }

    /// A missing column, with the header's beginning.
    pub(crate) fn wrong_columns(expected: Vec<String>, header: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        /// How many of a header's names are kept.
        const SHOWN: usize = 20;
        let found = header.into_iter().take(SHOWN).map(|name| Excerpt::of(name.as_ref())).collect();
        Invalid::WrongColumns { expected, found }
    }
}

impl From<Malformed> for Invalid {
    fn from(malformed: Malformed) -> Self {
        Invalid::NotCsv { line: malformed.line, reason: malformed.reason }
    }
}

/// The first and the last of some names.
pub(crate) fn ends(names: &[String]) -> [String; 2] {
    [names.first(), names.last()].map(|name| name.cloned().unwrap_or_default())
}

fn list(names: &[Excerpt]) -> String {
    names.iter().map(Excerpt::to_string).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_and_strange_text_is_cut_and_escaped() {
        let excerpt = Excerpt::of(&"é".repeat(61));
        assert_eq!(excerpt.as_str().chars().count(), 61);
        assert!(excerpt.as_str().ends_with('…'));
        assert_eq!(Excerpt::of("\u{1b}[31m\n").to_string(), r#""\u{1b}[31m\n""#);
    }

    #[test]
    fn a_message_says_where_and_what() {
        let invalid = Invalid::NotFinite { line: 3, column: "price".to_owned(), value: Excerpt::of("") };
        assert_eq!(invalid.to_string(), "\"\" in column `price` on line 3 is not a finite number");
        assert_eq!(invalid.kind(), "not-finite");
        let invalid = Invalid::wrong_columns(vec!["id".to_owned(), "y".to_owned()], ["a", "b"]);
        assert_eq!(invalid.to_string(), "the submission has the columns \"a\", \"b\", expected id, y");
    }
}
