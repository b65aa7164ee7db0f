//! A folder that was given, and the names in it: no link leads out of it, whoever made the link, and whenever.

use std::ffi::{CString, OsStr, OsString};
use std::fs::File;
use std::os::fd::{AsFd as _, AsRawFd as _, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, ResolveFlags, openat, openat2, readlinkat, statat};
use rustix::io::Errno;

use crate::error::{FileError, FileErrorKind};
use crate::incoming::{FLAGS, read_to_limit, regular};
use crate::remove::give_back;

/// How often a look-up is repeated that a rename under way has disturbed.
const TRIES: usize = 128;

/// A folder, held open: it stays the same one whatever is renamed around it.
#[derive(Debug)]
pub struct Folder {
    held: OwnedFd,
    path: PathBuf,
}

/// What a folder holds under one name; links are not followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderEntry {
    /// The name, which may be any bytes.
    pub name: OsString,
    /// What it is.
    pub kind: FileErrorKind,
    /// Length in bytes, as the file says.
    pub bytes: u64,
}

impl Folder {
    /// Opens the folder at a path. Links in the path are followed: the user wrote it.
    ///
    /// # Errors
    /// When there is none, or it cannot be opened.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        let held = rustix::fs::open(path, FLAGS | OFlags::DIRECTORY, Mode::empty());
        let held = held.map_err(|error| FileError::read(path)(error.into()))?;
        Ok(Self { held, path: path.to_owned() })
    }

    /// As [`Folder::open`], for a folder whose name stands in somebody else's: a link is none.
    ///
    /// # Errors
    /// As [`Folder::open`], and when the last part of the path is a link.
    pub fn open_real(path: &Path) -> Result<Self, FileError> {
        let held = rustix::fs::open(path, FLAGS | OFlags::DIRECTORY | OFlags::NOFOLLOW, Mode::empty());
        held.map(|held| Self { held, path: path.to_owned() }).map_err(|error| match error {
            Errno::LOOP | Errno::NOTDIR if path.is_symlink() => FileError::Outside { path: path.to_owned() },
            other => FileError::read(path)(other.into()),
        })
    }

    /// As [`Folder::open_real`], for a folder of ours that code we do not trust was let into: where it shut us out (`chmod 0`), its mode
    /// is set back.
    ///
    /// # Errors
    /// As [`Folder::open_real`].
    pub fn reclaim(path: &Path) -> Result<Self, FileError> {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let found = rustix::fs::open(path, flags, Mode::empty());
        let given = found.and_then(|found| give_back(found.as_fd()));
        given.map_err(|error| FileError::read(path)(error.into()))?;
        Self::open_real(path)
    }

    /// The path by which it was opened.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A regular file in it, by a relative path. Links are followed as long as they stay below the folder.
    ///
    /// # Errors
    /// When it is not there, is no regular file, or leads out.
    pub fn open_file(&self, name: &Path) -> Result<File, FileError> {
        let path = self.path.join(name);
        regular(File::from(self.beneath(name, FLAGS)?), &path)
    }

    /// Reads a regular file in it of at most `most` bytes.
    ///
    /// # Errors
    /// As [`Folder::open_file`], and when it is longer.
    pub fn read(&self, name: &Path, most: u64) -> Result<Vec<u8>, FileError> {
        read_to_limit(self.open_file(name)?, &self.path.join(name), most)
    }

    /// A folder in it, by a relative path, as [`Folder::open_file`].
    ///
    /// # Errors
    /// When it is not there, is no folder, or leads out.
    pub fn folder(&self, name: &Path) -> Result<Self, FileError> {
        let held = self.beneath(name, FLAGS | OFlags::DIRECTORY)?;
        Ok(Self { held, path: self.path.join(name) })
    }

    /// Where a name in it leads in the end, as a path of the host without links, and what lies there: for who has to hand the path on.
    ///
    /// # Errors
    /// When it is not there, or leads out.
    pub fn resolve(&self, name: &Path) -> Result<(PathBuf, FileErrorKind), FileError> {
        let path = self.path.join(name);
        let failed = || FileError::read(&path);
        let found = self.beneath(name, OFlags::PATH | OFlags::CLOEXEC)?;
        let kind = rustix::fs::fstat(&found).map_err(|error| failed()(error.into()))?.st_mode;
        let real = std::fs::read_link(format!("/proc/self/fd/{}", found.as_raw_fd())).map_err(failed())?;
        Ok((real, FileErrorKind::of(FileType::from_raw_mode(kind))))
    }

    /// Where a link in it leads, as it says: whether that stays in the folder, and whether something is there, is not looked at.
    ///
    /// # Errors
    /// When there is no such link, or a folder above it leads out.
    pub fn link(&self, name: &Path) -> Result<PathBuf, FileError> {
        let path = self.path.join(name);
        let above = name.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let held = self.beneath(above, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC)?;
        let target = readlinkat(&held, name.file_name().unwrap_or_default(), Vec::new());
        let target = target.map_err(|error| FileError::read(&path)(error.into()))?;
        Ok(PathBuf::from(OsStr::from_bytes(target.as_bytes())))
    }

    /// What it holds, by name. Links are entries, not what they lead to.
    ///
    /// # Errors
    /// When it cannot be listed.
    pub fn entries(&self) -> Result<Vec<FolderEntry>, FileError> {
        let failed = |error: Errno| FileError::read(&self.path)(error.into());
        let mut found = Vec::new();
        for entry in Dir::read_from(&self.held).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            if name == "." || name == ".." {
                continue;
            }
            // What is gone again is not there.
            let Ok(stat) = statat(&self.held, entry.file_name(), AtFlags::SYMLINK_NOFOLLOW) else { continue };
            let kind = FileErrorKind::of(FileType::from_raw_mode(stat.st_mode));
            found.push(FolderEntry { name: name.to_owned(), kind, bytes: u64::try_from(stat.st_size).unwrap_or(0) });
        }
        found.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(found)
    }

    fn beneath(&self, name: &Path, flags: OFlags) -> Result<OwnedFd, FileError> {
        let path = self.path.join(name);
        let opened = open_beneath(self.held.as_fd(), name, flags);
        opened.map_err(|error| match error {
            Errno::XDEV | Errno::LOOP => FileError::Outside { path },
            other => FileError::read(&path)(other.into()),
        })
    }
}

/// Opens below a folder; `XDEV` or `LOOP` where a name leads out.
fn open_beneath(folder: BorrowedFd<'_>, name: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
    for _ in 0..TRIES {
        match openat2(folder, name, flags, Mode::empty(), resolve) {
            Err(Errno::AGAIN | Errno::INTR) => {}
            // Linux before 5.6, and containers whose filter does not know the call.
            Err(Errno::NOSYS | Errno::PERM) => return open_step_by_step(folder, name, flags),
            other => return other,
        }
    }
    Err(Errno::AGAIN)
}

/// As [`open_beneath`], where the kernel has no call for it: no link at all is followed.
fn open_step_by_step(folder: BorrowedFd<'_>, name: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
    let mut parts: Vec<CString> = Vec::new();
    for part in name.components() {
        match part {
            Component::Normal(part) => parts.push(CString::new(part.as_bytes()).map_err(|_| Errno::INVAL)?),
            Component::CurDir => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return Err(Errno::XDEV),
        }
    }
    let last = parts.pop().unwrap_or_else(|| c".".to_owned());
    let mut held = rustix::io::dup(folder)?;
    for part in parts {
        held =
            openat(&held, part, OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty())?;
    }
    openat(&held, last, flags | OFlags::NOFOLLOW, Mode::empty())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn given() -> tempfile::TempDir {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        std::fs::create_dir_all(path("given/deep")).unwrap();
        std::fs::write(path("secret"), "key").unwrap();
        std::fs::write(path("given/deep/a.txt"), "a").unwrap();
        symlink("deep/a.txt", path("given/inner")).unwrap();
        symlink("../secret", path("given/up")).unwrap();
        symlink(path("secret"), path("given/absolute")).unwrap();
        symlink(path(""), path("given/away")).unwrap();
        symlink("nowhere", path("given/dangling")).unwrap();
        place
    }

    #[test]
    fn links_lead_around_in_the_folder_and_not_out_of_it() {
        let place = given();
        let folder = Folder::open(&place.path().join("given")).unwrap();
        let read = |name: &str| folder.read(Path::new(name), 100);
        assert_eq!(read("deep/a.txt").unwrap(), b"a");
        assert_eq!(read("inner").unwrap(), b"a");
        for name in ["up", "absolute", "away/secret", "../secret", "deep/../../secret", "/etc/hostname"] {
            assert!(matches!(read(name), Err(FileError::Outside { .. })), "{name}");
        }
        assert!(read("dangling").unwrap_err().is_not_found());
        assert!(matches!(read("deep"), Err(FileError::NotRegular { kind: FileErrorKind::Folder, .. })));
        assert_eq!(folder.link(Path::new("up")).unwrap(), Path::new("../secret"));
        assert!(folder.link(Path::new("deep/a.txt")).is_err() && folder.link(Path::new("away/given/up")).is_err());
        let (real, kind) = folder.resolve(Path::new("inner")).unwrap();
        assert_eq!((real, kind), (place.path().canonicalize().unwrap().join("given/deep/a.txt"), FileErrorKind::File));
        assert_eq!(folder.resolve(Path::new(".")).unwrap().0, place.path().canonicalize().unwrap().join("given"));
        assert!(folder.resolve(Path::new("absolute")).is_err());
        assert!(folder.folder(Path::new("away")).is_err());
    }

    #[test]
    fn without_the_call_of_the_kernel_no_link_is_followed() {
        let place = given();
        let folder = Folder::open(&place.path().join("given")).unwrap();
        let opens = |name: &str| open_step_by_step(folder.held.as_fd(), Path::new(name), FLAGS).is_ok();
        assert!(opens("deep/a.txt") && opens("./deep"));
        for name in ["inner", "up", "absolute", "away/secret", "../secret", "/etc/hostname", "deep/../../secret"] {
            assert!(!opens(name), "{name}");
        }
    }

    #[test]
    fn a_folder_of_ours_is_opened_again_and_a_link_in_its_place_is_not() {
        let place = given();
        let path = place.path().join("given");
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o000)).unwrap();
        assert!(Folder::reclaim(&path).unwrap().read(Path::new("deep/a.txt"), 9).is_ok());
        assert!(matches!(Folder::open_real(&path.join("away")), Err(FileError::Outside { .. })));
        assert!(Folder::reclaim(&path.join("away")).is_err() && Folder::open(&path.join("away")).is_ok());
    }

    #[test]
    fn entries_are_what_lies_there() {
        let place = given();
        let entries = Folder::open(&place.path().join("given")).unwrap().entries().unwrap();
        let kinds: Vec<(&str, FileErrorKind)> =
            entries.iter().map(|entry| (entry.name.to_str().unwrap(), entry.kind)).collect();
        let link = FileErrorKind::Link;
        assert_eq!(
            kinds,
            [
                ("absolute", link),
                ("away", link),
                ("dangling", link),
                ("deep", FileErrorKind::Folder),
                ("inner", link),
                ("up", link)
            ]
        );
    }
}
