//! How much the writable folders hold, measured without following anything the command planted there.

use std::collections::HashSet;
use std::ffi::CStr;
use std::os::fd::{AsFd as _, AsRawFd as _, BorrowedFd, OwnedFd};
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, chmodat, fstat, openat, statat};

/// Folders nested deeper than this count as over the limit: nothing honest does it, and it would hide what is below.
const DEEPEST: u32 = 128;

/// How folders are opened: by what they are, and not by where a link leads.
const FOLDER: OFlags = OFlags::DIRECTORY.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
/// What their owner needs to see all that is in one.
const TO_LOOK: Mode = Mode::RUSR.union(Mode::XUSR);

/// What was found. [`Tally::over`] is what the supervisor asks.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Bytes allocated, not apparent: a sparse file costs what it occupies.
    pub(crate) bytes: u64,
    /// Files, folders and everything else.
    pub(crate) entries: u64,
    too_deep: bool,
    /// Whether a folder kept its content from us.
    closed: bool,
    linked: HashSet<(u64, u64)>,
}

impl Tally {
    /// Whether any limit is exceeded.
    pub(crate) fn over(&self, bytes: u64, entries: u64) -> bool {
        self.too_deep || self.closed || self.bytes > bytes || self.entries > entries
    }

    /// Adds one folder; stops early once the entries exceed `most_entries`.
    pub(crate) fn add(&mut self, folder: &Path, most_entries: u64) {
        let Ok(name) = std::ffi::CString::new(folder.as_os_str().as_encoded_bytes()) else { return };
        self.enter(CWD, &name, 0, most_entries);
    }

    fn enter(&mut self, above: BorrowedFd<'_>, name: &CStr, depth: u32, most_entries: u64) {
        match Opened::open(above, name) {
            Ok(Some(opened)) => self.descend(&opened.folder, depth, most_entries),
            // Gone meanwhile.
            Ok(None) => {}
            Err(_) => self.closed = true,
        }
    }

    fn descend(&mut self, folder: &OwnedFd, depth: u32, most_entries: u64) {
        if depth > DEEPEST {
            self.too_deep = true;
            return;
        }
        let Ok(listing) = Dir::read_from(folder) else { return };
        for entry in listing {
            let Ok(entry) = entry else { return };
            if matches!(entry.file_name().to_bytes(), b"." | b"..") {
                continue;
            }
            self.entries += 1;
            if self.entries > most_entries || self.too_deep {
                return;
            }
            self.count(folder, entry.file_name(), depth, most_entries);
        }
    }

    fn count(&mut self, folder: &OwnedFd, name: &CStr, depth: u32, most_entries: u64) {
        let Ok(status) = statat(folder.as_fd(), name, AtFlags::SYMLINK_NOFOLLOW) else { return };
        let fresh = status.st_nlink <= 1 || self.linked.insert((status.st_dev, status.st_ino));
        let kind = FileType::from_raw_mode(status.st_mode);
        if fresh || kind == FileType::Directory {
            self.bytes += u64::try_from(status.st_blocks).unwrap_or(0) * 512;
        }
        if kind == FileType::Directory {
            self.enter(folder.as_fd(), name, depth + 1, most_entries);
        }
    }
}

/// A folder to be looked through. One that its owner has closed to himself is open to us for that long.
struct Opened {
    folder: OwnedFd,
    /// A way to the folder whatever its mode, and that mode.
    closed: Option<(OwnedFd, Mode)>,
}

impl Opened {
    /// `None` where there is no folder of that name.
    fn open(above: BorrowedFd<'_>, name: &CStr) -> Result<Option<Self>, rustix::io::Errno> {
        use rustix::io::Errno;
        let opened = openat(above, name, FOLDER, Mode::empty());
        let searched = opened.and_then(|folder| statat(&folder, c".", AtFlags::empty()).map(|_| folder));
        match searched {
            Ok(folder) => return Ok(Some(Self { folder, closed: None })),
            Err(Errno::ACCESS) => {}
            Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => return Ok(None),
            Err(error) => return Err(error),
        }
        // Held by what it is before its mode is changed, so that no link can take its place.
        let held = openat(above, name, FOLDER | OFlags::PATH, Mode::empty())?;
        let mode = Mode::from_raw_mode(fstat(&held)?.st_mode);
        set_mode(&held, mode | TO_LOOK)?;
        let folder = openat(&held, c".", FOLDER, Mode::empty())?;
        Ok(Some(Self { folder, closed: Some((held, mode)) }))
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        if let Some((held, mode)) = &self.closed {
            // A folder that is gone needs none.
            let _ = set_mode(held, *mode);
        }
    }
}

fn set_mode(held: &OwnedFd, mode: Mode) -> rustix::io::Result<()> {
    chmodat(CWD, format!("/proc/self/fd/{}", held.as_raw_fd()), mode, AtFlags::empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn tally(folder: &Path) -> Tally {
        let mut tally = Tally::default();
        tally.add(folder, 1000);
        tally
    }

    #[test]
    fn counts_blocks_once_and_does_not_follow_links() {
        let folder = tempfile::tempdir().unwrap();
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("big"), vec![1; 1 << 20]).unwrap();
        fs::write(folder.path().join("a"), vec![1; 100_000]).unwrap();
        fs::hard_link(folder.path().join("a"), folder.path().join("b")).unwrap();
        std::os::unix::fs::symlink(outside.path(), folder.path().join("link")).unwrap();
        let tally = tally(folder.path());
        assert_eq!(tally.entries, 3);
        assert!((100_000..200_000).contains(&tally.bytes), "{}", tally.bytes);
        assert!(!tally.over(200_000, 3));
        assert!(tally.over(200_000, 2));
        assert!(tally.over(50_000, 3));
    }

    #[test]
    fn a_sparse_file_costs_what_it_occupies() {
        let folder = tempfile::tempdir().unwrap();
        fs::File::create(folder.path().join("sparse")).unwrap().set_len(1 << 40).unwrap();
        assert!(tally(folder.path()).bytes < 1 << 20);
    }

    #[test]
    fn an_abyss_is_over_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let mut path = folder.path().to_path_buf();
        for _ in 0..140 {
            path.push("d");
        }
        fs::create_dir_all(&path).unwrap();
        assert!(tally(folder.path()).over(u64::MAX, u64::MAX));
    }

    #[test]
    fn a_folder_that_was_closed_is_counted_and_stays_as_it_was() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let working = folder.path().join("working");
        let inner = working.join("a/b");
        fs::create_dir_all(&inner).unwrap();
        fs::write(inner.join("big"), vec![1; 1 << 20]).unwrap();
        let close = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        close(&inner, 0o400);
        close(&working.join("a"), 0o100);
        close(&working, 0);
        let tally = tally(&working);
        assert!(tally.bytes > 1 << 20 && !tally.over(2 << 20, 3), "{tally:?}");
        for (path, mode) in [(&working, 0), (&working.join("a"), 0o100), (&inner, 0o400)] {
            assert_eq!(fs::metadata(path).map(|found| found.permissions().mode() & 0o777).unwrap(), mode);
            close(path, 0o700);
        }
    }
}
