//! The folder of one execution, which is gone afterwards; when the program is killed, the next start removes it.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use nbrevive_files::{FileError, Folder, Scratch, remove};

/// How our folders are called, and nothing else that lies beside them.
const PREFIX: &str = "nbrevive-work-";
/// The part that the notebook sees.
const WORKING: &str = "working";

/// A folder that nobody else removes or looks into while this value lives. The lock dies with the process, however that ends.
#[derive(Debug)]
pub(crate) struct WorkFolder {
    folder: Scratch,
    _lock: File,
}

impl WorkFolder {
    /// Makes a folder below `base`.
    pub(crate) fn make(base: &Path) -> io::Result<Self> {
        loop {
            let folder = Scratch::make(base, PREFIX)?;
            let locked = File::open(folder.path()).and_then(|lock| lock.lock().map(|()| lock));
            match locked {
                // Until it was locked, somebody may have taken it for a leftover; then another is made.
                Ok(lock) if folder.path().is_dir() => {
                    let made = WorkFolder { folder, _lock: lock };
                    std::fs::create_dir(made.working())?;
                    return Ok(made);
                }
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The notebook's working folder.
    pub(crate) fn working(&self) -> PathBuf {
        self.folder.path().join(WORKING)
    }

    /// The working folder after the notebook is over, which may have closed it.
    pub(crate) fn reclaim(&self) -> Result<Folder, FileError> {
        Folder::reclaim(&self.working())
    }
}

/// Removes the folders below `base` that killed runs of this user left behind; how many there were.
pub(crate) fn remove_leftovers(base: &Path) -> usize {
    let entries = std::fs::read_dir(base).into_iter().flatten().flatten();
    let ours =
        entries.filter(|entry| entry.file_name().as_encoded_bytes().starts_with(OsStr::new(PREFIX).as_encoded_bytes()));
    ours.filter(|entry| remove_left_over(&entry.path())).count()
}

/// Removes a folder of this user that nobody holds; the lock is held meanwhile, so that nobody begins to use it.
fn remove_left_over(folder: &Path) -> bool {
    let user = rustix::process::geteuid().as_raw();
    let is_own = folder.symlink_metadata().is_ok_and(|found| found.is_dir() && found.uid() == user);
    if is_own {
        // One that cannot be opened cannot be locked either.
        let _ = Folder::reclaim(folder);
    }
    let Some(lock) = File::open(folder).ok().filter(|lock| is_own && lock.try_lock().is_ok()) else { return false };
    let removed = remove(folder).is_ok();
    drop(lock);
    removed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_run_left_is_removed_and_what_runs_is_not() {
        let base = tempfile::tempdir().unwrap();
        let running = WorkFolder::make(base.path()).unwrap();
        let left = WorkFolder::make(base.path()).unwrap();
        std::fs::write(left.working().join("big.csv"), "a\n").unwrap();
        // As a kill would: the lock is released, the folder stays.
        let WorkFolder { folder, _lock } = left;
        let left = folder.path().to_owned();
        std::mem::forget(folder);
        drop(_lock);
        // Killed while it was being made, or while it was being removed.
        std::fs::create_dir_all(base.path().join("nbrevive-work-half/nbr-1/ipc")).unwrap();
        std::fs::create_dir_all(base.path().join("nbrevive-elses/working")).unwrap();
        assert_eq!(remove_leftovers(base.path()), 2);
        assert!(!left.exists() && running.working().exists());
        assert_eq!(std::fs::read_dir(base.path()).unwrap().count(), 2);
    }

    mod attacks {
        use std::os::unix::fs::PermissionsExt as _;

        use super::*;

        fn shut(folder: &Path) {
            std::fs::create_dir_all(folder.join("deep/deeper")).unwrap();
            std::fs::write(folder.join("deep/deeper/big.csv"), "a\n").unwrap();
            for name in ["deep/deeper", "deep", ""] {
                std::fs::set_permissions(folder.join(name), std::fs::Permissions::from_mode(0o000)).unwrap();
            }
        }

        #[test]
        fn no_working_folder_stays_since_it_was_closed_and_nobody_else_looks_in() {
            let base = tempfile::tempdir().unwrap();
            let folder = WorkFolder::make(base.path()).unwrap();
            assert_eq!(folder.path().metadata().unwrap().mode() & 0o7777, 0o700);
            shut(&folder.working());
            assert!(folder.reclaim().unwrap().entries().is_ok_and(|entries| entries.len() == 1));
            drop(folder);
            let left = base.path().join("nbrevive-work-left");
            shut(&left.join("working"));
            assert_eq!(remove_leftovers(base.path()), 1);
            assert_eq!(std::fs::read_dir(base.path()).unwrap().count(), 0);
        }

        #[test]
        fn a_link_in_the_place_of_the_working_folder_is_not_taken_for_it() {
            let (base, own) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
            let folder = WorkFolder::make(base.path()).unwrap();
            std::fs::remove_dir(folder.working()).unwrap();
            std::os::unix::fs::symlink(own.path(), folder.working()).unwrap();
            assert!(folder.reclaim().is_err());
        }
    }
}
