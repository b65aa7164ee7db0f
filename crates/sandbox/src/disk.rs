//! How much the writable folders hold, measured without following anything the command planted there.

use std::collections::HashSet;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, open, openat, statat, statvfs};

/// Folders nested deeper than this count as over the limit: nothing honest does it, and it would hide what is below.
const DEEPEST: u32 = 128;

/// What was found. [`Tally::over`] is what the supervisor asks.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Bytes allocated, not apparent: a sparse file costs what it occupies.
    pub(crate) bytes: u64,
    /// Files, folders and everything else.
    pub(crate) entries: u64,
    too_deep: bool,
    linked: HashSet<(u64, u64)>,
}

impl Tally {
    /// Whether any limit is exceeded.
    pub(crate) fn over(&self, bytes: u64, entries: u64) -> bool {
        self.too_deep || self.bytes > bytes || self.entries > entries
    }

    /// Adds one folder; stops early once the entries exceed `most_entries`.
    pub(crate) fn add(&mut self, folder: &Path, most_entries: u64) {
        if let Ok(opened) = open(folder, OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty()) {
            self.descend(&opened, 0, most_entries);
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

    fn count(&mut self, folder: &OwnedFd, name: &std::ffi::CStr, depth: u32, most_entries: u64) {
        let Ok(status) = statat(folder.as_fd(), name, AtFlags::SYMLINK_NOFOLLOW) else { return };
        let fresh = status.st_nlink <= 1 || self.linked.insert((status.st_dev, status.st_ino));
        let kind = FileType::from_raw_mode(status.st_mode);
        if fresh || kind == FileType::Directory {
            self.bytes += u64::try_from(status.st_blocks).unwrap_or(0) * 512;
        }
        if kind == FileType::Directory {
            let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            if let Ok(inner) = openat(folder.as_fd(), name, flags, Mode::empty()) {
                self.descend(&inner, depth + 1, most_entries);
            }
        }
    }
}

/// Free bytes on the file system of a folder; `None` when that cannot be told.
pub(crate) fn free_bytes(folder: &Path) -> Option<u64> {
    let status = statvfs(folder).ok()?;
    Some(status.f_bavail.saturating_mul(status.f_frsize))
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
    fn free_space_is_known_here() {
        assert!(free_bytes(Path::new("/")).unwrap() > 0);
        assert_eq!(free_bytes(Path::new("/no/such/folder")), None);
    }
}
