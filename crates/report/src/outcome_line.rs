//! The rows of Tables 1 to 3: which there are, what they are called, and which outcome falls into which.

use nbrevive_corpus::{Condition, Failure, Outcome, OutputStatus, Roles};

use crate::rows::{OutcomeRow, can_fail_so};

/// A row of Tables 1 to 3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Line {
    /// No error, a submission, within the threshold.
    ErrorFreeCsvWithin,
    /// No error, a submission, beyond the threshold.
    ErrorFreeCsvBeyond,
    /// No error, no valid submission.
    ErrorFreeNoCsv,
    /// Errors, a submission, within the threshold.
    ErrorCsvWithin,
    /// Errors, a submission, beyond the threshold.
    ErrorCsvBeyond,
    /// Errors, no valid submission.
    ErrorNoCsv,
    /// No result.
    Failed(Failure),
}

/// What the first columns of a row say.
pub(crate) struct Labels {
    /// Error status, or the failure.
    pub(crate) error_status: &'static str,
    /// Output status.
    pub(crate) output_status: &'static str,
    /// `<=` or `>`; none where there is no score.
    pub(crate) deviation: Option<&'static str>,
    /// What the row means for reproducibility.
    pub(crate) reproducibility: &'static str,
}

impl Line {
    /// The rows of a condition's table, in the paper's order.
    pub(crate) fn of(roles: &Roles, condition: Condition) -> Vec<Line> {
        let completed = [
            Line::ErrorFreeCsvWithin,
            Line::ErrorFreeCsvBeyond,
            Line::ErrorFreeNoCsv,
            Line::ErrorCsvWithin,
            Line::ErrorCsvBeyond,
            Line::ErrorNoCsv,
        ];
        let failures = Failure::ALL.iter().filter(|failure| can_fail_so(roles, condition, **failure));
        completed.into_iter().chain(failures.map(|failure| Line::Failed(*failure))).collect()
    }

    /// The row that an outcome falls into; none for a row whose columns contradict each other.
    pub(crate) fn containing(row: &OutcomeRow) -> Option<Line> {
        let csv = row.output_status? == OutputStatus::Csv;
        Some(match (row.outcome, csv) {
            (Outcome::ErrorFreeReproducible, _) => Line::ErrorFreeCsvWithin,
            (Outcome::ErrorFreeNonReproducible, true) => Line::ErrorFreeCsvBeyond,
            (Outcome::ErrorFreeNonReproducible, false) => Line::ErrorFreeNoCsv,
            (Outcome::ErrorReproducible, _) => Line::ErrorCsvWithin,
            (Outcome::ErrorNonReproducible, true) => Line::ErrorCsvBeyond,
            (Outcome::ErrorNonReproducible, false) => Line::ErrorNoCsv,
            (Outcome::Failed, _) => return None,
        })
    }

    /// The name of this row in the published numbers, CSV and JSON.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Line::ErrorFreeCsvWithin => "error-free-csv-within",
            Line::ErrorFreeCsvBeyond => "error-free-csv-beyond",
            Line::ErrorFreeNoCsv => "error-free-no-csv",
            Line::ErrorCsvWithin => "error-csv-within",
            Line::ErrorCsvBeyond => "error-csv-beyond",
            Line::ErrorNoCsv => "error-no-csv",
            Line::Failed(failure) => failure.as_str(),
        }
    }

    /// What the first columns say.
    pub(crate) const fn labels(self) -> Labels {
        let (error_status, output_status, deviation) = match self {
            Line::ErrorFreeCsvWithin => ("Error-free", "w/ CSV", Some("<=")),
            Line::ErrorFreeCsvBeyond => ("Error-free", "w/ CSV", Some(">")),
            Line::ErrorFreeNoCsv => ("Error-free", "w/o CSV", None),
            Line::ErrorCsvWithin => ("Error", "w/ CSV", Some("<=")),
            Line::ErrorCsvBeyond => ("Error", "w/ CSV", Some(">")),
            Line::ErrorNoCsv => ("Error", "w/o CSV", None),
            Line::Failed(Failure::Timeout) => ("Timeout", "", None),
            Line::Failed(Failure::NotSaved) => ("Not saving", "", None),
            Line::Failed(Failure::BackportFailed) => ("Backporting failed", "", None),
            Line::Failed(Failure::LlmFailed) => ("LLM failed", "", None),
            Line::Failed(Failure::NotRun) => ("Not run", "", None),
        };
        let reproducibility = match self {
            Line::ErrorFreeCsvWithin | Line::ErrorCsvWithin => "Reproducible",
            Line::ErrorFreeCsvBeyond | Line::ErrorFreeNoCsv | Line::ErrorCsvBeyond | Line::ErrorNoCsv => {
                "Non-reproducible"
            }
            Line::Failed(_) => "Failed",
        };
        Labels { error_status, output_status, deviation, reproducibility }
    }
}
