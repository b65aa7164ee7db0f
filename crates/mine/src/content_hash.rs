//! The name of a content.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Hexadecimal digits of a name: 128 bits of BLAKE3, as `nbrevive_corpus::content_hash` gives them.
const DIGITS: usize = 32;

/// The name of a content: what [`nbrevive_corpus::content_hash`] says of its bytes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ContentHash(String);

/// A text that names no content.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the name of a content has 32 lower-case hexadecimal digits, and this text has not")]
pub struct NotAContentHash;

impl ContentHash {
    /// The name of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(nbrevive_corpus::content_hash(bytes))
    }

    /// The name of all bytes that a hasher has seen.
    pub(crate) fn finished(hasher: &blake3::Hasher) -> Self {
        Self(hasher.finalize().to_hex()[..DIGITS].to_owned())
    }

    /// The digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl FromStr for ContentHash {
    type Err = NotAContentHash;

    fn from_str(text: &str) -> Result<Self, NotAContentHash> {
        let digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        if text.len() == DIGITS && text.bytes().all(digit) { Ok(Self(text.to_owned())) } else { Err(NotAContentHash) }
    }
}

impl TryFrom<String> for ContentHash {
    type Error = NotAContentHash;

    fn try_from(text: String) -> Result<Self, NotAContentHash> {
        text.parse()
    }
}

impl From<ContentHash> for String {
    fn from(hash: ContentHash) -> Self {
        hash.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_and_a_slice_have_one_name() {
        let mut hasher = blake3::Hasher::new();
        hasher.update(b"two ").update(b"parts");
        assert_eq!(ContentHash::finished(&hasher), ContentHash::of(b"two parts"));
    }

    #[test]
    fn only_digits_are_a_name() {
        let hash = ContentHash::of(b"");
        assert_eq!(hash.as_str().parse(), Ok(hash.clone()));
        for text in ["", "../../../../../../../../etc/passwd", "ABCDEF0123456789ABCDEF0123456789", &hash.as_str()[1..]]
        {
            assert_eq!(text.parse::<ContentHash>(), Err(NotAContentHash));
        }
    }
}
