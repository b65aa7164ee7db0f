//! Removes what code that we do not trust has filled, whatever modes, links and depths it left there.

use std::ffi::{CStr, CString, OsStr};
use std::fs::Permissions;
use std::os::fd::{AsFd, AsRawFd as _, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, Dir, Mode, OFlags, chmodat, fstat, openat, renameat, unlinkat};
use rustix::io::Errno;

use crate::error::FileError;

/// Folders that are held open at a time: what lies deeper is moved up first.
const DEEPEST: usize = 32;
/// Most times that folders are listed anew, should somebody go on filling them.
const MOST_PASSES: u32 = 1 << 20;
/// What the owner of a folder needs to empty it.
const OPEN: Mode = Mode::RWXU;

/// Removes a file, or a folder with everything in it. No link is followed, and folders that their owner was shut out of (`chmod 0`) are
/// opened again on the way.
///
/// # Errors
/// When something cannot be removed; the rest is gone then.
pub fn remove(path: &Path) -> Result<(), FileError> {
    let above = path.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = path.file_name().map(OsStr::as_bytes).unwrap_or_default();
    let removed = CString::new(name).map_err(|_| Errno::INVAL).and_then(|name| {
        let above = openat(CWD, above, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
        remove_at(above.as_fd(), &name)
    });
    removed.map_err(|error| FileError::Remove { path: path.to_owned(), source: error.into() })
}

/// A folder for code that we do not trust: closed to other users, and removed when dropped, whatever has become of it.
#[derive(Debug)]
pub struct Scratch(PathBuf);

impl Scratch {
    /// Makes one below a folder; its name begins with `prefix`.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn make(below: &Path, prefix: &str) -> Result<Self, FileError> {
        let mut builder = tempfile::Builder::new();
        let made = builder.prefix(prefix).permissions(Permissions::from_mode(0o700)).tempdir_in(below);
        Ok(Self(made.map_err(FileError::write(below))?.keep()))
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // There is nobody to tell.
        let _ = remove(&self.0);
    }
}

/// Gives its owner a folder back that is held by any descriptor, also one that opens nothing.
pub(crate) fn give_back(folder: BorrowedFd<'_>) -> Result<(), Errno> {
    let mode = Mode::from_raw_mode(fstat(folder)?.st_mode);
    if mode.contains(OPEN) {
        return Ok(());
    }
    // The descriptor's own entry leads to what it holds, and to nothing that has its name by now.
    chmodat(CWD, format!("/proc/self/fd/{}", folder.as_raw_fd()), mode | OPEN, AtFlags::empty())
}

/// A folder on the way down.
struct Level {
    folder: OwnedFd,
    name: CString,
    listing: Dir,
    /// Whether something went away since it was last listed from its beginning.
    is_emptier: bool,
}

impl Level {
    fn enter(above: BorrowedFd<'_>, name: &CStr) -> Result<Self, Errno> {
        let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let found = openat(above, name, flags | OFlags::PATH, Mode::empty())?;
        // Who does not own it may be root, who needs no mode; else it does not open.
        let _ = give_back(found.as_fd());
        let folder = openat(&found, c".", flags, Mode::empty())?;
        let listing = Dir::read_from(&folder)?;
        Ok(Self { folder, name: name.to_owned(), listing, is_emptier: false })
    }

    /// Removes all but folders up to the next folder, whose name it gives; `None` at the end.
    fn next_folder(&mut self, trouble: &mut Option<Errno>) -> Option<CString> {
        while let Some(entry) = self.listing.read() {
            let Ok(entry) = entry.map_err(|error| trouble.get_or_insert(error)) else { return None };
            let name = entry.file_name();
            if name == c"." || name == c".." {
                continue;
            }
            match unlinkat(&self.folder, name, AtFlags::empty()) {
                Ok(()) => self.is_emptier = true,
                Err(Errno::ISDIR) => return Some(name.to_owned()),
                Err(Errno::NOENT) => {}
                Err(error) => _ = trouble.get_or_insert(error),
            }
        }
        None
    }
}

fn remove_at(above: BorrowedFd<'_>, name: &CStr) -> Result<(), Errno> {
    match unlinkat(above, name, AtFlags::empty()) {
        Err(Errno::ISDIR) => {}
        other => return other,
    }
    let mut levels = vec![Level::enter(above, name)?];
    let (mut trouble, mut moved, mut passes) = (None, 0_u32, 0_u32);
    while let Some(level) = levels.last_mut() {
        let Some(name) = level.next_folder(&mut trouble) else {
            if passes < MOST_PASSES {
                passes += 1;
                finish(above, &mut levels, &mut trouble);
                continue;
            }
            return Err(Errno::NOTEMPTY);
        };
        match Level::enter(level.folder.as_fd(), &name) {
            Ok(deeper) if levels.len() < DEEPEST => levels.push(deeper),
            Ok(_) => {
                moved += 1;
                move_up(&mut levels, &name, &format!(".removed-{moved}"), &mut trouble);
            }
            Err(error) => _ = trouble.get_or_insert(error),
        }
    }
    trouble.map_or(Ok(()), Err)
}

/// Removes the lowest folder, which has been listed to its end, or lists it again: it may have been given more meanwhile.
fn finish(above: BorrowedFd<'_>, levels: &mut Vec<Level>, trouble: &mut Option<Errno>) {
    let Some(mut level) = levels.pop() else { return };
    let holder = levels.last().map_or(above, |level| level.folder.as_fd());
    match unlinkat(holder, &level.name, AtFlags::REMOVEDIR) {
        Ok(()) | Err(Errno::NOENT) => {
            if let Some(holder) = levels.last_mut() {
                holder.is_emptier = true;
            }
        }
        Err(Errno::NOTEMPTY | Errno::EXIST) if level.is_emptier => {
            level.is_emptier = false;
            level.listing.rewind();
            levels.push(level);
        }
        Err(error) => _ = trouble.get_or_insert(error),
    }
}

/// Moves a folder from the lowest level to the highest one, which comes to it later.
fn move_up(levels: &mut [Level], name: &CStr, new: &str, trouble: &mut Option<Errno>) {
    let [highest, .., lowest] = levels else { return };
    match renameat(&lowest.folder, name, &highest.folder, new) {
        Ok(()) => (highest.is_emptier, lowest.is_emptier) = (true, true),
        Err(error) => _ = trouble.get_or_insert(error),
    }
}

#[cfg(test)]
mod attacks {
    use std::os::unix::fs::symlink;

    use rustix::fs::mkdirat;
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    use super::*;

    fn close(path: &Path) {
        std::fs::set_permissions(path, Permissions::from_mode(0o000)).unwrap();
    }

    #[test]
    fn folders_that_their_owner_was_shut_out_of_are_removed() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("working");
        std::fs::create_dir_all(folder.join("a/b")).unwrap();
        for name in ["a/b/file", "a/file", "file"] {
            std::fs::write(folder.join(name), "x").unwrap();
        }
        for name in ["a/b", "a", ""] {
            close(&folder.join(name));
        }
        // The usual way stops before the first of them, but for root.
        let usual = std::fs::remove_dir_all(&folder);
        assert!(usual.is_err() || rustix::process::geteuid().is_root());
        if usual.is_err() {
            remove(&folder).unwrap();
        }
        assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0);
    }

    #[test]
    fn what_links_lead_to_stays() {
        let place = tempfile::tempdir().unwrap();
        let (folder, own) = (place.path().join("working"), place.path().join("own"));
        std::fs::create_dir(&folder).unwrap();
        std::fs::create_dir(&own).unwrap();
        std::fs::write(own.join("key"), "key").unwrap();
        std::fs::set_permissions(&own, Permissions::from_mode(0o500)).unwrap();
        symlink(&own, folder.join("folder")).unwrap();
        symlink(own.join("key"), folder.join("file")).unwrap();
        std::fs::hard_link(own.join("key"), folder.join("hard")).unwrap();
        remove(&folder).unwrap();
        symlink(&own, place.path().join("itself")).unwrap();
        remove(&place.path().join("itself")).unwrap();
        assert_eq!(std::fs::read_to_string(own.join("key")).unwrap(), "key");
        assert_eq!(std::fs::metadata(&own).unwrap().permissions().mode() & 0o7777, 0o500);
        assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 1);
    }

    #[test]
    fn an_abyss_is_removed_without_a_descriptor_for_each_level() {
        // Where a process may open many more, a descriptor for each level would not be missed.
        let limit = getrlimit(Resource::Nofile);
        setrlimit(Resource::Nofile, Rlimit { current: Some(512), ..limit }).unwrap();
        let scratch = Scratch::make(&std::env::temp_dir(), "nbrevive-abyss-").unwrap();
        let path = scratch.path().to_owned();
        let open = |above: BorrowedFd<'_>, name: &str| {
            openat(above, name, OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()).unwrap()
        };
        let mut folder = open(CWD, path.to_str().unwrap());
        // More than there are descriptors.
        for _ in 0..1_100 {
            mkdirat(&folder, "d", Mode::RWXU).unwrap();
            folder = open(folder.as_fd(), "d");
        }
        mkdirat(&folder, "shut", Mode::empty()).unwrap();
        drop(folder);
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o700);
        drop(scratch);
        assert!(!path.exists());
    }

    #[test]
    fn what_is_not_there_is_told() {
        let error = remove(Path::new("/no/such/place")).unwrap_err();
        assert_eq!(error.to_string(), "cannot remove /no/such/place");
    }
}
