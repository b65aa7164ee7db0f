//! What keeps a job from having an outcome, by type: trouble of this machine or of the way to a server, never the notebook's.

use std::io::ErrorKind;

use nbrevive_environment::FailureClass;
use nbrevive_environment::build::BuildError;
use nbrevive_execute::ExecuteError;
use nbrevive_spelling::string_enum;
use nbrevive_store::StoreError;

use crate::laboratory::LaboratoryError;

string_enum! {
    /// Why a job was not decided.
    pub enum JobTrouble ("trouble") {
        /// There is no room on a disk of ours.
        Disk => "disk",
        /// This machine ran out of memory, while the notebook had not used up its own.
        HostMemory => "host-memory",
        /// The package index cannot be reached.
        Index => "index",
        /// The sandbox could not start, or its transport broke.
        Sandbox => "sandbox",
        /// Kernels die, each at another place: somebody kills them.
        Killed => "killed",
        /// A model could not be asked.
        Model => "model",
        /// It waits for something that is not decided itself.
        Waits => "waits",
        /// The cluster did not carry it out, however often it was sent.
        Cluster => "cluster",
        /// Something else of ours is broken.
        Ours => "ours",
    }
}

impl LaboratoryError {
    /// What kind of trouble it is.
    #[must_use]
    pub fn trouble(&self) -> JobTrouble {
        match self {
            LaboratoryError::LowDisk { .. }
            | LaboratoryError::NoRoom(_)
            | LaboratoryError::Store(StoreError::DiskFull { .. }) => JobTrouble::Disk,
            LaboratoryError::Io { source, .. } if is_full(source) => JobTrouble::Disk,
            LaboratoryError::HostMemory { .. } => JobTrouble::HostMemory,
            LaboratoryError::Build(BuildError::Failed(failed)) if failed.class == FailureClass::DiskFull => {
                JobTrouble::Disk
            }
            LaboratoryError::Index(_) | LaboratoryError::Build(BuildError::Failed(_)) => JobTrouble::Index,
            LaboratoryError::Execute(ExecuteError::RunFolder(source)) if is_full(source) => JobTrouble::Disk,
            LaboratoryError::Execute(ExecuteError::NoKernel) => JobTrouble::Ours,
            LaboratoryError::Execute(_) => JobTrouble::Sandbox,
            LaboratoryError::Killed { .. } => JobTrouble::Killed,
            LaboratoryError::Unasked(_) => JobTrouble::Model,
            LaboratoryError::Unbuildable(_)
            | LaboratoryError::NoHome(_)
            | LaboratoryError::Build(_)
            | LaboratoryError::Kernel(_)
            | LaboratoryError::Snapshot(_)
            | LaboratoryError::Answers(_)
            | LaboratoryError::Io { .. }
            | LaboratoryError::Store(_) => JobTrouble::Ours,
        }
    }

    /// Whether time alone may cure it, so that another try makes sense. Models have a patience of their own, for room and for a
    /// killed kernel it was tried long enough, and what is broken stays so.
    #[must_use]
    pub fn may_pass(&self) -> bool {
        match self.trouble() {
            JobTrouble::Disk => !matches!(self, LaboratoryError::NoRoom(_)),
            JobTrouble::HostMemory | JobTrouble::Index | JobTrouble::Sandbox => true,
            JobTrouble::Killed | JobTrouble::Model | JobTrouble::Waits | JobTrouble::Cluster | JobTrouble::Ours => {
                false
            }
        }
    }
}

pub(crate) fn is_full(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::RoomLack;

    #[test]
    fn a_full_disk_is_one_trouble_wherever_it_shows() {
        let full = || std::io::Error::from(ErrorKind::StorageFull);
        let path = PathBuf::from("store");
        for error in [
            LaboratoryError::Io { path: path.clone(), source: full() },
            LaboratoryError::Execute(ExecuteError::RunFolder(full())),
            LaboratoryError::Store(StoreError::DiskFull { path: path.clone() }),
        ] {
            assert_eq!(error.trouble(), JobTrouble::Disk, "{error}");
            assert!(error.may_pass());
        }
        let no_room = LaboratoryError::NoRoom(RoomLack { folder: path.clone(), free: 0, need: 1 });
        assert!(no_room.trouble() == JobTrouble::Disk && !no_room.may_pass());
        let read_only = std::io::Error::from(ErrorKind::ReadOnlyFilesystem);
        assert_eq!(LaboratoryError::Io { path, source: read_only }.trouble(), JobTrouble::Ours);
    }
}
