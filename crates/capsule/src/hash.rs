//! SHA-256 of what passes by: what `sha256sum` prints.

use std::fmt::Write as _;
use std::io::{self, Read};

use sha2::{Digest, Sha256};

/// Hashes and counts what is read through it.
pub(crate) struct Hashing<Source> {
    source: Source,
    hasher: Sha256,
    bytes: u64,
}

impl<Source: Read> Hashing<Source> {
    pub(crate) fn new(source: Source) -> Self {
        Self { source, hasher: Sha256::new(), bytes: 0 }
    }

    /// How many bytes came by, and their SHA-256 in hexadecimal digits.
    pub(crate) fn finish(self) -> (u64, String) {
        let digits = self.hasher.finalize().iter().fold(String::with_capacity(64), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        });
        (self.bytes, digits)
    }
}

impl<Source: Read> Read for Hashing<Source> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        self.hasher.update(buffer.get(..read).unwrap_or_default());
        self.bytes = self.bytes.saturating_add(read as u64);
        Ok(read)
    }
}

/// How long a source is, and its SHA-256.
pub(crate) fn measure(source: impl Read) -> io::Result<(u64, String)> {
    let mut hashing = Hashing::new(source);
    io::copy(&mut hashing, &mut io::sink())?;
    Ok(hashing.finish())
}
