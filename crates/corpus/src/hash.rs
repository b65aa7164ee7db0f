//! Hashes of content: BLAKE3 for what the program names itself, SHA-256 where people check with common tools.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use sha2::{Digest, Sha256};

/// The name of a content inside the program: the first 32 hexadecimal digits of its BLAKE3 hash.
#[must_use]
pub fn content_hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex()[..32].to_owned()
}

/// The SHA-256 of a regular file in lower-case hexadecimal, as `sha256sum` prints it.
///
/// # Errors
/// When the file cannot be read, or is no regular one.
pub fn file_sha256(path: &Path) -> std::io::Result<String> {
    opened_sha256(nbrevive_files::open(path)?)
}

/// As [`file_sha256`], of a file that is open.
///
/// # Errors
/// When the file cannot be read.
pub fn opened_sha256(mut file: File) -> std::io::Result<String> {
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let count = file.read(&mut buffer)?;
        if count == 0 {
            return Ok(nbrevive_files::hex(hasher.finalize()));
        }
        hasher.update(&buffer[..count]);
    }
}
