//! What another environment changes for a notebook (containers, section 4.2, Table 2).

use nbrevive_compare::Agreement;
use nbrevive_corpus::{Executability, string_enum};

use crate::outputs::NotebookRow;

string_enum! {
    /// What became of a notebook between the baseline and another condition; it may be of several classes.
    pub enum ChangeClass ("class of change") {
        /// There was no environment at the baseline, and there is one now.
        Resolved => "failure-resolved",
        /// It did not run without an error at the baseline, and raises now.
        Persistent => "persistent-error",
        /// It runs without an error, and a cell is not what was saved, as nbdime compares.
        Drift => "drift",
        /// The same, and a cell has other values: ours.
        ValueDrift => "drift-of-values",
        /// It ran without an error at the baseline, and does not now.
        Regression => "regression",
        /// None of these.
        Unchanged => "unchanged",
    }
}

impl ChangeClass {
    /// The classes of a notebook.
    pub(crate) fn of(before: &NotebookRow, now: &NotebookRow) -> Vec<Self> {
        let below_one = |score: Option<f64>| score.is_some_and(|score| score < 1.0);
        let holds = |class: Self| match class {
            Self::Resolved => !before.has_environment() && now.has_environment(),
            Self::Persistent => !before.is_error_free() && now.has_environment() && !now.is_error_free(),
            Self::Drift => now.is_error_free() && below_one(now.score_of_paper()),
            Self::ValueDrift => now.is_error_free() && below_one(now.score_at(Agreement::Picture)),
            Self::Regression => before.is_error_free() && !now.is_error_free(),
            Self::Unchanged => false,
        };
        let found: Vec<Self> = Self::ALL.iter().copied().filter(|class| holds(*class)).collect();
        if found.is_empty() { vec![Self::Unchanged] } else { found }
    }
}

string_enum! {
    /// Why a notebook does not run (containers, section 4.2, "Taxonomy of Execution Failures"), by its first error.
    pub enum FailureTaxonomy ("cause of failure") {
        /// A module or a name in one is not there, or the environment cannot be built.
        Dependency => "obsolete-dependency",
        /// A file is not where the code looks for it.
        DataPath => "data-path",
        /// It wants an account of somebody.
        Credentials => "credentials",
        /// Its code is wrong in any environment: syntax, names that nobody defines.
        Intrinsic => "intrinsic",
        /// It asks the network, which is not there. The paper had one.
        Network => "network",
        /// Anything else.
        Other => "other",
    }
}

impl FailureTaxonomy {
    /// The cause, by what the first error stands for, which its message tells too, and then by its class; none of a notebook that runs.
    pub(crate) fn of(row: &NotebookRow) -> Option<Self> {
        match row.run.executability {
            Executability::Executable => None,
            Executability::NoEnvironment | Executability::ModuleNotFound => Some(Self::Dependency),
            Executability::FileNotFound => Some(Self::DataPath),
            Executability::NameError => Some(Self::Intrinsic),
            Executability::Network => Some(Self::Network),
            Executability::Input
            | Executability::OtherError
            | Executability::Timeout
            | Executability::Died
            | Executability::NotRun => Some(Self::of_class(row.run.first_error.as_deref().unwrap_or_default())),
        }
    }

    fn of_class(class: &str) -> Self {
        let has = |parts: &[&str]| parts.iter().any(|part| class.contains(part));
        match class {
            "ImportError" => Self::Dependency,
            "NotADirectoryError" => Self::DataPath,
            "SyntaxError" | "IndentationError" | "TabError" | "UnboundLocalError" => Self::Intrinsic,
            _ if has(&["Credential", "Unauthorized", "Authentication", "AccessDenied", "Forbidden", "ApiKey"]) => {
                Self::Credentials
            }
            _ if has(&["URLError", "ConnectionError", "gaierror", "NameResolution", "ConnectTimeout", "SSLError"]) => {
                Self::Network
            }
            _ => Self::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use nbrevive_corpus::Condition;

    use super::*;
    use crate::executability::ExecutabilityRow;
    use crate::outputs::ComparedCells;

    #[test]
    fn a_file_that_python_2_does_not_find_is_a_missing_path() {
        let of = |executability, class: &str| {
            let run = ExecutabilityRow {
                version: String::new(),
                condition: Condition::BASELINE,
                executability,
                code_cells: 1,
                ran_before_error: 0,
                ran: 0,
                first_error_cell: None,
                first_error: Some(class.to_owned()),
            };
            FailureTaxonomy::of(&NotebookRow { repository: None, run, cells: ComparedCells::default() })
        };
        assert_eq!(of(Executability::FileNotFound, "IOError"), Some(FailureTaxonomy::DataPath));
        assert_eq!(of(Executability::Network, "OSError"), Some(FailureTaxonomy::Network));
        assert_eq!(of(Executability::OtherError, "ImportError"), Some(FailureTaxonomy::Dependency));
        assert_eq!(of(Executability::OtherError, "NoCredentialsError"), Some(FailureTaxonomy::Credentials));
        assert_eq!(of(Executability::OtherError, "AttributeError"), Some(FailureTaxonomy::Other));
        assert_eq!(of(Executability::Executable, ""), None);
    }
}
