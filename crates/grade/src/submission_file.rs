//! Opening a file that a stranger's program left behind.

use std::fs::{FileType, OpenOptions};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;

use rustix::fs::OFlags;
use rustix::io::Errno;

use crate::Invalid;
use crate::scanner::line_ends;
use crate::whole_file::{LONGEST, read_bytes};

/// How much of a submission is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SubmissionLimits {
    /// The largest size in bytes; by default 256 MiB. Grading holds the text once, and up to 16 bytes a cell that is
    /// scored beside it.
    pub bytes: u64,
    /// The largest number of columns; by default 65,536.
    pub columns: usize,
}

impl Default for SubmissionLimits {
    fn default() -> Self {
        SubmissionLimits { bytes: 256 << 20, columns: 1 << 16 }
    }
}

/// The text of the submission at `path`.
///
/// The last component of `path` is not followed when it is a symbolic link, and opening does not wait for a pipe's
/// other end. The folders before it are the caller's: a link among them is followed.
pub(crate) fn read_submission(path: &Path, limits: &SubmissionLimits) -> Result<String, Invalid> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let unreadable = |error: std::io::Error| Invalid::Unreadable { reason: error.to_string() };
    let unopened = |error: std::io::Error| match Errno::from_io_error(&error) {
        Some(Errno::NOENT | Errno::NOTDIR) => Invalid::Missing,
        Some(Errno::LOOP) => Invalid::NotAFile { found: "a symbolic link" },
        Some(Errno::NXIO) => Invalid::NotAFile { found: "a socket" },
        Some(_) | None => unreadable(error),
    };
    let open = OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path);
    let file = open.map_err(unopened)?;
    let metadata = file.metadata().map_err(unreadable)?;
    if !metadata.is_file() {
        return Err(Invalid::NotAFile { found: in_words(metadata.file_type()) });
    }
    let limit = limits.bytes.min(LONGEST);
    let too_large = |bytes| Invalid::TooLarge { bytes, limit };
    if metadata.len() > limit {
        return Err(too_large(metadata.len()));
    }
    // The file may still be growing: the limit holds for what is read, not for what was announced.
    let bytes = read_bytes(file, limit + 1).map_err(unreadable)?;
    if bytes.len() as u64 > limit {
        return Err(too_large(bytes.len() as u64));
    }
    String::from_utf8(bytes).map_err(|error| not_utf8(error.as_bytes(), error.utf8_error().valid_up_to()))
}

fn not_utf8(bytes: &[u8], offset: usize) -> Invalid {
    let before = &bytes[..offset];
    let start = before.iter().rposition(|byte| matches!(byte, b'\n' | b'\r')).map_or(0, |place| place + 1);
    let line = 1 + line_ends(before);
    Invalid::NotUtf8 { offset, line, byte: offset - start + 1 }
}

fn in_words(kind: FileType) -> &'static str {
    if kind.is_dir() {
        "a folder"
    } else if kind.is_fifo() {
        "a pipe"
    } else {
        "a device"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_regular_file_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let read = |name: &str| read_submission(&folder.path().join(name), &SubmissionLimits::default());
        std::fs::write(folder.path().join("file"), "a,b\n").unwrap();
        std::os::unix::fs::symlink("file", folder.path().join("link")).unwrap();
        std::os::unix::fs::symlink("/dev/zero", folder.path().join("endless")).unwrap();
        rustix::fs::mkfifoat(rustix::fs::CWD, folder.path().join("pipe"), rustix::fs::Mode::RWXU).unwrap();
        let _listener = std::os::unix::net::UnixListener::bind(folder.path().join("socket")).unwrap();
        assert_eq!(read("file").unwrap(), "a,b\n");
        assert_eq!(read("none"), Err(Invalid::Missing));
        assert_eq!(read("file/none"), Err(Invalid::Missing));
        assert_eq!(read(""), Err(Invalid::NotAFile { found: "a folder" }));
        assert_eq!(read("link"), Err(Invalid::NotAFile { found: "a symbolic link" }));
        assert_eq!(read("endless"), Err(Invalid::NotAFile { found: "a symbolic link" }));
        assert_eq!(read("pipe"), Err(Invalid::NotAFile { found: "a pipe" }));
        assert_eq!(read("socket"), Err(Invalid::NotAFile { found: "a socket" }));
    }

    #[test]
    fn size_and_encoding_are_checked() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let limits = SubmissionLimits { bytes: 4, ..SubmissionLimits::default() };
        std::fs::write(&path, "abcd").unwrap();
        assert_eq!(read_submission(&path, &limits).unwrap(), "abcd");
        std::fs::write(&path, "abcde").unwrap();
        assert_eq!(read_submission(&path, &limits), Err(Invalid::TooLarge { bytes: 5, limit: 4 }));
        std::fs::write(&path, b"ab\xff").unwrap();
        assert_eq!(read_submission(&path, &limits), Err(Invalid::NotUtf8 { offset: 2, line: 1, byte: 3 }));
    }
}
