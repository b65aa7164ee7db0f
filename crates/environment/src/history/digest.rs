//! Digests of files as the index tells them.

use std::fmt;
use std::str::FromStr;

use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A SHA-256 digest, written as 64 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sha256([u8; 32]);

/// A text that is no SHA-256 digest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no SHA-256 digest of 64 hexadecimal digits")]
pub struct NotASha256(String);

impl FromStr for Sha256 {
    type Err = NotASha256;

    fn from_str(text: &str) -> Result<Self, NotASha256> {
        read_digits(text.as_bytes()).map(Self).ok_or_else(|| NotASha256(text.to_owned()))
    }
}

fn read_digits(digits: &[u8]) -> Option<[u8; 32]> {
    let digits: &[u8; 64] = digits.try_into().ok()?;
    let mut digest = [0; 32];
    for (byte, pair) in digest.iter_mut().zip(digits.chunks_exact(2)) {
        *byte = nibble(pair[0])? << 4 | nibble(pair[1])?;
    }
    Some(digest)
}

fn nibble(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

impl Serialize for Sha256 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Sha256 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(DigestText)
    }
}

/// Reads a digest from where the text lies: histories have tens of thousands of them.
struct DigestText;

impl Visitor<'_> for DigestText {
    type Value = Sha256;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a SHA-256 digest of 64 hexadecimal digits")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Sha256, E> {
        text.parse().map_err(E::custom)
    }
}

impl fmt::Display for Sha256 {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

impl From<[u8; 32]> for Sha256 {
    fn from(digest: [u8; 32]) -> Self {
        Self(digest)
    }
}

impl From<Sha256> for String {
    fn from(digest: Sha256) -> Self {
        digest.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_64_digits() {
        let text = "0123456789abcdef".repeat(4);
        let digest: Sha256 = text.to_uppercase().parse().unwrap();
        assert_eq!(digest.to_string(), text);
        assert_eq!(serde_json::from_str::<Sha256>(&serde_json::to_string(&digest).unwrap()).unwrap(), digest);
        for wrong in [&text[1..], "", &text.replace('a', "g"), &text.replace("ab", "é")] {
            assert!(wrong.parse::<Sha256>().is_err(), "{wrong}");
        }
    }
}
