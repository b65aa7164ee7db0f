//! SHA-256 of what passes by: what `sha256sum` prints.

use std::io::{self, Read, Write};

use sha2::{Digest, Sha256};

/// Hashes and counts what is read or written through it.
pub(crate) struct Hashing<Inner> {
    inner: Inner,
    hasher: Sha256,
    bytes: u64,
}

impl<Inner> Hashing<Inner> {
    pub(crate) fn new(inner: Inner) -> Self {
        Self { inner, hasher: Sha256::new(), bytes: 0 }
    }

    /// How many bytes came by, and their SHA-256 in hexadecimal digits.
    pub(crate) fn finish(self) -> (u64, String) {
        let (_, bytes, digits) = self.into_parts();
        (bytes, digits)
    }

    /// What it reads or writes, how many bytes came by, and their SHA-256.
    pub(crate) fn into_parts(self) -> (Inner, u64, String) {
        (self.inner, self.bytes, nbrevive_files::hex(self.hasher.finalize()))
    }
}

impl<Source: Read> Read for Hashing<Source> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.hasher.update(buffer.get(..read).unwrap_or_default());
        self.bytes = self.bytes.saturating_add(read as u64);
        Ok(read)
    }
}

impl<Sink: Write> Write for Hashing<Sink> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(buffer)?;
        self.hasher.update(buffer.get(..written).unwrap_or_default());
        self.bytes = self.bytes.saturating_add(written as u64);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// How long a source is, and its SHA-256.
pub(crate) fn measure(source: impl Read) -> io::Result<(u64, String)> {
    let mut hashing = Hashing::new(source);
    io::copy(&mut hashing, &mut io::sink())?;
    Ok(hashing.finish())
}
