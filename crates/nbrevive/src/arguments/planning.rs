//! What `plan`, `imports` and `environments` are asked.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::ContainerfileArguments;

/// Arguments of `plan`.
#[derive(Debug, Args)]
pub(crate) struct PlanArguments {
    /// Notebooks, scripts, or folders that are searched for both.
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// The date that the environment is of: YYYY-MM-DD (its first instant, UTC) or an instant such as 2018-05-01T12:00:00Z; default: the last
    /// day on which all that the notebook uses was there (`nbrevive changes date`).
    #[arg(long, value_parser = super::date::instant)]
    pub(crate) date: Option<jiff::Timestamp>,
    /// `dated` pins the whole closure to what was uploaded before; `paper` bounds the direct imports.
    #[arg(long, default_value_t = nbrevive_environment::Strategy::Dated)]
    pub(crate) strategy: nbrevive_environment::Strategy,
    /// The Python to plan for, such as 3.6; default: by the date and the code.
    #[arg(long)]
    pub(crate) python: Option<nbrevive_notebook::PythonVersion>,
    /// What to print.
    #[arg(long, value_enum, default_value_t = PlanFormat::Table)]
    pub(crate) format: PlanFormat,
    /// Write there instead of to standard output; for several notebooks a folder, with one file each.
    #[arg(long, short)]
    pub(crate) out: Option<PathBuf>,
    /// Build the environment too (one notebook only).
    #[arg(long)]
    pub(crate) install: bool,
    /// Build it and try the notebook's imports in the sandbox; with `dated` clashing distributions then step back.
    #[arg(long = "try")]
    pub(crate) tried: bool,
    /// With --install or --try: where the plan asks for what is not there, build by this strategy instead.
    #[arg(long, value_name = "STRATEGY")]
    pub(crate) next_strategy: Option<nbrevive_environment::Strategy>,
    /// Where versions come from.
    #[command(flatten)]
    pub(crate) index: IndexArguments,
    /// Keep all that the plans went by in this file, so that `--snapshot` repeats them bit for bit.
    #[arg(long, value_name = "FILE")]
    pub(crate) save_snapshot: Option<PathBuf>,
}

/// Where versions come from.
#[derive(Debug, Args)]
pub(crate) struct IndexArguments {
    /// Plan from this snapshot alone.
    #[arg(long, value_name = "FILE", conflicts_with = "offline")]
    pub(crate) snapshot: Option<PathBuf>,
    /// Use what is cached of the package index, and ask it nothing.
    #[arg(long)]
    pub(crate) offline: bool,
}

/// The forms of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum PlanFormat {
    /// For people: versions, dates, reasons, warnings.
    Table,
    /// A requirements file.
    Requirements,
    /// A requirements file with the hash of each file (`dated` only).
    Hashes,
    /// `pylock.toml`, PEP 751 (`dated` only).
    Pylock,
    /// Everything, to be read back; one line a notebook where there are several.
    Json,
}

/// Arguments of `imports`.
#[derive(Debug, Args)]
pub(crate) struct ImportsArguments {
    /// Notebooks, scripts, or folders that are searched for both.
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// One JSON object a file: every import with its place, install lines, dialect, cells that cannot be read.
    #[arg(long)]
    pub(crate) json: bool,
}

/// The subcommands of `environments`.
#[derive(Debug, Subcommand)]
pub(crate) enum EnvironmentsCommand {
    /// List them with size, Python and last use.
    List,
    /// Remove the least recently used until the rest keeps to the limits; none that is in use.
    Prune(PruneArguments),
    /// Write a Containerfile and a lock that build the environment of a repository elsewhere.
    Containerfile(ContainerfileArguments),
}

/// Arguments of `environments prune`.
#[derive(Debug, Args)]
pub(crate) struct PruneArguments {
    /// Most that all of them may take, in GiB.
    #[arg(long)]
    pub(crate) max_size: Option<f64>,
    /// Longest time since the last use, in days.
    #[arg(long)]
    pub(crate) max_age: Option<f64>,
}
