//! Files that are carried into an execution's working folder.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use nbrevive_corpus::{content_hash, opened_sha256};
use nbrevive_files::{FileError, FileErrorKind, Folder};

use crate::laboratory::kaggle_folders::Withheld;

/// Files and folders that are carried at most: those that a working folder may hold.
const MOST_ENTRIES: usize = 200_000;
/// Folders that lie in one another at most.
const DEEPEST: usize = 100;

/// What lies in a folder beside a notebook and can be carried: regular files, in folders that are no links.
#[derive(Debug)]
pub(crate) struct Tree {
    root: Folder,
    /// Relative paths, a folder before what is in it.
    found: Vec<(PathBuf, FileErrorKind)>,
    /// What is left, links above all, since they may lead anywhere.
    pub(crate) withheld: Vec<Withheld>,
}

impl Tree {
    /// Looks through a folder.
    ///
    /// # Errors
    /// When a folder cannot be listed, or there is more than a working folder may hold.
    pub(crate) fn of(folder: &Path) -> Result<Self, FileError> {
        let mut tree = Tree { root: Folder::open(folder)?, found: Vec::new(), withheld: Vec::new() };
        let mut left = vec![PathBuf::new()];
        while let Some(inner) = left.pop() {
            let listed = tree.root.folder(&Path::new(".").join(&inner))?;
            for entry in listed.entries()? {
                let path = inner.join(&entry.name);
                match entry.kind {
                    FileErrorKind::File => tree.found.push((path, FileErrorKind::File)),
                    FileErrorKind::Folder => {
                        left.push(path.clone());
                        tree.found.push((path, FileErrorKind::Folder));
                    }
                    other => {
                        let path = folder.join(path);
                        tree.withheld.push(Withheld { path, why: format!("it is {other}") });
                    }
                }
            }
            let deepest = inner.components().count();
            if deepest > DEEPEST || tree.found.len() + tree.withheld.len() > MOST_ENTRIES {
                let why = format!("it has more than {DEEPEST} levels or {MOST_ENTRIES} files: give a smaller folder");
                return Err(FileError::Read { path: folder.to_owned(), source: io::Error::other(why) });
            }
        }
        Ok(tree)
    }

    /// Hash of the names and contents of all files.
    ///
    /// # Errors
    /// When one cannot be read.
    pub(crate) fn content(&self) -> Result<String, FileError> {
        let mut files: Vec<&PathBuf> =
            self.found.iter().filter(|(_, kind)| *kind == FileErrorKind::File).map(|(path, _)| path).collect();
        files.sort();
        let mut listed = Vec::new();
        for path in files {
            let failed = |source| FileError::Read { path: self.root.path().join(path), source };
            let hash = opened_sha256(self.root.open_file(path)?).map_err(failed)?;
            listed.extend_from_slice(path.as_os_str().as_encoded_bytes());
            listed.extend_from_slice(format!("\0{hash}\n").as_bytes());
        }
        Ok(content_hash(&listed))
    }

    /// Copies all of it into an empty folder that nobody else uses, as far as it has at most so many bytes; holes count as what they
    /// would fill.
    ///
    /// # Errors
    /// When it has more bytes, or something cannot be read or written.
    pub(crate) fn copy_to(&self, to: &Path, most: u64) -> Result<(), FileError> {
        let mut room = most;
        for (path, kind) in &self.found {
            let target = to.join(path);
            let failed = |source| FileError::Write { path: target.clone(), source };
            if *kind == FileErrorKind::Folder {
                std::fs::create_dir(&target).map_err(failed)?;
                continue;
            }
            let source = self.root.open_file(path)?;
            let mode = if is_program(&source) { 0o755 } else { 0o644 };
            let mut copy = OpenOptions::new().write(true).create_new(true).mode(mode).open(&target).map_err(failed)?;
            let told = source.metadata().map_or(0, |found| found.len());
            let bytes = match told > room {
                true => told,
                false => io::copy(&mut source.take(room.saturating_add(1)), &mut copy).map_err(failed)?,
            };
            let Some(rest) = room.checked_sub(bytes) else {
                let why = format!("its files have more than the {} MiB of a working folder", most >> 20);
                return Err(FileError::Read { path: self.root.path().to_owned(), source: io::Error::other(why) });
            };
            room = rest;
        }
        Ok(())
    }
}

/// Whether its owner may run a file; no other bit of its mode is carried.
fn is_program(file: &File) -> bool {
    file.metadata().is_ok_and(|found| found.permissions().mode() & 0o100 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_is_copied_with_its_folders() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        std::fs::create_dir_all(from.join("data/inner")).unwrap();
        std::fs::create_dir(&to).unwrap();
        std::fs::write(from.join("tools.py"), "x = 1\n").unwrap();
        std::fs::write(from.join("data/inner/a.csv"), "a\n1\n").unwrap();
        Tree::of(&from).unwrap().copy_to(&to, 100).unwrap();
        assert_eq!(std::fs::read_to_string(to.join("tools.py")).unwrap(), "x = 1\n");
        assert_eq!(std::fs::read_to_string(to.join("data/inner/a.csv")).unwrap(), "a\n1\n");
    }

    mod attacks {
        use std::os::unix::ffi::OsStrExt as _;
        use std::os::unix::fs::{PermissionsExt as _, symlink};

        use rustix::fs::{CWD, Mode, mkfifoat};

        use super::*;

        fn folders() -> (tempfile::TempDir, PathBuf, PathBuf) {
            let folder = tempfile::tempdir().unwrap();
            let (from, to) = (folder.path().join("from"), folder.path().join("to"));
            std::fs::create_dir_all(from.join("data")).unwrap();
            std::fs::create_dir(&to).unwrap();
            (folder, from, to)
        }

        #[test]
        fn nothing_but_plain_files_lies_beside() {
            let (folder, from, to) = folders();
            std::fs::write(folder.path().join("key"), "key").unwrap();
            symlink("../../key", from.join("data/link")).unwrap();
            symlink(folder.path(), from.join("up")).unwrap();
            mkfifoat(CWD, from.join("pipe"), Mode::RWXU).unwrap();
            let odd = std::ffi::OsStr::from_bytes(b"\xff.csv");
            std::fs::write(from.join(odd), "a").unwrap();
            std::fs::write(from.join("tool"), "#!").unwrap();
            std::fs::set_permissions(from.join("tool"), std::fs::Permissions::from_mode(0o6755)).unwrap();
            let tree = Tree::of(&from).unwrap();
            tree.copy_to(&to, 100).unwrap();
            assert_eq!(tree.withheld.len(), 3, "{:?}", tree.withheld);
            assert!(to.join(odd).is_file() && to.join("data").read_dir().unwrap().next().is_none());
            let names: Vec<_> = to.read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
            assert_eq!(names.len(), 3, "{names:?}");
            assert_eq!(to.join("tool").metadata().unwrap().permissions().mode() & 0o7777, 0o755);
        }

        #[test]
        fn what_lies_beside_is_bounded() {
            let (_folder, from, to) = folders();
            File::create(from.join("sparse")).unwrap().set_len(1 << 40).unwrap();
            let error = io::Error::from(Tree::of(&from).unwrap().copy_to(&to, 1 << 20).unwrap_err());
            assert!(error.to_string().contains("more than the 1 MiB of a working folder"), "{error}");
            let deep: PathBuf = std::iter::repeat_n("d", DEEPEST + 2).collect();
            std::fs::create_dir_all(from.join(deep)).unwrap();
            assert!(Tree::of(&from).is_err());
        }
    }
}
