//! The program's exit codes. The README and `nbrevive help` show the same table; a test compares them.

use std::process::ExitCode;

use nbrevive_shown::Shown;

/// How the program ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done.
    Success = 0,
    /// Something went wrong that no other code covers.
    Other = 1,
    /// The command line is wrong (clap's own code).
    Usage = 2,
    /// A file that was given is unreadable or not valid.
    BadInput = 3,
    /// Something that is needed is not installed.
    Missing = 4,
    /// Another run holds the store.
    InUse = 5,
    /// The package index cannot be reached, or an environment cannot be built.
    NoEnvironment = 6,
    /// A folder or disk cannot be written.
    CannotWrite = 7,
    /// Some jobs of a study, or items of a source, could not be had; the rest is stored.
    Incomplete = 8,
    /// Somebody stopped it (Ctrl-C); what was done is stored, and the next run goes on.
    Stopped = 9,
    /// A notebook ran, but raised errors, missed its target or shows something else (`execute`, `modernize`, `restore`, `check`, `run`).
    NotReproduced = 10,
    /// A notebook ran out of time or memory, or its kernel died (`execute`, `modernize`, `restore`, `check`, `run`).
    Failed = 11,
    /// There are no Kaggle credentials, or they are not accepted.
    Credentials = 12,
    /// A competition's rules are not accepted by the account; the rest is stored.
    Rules = 13,
    /// A source cannot be reached, or wants fewer requests than were made; the rest is stored (`mine`, `check`).
    Unreachable = 14,
    /// A language model cannot be asked, or its settings cannot be used.
    NoModel = 15,
    /// Numbers of our tables contradict each other (`audit`), or releases the census (`changes prove`).
    Contradiction = 16,
}

impl Exit {
    /// Every code with its meaning, as people read it.
    pub(crate) const TABLE: &'static [(Exit, &'static str)] = &[
        (Exit::Success, "done"),
        (Exit::Other, "something went wrong that no other code covers"),
        (Exit::Usage, "the command line is wrong"),
        (Exit::BadInput, "a file that was given is unreadable or not valid"),
        (Exit::Missing, "something that is needed is not installed (see `nbrevive doctor`)"),
        (Exit::InUse, "another run holds the store"),
        (Exit::NoEnvironment, "the package index cannot be reached, or an environment cannot be built"),
        (Exit::CannotWrite, "a folder or disk cannot be written"),
        (Exit::Incomplete, "some jobs of the study, or items of a source, could not be had; the rest is stored"),
        (Exit::Stopped, "stopped by Ctrl-C; what was done is stored, and the next run goes on (`mine`)"),
        (
            Exit::NotReproduced,
            "a notebook ran, but raised errors, missed its target or shows something else (`execute`, `modernize`, `restore`, `check`, `run`)",
        ),
        (
            Exit::Failed,
            "a notebook ran out of time or memory, or its kernel died (`execute`, `modernize`, `restore`, `check`, `run`)",
        ),
        (Exit::Credentials, "there are no Kaggle credentials, or they are not accepted (`mine`)"),
        (Exit::Rules, "the account has not accepted a competition's rules; the rest is stored (`mine`)"),
        (
            Exit::Unreachable,
            "a source cannot be reached, or wants fewer requests; the rest is stored (`mine`, `check`)",
        ),
        (Exit::NoModel, "a language model cannot be asked, or its settings cannot be used (`modernize`, `study run`)"),
        (
            Exit::Contradiction,
            "numbers of our own tables contradict each other (`audit`), or releases the census (`changes prove`)",
        ),
    ];
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

/// An error that ends the program, with the code that says what kind it is.
#[derive(Debug, thiserror::Error)]
#[error("{}", message.as_str())]
pub(crate) struct Failure {
    /// The exit code.
    pub(crate) exit: Exit,
    /// What went wrong, and what to do.
    pub(crate) message: Shown,
}

impl Failure {
    /// A failure with its whole chain of causes.
    pub(crate) fn new(exit: Exit, error: &dyn std::error::Error) -> Self {
        Failure { exit, message: Shown::paragraph(error) }
    }
}

/// What a command gives: how the program ends, or why it ends early.
pub(crate) type Outcome = Result<Exit, Failure>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_readme_has_the_same_table() {
        let readme = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
        let readme = std::fs::read_to_string(readme).unwrap();
        for (exit, meaning) in Exit::TABLE {
            let row = format!("| {} | {meaning} |", *exit as u8);
            assert!(readme.contains(&row), "README.md lacks the row: {row}");
        }
    }
}
