//! One kept answer of the index: `<home>/index/<name>.json.zst`.
//!
//! The file is two zstd frames with a line of JSON each, so that `zstdcat` prints it: the answer with the history,
//! and the places (addresses) of its files. Histories are read often and places seldom, so that the second frame is
//! left alone most of the time. What cannot be read, whatever the reason, counts as not kept, and is written anew.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::history::{History, MetadataCopy, Release};
use crate::home::{HomeError, remove_folder, write_atomically};

/// Raised whenever the meaning of a kept file changes; others are ignored.
const FORMAT: u32 = 4;
/// zstd's own default: histories shrink to a fifth, and higher levels gain little.
const LEVEL: i32 = 3;
/// Longest text of a frame, in bytes: a file of that home, but perhaps a damaged one.
const LONGEST_FRAME: u64 = 512 << 20;

/// The interface that gave an answer, since each has ETags of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Interface {
    /// The Simple API in JSON (PEP 691).
    Simple,
    /// `/pypi/<name>/json`.
    Project,
}

/// A kept answer without the places of files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    format: u32,
    name: String,
    /// The index without credentials: an answer of another one is not revalidated by its ETag.
    pub(crate) address: String,
    pub(crate) fetched: Timestamp,
    /// `None` for an absent distribution.
    pub(crate) interface: Option<Interface>,
    pub(crate) etag: Option<String>,
    /// `None`: no such distribution.
    pub(crate) history: Option<History>,
}

/// Where files can be fetched, by name.
pub(crate) type Places = BTreeMap<String, Place>;

/// Where one file can be fetched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Place {
    /// Absolute, without credentials.
    pub(crate) url: String,
    #[serde(default, skip_serializing_if = "is_missing")]
    pub(crate) metadata_copy: MetadataCopy,
}

fn is_missing(copy: &MetadataCopy) -> bool {
    *copy == MetadataCopy::Missing
}

impl Record {
    /// A record that the name is not on the index.
    pub(crate) fn absent(name: &str, address: &str) -> Self {
        Self {
            format: FORMAT,
            name: name.into(),
            address: address.into(),
            fetched: Timestamp::now(),
            interface: None,
            etag: None,
            history: None,
        }
    }

    /// The same answer, confirmed now.
    pub(crate) fn renewed(&self) -> Self {
        Self { fetched: Timestamp::now(), ..self.clone() }
    }

    /// Reads a kept answer; an unreadable file, one of another format or of another name counts as none.
    pub(crate) fn read(path: &Path, name: &str) -> Option<Self> {
        let record: Self = json(&std::fs::read(path).ok()?)?;
        let right = record.format == FORMAT && record.name == name;
        let sound = record.history.as_ref().is_none_or(|history| history.name == name && is_ordered(&history.releases));
        (right && sound).then_some(record)
    }

    /// Writes the answer and the places of its files. Something else in the file's place, such as a folder, gives
    /// way to it.
    pub(crate) fn write(&self, places: &Places, path: &Path) -> Result<(), HomeError> {
        let content = [frame(self), frame(places)].concat();
        if path.is_dir() {
            remove_folder(path)?;
        }
        write_atomically(path, &content)
    }
}

/// The places kept beside an answer.
pub(crate) fn read_places(path: &Path) -> Option<Places> {
    let bytes = std::fs::read(path).ok()?;
    let first = zstd::zstd_safe::find_frame_compressed_size(&bytes).ok()?;
    json(bytes.get(first..)?)
}

/// Strictly ascending: versions are searched by halves.
fn is_ordered(releases: &[Release]) -> bool {
    releases.is_sorted_by(|one, other| one.version < other.version)
}

/// The JSON in the first zstd frame of the bytes.
fn json<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    let mut text = Vec::new();
    let decoder = zstd::Decoder::with_buffer(bytes).ok()?.single_frame();
    decoder.take(LONGEST_FRAME).read_to_end(&mut text).ok()?;
    serde_json::from_slice(&text).ok()
}

/// One zstd frame with a checksum, holding a line of JSON.
pub(crate) fn frame(content: &impl Serialize) -> Vec<u8> {
    let mut text = serde_json::to_vec(content).expect("kept things have only string keys");
    text.push(b'\n');
    compress(&text)
}

/// Compresses to one frame with a checksum; the same text gives the same bytes.
pub(crate) fn compress(text: &[u8]) -> Vec<u8> {
    let compressed = || {
        let mut compressor = zstd::bulk::Compressor::new(LEVEL)?;
        compressor.include_checksum(true)?;
        compressor.compress(text)
    };
    compressed().expect("zstd compresses any text in memory")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(name: &str) -> Record {
        let history = History { name: name.into(), releases: Vec::new() };
        Record { history: Some(history), ..Record::absent(name, "here") }
    }

    #[test]
    fn an_answer_and_its_places_are_read_apart() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.json.zst");
        let place = Place { url: "u".into(), metadata_copy: MetadataCopy::Served };
        let places = Places::from([("x-1.0.tar.gz".to_owned(), place)]);
        record("x").write(&places, &path).unwrap();
        assert_eq!(Record::read(&path, "x").unwrap().history, record("x").history);
        assert_eq!(read_places(&path), Some(places));
    }

    #[test]
    fn poisoned_files_count_as_none_and_give_way() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.json.zst");
        record("x").write(&Places::new(), &path).unwrap();
        let sound = std::fs::read(&path).unwrap();
        let other = Record { format: FORMAT - 1, ..record("x") };
        let inside = Record { history: record("y").history, ..record("x") };
        let mut flipped = sound.clone();
        flipped[sound.len() / 4] ^= 0xff;
        let poisons = [
            Vec::new(),
            b"{}".to_vec(),
            sound[..sound.len() / 3].to_vec(),
            flipped,
            frame(&record("y")),
            frame(&other),
            frame(&inside),
            frame(&[1, 2]),
        ];
        for poison in poisons {
            std::fs::write(&path, &poison).unwrap();
            assert_eq!(Record::read(&path, "x"), None, "{:?}", String::from_utf8_lossy(&poison));
        }
        std::fs::remove_file(&path).unwrap();
        std::fs::create_dir_all(path.join("full")).unwrap();
        assert_eq!((Record::read(&path, "x"), read_places(&path)), (None, None));
        record("x").write(&Places::new(), &path).unwrap();
        assert!(Record::read(&path, "x").is_some());
    }
}
