//! Arguments of the commands that say what keeps notebooks from running, and put back what they miss.

use std::path::PathBuf;

use clap::Args;
use nbrevive_corpus::Preparation;
use nbrevive_study::StudyLimits;

use super::{ModelArguments, OneNotebook, SandboxArguments};

/// Arguments of `diagnose`.
#[derive(Debug, Args)]
pub(crate) struct DiagnoseArguments {
    /// The notebook, or a folder that is searched for notebooks.
    pub(crate) path: PathBuf,
    /// Print a line of JSON for each notebook (see docs/diagnose.md).
    #[arg(long)]
    pub(crate) json: bool,
    /// Run each notebook past its errors, and say how far it comes and where each error comes from.
    #[arg(long)]
    pub(crate) run: bool,
    /// How it runs.
    #[command(flatten)]
    pub(crate) how: HowToRun,
}

/// How notebooks run, where they do.
#[derive(Debug, Args)]
#[command(next_help_heading = "With --run")]
pub(crate) struct HowToRun {
    /// The folder whose files lie beside the notebook: copied into its working folder.
    #[arg(long, requires = "run")]
    pub(crate) beside: Option<PathBuf>,
    /// The lock of the environment.
    #[arg(long, default_value = "contemporary")]
    pub(crate) environment: String,
    /// Wall clock for all cells of a notebook, in seconds (paper on executability, section IV-B: 300).
    #[arg(long, default_value_t = 300.0)]
    pub(crate) time_limit: f64,
    /// Memory in MiB.
    #[arg(long, default_value_t = StudyLimits::MEMORY_MIB)]
    pub(crate) memory: u64,
    /// The sandbox.
    #[command(flatten)]
    pub(crate) sandbox: SandboxArguments,
}

/// Arguments of `restore`.
#[derive(Debug, Args)]
pub(crate) struct RestoreArguments {
    /// The notebook.
    #[command(flatten)]
    pub(crate) one: OneNotebook,
    /// What may be put back, with commas between; default: all.
    #[arg(long, value_delimiter = ',', value_name = "WHAT")]
    pub(crate) prepare: Vec<Preparation>,
    /// Most turns.
    #[arg(long, default_value_t = nbrevive_study::RESTORE_TURNS)]
    pub(crate) turns: usize,
    /// Hide the data that the notebook reads, although they are there: does its code work without them?
    #[arg(long)]
    pub(crate) without_data: bool,
    /// Write the files that were made up into this folder.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) keep_data: Option<PathBuf>,
    /// Write how far it came and what was put back, as JSON.
    #[arg(long)]
    pub(crate) json: Option<PathBuf>,
    /// Where the model's ledger and the record of its answers are kept; default: with the environments' cache.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) dialogue: Option<PathBuf>,
    /// Who is asked for what nothing known brings back.
    #[command(flatten)]
    pub(crate) model: ModelArguments,
}
