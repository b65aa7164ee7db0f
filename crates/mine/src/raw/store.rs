//! Bodies and journal together: what was answered to which request.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;

use super::bodies::{Bodies, BodyWriter};
use super::error::RawError;
use super::journal::{Holding, HttpExchange, Journal, JournalEntry};
use crate::content_hash::ContentHash;
use crate::source::MiningSource;

/// What the journal says of one answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptAnswers {
    /// When the request went out.
    pub at: Timestamp,
    /// The HTTP status.
    pub status: Option<u16>,
    /// The body.
    pub body: Option<ContentHash>,
    /// Whether the answer was found unusable when it came.
    pub faulty: bool,
    /// The limit in bytes that the body passed.
    pub over: Option<u64>,
    /// By what the server knows this answer again.
    pub etag: Option<String>,
    /// The number of the next page.
    pub next: Option<u32>,
}

/// What the journal says, by natural key.
#[derive(Debug)]
pub(super) struct Memory {
    journal: Journal,
    answers: HashMap<String, Vec<KeptAnswers>>,
    pub(super) owners: HashMap<ContentHash, BTreeSet<String>>,
    pub(super) removed: HashSet<String>,
    requests: u64,
}

/// The raw store. Usable from several threads, and by several processes at once.
#[derive(Debug)]
pub struct RawStore {
    folder: PathBuf,
    pub(super) bodies: Bodies,
    memory: Mutex<Memory>,
}

impl RawStore {
    /// The raw store in a folder, which is made where absent.
    ///
    /// # Errors
    /// [`RawError`] when the folder cannot be made or read.
    pub fn open(folder: &Path) -> Result<Self, RawError> {
        let bodies = Bodies::open(folder.join("bodies"))?;
        let journal = Journal::open(folder.join("journal.jsonl"))?;
        let memory =
            Memory { journal, answers: HashMap::new(), owners: HashMap::new(), removed: HashSet::new(), requests: 0 };
        let store = Self { folder: folder.to_owned(), bodies, memory: Mutex::new(memory) };
        drop(store.memory()?);
        Ok(store)
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The memory, with the news of other processes.
    pub(super) fn memory(&self) -> Result<MutexGuard<'_, Memory>, RawError> {
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        for entry in memory.journal.news()? {
            memory.learn(entry);
        }
        Ok(memory)
    }

    pub(super) fn append(&self, entry: &JournalEntry) -> Result<(), RawError> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner).journal.append(entry)
    }

    /// Notes a request. Its body must have been kept before.
    ///
    /// # Errors
    /// [`RawError`] when the journal cannot be written.
    pub fn note(&self, exchange: HttpExchange) -> Result<(), RawError> {
        self.append(&JournalEntry::Exchange(exchange))
    }

    /// A body to be written piece by piece.
    ///
    /// # Errors
    /// [`RawError`] when no file can be made.
    pub fn writer(&self) -> Result<BodyWriter, RawError> {
        self.bodies.writer()
    }

    /// Keeps bytes that belong to an item: code taken out of an answer, or a file that is already here.
    ///
    /// # Errors
    /// [`RawError`] when the disk refuses them.
    pub fn keep(&self, source: MiningSource, item: &str, bytes: &[u8]) -> Result<ContentHash, RawError> {
        let body = ContentHash::of(bytes);
        if !self.bodies.has(&body) {
            let mut writer = self.writer()?;
            writer.write_all(bytes).map_err(|error| RawError::new("write in", &self.folder, error))?;
            writer.finish()?;
        }
        let known = self.memory()?.owners.get(&body).is_some_and(|items| items.contains(item));
        if !known {
            self.append(&JournalEntry::Holding(Holding { source, item: item.to_owned(), body: body.clone() }))?;
        }
        Ok(body)
    }

    /// The bytes of a body, checked against their name.
    ///
    /// # Errors
    /// [`RawError`] when it is not there (any more) or damaged.
    pub fn read(&self, hash: &ContentHash) -> Result<Vec<u8>, RawError> {
        self.bodies.read(hash)
    }

    /// A body as a stream, for what is too long for memory; the name is not checked.
    ///
    /// # Errors
    /// [`RawError`] when it is not there.
    pub fn reader(&self, hash: &ContentHash) -> Result<impl Read + use<>, RawError> {
        self.bodies.reader(hash)
    }

    /// Whether a body is there.
    #[must_use]
    pub fn has(&self, hash: &ContentHash) -> bool {
        self.bodies.has(hash)
    }

    /// The answers under a natural key, newest first. A body among them may have been taken down since.
    ///
    /// # Errors
    /// [`RawError`] when the journal cannot be read.
    pub fn answers(&self, key: &str) -> Result<Vec<KeptAnswers>, RawError> {
        let memory = self.memory()?;
        Ok(memory.answers.get(key).map(|kept| kept.iter().rev().cloned().collect()).unwrap_or_default())
    }

    /// Whether an item was taken down.
    ///
    /// # Errors
    /// [`RawError`] when the journal cannot be read.
    pub fn is_removed(&self, item: &str) -> Result<bool, RawError> {
        Ok(self.memory()?.removed.contains(item))
    }

    /// Requests that were ever made for this store, retries included.
    ///
    /// # Errors
    /// [`RawError`] when the journal cannot be read.
    pub fn requests(&self) -> Result<u64, RawError> {
        Ok(self.memory()?.requests)
    }

    /// The whole journal in order.
    ///
    /// # Errors
    /// [`RawError`] when it cannot be read.
    pub fn journal(&self) -> Result<Vec<JournalEntry>, RawError> {
        let path = self.memory()?.journal.path().to_owned();
        Journal::open(path)?.news()
    }
}

impl Memory {
    fn learn(&mut self, entry: JournalEntry) {
        match entry {
            JournalEntry::Exchange(exchange) => {
                self.requests += 1;
                if let (Some(item), Some(body)) = (&exchange.item, &exchange.body) {
                    self.owners.entry(body.clone()).or_default().insert(item.clone());
                }
                let HttpExchange { at, status, body, fault, over, key, etag, next, .. } = exchange;
                let kept = KeptAnswers { at, status, body, faulty: fault.is_some(), over, etag, next };
                self.answers.entry(key).or_default().push(kept);
            }
            JournalEntry::Holding(holding) => {
                self.owners.entry(holding.body).or_default().insert(holding.item);
            }
            JournalEntry::Removal(removal) => {
                self.removed.insert(removal.item);
            }
        }
    }
}
