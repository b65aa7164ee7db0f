//! A uid of its own for every running sandbox, so that per-uid limits and files of one run never touch another's.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use crate::SandboxStartError;

/// First uid handed out; far above people's accounts and below the ranges of container engines.
const FIRST_UID: u32 = 20_000;
/// How many sandboxes can run at once on a machine.
const SLOTS: u32 = 1000;
/// Where the locks live: only root writes here, and it is emptied at boot.
const FOLDER: &str = "/run/nbrevive/slots";

/// A uid that nobody else uses while this value lives. The lock dies with the process, however that ends.
#[derive(Debug)]
pub(crate) struct Slot {
    pub(crate) uid: u32,
    _lock: File,
}

impl Slot {
    /// Takes the lowest free uid of the machine; for root only.
    pub(crate) fn take() -> Result<Self, SandboxStartError> {
        Self::take_in(Path::new(FOLDER), SLOTS)
    }

    fn take_in(folder: &Path, slots: u32) -> Result<Self, SandboxStartError> {
        let step = || format!("preparing the uid locks in {}", folder.display());
        DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(SandboxStartError::setup(step()))?;
        let owner = fs::symlink_metadata(folder).map_err(SandboxStartError::setup(step()))?.uid();
        if owner != rustix::process::geteuid().as_raw() {
            return Err(SandboxStartError::setup(step())(std::io::Error::other("the folder belongs to somebody else")));
        }
        for slot in 0..slots {
            let path: PathBuf = folder.join(slot.to_string());
            let lock = OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).open(&path);
            let lock = lock.map_err(SandboxStartError::setup(format!("opening {}", path.display())))?;
            if lock.try_lock().is_ok() {
                return Ok(Self { uid: FIRST_UID + slot, _lock: lock });
            }
        }
        Err(SandboxStartError::NoSlot { slots, folder: folder.to_path_buf() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_differ_while_held_and_come_back() {
        let folder = tempfile::tempdir().unwrap();
        let first = Slot::take_in(folder.path(), 2).unwrap();
        let second = Slot::take_in(folder.path(), 2).unwrap();
        assert_eq!((first.uid, second.uid), (20_000, 20_001));
        assert!(matches!(Slot::take_in(folder.path(), 2), Err(SandboxStartError::NoSlot { slots: 2, .. })));
        drop(first);
        assert_eq!(Slot::take_in(folder.path(), 2).unwrap().uid, 20_000);
    }
}
