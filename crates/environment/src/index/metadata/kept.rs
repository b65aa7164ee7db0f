//! Metadata on disk: `<home>/index/metadata/<distribution>/<file>.json`, for ever, since files never change.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::Read;
use crate::history::{File, Sha256};
use crate::home::{HomeError, remove_folder, write_atomically};
use crate::metadata::Metadata;

/// Raised whenever more or other things are read of files; what others wrote is read again.
const FORMAT: u32 = 2;
/// Longest name of a file that is kept, in bytes: file systems allow 255.
const LONGEST_NAME: usize = 240;

/// Kept metadata of one file.
#[derive(Debug, Serialize, Deserialize)]
pub(in crate::index) struct Kept {
    format: u32,
    file: String,
    sha256: Option<Sha256>,
    /// Whether modules were looked for.
    pub(in crate::index) complete: bool,
    pub(in crate::index) metadata: Metadata,
}

impl Kept {
    /// Reads what is kept of a file of that name and digest; anything else counts as none.
    pub(in crate::index) fn read(folder: &Path, distribution: &str, file: &File) -> Option<Self> {
        let text = std::fs::read(path(folder, distribution, &file.name)?).ok()?;
        let kept: Self = serde_json::from_slice(&text).ok()?;
        // An index that does not tell digests tells nothing against the kept one.
        let same = file.sha256.is_none() || kept.sha256.is_none() || file.sha256 == kept.sha256;
        (kept.format == FORMAT && *kept.file == *file.name && same).then_some(kept)
    }

    /// The files of a distribution of which something is kept.
    pub(in crate::index) fn files(folder: &Path, distribution: &str) -> BTreeSet<String> {
        let files = std::fs::read_dir(folder.join("metadata").join(distribution)).into_iter().flatten();
        let name = |file: std::fs::DirEntry| file.file_name().to_str()?.strip_suffix(".json").map(str::to_owned);
        files.filter_map(Result::ok).filter_map(name).collect()
    }

    pub(in crate::index) fn write(
        folder: &Path,
        distribution: &str,
        file: &File,
        read: &Read,
    ) -> Result<(), HomeError> {
        let Some(path) = path(folder, distribution, &file.name) else { return Ok(()) };
        let (metadata, complete) = (read.metadata.clone(), read.complete);
        let kept = Self { format: FORMAT, file: file.name.to_string(), sha256: file.sha256, complete, metadata };
        let text = serde_json::to_vec(&kept).expect("metadata has only string keys");
        if path.is_dir() {
            remove_folder(&path)?;
        }
        write_atomically(&path, &text)
    }
}

/// The names of a history's files are checked when the index's answer is read; `None` for one that is too long.
fn path(folder: &Path, distribution: &str, file: &str) -> Option<PathBuf> {
    let sound = file.len() <= LONGEST_NAME && !file.contains('/') && !file.starts_with('.');
    sound.then(|| folder.join("metadata").join(distribution).join(format!("{file}.json")))
}
