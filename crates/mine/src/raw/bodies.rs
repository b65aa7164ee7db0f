//! The bodies: one compressed file each, named by content, whole or absent.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::NamedTempFile;
use zstd::stream::read::Decoder;
use zstd::stream::write::Encoder;

use super::error::RawError;
use crate::content_hash::ContentHash;

/// Level of compression: zstd's own default, fast beside any network.
const LEVEL: i32 = 3;
/// Beginning of the names of files that are being written.
const WRITING: &str = ".writing-";
/// Age from which a half-written file counts as left by a killed process.
const LEFT_BEHIND: Duration = Duration::from_secs(24 * 3600);

/// The folder of bodies.
#[derive(Debug)]
pub(super) struct Bodies {
    folder: PathBuf,
}

/// A body that is being written. It is kept only by [`finish`](Self::finish): dropping it leaves nothing.
pub struct BodyWriter {
    folder: PathBuf,
    encoder: Encoder<'static, NamedTempFile>,
    hasher: blake3::Hasher,
    bytes: u64,
}

/// A kept body's name and length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawBody {
    /// Its name.
    pub hash: ContentHash,
    /// Its length in bytes, not compressed.
    pub bytes: u64,
}

impl Bodies {
    pub(super) fn open(folder: PathBuf) -> Result<Self, RawError> {
        fs::create_dir_all(&folder).map_err(|error| RawError::new("create", &folder, error))?;
        sweep(&folder);
        Ok(Self { folder })
    }

    fn path(&self, hash: &ContentHash) -> PathBuf {
        place(&self.folder, hash)
    }

    pub(super) fn writer(&self) -> Result<BodyWriter, RawError> {
        let failed = |error| RawError::new("write in", &self.folder, error);
        let file = tempfile::Builder::new().prefix(WRITING).tempfile_in(&self.folder).map_err(failed)?;
        let encoder = Encoder::new(file, LEVEL).map_err(failed)?;
        Ok(BodyWriter { folder: self.folder.clone(), encoder, hasher: blake3::Hasher::new(), bytes: 0 })
    }

    pub(super) fn has(&self, hash: &ContentHash) -> bool {
        self.path(hash).is_file()
    }

    pub(super) fn reader(&self, hash: &ContentHash) -> Result<impl Read + use<>, RawError> {
        let path = self.path(hash);
        let failed = |error| RawError::new("read", &path, error);
        Decoder::with_buffer(BufReader::new(File::open(&path).map_err(failed)?)).map_err(failed)
    }

    /// The whole body, checked against its name.
    pub(super) fn read(&self, hash: &ContentHash) -> Result<Vec<u8>, RawError> {
        let path = self.path(hash);
        let mut bytes = Vec::new();
        self.reader(hash)?.read_to_end(&mut bytes).map_err(|error| RawError::new("read", &path, error))?;
        if ContentHash::of(&bytes) != *hash {
            return Err(RawError::Damaged { path });
        }
        Ok(bytes)
    }

    /// Removes a body; an absent one is fine. Says whether it was there.
    pub(super) fn remove(&self, hash: &ContentHash) -> Result<bool, RawError> {
        let path = self.path(hash);
        match fs::remove_file(&path) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(RawError::new("remove", &path, error)),
        }
    }
}

impl BodyWriter {
    /// Bytes written so far, not compressed.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Puts the body in its place, where it appears whole.
    ///
    /// # Errors
    /// [`RawError`] when the disk refuses it.
    pub fn finish(self) -> Result<RawBody, RawError> {
        let hash = ContentHash::finished(&self.hasher);
        let path = place(&self.folder, &hash);
        let put = || -> io::Result<()> {
            let file = self.encoder.finish()?;
            if path.is_file() {
                return Ok(());
            }
            fs::create_dir_all(path.parent().unwrap_or(&self.folder))?;
            file.as_file().sync_data()?;
            file.persist(&path).map_err(|error| error.error)?;
            Ok(())
        };
        put().map_err(|error| RawError::new("write", &path, error))?;
        Ok(RawBody { hash, bytes: self.bytes })
    }
}

impl Write for BodyWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.encoder.write(bytes)?;
        self.hasher.update(&bytes[..count]);
        self.bytes += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.encoder.flush()
    }
}

/// Two digits of the name are a folder of their own, so that no folder holds too many files.
fn place(folder: &Path, hash: &ContentHash) -> PathBuf {
    let (first, rest) = hash.as_str().split_at(2);
    folder.join(first).join(format!("{rest}.zst"))
}

/// Removes what killed processes left half-written.
fn sweep(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let left = entry.file_name().to_string_lossy().starts_with(WRITING);
        let age = entry.metadata().and_then(|metadata| metadata.modified()).ok().and_then(|time| time.elapsed().ok());
        if left && age.is_some_and(|age| age > LEFT_BEHIND) {
            let _ = fs::remove_file(entry.path());
        }
    }
}
