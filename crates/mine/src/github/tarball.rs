//! Reads the archive of a commit, which whoever owns the repository has made: links, paths that climb, doubles, sizes that
//! lie, and much out of little.
//!
//! It is what `git archive` writes: a global header with the commit's hash, and all files below one folder.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

use flate2::read::MultiGzDecoder;
use tar::EntryType;

use crate::content::LocalTrouble;
use crate::lfs::{elsewhere, is_pointer};
use crate::repository::Candidate;

/// Most entries of an archive.
const MOST_ENTRIES: usize = 200_000;
/// Longest header that is read besides those of 512 bytes: a path of git has no more than 4 KiB.
const LONGEST_HEADER: u64 = 64 << 10;

/// Why an archive is not read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TarballFault {
    /// It is damaged, or none: another try may bring it whole.
    #[error("it is damaged: {0}")]
    Damaged(io::Error),
    /// It is longer than what is taken.
    #[error("it has more than {MOST_ENTRIES} entries, or more bytes than are taken")]
    TooLarge,
    /// The spool cannot be written.
    #[error("{0}")]
    Spool(io::Error),
}

/// Where the content of a file lies in the spool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Spooled {
    start: u64,
    bytes: u64,
}

/// The files of an archive.
pub(crate) struct Tarball {
    /// The commit that its header names.
    pub(super) commit: Option<String>,
    pub(crate) files: Vec<Candidate<Spooled>>,
    /// What is no regular file, or has no plain place.
    pub(super) left_out: Vec<LocalTrouble>,
    spool: File,
}

impl Tarball {
    /// Reads a packed archive, at most `most` bytes of it unpacked. Files up to `largest` bytes go to the spool, a file
    /// without a name.
    pub(crate) fn read(packed: impl Read, spool: File, largest: u64, most: u64) -> Result<Self, TarballFault> {
        let mut reading = Reading {
            tarball: Self { commit: None, files: Vec::new(), left_out: Vec::new(), spool },
            end: 0,
            largest,
            places: Places::default(),
            path: None,
        };
        // One byte more than is taken shows that there is more.
        let mut plain = MultiGzDecoder::new(packed).take(most.saturating_add(1));
        let result = reading.entries(&mut plain);
        if plain.limit() == 0 {
            return Err(TarballFault::TooLarge);
        }
        result?;
        // What follows the archive's end has to unpack too: a file that was cut is no whole one.
        io::copy(&mut plain, &mut io::sink()).map_err(damaged)?;
        Ok(reading.tarball)
    }

    /// The content of a file, or why it is left out.
    pub(crate) fn content(&mut self, place: &Spooled) -> io::Result<Result<Vec<u8>, String>> {
        self.spool.seek(SeekFrom::Start(place.start))?;
        let mut content = Vec::new();
        (&self.spool).take(place.bytes).read_to_end(&mut content)?;
        if content.len() as u64 != place.bytes {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(if is_pointer(&content) { Err(elsewhere(&content)) } else { Ok(content) })
    }
}

fn damaged(error: io::Error) -> TarballFault {
    TarballFault::Damaged(error)
}

struct Reading {
    tarball: Tarball,
    /// Where the spool ends.
    end: u64,
    largest: u64,
    places: Places,
    /// The path that a header before the file gives it.
    path: Option<Vec<u8>>,
}

impl Reading {
    fn entries(&mut self, plain: &mut dyn Read) -> Result<(), TarballFault> {
        let mut archive = tar::Archive::new(plain);
        // Raw: headers that lengthen names are read here, where their length is bounded.
        for (number, entry) in archive.entries().map_err(damaged)?.raw(true).enumerate() {
            if number >= MOST_ENTRIES {
                return Err(TarballFault::TooLarge);
            }
            self.entry(&mut entry.map_err(damaged)?)?;
        }
        Ok(())
    }

    fn entry(&mut self, entry: &mut tar::Entry<'_, impl Read>) -> Result<(), TarballFault> {
        match entry.header().entry_type() {
            EntryType::XGlobalHeader => {
                let found = extension(&header(entry)?, b"comment");
                let is_hash = |hash: &Vec<u8>| hash.len() >= 40 && hash.iter().all(u8::is_ascii_hexdigit);
                let hash = found.filter(is_hash).and_then(|hash| String::from_utf8(hash).ok());
                self.tarball.commit = self.tarball.commit.take().or(hash);
            }
            EntryType::XHeader => self.path = extension(&header(entry)?, b"path"),
            EntryType::GNULongName => {
                let name = header(entry)?;
                let end = name.iter().position(|byte| *byte == 0).unwrap_or(name.len());
                self.path = Some(name.get(..end).unwrap_or_default().to_vec());
            }
            EntryType::Directory => self.path = None,
            kind => {
                let path = self.path.take().unwrap_or_else(|| entry.path_bytes().into_owned());
                self.file(entry, kind, &path)?;
            }
        }
        Ok(())
    }

    fn file(
        &mut self,
        entry: &mut tar::Entry<'_, impl Read>,
        kind: EntryType,
        path: &[u8],
    ) -> Result<(), TarballFault> {
        let below = match place(path, kind).and_then(|below| self.places.take(&below).map(|()| below)) {
            Ok(below) => below,
            Err(why) => {
                self.tarball.left_out.push(LocalTrouble::new(&String::from_utf8_lossy(path), &why));
                return Ok(());
            }
        };
        let bytes = entry.header().entry_size().map_err(damaged)?;
        let is_program = entry.header().mode().map_err(damaged)? & 0o100 != 0;
        let from = Spooled { start: self.end, bytes };
        if bytes <= self.largest {
            let mut spool = &self.tarball.spool;
            let count = copy(entry, &mut spool)?;
            if count != bytes {
                return Err(damaged(io::Error::other("a file ends before its time")));
            }
            self.end += bytes;
        }
        self.tarball.files.push(Candidate { path: below, is_program, bytes, from });
        Ok(())
    }
}

/// Copies a file, and tells whose fault it is when that fails.
fn copy(entry: &mut impl Read, spool: &mut impl Write) -> Result<u64, TarballFault> {
    let mut buffer = [0; 16 << 10];
    let mut total = 0;
    loop {
        let count = entry.read(&mut buffer).map_err(damaged)?;
        if count == 0 {
            return Ok(total);
        }
        spool.write_all(buffer.get(..count).unwrap_or_default()).map_err(TarballFault::Spool)?;
        total += count as u64;
    }
}

/// The path below the archive's one folder.
fn place(path: &[u8], kind: EntryType) -> Result<String, &'static str> {
    match kind {
        EntryType::Regular | EntryType::Continuous => {}
        EntryType::Symlink | EntryType::Link => return Err("it is a link"),
        _ => return Err("it is no regular file"),
    }
    let path = std::str::from_utf8(path).map_err(|_| "its name is no UTF-8")?;
    match path.split_once('/') {
        Some((top, below)) if !matches!(top, "" | "." | "..") && !below.is_empty() => Ok(below.to_owned()),
        _ => Err("it does not lie in the archive's folder"),
    }
}

/// The places that are taken: none is file and folder at once, and none twice.
#[derive(Default)]
struct Places {
    files: BTreeSet<String>,
    folders: BTreeSet<String>,
}

impl Places {
    fn take(&mut self, path: &str) -> Result<(), &'static str> {
        let folders = || path.match_indices('/').filter_map(|(at, _)| path.get(..at));
        if self.files.contains(path) {
            return Err("another file of the archive has its name");
        }
        if self.folders.contains(path) || folders().any(|folder| self.files.contains(folder)) {
            return Err("it is file and folder at once");
        }
        // Only so deep is a place remembered: deeper ones are refused when their path is read.
        if path.matches('/').count() > 200 {
            return Err("it lies deeper than 200 folders");
        }
        for folder in folders() {
            self.folders.insert(folder.to_owned());
        }
        self.files.insert(path.to_owned());
        Ok(())
    }
}

/// The content of a header that lengthens another.
fn header(entry: &mut tar::Entry<'_, impl Read>) -> Result<Vec<u8>, TarballFault> {
    let length = entry.header().entry_size().map_err(damaged)?;
    if length > LONGEST_HEADER {
        return Err(damaged(io::Error::other(format!("a header has {length} bytes"))));
    }
    let mut content = Vec::new();
    entry.take(LONGEST_HEADER).read_to_end(&mut content).map_err(damaged)?;
    Ok(content)
}

/// A value of an extended header, by its key.
fn extension(content: &[u8], key: &[u8]) -> Option<Vec<u8>> {
    let mut pairs = tar::PaxExtensions::new(content).map_while(Result::ok);
    pairs.find(|pair| pair.key_bytes() == key).map(|pair| pair.value_bytes().to_vec())
}

#[cfg(test)]
#[path = "tarball_tests.rs"]
mod tests;
