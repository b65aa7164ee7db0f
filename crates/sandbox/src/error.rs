//! Why a sandbox could not be started.

use std::io;
use std::path::PathBuf;

use crate::missing::MissingMeans;

/// Why a sandbox could not be started. None of these is the fault of the command inside.
#[derive(Debug, thiserror::Error)]
pub enum SandboxStartError {
    /// The argument list is empty.
    #[error("the command to run is empty")]
    NothingToRun,
    /// A path to be bound does not exist or cannot be looked at.
    #[error("cannot bind {} into the sandbox", path.display())]
    Unreadable {
        /// Host path.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// What is to be bound is a socket, a pipe or a device: a door to somebody outside.
    #[error("cannot bind {} into the sandbox: it is neither a folder nor a regular file", path.display())]
    Irregular {
        /// Host path.
        path: PathBuf,
    },
    /// A path inside is relative or climbs.
    #[error("{} is no place inside a sandbox: it must be absolute and without '..'", path.display())]
    BadInsidePath {
        /// Path inside.
        path: PathBuf,
    },
    /// Only root could read this path, and the command does not run as root.
    #[error(
        "{} has mode {mode:04o}, but the sandbox runs under an unprivileged uid; make it readable (chmod -R o+rX)",
        path.display()
    )]
    NotForOthers {
        /// Host path.
        path: PathBuf,
        /// Permission bits.
        mode: u32,
    },
    /// The backend's program is not installed.
    #[error(transparent)]
    Missing(#[from] MissingMeans),
    /// A GPU that was asked for is not there.
    #[error("there is no GPU {id} on this machine: the driver lists none of that number, nor has it a device node")]
    NoGpu {
        /// Its number.
        id: u32,
    },
    /// A device node of the driver's is not there.
    #[error("the driver's device node {} is not there: run `nvidia-modprobe -u -c=0` as root, or any program with CUDA, which makes it", path.display())]
    NoGpuNode {
        /// The node.
        path: PathBuf,
    },
    /// All uids set aside for sandboxes are in use.
    #[error("all {slots} sandbox uids are in use (locks in {})", folder.display())]
    NoSlot {
        /// How many there are.
        slots: u32,
        /// Where their locks live.
        folder: PathBuf,
    },
    /// A step of the set-up failed.
    #[error("{step}")]
    Setup {
        /// What was tried.
        step: String,
        /// What the system said.
        source: io::Error,
    },
}

impl SandboxStartError {
    pub(crate) fn setup(step: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let step = step.into();
        move |source| Self::Setup { step, source }
    }
}
