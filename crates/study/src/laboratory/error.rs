//! What keeps an execution from taking place.

use std::path::PathBuf;

use nbrevive_corpus::content_hash;
use nbrevive_environment::FailureClass;
use nbrevive_environment::build::BuildError;
use nbrevive_environment::home::NoHome;
use nbrevive_environment::index::IndexError;
use nbrevive_environment::kernel::KernelError;
use nbrevive_environment::plan::PlanError;
use nbrevive_grade::GraderError;
use nbrevive_mirror::MirrorError;

use crate::laboratory::disk_space::RoomLack;

/// An environment that could not be built, for a reason that is not ours.
#[derive(Debug, Clone, thiserror::Error)]
#[error("environment cannot be built ({class}): {tail}")]
pub struct Unbuildable {
    /// A name for what was asked.
    pub id: String,
    /// The interpreter that was asked for.
    pub python: String,
    /// One requirement a line.
    pub requirements: String,
    /// The class of the failure.
    pub class: FailureClass,
    /// The distributions at fault, normalised; empty where the installer does not tell.
    pub distributions: Vec<String>,
    /// The last lines of what the tools said.
    pub tail: String,
}

/// Why an execution could not take place, or could not be kept. None of these is the notebook's fault, but for
/// [`LaboratoryError::Unbuildable`].
#[derive(Debug, thiserror::Error)]
pub enum LaboratoryError {
    /// No environment for a reason that a rerun would not mend.
    #[error(transparent)]
    Unbuildable(#[from] Box<Unbuildable>),
    /// What all studies share has no folder.
    #[error(transparent)]
    NoHome(#[from] NoHome),
    /// No environment came of it, which is not the environment's fault: no uv, no folder for it, no index, no room.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The kernel's packages are not there.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// What the package index tells cannot be had.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The snapshot that the study names is not what its list says, or cannot be served.
    #[error("the study's snapshot: {0}")]
    Snapshot(#[from] MirrorError),
    /// A disk fell below its reserve while an execution kept to its own share.
    #[error("{} had {free_mib} MiB left of its reserve of {reserve_mib} when an execution ended, which was not that notebook's doing", folder.display())]
    LowDisk {
        /// The working folder.
        folder: PathBuf,
        /// What was free when it ended, in MiB.
        free_mib: u64,
        /// What has to stay free, in MiB.
        reserve_mib: u64,
    },
    /// The run has waited for room long enough.
    #[error(transparent)]
    NoRoom(#[from] RoomLack),
    /// The machine had no memory left for a notebook that had not used up its own.
    #[error(
        "the machine ran out of memory when the notebook held {used} of its {limit} MiB: run fewer at a time (--jobs)"
    )]
    HostMemory {
        /// What it held at most, in MiB.
        used: u64,
        /// What it may hold, in MiB.
        limit: u64,
    },
    /// Its kernel was killed again and again, each time at another place.
    #[error(
        "the kernel was killed {times} times, hardly twice at the same place: see who kills processes on this machine"
    )]
    Killed {
        /// How often it was tried.
        times: u32,
    },
    /// The answers of a competition cannot be used.
    #[error(transparent)]
    Answers(#[from] GraderError),
    /// The sandbox or the kernel's transport is broken.
    #[error(transparent)]
    Execute(#[from] nbrevive_execute::ExecuteError),
    /// A file or folder of ours cannot be used.
    #[error("cannot access {path}: {source}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A model could not be asked: by its own trouble, or because a cap over several notebooks is reached.
    #[error("{0}")]
    Unasked(String),
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] nbrevive_store::StoreError),
}

pub(crate) fn unplanned(error: PlanError) -> LaboratoryError {
    let python = match &error {
        PlanError::NoInterpreter(missing) => missing.minor.to_string(),
        PlanError::Major(major) => major.to_string(),
        PlanError::TooEarly { .. } | PlanError::Future(_) | PlanError::Index(_) => String::new(),
    };
    match error {
        PlanError::Index(error) => error.into(),
        other => unbuildable(FailureClass::NoInterpreter, &python, "", &other.to_string()),
    }
}

pub(crate) fn unbuilt(error: BuildError, python: &str, requirements: &str) -> LaboratoryError {
    match error {
        // For want of an index or of room the job is left undone, and the next run tries again.
        BuildError::Failed(failed)
            if !matches!(failed.class, FailureClass::IndexUnreachable | FailureClass::DiskFull) =>
        {
            let distributions = failed.distributions;
            Box::new(Unbuildable { distributions, ..described(failed.class, python, requirements, &failed.tail) })
                .into()
        }
        other => other.into(),
    }
}

pub(crate) fn unbuildable(class: FailureClass, python: &str, requirements: &str, tail: &str) -> LaboratoryError {
    Box::new(described(class, python, requirements, tail)).into()
}

/// A failed build that blames no distribution.
fn described(class: FailureClass, python: &str, requirements: &str, tail: &str) -> Unbuildable {
    let id = content_hash(format!("{python}\n{requirements}").as_bytes())[..20].to_owned();
    Unbuildable {
        id,
        python: python.to_owned(),
        requirements: requirements.to_owned(),
        class,
        distributions: Vec::new(),
        tail: tail.to_owned(),
    }
}
