//! What the user typed after `check`.

use std::path::PathBuf;

use clap::Args;
use nbrevive_compare::Agreement;
use nbrevive_environment::repository::RepositoryStrategy;

use super::SandboxArguments;

/// Arguments of `check`.
#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// The folder of the repository: a checkout, or any folder with notebooks.
    pub(crate) folder: PathBuf,
    /// When the notebooks last ran (YYYY-MM-DD), for the versions of `dated`; default: when one of
    /// them was last committed.
    #[arg(long)]
    pub(crate) date: Option<jiff::civil::Date>,
    /// How the environment is put together: `declared` by what the repository declares alone, `paper` with the newest of what its code
    /// imports besides, `dated` with versions of the date.
    #[arg(long, default_value_t = RepositoryStrategy::Dated)]
    pub(crate) strategy: RepositoryStrategy,
    /// How alike outputs have to be: `exact`, `normalized` (addresses, times, paths aside), `value` (numbers within 1e-6, tables as
    /// tables), `picture` (pictures that look alike).
    #[arg(long, default_value = "value", value_parser = level)]
    pub(crate) level: Agreement,
    /// Check only notebooks whose path contains this text.
    #[arg(long)]
    pub(crate) only: Option<String>,
    /// Write what the notebooks show now over what they showed; those that did not run to their end stay as they are.
    #[arg(long)]
    pub(crate) update: bool,
    /// Wall clock for all cells of a notebook, in seconds.
    #[arg(long, default_value_t = 600.0)]
    pub(crate) time_limit: f64,
    /// Memory in MiB.
    #[arg(long, default_value_t = 30 * 1024)]
    pub(crate) memory: u64,
    /// The sandbox.
    #[command(flatten)]
    pub(crate) sandbox: SandboxArguments,
}

/// A level that can be asked for.
fn level(word: &str) -> Result<Agreement, String> {
    let levels = || Agreement::ALL.iter().filter(|level| **level != Agreement::Different);
    levels().find(|level| level.as_str() == word).copied().ok_or_else(|| {
        let known: Vec<&str> = levels().map(|level| level.as_str()).collect();
        format!("expected one of {}", known.join(", "))
    })
}
