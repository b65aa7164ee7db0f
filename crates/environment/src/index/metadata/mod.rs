//! The metadata of one file: found in memory, on disk, or on the index.
//!
//! | what the index gives | how it is read |
//! |---|---|
//! | a copy of a wheel's `METADATA` (PEP 658) | that alone; modules are looked for only when asked for |
//! | a wheel or zip archive in parts | its end, which holds the list of its files and mostly `METADATA` too |
//! | files as a whole only, or a compressed tar archive | the whole file, up to 100 MB, checked against its digest |
//!
//! Nothing of a file is executed or written to disk; what is read of one is bounded everywhere.

mod archive;
#[cfg(test)]
mod fuzz;
mod kept;
mod parts;
mod sdist;
mod wheel;

use std::io::{self, Cursor};

use pep440_rs::Version;
use sha2::{Digest, Sha256 as Hasher};

pub(super) use kept::Kept;
pub(crate) use sdist::BuildSystem;

use super::cache::Place;
use super::client::{Answer, Fetcher, LONGEST_FILE, RequestError};
use super::{File, IndexError};
use crate::history::{FileTag, MetadataCopy, Sha256};
use crate::metadata::{Metadata, MetadataSource};
use crate::requires::Headers;
pub(super) use parts::Parts;
use parts::Portion;

/// Why a file gave no metadata.
#[derive(Debug)]
pub(super) enum Unread {
    /// It could not be fetched.
    Request(RequestError),
    /// The index lists it, but has it no more.
    Gone,
    /// It is not what the index says it is.
    WrongDigest { listed: Sha256, found: Sha256 },
    /// It is too long to be fetched whole, and the server gives no parts: another server may.
    TooLong,
    /// It was fetched, and says nothing that we can read.
    Content(String),
}

impl From<RequestError> for Unread {
    fn from(error: RequestError) -> Self {
        if error.too_long { Self::TooLong } else { Self::Request(error) }
    }
}

impl From<io::Error> for Unread {
    fn from(error: io::Error) -> Self {
        let text = error.to_string();
        match error.into_inner().map(|inner| inner.downcast::<Self>()) {
            Some(Ok(unread)) => *unread,
            _ => Self::Content(text),
        }
    }
}

impl From<zip::result::ZipError> for Unread {
    fn from(error: zip::result::ZipError) -> Self {
        match error {
            zip::result::ZipError::Io(error) => error.into(),
            other => Self::Content(other.to_string()),
        }
    }
}

impl std::fmt::Display for Unread {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Request(error) => error.fmt(formatter),
            Self::Gone => formatter.write_str("gone"),
            Self::WrongDigest { listed, found } => write!(formatter, "its SHA-256 is {found}, not {listed}"),
            Self::TooLong => formatter.write_str("too long"),
            Self::Content(what) => formatter.write_str(what),
        }
    }
}

impl std::error::Error for Unread {}

/// One file whose metadata is asked for.
pub(super) struct Question<'index> {
    pub(super) fetcher: &'index Fetcher,
    /// Normalised name of the distribution.
    pub(super) name: &'index str,
    pub(super) file: &'index File,
    pub(super) place: &'index Place,
    /// Whether modules are asked for too.
    pub(super) modules: bool,
}

/// What was read, and whether it may be kept for ever.
pub(super) struct Read {
    pub(super) metadata: Metadata,
    /// Whether modules were looked for.
    pub(super) complete: bool,
    pub(super) lasting: bool,
}

impl Question<'_> {
    /// Reads the metadata. A file that says nothing readable has metadata of unknown source.
    pub(super) fn ask(&self) -> Result<Read, IndexError> {
        let file = || self.file.name.to_string();
        let unknown = |lasting| Read { metadata: Metadata::default(), complete: true, lasting };
        match self.read() {
            Ok(read) => Ok(read),
            Err(Unread::Content(what)) => {
                tracing::debug!(file = %self.file.name, what, "no metadata can be read");
                Ok(unknown(true))
            }
            Err(Unread::TooLong) => {
                tracing::warn!(file = %self.file.name, "too long to be fetched for its metadata");
                Ok(unknown(false))
            }
            Err(Unread::Request(source)) => Err(IndexError::FileUnreachable { file: file(), source }),
            Err(Unread::Gone) => Err(IndexError::FileGone { file: file() }),
            Err(Unread::WrongDigest { listed, found }) => {
                Err(IndexError::WrongDigest { file: file(), listed: listed.into(), found: found.into() })
            }
        }
    }

    fn read(&self) -> Result<Read, Unread> {
        let whole = |metadata| Read { metadata, complete: true, lasting: true };
        if self.file.tag() == FileTag::Sdist {
            return self.sdist().map(whole);
        }
        if !self.modules
            && let Some(requires) = self.copy()?
        {
            let metadata = Metadata::new(requires, MetadataSource::Wheel);
            return Ok(Read { metadata, complete: false, lasting: true });
        }
        wheel::read(self.parts()?, self.name).map(whole)
    }

    /// The requirements in the index's copy of the metadata (PEP 658); `None` where there is none that can be read.
    fn copy(&self) -> Result<Option<Vec<String>>, Unread> {
        let digest = match self.place.metadata_copy {
            MetadataCopy::Missing => return Ok(None),
            MetadataCopy::Served => None,
            MetadataCopy::Hashed(digest) => Some(digest),
        };
        let url = format!("{}.metadata", self.place.url);
        let Answer::Body(body) = self.fetcher.get(&url, "*/*", None)? else { return Ok(None) };
        let sound = digest.is_none_or(|digest| digest_of(&body.bytes) == digest);
        let headers = Headers::read(&body.bytes);
        // An error page with status 200 is no metadata, and that of another distribution is not ours.
        Ok(headers.filter(|headers| sound && headers.is_of(self.name)).map(|headers| headers.requires()))
    }

    fn parts(&self) -> Result<Parts<'_>, Unread> {
        let parts = Parts::open(self.fetcher, &self.place.url[..], Portion::FEW)?;
        if let Some(whole) = parts.whole() {
            self.check(whole)?;
        }
        Ok(parts)
    }

    fn check(&self, bytes: &[u8]) -> Result<(), Unread> {
        let found = digest_of(bytes);
        match self.file.sha256 {
            Some(listed) if listed != found => Err(Unread::WrongDigest { listed, found }),
            _ => Ok(()),
        }
    }

    fn sdist(&self) -> Result<Metadata, Unread> {
        if self.file.name.ends_with(".zip") {
            return sdist::read(&archive::zipped(self.parts()?)?, self.name);
        }
        if !self.file.name.ends_with(".tar.gz") && !self.file.name.ends_with(".tgz") {
            return Err(Unread::Content("neither a tar.gz nor a zip archive".into()));
        }
        if self.file.size.is_some_and(|size| size > LONGEST_FILE) {
            return Err(Unread::Content(format!("longer than {LONGEST_FILE} bytes")));
        }
        let bytes = self.fetcher.file(&self.place.url, LONGEST_FILE)?.ok_or(Unread::Gone)?;
        self.check(&bytes)?;
        sdist::read(&archive::tarred(Cursor::new(bytes))?, self.name)
    }
}

/// A file that is read in parts, for all its text.
pub(super) fn text_parts<'i>(fetcher: &'i Fetcher, url: String, file: &File) -> Result<Parts<'i>, IndexError> {
    let name = || file.name.to_string();
    Parts::open(fetcher, url, Portion::TEXT).map_err(|unread| match unread {
        Unread::Request(source) => IndexError::FileUnreachable { file: name(), source },
        Unread::TooLong => IndexError::NoParts { file: name() },
        _ => IndexError::FileGone { file: name() },
    })
}

/// Who builds a source archive, as its `pyproject.toml` says. One that cannot be read says nothing.
pub(super) fn build_system(file: &str, bytes: &[u8]) -> BuildSystem {
    let members =
        if file.ends_with(".zip") { archive::zipped(Cursor::new(bytes)) } else { archive::tarred(Cursor::new(bytes)) };
    members.map(|members| sdist::build_system(&members)).unwrap_or_default()
}

/// What a wheel requires, if it is one of this distribution and version; else what is wrong, in words.
pub(crate) fn wheel_requires(
    wheel: impl io::Read + io::Seek,
    distribution: &str,
    version: &Version,
) -> Result<Vec<String>, String> {
    wheel::requires(wheel, distribution, version).map_err(|unread| unread.to_string())
}

pub(super) fn digest_of(bytes: &[u8]) -> Sha256 {
    Sha256::from(<[u8; 32]>::from(Hasher::digest(bytes)))
}
