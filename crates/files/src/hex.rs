//! Hashes as people compare them.

use std::fmt::Write as _;

/// Bytes in lower-case hexadecimal digits, as `sha256sum` prints a hash.
#[must_use]
pub fn hex(bytes: impl AsRef<[u8]>) -> String {
    let bytes = bytes.as_ref();
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut digits, byte| {
        // Writing to a string cannot fail.
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_has_two_digits() {
        assert_eq!(hex(b"\0\x0f\xab"), "000fab");
        assert_eq!(hex(b""), "");
    }
}
