//! What the user typed after `snapshot`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

/// The subcommands of `snapshot`.
#[derive(Debug, Subcommand)]
pub(crate) enum SnapshotCommand {
    /// Fetch the files that locks need into a new folder, which any installer can use as its index.
    Create(SnapshotCreateArguments),
    /// Fetch what further locks need into a folder that is there.
    Add(SnapshotAddArguments),
    /// Let go of what no lock of these needs.
    Prune(SnapshotAddArguments),
    /// Hold a folder against its list, byte by byte.
    Verify(SnapshotPlace),
    /// Serve a folder on loopback, until it is stopped or a command is over.
    Serve(SnapshotServeArguments),
}

/// Which files are meant.
#[derive(Debug, Args)]
pub(crate) struct WantedLocks {
    /// Locks (`# python: 3.12`, then `name==version` lines), or a study's file: the locks of its baseline and eras.
    #[arg(value_name = "LOCK|STUDY")]
    pub(crate) locks: Vec<PathBuf>,
    /// Also what every environment that ran into this store needs.
    #[arg(long)]
    pub(crate) store: Option<PathBuf>,
    /// Also the release histories of this file, without which a study that names the folder plans nothing: `nbrevive study run
    /// --save-snapshot FILE` with a new store.
    #[arg(long, value_name = "FILE")]
    pub(crate) histories: Option<PathBuf>,
    /// Leave out the packages of the kernels, without which notebooks do not run, and the installers that make environments.
    #[arg(long)]
    pub(crate) without_kernels: bool,
    /// Refuse releases of this kind.
    #[arg(long, value_name = "KIND")]
    pub(crate) deny: Option<DeniedReleases>,
}

/// Releases that are refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DeniedReleases {
    /// Those that their authors took back (PEP 592).
    Yanked,
}

/// Arguments of `snapshot create`.
#[derive(Debug, Args)]
pub(crate) struct SnapshotCreateArguments {
    /// Which files.
    #[command(flatten)]
    pub(crate) wanted: WantedLocks,
    /// The folder to make.
    #[arg(long, short, default_value = "snapshot")]
    pub(crate) out: PathBuf,
}

/// Arguments of `snapshot add` and `snapshot prune`.
#[derive(Debug, Args)]
pub(crate) struct SnapshotAddArguments {
    /// The folder.
    pub(crate) folder: PathBuf,
    /// Which files.
    #[command(flatten)]
    pub(crate) wanted: WantedLocks,
}

/// Arguments of `snapshot verify`.
#[derive(Debug, Args)]
pub(crate) struct SnapshotPlace {
    /// The folder.
    pub(crate) folder: PathBuf,
}

/// Arguments of `snapshot serve`.
#[derive(Debug, Args)]
pub(crate) struct SnapshotServeArguments {
    /// The folder.
    pub(crate) folder: PathBuf,
    /// The port on loopback; 0 for one that is free.
    #[arg(long, default_value_t = 0)]
    pub(crate) port: u16,
    /// Run this with the served index as the only one (pip, uv and nbrevive), and end with it.
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}
