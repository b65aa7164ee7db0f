//! What can be asked about the changes of libraries.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::SandboxArguments;

/// What can be asked about the changes of libraries.
#[derive(Debug, Subcommand)]
pub(crate) enum ChangesCommand {
    /// Read the releases of libraries and write what changed between them.
    Build(ChangesBuildArguments),
    /// One line a change of a library, or a count for each library.
    List(ChangesListArguments),
    /// All that is known of a name.
    Show(ChangesShowArguments),
    /// Names of the census that are said to be gone, and which the releases of today have after all (asked in the sandbox).
    Prove(ChangesProveArguments),
    /// Which names of notebooks are gone, since when, and what stands in their place; nothing is run.
    Check(ChangesCheckArguments),
    /// When notebooks can have been written: the days on which all that they use was there.
    Date(ChangesDateArguments),
    /// Of all that notebooks use and that is gone, how much the rules mend; nothing is run.
    Coverage(ChangesCoverageArguments),
}

/// Arguments of `changes build`.
#[derive(Debug, Args)]
pub(crate) struct ChangesBuildArguments {
    /// Distributions, such as `scikit-learn`; default: all that the census knows.
    pub(crate) libraries: Vec<String>,
    /// The folder for the rows. What was read of a release before is not fetched again.
    #[arg(long, short)]
    pub(crate) out: PathBuf,
    /// Read only what was fetched before, and ask the package index nothing.
    #[arg(long)]
    pub(crate) offline: bool,
    /// Ask the releases of today, as `changes prove` does, and leave out the rows that they contradict.
    #[arg(long)]
    pub(crate) proved: bool,
    /// Where they are asked.
    #[command(flatten)]
    pub(crate) sandbox: SandboxArguments,
}

/// Arguments of `changes prove`.
#[derive(Debug, Args)]
pub(crate) struct ChangesProveArguments {
    /// Distributions of the census; default: all.
    pub(crate) libraries: Vec<String>,
    /// Where the releases of today are asked.
    #[command(flatten)]
    pub(crate) sandbox: SandboxArguments,
}

/// Arguments of `changes list`.
#[derive(Debug, Args)]
pub(crate) struct ChangesListArguments {
    /// A distribution, such as `scikit-learn`.
    pub(crate) library: Option<String>,
    /// Only names that hold this text.
    #[arg(long, value_name = "TEXT")]
    pub(crate) name: Option<String>,
    /// What appeared too.
    #[arg(long)]
    pub(crate) added: bool,
}

/// Arguments of `changes show`.
#[derive(Debug, Args)]
pub(crate) struct ChangesShowArguments {
    /// The name as users spell it, such as `pandas.DataFrame.append`.
    pub(crate) name: String,
}

/// Arguments of `changes check`.
#[derive(Debug, Args)]
pub(crate) struct ChangesCheckArguments {
    /// Notebooks, scripts, or folders that are searched for both.
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// The day at which names must be there; default: the newest that the census knows.
    #[arg(long)]
    pub(crate) date: Option<jiff::civil::Date>,
    /// One line of JSON a notebook.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Arguments of `changes date`.
#[derive(Debug, Args)]
pub(crate) struct ChangesDateArguments {
    /// Notebooks, scripts, or folders that are searched for both.
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// One line of JSON a notebook.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Arguments of `changes coverage`.
#[derive(Debug, Args)]
pub(crate) struct ChangesCoverageArguments {
    /// Notebooks, scripts, or folders that are searched for both.
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
}
