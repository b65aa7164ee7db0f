//! Keeps secrets out of what is written, should a server send them back.

use std::io::{self, Write};

use crate::Secret;

/// Secrets shorter than this, in bytes, are no secrets, and would blot out half of every body.
const SHORTEST: usize = 8;

/// A writer that replaces every secret by as many stars, also where it comes in pieces.
#[derive(Debug)]
pub struct Scrubber<W> {
    inner: W,
    secrets: Vec<Secret>,
    /// The longest secret: what has to be held back until more is known.
    longest: usize,
    held: Vec<u8>,
}

impl<W: Write> Scrubber<W> {
    /// A writer in front of `inner`.
    pub fn new(inner: W, secrets: &[Secret]) -> Self {
        let secrets: Vec<Secret> = secrets.iter().filter(|secret| secret.expose().len() >= SHORTEST).cloned().collect();
        let longest = secrets.iter().map(|secret| secret.expose().len()).max().unwrap_or(1);
        Self { inner, secrets, longest, held: Vec::new() }
    }

    /// Writes what was held back.
    ///
    /// # Errors
    /// When the writer behind it fails.
    pub fn finish(mut self) -> io::Result<W> {
        self.inner.write_all(&self.held)?;
        Ok(self.inner)
    }

    fn blot(&mut self) {
        for secret in &self.secrets {
            let secret = secret.expose().as_bytes();
            let mut from = 0;
            while let Some(place) = find(&self.held[from..], secret) {
                let start = from + place;
                self.held[start..start + secret.len()].fill(b'*');
                from = start + secret.len();
            }
        }
    }
}

impl<W: Write> Write for Scrubber<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.held.extend_from_slice(bytes);
        self.blot();
        let ready = self.held.len().saturating_sub(self.longest - 1);
        self.inner.write_all(&self.held[..ready])?;
        self.held.drain(..ready);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

fn find(hay: &[u8], needle: &[u8]) -> Option<usize> {
    let (first, last) = (*needle.first()?, hay.len().checked_sub(needle.len())?);
    let mut from = 0;
    while from <= last {
        from += hay[from..=last].iter().position(|byte| *byte == first)?;
        if hay[from..].starts_with(needle) {
            return Some(from);
        }
        from += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn scrubbed(pieces: &[&[u8]], secrets: &[Secret]) -> Vec<u8> {
        let mut scrubber = Scrubber::new(Vec::new(), secrets);
        for piece in pieces {
            scrubber.write_all(piece).unwrap();
        }
        scrubber.finish().unwrap()
    }

    proptest! {
        #[test]
        fn no_cut_lets_a_secret_through(before in "[a-c]{0,12}", after in "[a-c]{0,12}", cut in 0_usize..40, twice: bool) {
            let secret = "abcabcab1";
            let text = format!("{before}{secret}{after}{}", if twice { secret } else { "" });
            let cut = cut.min(text.len());
            let (left, right) = text.as_bytes().split_at(cut);
            let out = scrubbed(&[left, right], &[Secret::new(secret), Secret::new("other-secret-that-is-long")]);
            let expected = text.replace(secret, "*********");
            prop_assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
    }

    #[test]
    fn without_secrets_nothing_changes() {
        assert_eq!(scrubbed(&[b"abc", b"", b"def"], &[]), b"abcdef");
        assert_eq!(scrubbed(&[b"abc"], &[Secret::new("abc")]), b"abc");
    }
}
