//! Files that go out: whole or not at all, and only where the user can have meant them.

use std::fs::Permissions;
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::{FileType, RenameFlags, renameat_with};
use tempfile::NamedTempFile;

use crate::error::{FileError, FileErrorKind};

/// Permissions of what goes out.
const MODE: u32 = 0o644;

/// A file that is written beside its place. Dropped before [`OutgoingFile::commit`], it leaves nothing.
#[derive(Debug)]
pub struct OutgoingFile {
    file: NamedTempFile,
    path: PathBuf,
}

impl OutgoingFile {
    /// Begins a file that is to stand at `path`.
    ///
    /// # Errors
    /// When nothing can be written beside it, or what stands there is no regular file.
    pub fn begin(path: &Path) -> Result<Self, FileError> {
        refuse_irregular(path)?;
        let name = path.file_name().ok_or_else(|| FileError::write(path)(io::ErrorKind::InvalidInput.into()))?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut prefix = std::ffi::OsString::from(".");
        prefix.push(name);
        let file = tempfile::Builder::new()
            .prefix(&prefix)
            .suffix(".partial")
            .permissions(Permissions::from_mode(MODE))
            .tempfile_in(folder)
            .map_err(FileError::write(path))?;
        Ok(Self { file, path: path.to_owned() })
    }

    /// Puts the file in its place, where only a regular file is replaced.
    ///
    /// # Errors
    /// When the system refuses, or something else stands there by now. Then nothing is left.
    pub fn commit(mut self) -> Result<(), FileError> {
        let failed = || FileError::write(&self.path);
        self.file.flush().map_err(failed())?;
        // Whatever the user's mask said.
        self.file.as_file().set_permissions(Permissions::from_mode(MODE)).map_err(failed())?;
        let from = self.file.path();
        match renameat_with(rustix::fs::CWD, from, rustix::fs::CWD, &self.path, RenameFlags::NOREPLACE) {
            Ok(()) => {
                // It has another name now, which is to stay.
                let _ = self.file.into_temp_path().keep();
                Ok(())
            }
            // It exists, or the file system knows no such rename.
            Err(_) => {
                refuse_irregular(&self.path)?;
                let path = self.path;
                self.file.persist(&path).map(drop).map_err(|error| FileError::write(&path)(error.error))
            }
        }
    }
}

impl Write for OutgoingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Writes a file, whole or not at all: mode 0644, owned by the caller.
///
/// # Errors
/// When the system refuses, or what stands there is no regular file.
pub fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<(), FileError> {
    let mut output = OutgoingFile::begin(path)?;
    output.write_all(content.as_ref()).map_err(FileError::write(path))?;
    output.commit()
}

/// Moves a file that was finished elsewhere on the same disk to its place, where only a regular file is replaced.
///
/// # Errors
/// When the system refuses, or what stands there is no regular file.
pub fn move_file(from: &Path, to: &Path) -> Result<(), FileError> {
    refuse_irregular(to)?;
    std::fs::rename(from, to).map_err(FileError::write(to))
}

/// Makes the folder that files are to go into, and those above it, where they are missing.
///
/// # Errors
/// When the system refuses.
pub fn make_folder(path: &Path) -> Result<(), FileError> {
    std::fs::create_dir_all(path).map_err(FileError::write(path))
}

/// Bytes that are free for us on the file system of a folder.
///
/// # Errors
/// When that cannot be told, as where there is no such folder.
pub fn free_bytes(folder: &Path) -> io::Result<u64> {
    let found = rustix::fs::statvfs(folder)?;
    Ok(found.f_bavail.saturating_mul(found.f_frsize))
}

/// As [`write()`], for a result that must not replace what it is made from, under whatever name.
///
/// # Errors
/// As [`write()`], and when the place is one of the inputs.
pub fn write_beside_inputs(path: &Path, content: impl AsRef<[u8]>, inputs: &[&Path]) -> Result<(), FileError> {
    refuse_inputs(path, inputs)?;
    write(path, content)
}

/// Whether [`write_beside_inputs`] can write there, for who has long to work before he does. Nothing is left there.
///
/// # Errors
/// As [`write_beside_inputs`].
pub fn check_place(path: &Path, inputs: &[&Path]) -> Result<(), FileError> {
    refuse_inputs(path, inputs)?;
    OutgoingFile::begin(path).map(drop)
}

fn refuse_inputs(path: &Path, inputs: &[&Path]) -> Result<(), FileError> {
    let file = |path: &Path| std::fs::metadata(path).ok().map(|found| (found.dev(), found.ino()));
    match file(path) {
        Some(found) if inputs.iter().any(|input| file(input) == Some(found)) => {
            Err(FileError::IsInput { path: path.to_owned() })
        }
        Some(_) | None => Ok(()),
    }
}

fn refuse_irregular(path: &Path) -> Result<(), FileError> {
    match rustix::fs::lstat(path).map(|found| FileType::from_raw_mode(found.st_mode)) {
        Ok(FileType::RegularFile) | Err(_) => Ok(()),
        Ok(other) => Err(FileError::NotReplaceable { path: path.to_owned(), kind: FileErrorKind::of(other) }),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_as_a_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.json");
        write(&path, "one").unwrap();
        let mut output = OutgoingFile::begin(&path).unwrap();
        output.write_all(b"two").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "one");
        drop(output);
        assert_eq!(
            (names(folder.path()), std::fs::read_to_string(&path).unwrap()),
            (vec!["out.json".to_owned()], "one".into())
        );
        std::fs::set_permissions(&path, Permissions::from_mode(0o4777)).unwrap();
        write(&path, "two").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "two");
        assert_eq!(std::fs::metadata(&path).unwrap().mode() & 0o7777, 0o644);
        assert_eq!(names(folder.path()), ["out.json"]);
    }

    #[test]
    fn what_is_no_regular_file_stays_what_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("kept"), "kept").unwrap();
        symlink("kept", path("link")).unwrap();
        std::fs::create_dir(path("folder")).unwrap();
        rustix::fs::mknodat(rustix::fs::CWD, path("pipe"), FileType::Fifo, rustix::fs::Mode::from_raw_mode(0o600), 0)
            .unwrap();
        for name in ["link", "folder", "pipe"] {
            assert!(matches!(check_place(&path(name), &[]), Err(FileError::NotReplaceable { .. })), "{name}");
            let error = write(&path(name), "new").unwrap_err();
            assert!(matches!(error, FileError::NotReplaceable { .. }), "{name}: {error}");
        }
        assert_eq!(std::fs::read_to_string(path("kept")).unwrap(), "kept");
        assert!(path("link").is_symlink());
        assert_eq!(names(folder.path()), ["folder", "kept", "link", "pipe"]);
    }

    #[test]
    fn a_finished_file_is_moved_over_nothing_but_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("new"), "new").unwrap();
        std::fs::write(path("old"), "old").unwrap();
        std::fs::create_dir(path("folder")).unwrap();
        assert!(matches!(move_file(&path("new"), &path("folder")), Err(FileError::NotReplaceable { .. })));
        move_file(&path("new"), &path("old")).unwrap();
        assert_eq!(std::fs::read_to_string(path("old")).unwrap(), "new");
        assert_eq!(names(folder.path()), ["folder", "old"]);
        assert!(matches!(move_file(&path("new"), &path("old")), Err(FileError::Write { .. })), "it is gone");
    }

    #[test]
    fn a_place_that_changes_meanwhile_is_looked_at_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let output = OutgoingFile::begin(&path).unwrap();
        std::fs::write(folder.path().join("kept"), "kept").unwrap();
        symlink("kept", &path).unwrap();
        assert!(matches!(output.commit(), Err(FileError::NotReplaceable { kind: FileErrorKind::Link, .. })));
        assert_eq!(names(folder.path()), ["kept", "out"]);
    }

    #[test]
    fn an_input_is_never_replaced_under_any_name() {
        let folder = tempfile::tempdir().unwrap();
        let (input, other) = (folder.path().join("x.ipynb"), folder.path().join("y.ipynb"));
        std::fs::write(&input, "in").unwrap();
        std::fs::hard_link(&input, &other).unwrap();
        for place in [&input, &other, &folder.path().join("./x.ipynb")] {
            assert!(matches!(check_place(place, &[&input]), Err(FileError::IsInput { .. })));
            assert!(matches!(write_beside_inputs(place, "out", &[&input]), Err(FileError::IsInput { .. })));
        }
        write_beside_inputs(&folder.path().join("z.ipynb"), "out", &[&input]).unwrap();
        assert_eq!(std::fs::read_to_string(&input).unwrap(), "in");
    }

    #[test]
    fn a_folder_has_free_bytes_and_none_has_none() {
        assert!(free_bytes(Path::new("/")).unwrap() > 0);
        assert!(free_bytes(Path::new("/no/such/folder")).is_err());
    }

    #[test]
    fn a_place_that_cannot_be_written_is_named_before_and_after_the_work() {
        let place = Path::new("/proc/none/out");
        assert_eq!(write(place, "x").unwrap_err().to_string(), "cannot write /proc/none/out");
        assert_eq!(check_place(place, &[]).unwrap_err().to_string(), "cannot write /proc/none/out");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        check_place(&path, &[]).unwrap();
        assert_eq!(names(folder.path()), [""; 0], "nothing is left");
        std::fs::write(&path, "kept").unwrap();
        assert!(matches!(check_place(&path, &[&path]), Err(FileError::IsInput { .. })));
        assert!(matches!(
            check_place(folder.path(), &[]),
            Err(FileError::NotReplaceable { kind: FileErrorKind::Folder, .. })
        ));
    }
}
