//! Arguments of the commands that help to install the program.

use std::path::PathBuf;

use clap::Args;

/// Arguments of `completions`.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArguments {
    /// The shell.
    pub(crate) shell: clap_complete::Shell,
}

/// Arguments of `man`.
#[derive(Debug, Args)]
pub(crate) struct ManArguments {
    /// The folder for the pages, one a command: `man1` of a folder that `manpath` names.
    #[arg(long)]
    pub(crate) out: PathBuf,
}

/// Arguments of `doctor`.
#[derive(Debug, Args)]
pub(crate) struct DoctorArguments {
    /// The study to look at as well; default: study/mle-modernizer/study.toml, where there is one.
    pub(crate) study: Option<PathBuf>,
}
