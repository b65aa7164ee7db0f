//! One file that is held, with what its index said of it.

use std::io::Read as _;
use std::path::Path;

use jiff::Timestamp;
use nbrevive_environment::history::{File, Release};
use nbrevive_files::FileError;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::MirrorError;

/// One file that is held, with what its index said of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeldFile {
    /// Its name.
    pub name: String,
    /// The distribution, normalised.
    pub distribution: String,
    /// The version as the index spells it.
    pub version: String,
    /// SHA-256 of its content.
    pub sha256: String,
    /// Its length.
    pub bytes: u64,
    /// When it appeared.
    pub uploaded: Timestamp,
    /// Declared interpreters, as written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requires_python: Option<String>,
    /// Whether its release was yanked.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_yanked: bool,
    /// SHA-256 of the metadata beside it, which wheels have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata_sha256: Option<String>,
}

impl HeldFile {
    /// What is known of a file before it is here.
    pub(crate) fn of(distribution: &str, release: &Release, file: &File) -> Result<Self, MirrorError> {
        let name = file.name.to_string();
        if name.contains(['/', '"', '<', '>', '&', '#', '?', '%']) || name.starts_with('.') {
            return Err(MirrorError::NoWheel { file: name, why: "its name cannot stand in a page".to_owned() });
        }
        Ok(HeldFile {
            name,
            distribution: distribution.to_owned(),
            version: release.text.to_string(),
            sha256: String::new(),
            bytes: 0,
            uploaded: file.uploaded,
            requires_python: release.requires_python.as_deref().map(str::to_owned),
            is_yanked: release.yanked,
            metadata_sha256: None,
        })
    }
}

/// Length and SHA-256 of a file.
pub(crate) fn measured(path: &Path) -> Result<(u64, String), FileError> {
    let mut file = nbrevive_files::open(path)?;
    let (mut hasher, mut bytes, mut piece) = (Sha256::new(), 0_u64, vec![0; 64 << 10]);
    loop {
        let read = file.read(&mut piece).map_err(|source| FileError::Read { path: path.to_owned(), source })?;
        if read == 0 {
            return Ok((bytes, nbrevive_files::hex(hasher.finalize())));
        }
        hasher.update(piece.get(..read).unwrap_or_default());
        bytes = bytes.saturating_add(read as u64);
    }
}

/// SHA-256 in hexadecimal digits.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    nbrevive_files::hex(Sha256::digest(bytes))
}
