//! One file that is held, with what its index said of it.

use jiff::Timestamp;
use nbrevive_environment::history::{File, Release};
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
    pub(crate) fn of(distribution: &str, release: &Release, file: &File, bytes: &[u8]) -> Result<Self, MirrorError> {
        let name = file.name.to_string();
        if name.contains(['/', '"', '<', '>', '&', '#', '?', '%']) || name.starts_with('.') {
            return Err(MirrorError::NoWheel { file: name, why: "its name cannot stand in a page".to_owned() });
        }
        Ok(HeldFile {
            name,
            distribution: distribution.to_owned(),
            version: release.text.to_string(),
            sha256: sha256(bytes),
            bytes: bytes.len() as u64,
            uploaded: file.uploaded,
            requires_python: release.requires_python.as_deref().map(str::to_owned),
            is_yanked: release.yanked,
            metadata_sha256: None,
        })
    }
}

/// SHA-256 in hexadecimal digits.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    nbrevive_files::hex(Sha256::digest(bytes))
}
