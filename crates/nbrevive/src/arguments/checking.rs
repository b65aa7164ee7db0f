//! What the user typed after `check` and `environments containerfile`.

use std::path::PathBuf;

use clap::Args;
use nbrevive_compare::Agreement;
use nbrevive_environment::repository::RepositoryStrategy;

use super::{LimitArguments, SandboxArguments};
use crate::answers::AnswerFormat;

/// A repository, and how its environment is put together.
#[derive(Debug, Args)]
pub(crate) struct RepositoryArguments {
    /// The repository: a checkout, or any folder with notebooks; or the address of a git repository (https, ssh, a bare one's path), which
    /// is cloned and let go. `@COMMIT` behind it names a commit, a branch or a tag.
    #[arg(value_name = "FOLDER|GIT-URL[@COMMIT]")]
    pub(crate) repository: String,
    /// When the notebooks last ran (YYYY-MM-DD), for the versions of `dated`; default: when one of
    /// them was last committed, or earlier where the Python that saved them tells so.
    #[arg(long, value_parser = crate::arguments::date::instant)]
    pub(crate) date: Option<jiff::Timestamp>,
    /// How the environment is put together: `declared` by what the repository declares alone, `paper` with the newest of what its code
    /// imports besides, `dated` with versions of the date.
    #[arg(long, default_value_t = RepositoryStrategy::Dated)]
    pub(crate) strategy: RepositoryStrategy,
}

/// Arguments of `check`.
#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// What is checked.
    #[command(flatten)]
    pub(crate) repository: RepositoryArguments,
    /// How alike outputs have to be: `exact`, `normalized` (addresses, times, paths aside), `value` (numbers within 1e-6, tables as
    /// tables), `picture` (pictures that look alike).
    #[arg(long, default_value = "value", value_parser = level)]
    pub(crate) level: Agreement,
    /// Check only notebooks whose path contains this text.
    #[arg(long)]
    pub(crate) only: Option<String>,
    /// Write a JUnit file for continuous integration: a test case a notebook.
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// In which form it answers on standard output (docs/answers.md).
    #[arg(long, default_value = "text")]
    pub(crate) format: AnswerFormat,
    /// Write one HTML page with saved and new outputs beside each other, pictures with their difference.
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// Write what the notebooks show now over what they showed; those that did not run to their end stay as they are.
    #[arg(long)]
    pub(crate) update: bool,
    /// The limits.
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    /// The sandbox.
    #[command(flatten)]
    pub(crate) sandbox: SandboxArguments,
}

/// Arguments of `environments containerfile`.
#[derive(Debug, Args)]
pub(crate) struct ContainerfileArguments {
    /// The repository whose environment it is.
    #[command(flatten)]
    pub(crate) repository: RepositoryArguments,
    /// The folder for `Containerfile` and `requirements.lock`; default: both on standard output.
    #[arg(long)]
    pub(crate) out: Option<PathBuf>,
    /// The image to start from, with a `python3` of the minor; default: `python:MINOR-slim`.
    #[arg(long)]
    pub(crate) base: Option<String>,
    /// The sandbox, in which source archives are built: `declared` and `paper` have to be installed to be known.
    #[command(flatten)]
    pub(crate) sandbox: SandboxArguments,
}

/// A level that can be asked for.
pub(super) fn level(word: &str) -> Result<Agreement, String> {
    let levels = || Agreement::ALL.iter().filter(|level| **level != Agreement::Different);
    levels().find(|level| level.as_str() == word).copied().ok_or_else(|| {
        let known: Vec<&str> = levels().map(|level| level.as_str()).collect();
        format!("expected one of {}", known.join(", "))
    })
}
