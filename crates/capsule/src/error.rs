//! Why a capsule cannot be packed or used.

use std::path::PathBuf;

use nbrevive_files::FileError;

/// Why a capsule cannot be packed or used.
#[derive(Debug, thiserror::Error)]
pub enum CapsuleError {
    /// A file or folder of this machine cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// What was given is no capsule at all.
    #[error("{} is no capsule: {why}", path.display())]
    NoCapsule {
        /// The archive or folder.
        path: PathBuf,
        /// What is missing or wrong.
        why: String,
    },
    /// A later program wrote it.
    #[error(
        "the capsule has version {found} of its format, and this program knows {known} at most: use a newer nbrevive"
    )]
    Newer {
        /// Its version.
        found: u32,
        /// Ours.
        known: u32,
    },
    /// The archive ends early, or its bytes are not what the compressor wrote.
    #[error("{} is cut or damaged: {why}; get it again", path.display())]
    Damaged {
        /// The archive.
        path: PathBuf,
        /// What the reader said.
        why: String,
    },
    /// A file is not what the list says.
    #[error("`{name}` was altered since it was packed: {why}; get it again")]
    Altered {
        /// Its path in the capsule.
        name: String,
        /// How it differs.
        why: String,
    },
    /// A name or a link would lead out of the capsule's folder, or cannot be a file's.
    #[error("the capsule is refused: `{name}` {why}")]
    Name {
        /// The name in the list.
        name: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// It would take more room than is allowed.
    #[error(
        "the capsule would unpack to {bytes} bytes in {files} files: more than {most} bytes or a million files are taken for a bomb"
    )]
    TooLarge {
        /// Bytes of all its files.
        bytes: u64,
        /// How many there are.
        files: usize,
        /// Most bytes.
        most: u64,
    },
    /// There is no room for it.
    #[error("{} has room for {free} bytes, and the capsule takes {bytes}: make room, or choose another place", path.display())]
    NoRoom {
        /// The folder.
        path: PathBuf,
        /// Bytes that are free there.
        free: u64,
        /// Bytes that it takes.
        bytes: u64,
    },
    /// Something is at the place already.
    #[error("{} is there already: choose another place with --out", path.display())]
    Exists {
        /// The place.
        path: PathBuf,
    },
    /// A file changed while it was packed.
    #[error("{} changed while it was packed: pack again when nothing writes there", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
}

impl CapsuleError {
    /// Whether the capsule itself is at fault, and no disk of this machine.
    #[must_use]
    pub const fn is_of_capsule(&self) -> bool {
        match self {
            Self::File(FileError::Write { .. } | FileError::NotReplaceable { .. })
            | Self::NoRoom { .. }
            | Self::Exists { .. } => false,
            Self::File(_)
            | Self::NoCapsule { .. }
            | Self::Newer { .. }
            | Self::Damaged { .. }
            | Self::Altered { .. }
            | Self::Name { .. }
            | Self::TooLarge { .. }
            | Self::Changed { .. } => true,
        }
    }
}
