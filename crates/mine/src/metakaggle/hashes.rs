//! Hashes of the dump's files, by which records name the bytes that they were read from. A file of gigabytes is hashed
//! once: the hash is remembered beside the raw store's bodies, and counts as long as size and time of the file stay.
//! The files themselves are not copied into the raw store: the dump is public, dated, and larger than everything else.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};

use super::error::DumpError;
use crate::raw::{ContentHash, RawError};

/// The file of hashes in the raw store's folder.
const NAME: &str = "dump-hashes.json";

/// A file as it was when it was hashed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Hashed {
    size: u64,
    /// Nanoseconds since 1970.
    modified: u64,
    hash: ContentHash,
}

/// Hashes that were made before.
#[derive(Debug)]
pub(super) struct Hashes {
    path: PathBuf,
    known: BTreeMap<PathBuf, Hashed>,
}

impl Hashes {
    /// The hashes remembered in a folder. A file of hashes that cannot be read is as good as none.
    pub(super) fn open(folder: &Path) -> Self {
        let path = folder.join(NAME);
        let known = fs::read(&path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
        Self { path, known }
    }

    /// The hash of a file.
    pub(super) fn of(&mut self, file: &Path) -> Result<ContentHash, DumpError> {
        let unreadable = |source| DumpError::Unreadable { path: file.to_owned(), source };
        let absolute = file.canonicalize().map_err(unreadable)?;
        let (size, modified) = stamp(&absolute).map_err(unreadable)?;
        if let Some(known) = self.known.get(&absolute).filter(|known| (known.size, known.modified) == (size, modified))
        {
            return Ok(known.hash.clone());
        }
        let hash = hash(&absolute).map_err(unreadable)?;
        self.known.insert(absolute, Hashed { size, modified, hash: hash.clone() });
        self.save().map_err(|source| RawError::new("write", &self.path, source))?;
        Ok(hash)
    }

    fn save(&self) -> io::Result<()> {
        let folder = self.path.parent().unwrap_or(Path::new("."));
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(&serde_json::to_vec_pretty(&self.known)?)?;
        file.persist(&self.path)?;
        Ok(())
    }
}

fn stamp(file: &Path) -> io::Result<(u64, u64)> {
    let metadata = fs::metadata(file)?;
    let modified = metadata.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
    Ok((metadata.len(), u64::try_from(modified.as_nanos()).unwrap_or(u64::MAX)))
}

fn hash(file: &Path) -> io::Result<ContentHash> {
    let (mut file, mut hasher) = (nbrevive_files::open(file)?, blake3::Hasher::new());
    let mut buffer = vec![0; 1 << 20];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(ContentHash::finished(&hasher)),
            read => hasher.update(&buffer[..read]),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_hashed_again_when_it_has_changed_and_not_before() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.csv");
        fs::write(&file, "one").unwrap();
        let first = Hashes::open(folder.path()).of(&file).unwrap();
        assert_eq!(first, ContentHash::of(b"one"));
        // What is remembered is believed: a wrong entry for the same size and time shows.
        let path = folder.path().join(NAME);
        let wrong = ContentHash::of(b"other");
        let text = fs::read_to_string(&path).unwrap().replace(first.as_str(), wrong.as_str());
        fs::write(&path, text).unwrap();
        assert_eq!(Hashes::open(folder.path()).of(&file).unwrap(), wrong);
        fs::write(&file, "three").unwrap();
        assert_eq!(Hashes::open(folder.path()).of(&file).unwrap(), ContentHash::of(b"three"));
        fs::write(&path, "{").unwrap();
        assert_eq!(Hashes::open(folder.path()).of(&file).unwrap(), ContentHash::of(b"three"));
    }
}
