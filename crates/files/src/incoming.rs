//! Files that the user named: opened if they are regular, read to a limit.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use rustix::fs::{FileType, Mode, OFlags, fcntl_getfl, fcntl_setfl, fstat};
use rustix::io::Errno;

use crate::error::{FileError, FileErrorKind};

/// How a file of somebody else is opened: a pipe without a writer is no reason to wait, a terminal no reason to become its process.
pub(crate) const FLAGS: OFlags = OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

/// Opens a regular file for reading. Links in the path are followed: the user wrote it.
///
/// # Errors
/// When it cannot be opened, or is no regular file.
pub fn open(path: &Path) -> Result<File, FileError> {
    let opened = rustix::fs::open(path, FLAGS, Mode::empty());
    let file = File::from(opened.map_err(|error| FileError::read(path)(error.into()))?);
    regular(file, path)
}

/// As [`open`], and takes a pipe too that whoever started the program handed over himself: `/dev/stdin`, or the `/dev/fd/63` that a shell
/// makes of `<(…)`. It ends when he ends it, and its reader bounds it. A named pipe that lies in a folder is none of these.
///
/// # Errors
/// As [`open`].
pub fn open_handed_over(path: &Path) -> Result<File, FileError> {
    if !HANDED_OVER.iter().any(|place| path.starts_with(place)) {
        return open(path);
    }
    let failed = |error: Errno| FileError::read(path)(error.into());
    let file = File::from(rustix::fs::open(path, FLAGS, Mode::empty()).map_err(failed)?);
    match FileType::from_raw_mode(fstat(&file).map_err(failed)?.st_mode) {
        FileType::Fifo => {
            // It was opened anew, and waits for its writer from now on.
            let flags = fcntl_getfl(&file).map_err(failed)?;
            fcntl_setfl(&file, flags - OFlags::NONBLOCK).map_err(failed)?;
            Ok(file)
        }
        _ => regular(file, path),
    }
}

/// Where the system shows the open files of a process.
const HANDED_OVER: [&str; 3] = ["/dev/stdin", "/dev/fd", "/proc/self/fd"];

/// Reads a regular file of at most `most` bytes.
///
/// # Errors
/// As [`open`], and when it is longer.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>, FileError> {
    read_to_limit(open(path)?, path, most)
}

/// Reads a regular file of at most `most` bytes of UTF-8.
///
/// # Errors
/// As [`read`], and when it is no UTF-8.
pub fn read_text(path: &Path, most: u64) -> Result<String, FileError> {
    let bytes = read(path, most)?;
    String::from_utf8(bytes)
        .map_err(|error| FileError::read(path)(io::Error::new(io::ErrorKind::InvalidData, error.utf8_error())))
}

/// The file, if it is a regular one.
pub(crate) fn regular(file: File, path: &Path) -> Result<File, FileError> {
    let found = fstat(&file).map_err(|error| FileError::read(path)(error.into()))?;
    match FileType::from_raw_mode(found.st_mode) {
        FileType::RegularFile => Ok(file),
        other => Err(FileError::NotRegular { path: path.to_owned(), kind: FileErrorKind::of(other) }),
    }
}

/// What is in a file, unless it is longer: its length is not believed, since it may grow, and files of `/proc` have none.
pub(crate) fn read_to_limit(file: File, path: &Path, most: u64) -> Result<Vec<u8>, FileError> {
    let mut bytes = Vec::new();
    file.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(FileError::read(path))?;
    if bytes.len() as u64 > most {
        return Err(FileError::TooLong { path: path.to_owned(), most });
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsRawFd as _;
    use std::os::unix::net::UnixListener;

    use rustix::fs::{CWD, mknodat};

    use super::*;

    #[test]
    fn only_regular_files_are_read_and_nothing_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("plain"), "text").unwrap();
        std::os::unix::fs::symlink("plain", path("link")).unwrap();
        mknodat(CWD, path("pipe"), FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
        let _socket = UnixListener::bind(path("socket")).unwrap();
        std::os::unix::fs::symlink("/dev/zero", path("zero")).unwrap();
        assert_eq!(read(&path("plain"), 4).unwrap(), b"text");
        assert_eq!(read_text(&path("link"), 4).unwrap(), "text");
        let said = |name: &str| read(&path(name), 1 << 20).unwrap_err().to_string();
        assert!(said("pipe").ends_with("pipe is a named pipe, and only regular files are read"));
        assert!(said("zero").contains("is a device"));
        assert!(said("socket").starts_with("cannot read"));
        let of_folder = read(folder.path(), 1 << 20).unwrap_err();
        assert!(matches!(of_folder, FileError::NotRegular { kind: FileErrorKind::Folder, .. }));
        assert!(read(&path("none"), 1).unwrap_err().is_not_found());
    }

    #[test]
    fn a_pipe_is_read_only_from_who_started_the_program() {
        let (reader, mut writer) = io::pipe().unwrap();
        let path = format!("/proc/self/fd/{}", reader.as_raw_fd());
        assert!(matches!(open(Path::new(&path)), Err(FileError::NotRegular { kind: FileErrorKind::Pipe, .. })));
        let mut file = open_handed_over(Path::new(&path)).unwrap();
        let writing = std::thread::spawn(move || io::Write::write_all(&mut writer, b"text"));
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        writing.join().unwrap().unwrap();
        assert_eq!(text, "text");
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        mknodat(CWD, &pipe, FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
        assert!(matches!(open_handed_over(&pipe), Err(FileError::NotRegular { kind: FileErrorKind::Pipe, .. })));
    }

    #[test]
    fn what_is_longer_than_its_limit_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sparse");
        std::fs::File::create(&path).unwrap().set_len(1 << 40).unwrap();
        assert!(matches!(read(&path, 1 << 20), Err(FileError::TooLong { most: 1_048_576, .. })));
    }

    #[test]
    fn what_is_no_text_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bytes");
        std::fs::write(&path, b"\xff\xfe").unwrap();
        assert!(
            matches!(read_text(&path, 10), Err(FileError::Read { source, .. }) if source.kind() == io::ErrorKind::InvalidData)
        );
    }
}
