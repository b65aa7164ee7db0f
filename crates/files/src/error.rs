//! Why a file is not read or written.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use rustix::fs::FileType;

/// What stands where a regular file was wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileErrorKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link.
    Link,
    /// A named pipe.
    Pipe,
    /// A socket.
    Socket,
    /// A device: a disk, a terminal, `/dev/null`.
    Device,
}

impl FileErrorKind {
    pub(crate) fn of(found: FileType) -> Self {
        match found {
            FileType::RegularFile => Self::File,
            FileType::Directory => Self::Folder,
            FileType::Symlink => Self::Link,
            FileType::Fifo => Self::Pipe,
            FileType::Socket => Self::Socket,
            FileType::CharacterDevice | FileType::BlockDevice | FileType::Unknown => Self::Device,
        }
    }
}

impl fmt::Display for FileErrorKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::File => "a regular file",
            Self::Folder => "a folder",
            Self::Link => "a symbolic link",
            Self::Pipe => "a named pipe",
            Self::Socket => "a socket",
            Self::Device => "a device",
        })
    }
}

/// Why a file is not read or written. Each names the file.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The system refuses to read.
    #[error("cannot read {path}")]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Only regular files are read.
    #[error("{path} is {kind}, and only regular files are read")]
    NotRegular {
        /// The file.
        path: PathBuf,
        /// What it is.
        kind: FileErrorKind,
    },
    /// It is longer than what is read of its kind.
    #[error("{path} has more than {most} bytes, and no more are read")]
    TooLong {
        /// The file.
        path: PathBuf,
        /// The limit in bytes.
        most: u64,
    },
    /// A name inside a folder that leads out of it: by `..`, by a link, or because it is absolute.
    #[error("{path} leads out of its folder")]
    Outside {
        /// The file.
        path: PathBuf,
    },
    /// The system refuses to write.
    #[error("cannot write {path}")]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The system refuses to remove.
    #[error("cannot remove {path}")]
    Remove {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Something that is no regular file stands in the place of a result.
    #[error("cannot write {path}: it is {kind}, and only a regular file is replaced; choose another place")]
    NotReplaceable {
        /// The place.
        path: PathBuf,
        /// What stands there.
        kind: FileErrorKind,
    },
    /// The result would replace what it is made from.
    #[error("cannot write {path}: it is the file that is read; choose another place")]
    IsInput {
        /// The place.
        path: PathBuf,
    },
}

impl FileError {
    pub(crate) fn read(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Read { path, source }
    }

    pub(crate) fn write(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Write { path, source }
    }

    /// Whether there is no such file.
    #[must_use]
    pub fn is_not_found(&self) -> bool {
        matches!(self, Self::Read { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }
}

/// For callers whose own errors name the file, and carry what the system said.
impl From<FileError> for io::Error {
    fn from(error: FileError) -> Self {
        let (kind, why) = match error {
            FileError::Read { source, .. } | FileError::Write { source, .. } | FileError::Remove { source, .. } => {
                return source;
            }
            FileError::TooLong { most, .. } => {
                (io::ErrorKind::FileTooLarge, format!("it has more than {most} bytes, and no more are read"))
            }
            FileError::NotRegular { kind, .. } => {
                (io::ErrorKind::InvalidInput, format!("it is {kind}, and only regular files are read"))
            }
            FileError::Outside { .. } => (io::ErrorKind::InvalidInput, "it leads out of its folder".to_owned()),
            FileError::NotReplaceable { kind, .. } => {
                let why = format!("it is {kind}, and only a regular file is replaced; choose another place");
                (io::ErrorKind::InvalidInput, why)
            }
            FileError::IsInput { .. } => {
                (io::ErrorKind::InvalidInput, "it is the file that is read; choose another place".to_owned())
            }
        };
        Self::new(kind, why)
    }
}
