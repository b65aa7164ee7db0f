//! What the errors that a mended notebook is left with come from: whose they are, and whether anybody could do more.

use nbrevive_spelling::string_enum;

use crate::Executability;

string_enum! {
    /// Why an error is left.
    pub enum LeftCause ("cause of an error that is left") {
        /// The author saw the same error, asked for a name that the notebook gives nowhere, or wrote what no Python reads.
        AuthorError => "author-error",
        /// A file is not there.
        DataMissing => "data-missing",
        /// A file is there, and does not hold what the code asks of it: other columns, other rows, another form.
        OtherData => "data-of-another-shape",
        /// It asks for something from the network.
        Network => "network",
        /// A package cannot be had, or cannot be imported.
        PackageGone => "package-gone",
        /// The time was up.
        Time => "time",
        /// None of these is plain.
        Unknown => "unknown",
    }
}

/// What is known of an error that is left.
#[derive(Debug, Clone, Copy, Default)]
pub struct LeftError<'a> {
    /// Class of the exception; empty where the time was up.
    pub ename: &'a str,
    /// Its message.
    pub evalue: &'a str,
    /// The class of the error that the author saved in this cell.
    pub saved: Option<&'a str>,
    /// Whether the notebook reads a file anywhere.
    pub reads_files: bool,
    /// Whether the name that a `NameError` misses is bound anywhere in the notebook.
    pub is_bound: bool,
}

/// Words of messages that say that a table has not the form that the code expects.
const OTHER_FORM: &[&str] = &[
    "not in index",
    "not found in axis",
    "Length mismatch",
    "Usecols do not match",
    "out of bounds",
    "Error tokenizing",
];

impl LeftCause {
    /// The cause of one error. What the author saw himself comes first, then what the class says for certain.
    #[must_use]
    pub fn of(error: &LeftError<'_>) -> Self {
        if error.ename.is_empty() {
            return Self::Time;
        }
        if error.saved == Some(error.ename) {
            return Self::AuthorError;
        }
        match Executability::of_error(error.ename, error.evalue) {
            Executability::FileNotFound => Self::DataMissing,
            Executability::ModuleNotFound => Self::PackageGone,
            Executability::Network => Self::Network,
            Executability::Timeout => Self::Time,
            Executability::NameError if !error.is_bound => Self::AuthorError,
            _ => Self::of_form(error),
        }
    }

    fn of_form(error: &LeftError<'_>) -> Self {
        let is_other = OTHER_FORM.iter().any(|words| error.evalue.contains(words));
        match error.ename {
            "KeyError" | "ParserError" | "EmptyDataError" | "UnicodeDecodeError" if error.reads_files => {
                Self::OtherData
            }
            _ if is_other && error.reads_files => Self::OtherData,
            "SyntaxError" | "IndentationError" | "TabError" => Self::AuthorError,
            "ImportError" => Self::PackageGone,
            _ => Self::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_error_that_is_left_has_a_cause() {
        let of = |ename, evalue| {
            LeftCause::of(&LeftError { ename, evalue, reads_files: true, is_bound: true, ..LeftError::default() })
        };
        assert_eq!(of("", ""), LeftCause::Time);
        assert_eq!(of("FileNotFoundError", "[Errno 2] No such file"), LeftCause::DataMissing);
        assert_eq!(of("ModuleNotFoundError", "No module named 'x'"), LeftCause::PackageGone);
        assert_eq!(of("URLError", "<urlopen error>"), LeftCause::Network);
        assert_eq!(of("KeyError", "'Fare'"), LeftCause::OtherData);
        assert_eq!(of("NameError", "name 'x' is not defined"), LeftCause::Unknown);
        assert_eq!(of("ValueError", "bad"), LeftCause::Unknown);
    }

    #[test]
    fn what_the_author_saw_is_his() {
        let saved = LeftError { ename: "ValueError", evalue: "bad", saved: Some("ValueError"), ..LeftError::default() };
        assert_eq!(LeftCause::of(&saved), LeftCause::AuthorError);
        assert_eq!(LeftCause::of(&LeftError { saved: Some("KeyError"), ..saved }), LeftCause::Unknown);
        let unbound = LeftError { ename: "NameError", evalue: "name 'x' is not defined", ..LeftError::default() };
        assert_eq!(LeftCause::of(&unbound), LeftCause::AuthorError);
        let key = LeftError { ename: "KeyError", evalue: "'a'", ..LeftError::default() };
        assert_eq!(LeftCause::of(&key), LeftCause::Unknown, "nothing was read");
    }
}
