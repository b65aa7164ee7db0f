//! A snapshot: what an index said of some distributions, in one file with which plans repeat bit for bit.
//!
//! ```text
//! skippable frame 0   {"format":"nbrevive-snapshot","version":1}
//! zstd frame          {"history":{"name":"numpy","releases":[...]},"metadata":{"numpy-1.0.whl":{...}}}
//! zstd frame          ... one line of JSON a distribution, sorted by name
//! skippable frame 1   "taken 2026-11-21T20:00:00Z", then one line a name: "name offset length size", or the name alone
//!                     where the index has none such; then 32 bytes of BLAKE3 over these lines, 8 bytes of where this frame starts, "nbrvsnap"
//! ```
//!
//! So `zstdcat file` prints JSON lines (RFC 8878 has programs skip the other frames), and a lookup is one search in
//! the names and one read. The same content gives the same bytes; `taken` is the time of the youngest answer. There
//! is no address in it: a snapshot says what was known, not where.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use nbrevive_files::OutgoingFile;
use serde::{Deserialize, Serialize};

use super::IndexEntry;
use super::cache::compress;

/// Magic numbers of skippable frames (RFC 8878, section 3.1.2), the first for the head, the second for the names.
const HEAD: u32 = 0x184D_2A50;
const NAMES: u32 = 0x184D_2A51;
const FORMAT: &str = "nbrevive-snapshot";
const VERSION: u32 = 1;
/// Last bytes of every snapshot, behind the names' digest and the place of their frame.
const END: &[u8; 8] = b"nbrvsnap";
const DIGEST: usize = 32;
const TAIL: usize = DIGEST + 8 + END.len();
/// Longest head, list of names and entry that are read, in bytes: a damaged file must not take all memory.
const LONGEST_HEAD: u32 = 4096;
const LONGEST_NAMES: u64 = 1 << 30;
const LONGEST_ENTRY: usize = 512 << 20;

/// A file that cannot serve as a snapshot, or could not be written as one.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    /// The file could not be read or written.
    #[error("cannot {action} the snapshot {}", path.display())]
    File {
        /// `open`, `read` or `write`.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The file is something else.
    #[error("{} is no snapshot of a package index", path.display())]
    OtherFormat {
        /// The file.
        path: PathBuf,
    },
    /// A newer program wrote it.
    #[error("{} is a snapshot of version {found}, and this program reads version {VERSION}", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// The file was cut short or changed.
    #[error("the snapshot {} is damaged: {what}; fetch or export it again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
}

#[derive(Serialize, Deserialize)]
struct Head {
    format: String,
    version: u32,
}

/// An opened snapshot. Entries are read when asked for.
#[derive(Debug)]
pub(super) struct Snapshot {
    path: PathBuf,
    file: File,
    taken: Timestamp,
    names: BTreeMap<Box<str>, Option<Extent>>,
}

/// Where an entry lies.
#[derive(Debug, Clone, Copy)]
struct Extent {
    offset: u64,
    length: usize,
    /// Length of the text in it.
    size: usize,
}

impl Snapshot {
    pub(super) fn open(path: &Path) -> Result<Self, SnapshotError> {
        let failed = |action| move |source| SnapshotError::File { action, path: path.to_owned(), source };
        let file = nbrevive_files::open(path).map_err(|error| failed("open")(error.into()))?;
        let length = file.metadata().map_err(failed("read"))?.len();
        let mut snapshot = Self { path: path.to_owned(), file, taken: Timestamp::UNIX_EPOCH, names: BTreeMap::new() };
        let start = snapshot.read_head(length)?;
        snapshot.read_names(start, length)?;
        Ok(snapshot)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn taken(&self) -> Timestamp {
        self.taken
    }

    /// Every name that the snapshot knows something of, be it absence.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.keys().map(|name| &**name)
    }

    /// The entry of a name: `None` where the snapshot knows nothing of it, `Some(None)` where it knows that the
    /// index had none.
    pub(super) fn entry(&self, name: &str) -> Result<Option<Option<IndexEntry>>, SnapshotError> {
        let Some(extent) = self.names.get(name) else { return Ok(None) };
        let Some(extent) = extent else { return Ok(Some(None)) };
        let bytes = self.read(extent.offset, extent.length)?;
        let text = zstd::bulk::decompress(&bytes, extent.size)
            .map_err(|error| self.damaged(format!("the entry of {name} cannot be unpacked ({error})")))?;
        let entry: IndexEntry = serde_json::from_slice(&text)
            .map_err(|error| self.damaged(format!("the entry of {name} cannot be read ({error})")))?;
        if entry.history.name != name {
            return Err(self.damaged(format!("the entry of {name} is that of {}", entry.history.name)));
        }
        Ok(Some(Some(entry)))
    }

    fn damaged(&self, what: impl Into<String>) -> SnapshotError {
        SnapshotError::Damaged { path: self.path.clone(), what: what.into() }
    }

    fn read(&self, offset: u64, length: usize) -> Result<Vec<u8>, SnapshotError> {
        let mut bytes = vec![0; length];
        match self.file.read_exact_at(&mut bytes, offset) {
            Ok(()) => Ok(bytes),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(self.damaged("it is cut short")),
            Err(source) => Err(SnapshotError::File { action: "read", path: self.path.clone(), source }),
        }
    }

    /// Reads the head and returns where entries start.
    fn read_head(&self, length: u64) -> Result<u64, SnapshotError> {
        let other = || SnapshotError::OtherFormat { path: self.path.clone() };
        if length < 8 {
            return Err(other());
        }
        let frame = self.read(0, 8)?;
        let (magic, size) = (word(&frame[..4]), word(&frame[4..]));
        if magic != HEAD || size > LONGEST_HEAD {
            return Err(other());
        }
        let head: Head = serde_json::from_slice(&self.read(8, size as usize)?).map_err(|_| other())?;
        if head.format != FORMAT {
            return Err(other());
        }
        if head.version != VERSION {
            return Err(SnapshotError::Version { path: self.path.clone(), found: head.version });
        }
        Ok(8 + u64::from(size))
    }

    fn read_names(&mut self, start: u64, length: u64) -> Result<(), SnapshotError> {
        let tail_start = length.checked_sub(TAIL as u64).filter(|tail| *tail >= start + 8);
        let tail_start = tail_start.ok_or_else(|| self.damaged("it is cut short"))?;
        let tail = self.read(tail_start, TAIL)?;
        let (digest, rest) = tail.split_at(DIGEST);
        let (place, end) = rest.split_at(8);
        if end != END {
            return Err(self.damaged("its end is missing"));
        }
        let place = place.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte));
        let size = tail_start.checked_sub(place.saturating_add(8)).filter(|size| *size <= LONGEST_NAMES);
        let size = size.filter(|_| place >= start).ok_or_else(|| self.damaged("its list of names is misplaced"))?;
        let lines = self.read(place + 8, usize::try_from(size).unwrap_or(usize::MAX))?;
        if blake3::hash(&lines).as_bytes() != digest {
            return Err(self.damaged("its list of names was changed"));
        }
        let text = String::from_utf8(lines).map_err(|_| self.damaged("its list of names is no text"))?;
        let mut expected = start;
        let mut lines = text.lines();
        let taken = lines.next().and_then(|line| line.strip_prefix("taken ")?.parse().ok());
        self.taken = taken.ok_or_else(|| self.damaged("it does not say when it was taken"))?;
        for line in lines {
            let (name, extent) = name_line(line, expected)
                .ok_or_else(|| self.damaged(format!("the line {line:?} of its list of names is wrong")))?;
            expected += extent.map_or(0, |extent| extent.length as u64);
            self.names.insert(name.into(), extent);
        }
        if expected == place { Ok(()) } else { Err(self.damaged("its entries do not fill it")) }
    }
}

/// Reads `name offset length size`, which must start where the entry before ended, or `name`.
fn name_line(line: &str, expected: u64) -> Option<(&str, Option<Extent>)> {
    let mut words = line.split(' ');
    let name = words.next()?;
    let Some(offset) = words.next() else { return Some((name, None)) };
    let extent =
        Extent { offset: offset.parse().ok()?, length: words.next()?.parse().ok()?, size: words.next()?.parse().ok()? };
    let sound = extent.offset == expected && extent.size <= LONGEST_ENTRY && extent.length <= LONGEST_ENTRY;
    (sound && words.next().is_none()).then_some((name, Some(extent)))
}

fn word(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte))
}

/// Writes a snapshot entry by entry, so that none needs to fit into memory as a whole. The file appears, whole, when
/// it is finished.
#[derive(Debug)]
pub struct SnapshotWriter {
    path: PathBuf,
    file: io::BufWriter<OutgoingFile>,
    offset: u64,
    lines: String,
    last: String,
}

impl SnapshotWriter {
    /// Starts a snapshot that will replace a file of that path.
    ///
    /// # Errors
    /// [`SnapshotError::File`] when its folder cannot be written.
    pub fn create(path: &Path) -> Result<Self, SnapshotError> {
        let failed = |source| SnapshotError::File { action: "write", path: path.to_owned(), source };
        let file = OutgoingFile::begin(path).map_err(|error| failed(error.into()))?;
        let (lines, last) = (String::new(), String::new());
        let mut writer = Self { path: path.to_owned(), file: io::BufWriter::new(file), offset: 0, lines, last };
        let head = Head { format: FORMAT.into(), version: VERSION };
        let head = serde_json::to_vec(&head).expect("a head has only string keys");
        writer.write(&skippable(HEAD, &head))?;
        Ok(writer)
    }

    /// Adds what is known of a normalised name. `None`: the index has none such.
    ///
    /// # Errors
    /// [`SnapshotError::File`] when it cannot be written.
    ///
    /// # Panics
    /// When names do not come in ascending order, each once, or an entry is that of another name.
    pub fn add(&mut self, name: &str, entry: Option<&IndexEntry>) -> Result<(), SnapshotError> {
        use std::fmt::Write as _;
        assert!(self.last.as_str() < name, "{name} comes after {} in a snapshot", self.last);
        assert!(entry.is_none_or(|entry| entry.history.name == name), "the entry is that of {name}");
        name.clone_into(&mut self.last);
        let Some(entry) = entry else {
            self.lines += name;
            self.lines.push('\n');
            return Ok(());
        };
        let mut text = serde_json::to_vec(entry).expect("an entry has only string keys");
        text.push(b'\n');
        let bytes = compress(&text);
        let _ = writeln!(self.lines, "{name} {} {} {}", self.offset, bytes.len(), text.len());
        self.write(&bytes)
    }

    /// Ends the snapshot; `taken` is the time of its youngest answer.
    ///
    /// # Errors
    /// [`SnapshotError::File`] when it cannot be written.
    pub fn finish(mut self, taken: Timestamp) -> Result<(), SnapshotError> {
        let lines = format!("taken {taken}\n{}", self.lines).into_bytes();
        let digest = blake3::hash(&lines);
        let content = [&lines, &digest.as_bytes()[..], &self.offset.to_le_bytes(), END].concat();
        self.write(&skippable(NAMES, &content))?;
        let path = self.path;
        let failed = |source| SnapshotError::File { action: "write", path: path.clone(), source };
        let file = self.file.into_inner().map_err(|error| failed(error.into_error()))?;
        file.commit().map_err(|error| failed(error.into()))
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), SnapshotError> {
        self.offset += bytes.len() as u64;
        let failed = |source| SnapshotError::File { action: "write", path: self.path.clone(), source };
        self.file.write_all(bytes).map_err(failed)
    }
}

fn skippable(magic: u32, content: &[u8]) -> Vec<u8> {
    let length = u32::try_from(content.len()).expect("lists of names are shorter than 4 GiB");
    [&magic.to_le_bytes(), &length.to_le_bytes(), content].concat()
}
