//! The journal: one JSON line a request, appended, never rewritten.
//!
//! A process may die at any byte. A line counts once its line feed is there; whoever appends next cuts a torn end off
//! first. Writers of all processes take turns by `flock`; readers need no lock.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::error::RawError;
use crate::content_hash::ContentHash;
use crate::lock::wait_for_lock;
use crate::source::MiningSource;

/// One request and what came back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HttpExchange {
    /// Who asked.
    pub source: MiningSource,
    /// The natural key of the request, the same in every run.
    pub key: String,
    /// The item that the answer is about, where it is about one: what a take-down names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<String>,
    /// `GET` or `POST`.
    pub method: String,
    /// The address, without secrets.
    pub url: String,
    /// When the request went out.
    pub at: Timestamp,
    /// Seconds until the answer was whole, or the failure known.
    pub seconds: f64,
    /// The HTTP status; `None` when no answer came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The body, if it came whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<ContentHash>,
    /// Why the answer could not be used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// The limit in bytes that the body passed: then it was not kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<u64>,
    /// By what the server knows this answer again, where it says so (`ETag`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub etag: Option<String>,
    /// The number of the next page, where the server says that there is one (`Link`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<u32>,
}

impl HttpExchange {
    /// A request that goes out at an instant, of whose answer nothing is known yet.
    #[must_use]
    pub fn begun(source: MiningSource, key: String, method: &str, url: String, at: Timestamp) -> Self {
        Self {
            source,
            key,
            item: None,
            method: method.to_owned(),
            url,
            at,
            seconds: 0.0,
            status: None,
            body: None,
            fault: None,
            over: None,
            etag: None,
            next: None,
        }
    }
}

/// A body that an item owns without a request of its own: extracted code, or a local file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holding {
    /// Who keeps it.
    pub source: MiningSource,
    /// The item.
    pub item: String,
    /// The body.
    pub body: ContentHash,
}

/// An item that was removed and is not fetched again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Removal {
    /// The item.
    pub item: String,
    /// When.
    pub at: Timestamp,
}

/// One line of the journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "entry", rename_all = "kebab-case")]
pub enum JournalEntry {
    /// A request.
    Exchange(HttpExchange),
    /// A body without a request.
    Holding(Holding),
    /// A take-down.
    Removal(Removal),
}

/// The journal's file.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    file: File,
    /// Bytes that [`news`](Self::news) has read.
    read: u64,
}

impl Journal {
    pub(super) fn open(path: PathBuf) -> Result<Self, RawError> {
        let opened = OpenOptions::new().create(true).append(true).read(true).open(&path);
        let file = opened.map_err(|error| RawError::new("open", &path, error))?;
        Ok(Self { path, file, read: 0 })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Appends a line, after cutting off what a killed process left of its own.
    pub(super) fn append(&self, entry: &JournalEntry) -> Result<(), RawError> {
        let failed = |error| RawError::new("write", &self.path, error);
        let mut line = serde_json::to_vec(entry).map_err(|error| failed(error.into()))?;
        line.push(b'\n');
        wait_for_lock(&self.file).map_err(failed)?;
        let write = || {
            self.cut_torn_end()?;
            (&self.file).write_all(&line)
        };
        let written = write();
        let _ = self.file.unlock();
        written.map_err(failed)
    }

    fn cut_torn_end(&self) -> std::io::Result<()> {
        let length = self.file.metadata()?.len();
        let mut end = length;
        let mut chunk = [0; 4096];
        while end > 0 {
            let start = end.saturating_sub(chunk.len() as u64);
            let part = &mut chunk[..usize::try_from(end - start).unwrap_or(4096)];
            self.file.read_exact_at(part, start)?;
            match part.iter().rposition(|byte| *byte == b'\n') {
                Some(place) => {
                    end = start + place as u64 + 1;
                    break;
                }
                None => end = start,
            }
        }
        if end < length {
            tracing::warn!(path = %self.path.display(), bytes = length - end, "journal ended in a torn line, cut off");
            self.file.set_len(end)?;
        }
        Ok(())
    }

    /// The whole lines since the last call, of whichever process.
    pub(super) fn news(&mut self) -> Result<Vec<JournalEntry>, RawError> {
        let failed = |error| RawError::new("read", &self.path, error);
        if self.file.metadata().map_err(failed)?.len() <= self.read {
            return Ok(Vec::new());
        }
        let mut reader = BufReader::new(File::open(&self.path).map_err(failed)?);
        reader.seek(SeekFrom::Start(self.read)).map_err(failed)?;
        let mut entries = Vec::new();
        let mut line = Vec::new();
        loop {
            line.clear();
            let count = reader.read_until(b'\n', &mut line).map_err(failed)?;
            if !line.ends_with(b"\n") {
                return Ok(entries);
            }
            match serde_json::from_slice(&line) {
                Ok(entry) => entries.push(entry),
                // Whatever the line said is asked for again.
                Err(error) => {
                    tracing::warn!(path = %self.path.display(), offset = self.read, %error, "damaged line in the journal, skipped");
                }
            }
            self.read += count as u64;
        }
    }
}
