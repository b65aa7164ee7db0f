//! Counts tokens as language models do: cut-offs, budgets and cost estimates are in tokens (paper, sections 4.1 and 4.4).
//!
//! ```
//! use nbrevive_model::Encoding;
//!
//! assert_eq!(Encoding::O200k.count("import pandas as pd"), 4);
//! ```
//!
//! The vocabularies are those that OpenAI publishes, embedded by `tiktoken-rs`: nothing is fetched. The first count of an
//! encoding loads its vocabulary, which takes about a second in a debug build.

use std::fmt;
use std::str::FromStr;

use tiktoken_rs::CoreBPE;

/// Characters that are handed to the encoder at once: see [`Encoding::count`].
const CHUNK: usize = 4096;

/// A vocabulary and its rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Encoding {
    /// `o200k_base`: models from GPT-4o on.
    #[default]
    O200k,
    /// `cl100k_base`: GPT-3.5 and GPT-4.
    Cl100k,
}

impl Encoding {
    /// Every encoding.
    pub const ALL: [Self; 2] = [Self::O200k, Self::Cl100k];

    /// The encoding of a model, by the beginning of its name; models that are not known get [`Encoding::O200k`], of which
    /// the count is then an estimate.
    #[must_use]
    pub fn of_model(model: &str) -> Self {
        let old = (model.starts_with("gpt-4") && !model.starts_with("gpt-4o") && !model.starts_with("gpt-4.1"))
            || model.starts_with("gpt-3.5");
        if old { Self::Cl100k } else { Self::O200k }
    }

    /// The name that the field uses.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::O200k => "o200k_base",
            Self::Cl100k => "cl100k_base",
        }
    }

    /// How many tokens `text` has; special tokens in it count as the plain text that they are.
    ///
    /// Runs without a space are encoded in pieces of some thousand characters, because the time of the encoder grows with
    /// the square of a run: an embedded picture would take minutes. Such a run may count one token more a piece.
    #[must_use]
    pub fn count(self, text: &str) -> usize {
        let encoder = self.encoder();
        pieces(text).map(|piece| encoder.encode_ordinary(piece).len()).sum()
    }

    fn encoder(self) -> &'static CoreBPE {
        match self {
            Self::O200k => tiktoken_rs::o200k_base_singleton(),
            Self::Cl100k => tiktoken_rs::cl100k_base_singleton(),
        }
    }
}

/// `text` in pieces that end between two lines where they can, so that no token is cut.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (piece, left) = rest.split_at(end_of_piece(rest));
        rest = left;
        Some(piece)
    })
}

fn end_of_piece(text: &str) -> usize {
    if text.len() <= CHUNK {
        return text.len();
    }
    let cut = text.floor_char_boundary(CHUNK);
    // Both encodings end a token at a line end, unless blanks or signs go on behind it.
    let bytes = text.as_bytes();
    (1..cut).rev().find(|&place| bytes[place - 1] == b'\n' && bytes[place].is_ascii_alphanumeric()).unwrap_or(cut)
}

impl fmt::Display for Encoding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// The name belongs to no encoding that is known here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownEncoding(String);

impl fmt::Display for UnknownEncoding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "`{}` is not an encoding: use o200k_base or cl100k_base", self.0)
    }
}

impl std::error::Error for UnknownEncoding {}

impl FromStr for Encoding {
    type Err = UnknownEncoding;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|encoding| encoding.name() == text).ok_or_else(|| UnknownEncoding(text.to_owned()))
    }
}

#[cfg(test)]
mod tests;
