//! A file of the index piece by piece: a wheel can be longer than memory should hold, and than comes within the time of one answer.

use sha2::{Digest as _, Sha256 as Hasher};

use super::IndexError;
use super::address::redacted;
use super::client::{Fetcher, LONGEST_FILE, Part, RequestError, Wanted};
use crate::history::{File, Sha256};

/// Length of a piece, in bytes: what a slow line brings within the time of an answer.
const PIECE: u64 = 16 << 20;
/// Longest file that is fetched, in bytes: the longest wheels of today have three of it.
const LONGEST: u64 = 8 << 30;

/// The pieces of one file in their order, each tried again by itself. In the place of what would follow the last one comes an error where
/// all of them together are not what the index lists.
pub(super) struct Pieces<'index> {
    fetcher: &'index Fetcher,
    /// With what authorises us.
    url: String,
    file: String,
    listed: Option<Sha256>,
    hasher: Hasher,
    /// Longest piece.
    piece: u64,
    /// How much is here.
    at: u64,
    /// How much there is, known from the first piece on.
    total: Option<u64>,
    is_over: bool,
}

impl<'index> Pieces<'index> {
    pub(super) fn of(fetcher: &'index Fetcher, url: String, file: &File) -> Self {
        Self {
            fetcher,
            url,
            file: file.name.to_string(),
            listed: file.sha256,
            hasher: Hasher::new(),
            piece: PIECE,
            at: 0,
            total: None,
            is_over: false,
        }
    }

    /// The same in other pieces.
    #[cfg(test)]
    pub(super) fn of_length(mut self, piece: u64) -> Self {
        self.piece = piece;
        self
    }

    fn piece(&mut self) -> Result<Vec<u8>, IndexError> {
        let (total, bytes) = self.fetch()?;
        if total > LONGEST {
            return Err(self.unusable(format!("it has {total} bytes, and {LONGEST} are fetched at most"), true));
        }
        if let Some(before) = self.total.filter(|before| *before != total) {
            return Err(self.unusable(format!("its length changed from {before} to {total}"), false));
        }
        self.total = Some(total);
        self.at = self.at.saturating_add(bytes.len() as u64);
        self.hasher.update(&bytes);
        Ok(bytes)
    }

    /// The next piece, and the length of the file.
    fn fetch(&self) -> Result<(u64, Vec<u8>), IndexError> {
        let gone = || IndexError::FileGone { file: self.file.clone() };
        let no_parts = || IndexError::NoParts { file: self.file.clone() };
        let last = self.at.saturating_add(self.piece).saturating_sub(1);
        match self.fetcher.part(&self.url, Wanted::Between(self.at, last)) {
            Ok(Part::Partial { total, bytes, .. }) => Ok((total, bytes)),
            Ok(Part::Whole(bytes)) if self.at == 0 => Ok((bytes.len() as u64, bytes)),
            Ok(Part::Whole(_)) => Err(no_parts()),
            Ok(Part::Absent) => Err(gone()),
            // A server that refuses parts, or answers with wrong ones, may still give the whole.
            Err(error) if self.at == 0 && !error.transient && !error.too_long => {
                let bytes = self
                    .fetcher
                    .file(&self.url, LONGEST_FILE)
                    .map_err(|error| self.unreachable(error))?
                    .ok_or_else(gone)?;
                Ok((bytes.len() as u64, bytes))
            }
            Err(error) if error.too_long => Err(no_parts()),
            Err(error) => Err(self.unreachable(error)),
        }
    }

    /// Whether all that came is what the index lists.
    fn check(&mut self) -> Result<(), IndexError> {
        let found = Sha256::from(<[u8; 32]>::from(std::mem::take(&mut self.hasher).finalize()));
        match self.listed {
            Some(listed) if listed != found => {
                let file = self.file.clone();
                Err(IndexError::WrongDigest { file, listed: listed.into(), found: found.into() })
            }
            _ => Ok(()),
        }
    }

    fn unreachable(&self, source: RequestError) -> IndexError {
        IndexError::FileUnreachable { file: self.file.clone(), source }
    }

    fn unusable(&self, what: String, too_long: bool) -> IndexError {
        self.unreachable(RequestError { url: redacted(&self.url), what, attempts: 1, transient: !too_long, too_long })
    }
}

impl Iterator for Pieces<'_> {
    type Item = Result<Vec<u8>, IndexError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        if self.total == Some(self.at) {
            self.is_over = true;
            return self.check().err().map(Err);
        }
        let piece = self.piece();
        self.is_over = piece.is_err();
        Some(piece)
    }
}
