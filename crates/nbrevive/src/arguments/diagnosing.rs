//! What the user typed after `diagnose`.

use std::path::PathBuf;

use clap::Args;

/// Arguments of `diagnose`.
#[derive(Debug, Args)]
pub(crate) struct DiagnoseArguments {
    /// The notebook, or a folder that is searched for notebooks.
    pub(crate) path: PathBuf,
    /// Print a line of JSON for each notebook (see docs/diagnose.md).
    #[arg(long)]
    pub(crate) json: bool,
}
