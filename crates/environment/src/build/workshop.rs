//! Where source archives are built: their builds are code of whoever wrote them.

use std::ffi::OsString;
use std::fmt::Debug;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Where the commands of a build find [`BuildJob::folder`].
pub const BUILD_FOLDER: &str = "/build";

/// One command of a build.
#[derive(Debug)]
pub struct BuildJob<'job> {
    /// Program and arguments.
    pub argv: Vec<OsString>,
    /// The complete environment.
    pub env: Vec<(String, String)>,
    /// Folders and files of this machine that it reads, at the same place as outside.
    pub read_only: Vec<PathBuf>,
    /// The one folder that it writes, found at [`BUILD_FOLDER`].
    pub folder: &'job Path,
    /// File that gets what it prints.
    pub log: PathBuf,
    /// Longest time.
    pub limit: Duration,
}

/// How a command of a build ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BuildEnd {
    /// With exit code 0.
    Done,
    /// The time was up.
    TimedOut,
    /// Otherwise; how, in words.
    Failed(String),
}

/// Runs commands of builds where they can do no harm: without network, and with nothing to see but what the job names and the
/// system's own `/usr`.
pub trait Workshop: Debug + Send + Sync {
    /// Runs one command to its end.
    ///
    /// # Errors
    /// When it could not be started.
    fn run(&self, job: &BuildJob<'_>) -> io::Result<BuildEnd>;
}
