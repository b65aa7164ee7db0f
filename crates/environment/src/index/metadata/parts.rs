//! A file on a server that is read in parts, as if it were here: [`Read`] and [`Seek`] over range requests.

use std::borrow::Cow;
use std::io::{self, Read, Seek, SeekFrom};

use super::Unread;
use crate::index::address::redacted;
use crate::index::client::{Fetcher, LONGEST_FILE, Part, RequestError, Wanted};

/// First part, in bytes from the end: mostly enough for the list of files and the metadata before it, and not much
/// slower than less.
const TAIL: u64 = 96 << 10;
/// How much is fetched.
#[derive(Clone, Copy)]
pub(super) struct Portion {
    /// Least length of each further part, in bytes.
    piece: u64,
    /// Most that is fetched in parts, in bytes: hostile archives may point to anywhere.
    most: u64,
}

impl Portion {
    /// A few members of an archive.
    pub(super) const FEW: Self = Self { piece: 64 << 10, most: 32 << 20 };
    /// All text of an archive, of which the most is something else.
    pub(super) const TEXT: Self = Self { piece: 1 << 20, most: 192 << 20 };
}

/// The parts of one file that are here so far, or the whole of it.
pub(in crate::index) struct Parts<'index> {
    fetcher: &'index Fetcher,
    url: Cow<'index, str>,
    portion: Portion,
    total: u64,
    /// Places of first bytes, and bytes.
    pieces: Vec<(u64, Vec<u8>)>,
    is_whole: bool,
    position: u64,
    fetched: u64,
}

impl<'index> Parts<'index> {
    /// Fetches the end of the file, or all of it from a server that gives no parts.
    pub(super) fn open(
        fetcher: &'index Fetcher,
        url: impl Into<Cow<'index, str>>,
        portion: Portion,
    ) -> Result<Self, Unread> {
        let url = url.into();
        let (start, total, bytes, is_whole) = match fetcher.part(&url, Wanted::Tail(TAIL)) {
            Ok(Part::Partial { start, total, bytes }) => (start, total, bytes, start == 0),
            Ok(Part::Whole(bytes)) => (0, bytes.len() as u64, bytes, true),
            Ok(Part::Absent) => return Err(Unread::Gone),
            // A server that refuses parts, or answers with wrong ones, may still give the whole.
            Err(error) if !error.transient && !error.too_long => {
                let bytes = fetcher.file(&url, LONGEST_FILE)?.ok_or(Unread::Gone)?;
                (0, bytes.len() as u64, bytes, true)
            }
            Err(error) => return Err(error.into()),
        };
        Ok(Self { fetcher, url, portion, total, pieces: vec![(start, bytes)], is_whole, position: 0, fetched: 0 })
    }

    /// The whole file, if it is here.
    pub(super) fn whole(&self) -> Option<&[u8]> {
        self.pieces.first().filter(|_| self.is_whole).map(|(_, bytes)| bytes.as_slice())
    }

    /// What is here from a place on.
    fn here(&self, position: u64) -> Option<&[u8]> {
        self.pieces.iter().find_map(|(start, bytes)| {
            let inside = usize::try_from(position.checked_sub(*start)?).ok()?;
            bytes.get(inside..).filter(|rest| !rest.is_empty())
        })
    }

    /// Fetches the part that starts at the position, up to the next one that is here.
    fn fetch(&mut self) -> Result<(), Unread> {
        let next = self.pieces.iter().map(|piece| piece.0).filter(|start| *start > self.position).min();
        let end = next.unwrap_or(self.total).min(self.position + self.portion.piece);
        self.fetched += end - self.position;
        if self.fetched > self.portion.most {
            return Err(Unread::Content(format!("it asks for more than {} bytes of itself", self.portion.most)));
        }
        match self.fetcher.part(&self.url, Wanted::Between(self.position, end - 1))? {
            Part::Partial { start, total, bytes } if total == self.total => self.pieces.push((start, bytes)),
            Part::Partial { total, .. } => {
                let what = format!("its length changed from {} to {total}", self.total);
                return Err(RequestError {
                    url: redacted(&self.url),
                    what,
                    attempts: 1,
                    transient: true,
                    too_long: false,
                }
                .into());
            }
            Part::Whole(bytes) => self.pieces.push((0, bytes)),
            Part::Absent => return Err(Unread::Gone),
        }
        Ok(())
    }
}

impl Read for Parts<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.position >= self.total || buffer.is_empty() {
            return Ok(0);
        }
        if self.here(self.position).is_none() {
            self.fetch().map_err(io::Error::other)?;
        }
        let here = self.here(self.position).ok_or_else(|| io::Error::from(io::ErrorKind::UnexpectedEof))?;
        let count = here.len().min(buffer.len());
        buffer[..count].copy_from_slice(&here[..count]);
        self.position += count as u64;
        Ok(count)
    }
}

impl Seek for Parts<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let place = match to {
            SeekFrom::Start(place) => Some(place),
            SeekFrom::End(distance) => self.total.checked_add_signed(distance),
            SeekFrom::Current(distance) => self.position.checked_add_signed(distance),
        };
        self.position = place.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        Ok(self.position)
    }
}
