//! Arguments of a study on many machines.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

/// Who carries out jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(crate) enum OnWhat {
    /// This machine.
    #[default]
    Local,
    /// Tasks that the command of `--submit` starts, one a batch of jobs.
    Command,
    /// Tasks of Slurm's job arrays.
    Slurm,
}

/// Where a study runs.
#[derive(Debug, Args)]
pub(crate) struct ClusterArguments {
    /// Who carries out jobs; other machines need this program, the study's files and the shared folder under the same paths.
    #[arg(long, value_enum, default_value = "local")]
    pub(crate) on: OnWhat,
    /// With `--on command`: what a shell is given for each batch, with `{batch}` for its file, such as
    /// `qsub -v BATCH={batch} task.sh`, where that calls `nbrevive study work --batch "$BATCH"`.
    #[arg(long, value_name = "COMMAND", required_if_eq("on", "command"))]
    pub(crate) submit: Option<String>,
    /// The folder that all machines see; default: `cluster` in the store.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) shared: Option<PathBuf>,
    /// Most tasks at a time.
    #[arg(long, default_value_t = 500, value_name = "COUNT")]
    pub(crate) max_jobs: usize,
    /// Tasks that are expected to run at a time: batches are made for so many.
    #[arg(long, default_value_t = 8, value_name = "COUNT")]
    pub(crate) nodes: usize,
    /// Minutes that a task is to take at least, and at most three times as long, where its jobs allow it.
    #[arg(long, default_value_t = 10, value_name = "MINUTES")]
    pub(crate) task_minutes: u32,
    /// With `--on slurm`: the partition.
    #[arg(long)]
    pub(crate) partition: Option<String>,
    /// With `--on slurm`: the account.
    #[arg(long)]
    pub(crate) account: Option<String>,
    /// With `--on slurm`: what a task needs beside cores and memory, such as `gpu:1`.
    #[arg(long)]
    pub(crate) gres: Option<String>,
    /// With `--on slurm`: the script of a task in place of our own, which `--dry-run` prints.
    #[arg(long, value_name = "FILE")]
    pub(crate) template: Option<PathBuf>,
    /// With `--on command`: a task of which nothing was heard for so many seconds is given up, and its jobs are sent again.
    #[arg(long, default_value_t = 600, value_name = "SECONDS")]
    pub(crate) silence: u64,
    /// Keep what a second task hands in for a job that is decided already, as one more repetition; without it the first one stays, alone.
    #[arg(long)]
    pub(crate) keep_second: bool,
}

/// Arguments of `study work`.
#[derive(Debug, Args)]
pub(crate) struct StudyWorkArguments {
    /// The file of the batch, in the shared folder.
    #[arg(long)]
    pub(crate) batch: PathBuf,
    /// A folder on a disk of this machine; default: `SLURM_TMPDIR`, else the system's for temporary files.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) scratch: Option<PathBuf>,
}

/// A run that was begun with `--on`.
#[derive(Debug, Args)]
pub(crate) struct ClusterPlace {
    /// The folder that keeps what ran.
    #[arg(long, default_value = super::STORE)]
    pub(crate) store: PathBuf,
    /// The folder that all machines see; default: `cluster` in the store.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) shared: Option<PathBuf>,
}

/// Arguments of `study simulate`.
#[derive(Debug, Args)]
pub(crate) struct StudySimulateArguments {
    /// Jobs that are made up.
    #[arg(long, default_value_t = 100_000)]
    pub(crate) jobs: usize,
    /// Machines, one task at a time each; several numbers, separated by commas, are simulated one after the other.
    #[arg(long, default_value = "64", value_delimiter = ',')]
    pub(crate) nodes: Vec<NonZeroUsize>,
    /// File for a picture (SVG) of where the time of the machines goes.
    #[arg(long, value_name = "FILE")]
    pub(crate) figure: Option<PathBuf>,
    /// Seconds that a task takes beside its jobs.
    #[arg(long, default_value_t = 10.0)]
    pub(crate) start_seconds: f64,
    /// Minutes that a task is to take at least.
    #[arg(long, default_value_t = 10, value_name = "MINUTES")]
    pub(crate) task_minutes: u32,
    /// Seed of the made-up times.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
}
