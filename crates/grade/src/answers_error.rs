//! Why answers cannot be used.

use std::path::PathBuf;

use crate::invalid::Excerpt;
use crate::scanner::{Malformation, Malformed};

/// Why answers cannot be used: a fault of the competition's data, never of a submission.
#[derive(Debug, thiserror::Error)]
#[error("answers {path} cannot be used: {problem}", path = path.display())]
pub struct AnswersError {
    /// The answers file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub problem: AnswersProblem,
}

/// What is wrong with answers.
#[derive(Debug, thiserror::Error)]
pub enum AnswersProblem {
    /// The file cannot be read, or is not UTF-8.
    #[error(transparent)]
    Unreadable(#[from] std::io::Error),
    /// It is not CSV.
    #[error("line {line}: {reason}")]
    NotCsv {
        /// The line on which the row starts, from 1.
        line: u64,
        /// What is wrong.
        reason: Malformation,
    },
    /// A column is missing.
    #[error("there is no column `{column}`")]
    MissingColumn {
        /// The column.
        column: String,
    },
    /// Under log loss: the file has neither a column for each class nor exactly one column beside the id.
    #[error("there is neither a column for each class nor exactly one column with the class")]
    NoClassColumn,
    /// The file is larger than what can be held.
    #[error("it has 2 GiB or more: part it, as no submission could be graded against it")]
    TooLong,
    /// There are no rows.
    #[error("there are no rows")]
    NoRows,
    /// An id occurs twice.
    #[error("id {id} on line {line} occurred before")]
    DuplicateId {
        /// The id.
        id: Excerpt,
        /// The line of the second occurrence.
        line: u64,
    },
    /// A value is not what the metric needs.
    #[error("{value} in column `{column}` on line {line} is not {needed}")]
    BadValue {
        /// The line.
        line: u64,
        /// The column.
        column: String,
        /// The value.
        value: Excerpt,
        /// What the metric needs, in words.
        needed: &'static str,
    },
    /// A column holds only positive or only negative rows, so that no pair can be formed.
    #[error("column `{column}` holds a single class, for which the metric is not defined")]
    SingleClass {
        /// The column.
        column: String,
    },
}

impl From<Malformed> for AnswersProblem {
    fn from(malformed: Malformed) -> Self {
        AnswersProblem::NotCsv { line: malformed.line, reason: malformed.reason }
    }
}
