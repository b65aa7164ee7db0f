//! Release histories and metadata from the package index, kept on disk, or from a snapshot file.
//!
//! A distribution is asked for in the Simple API as JSON first (PEP 691, PEP 700), in the JSON API second. An index
//! that serves HTML alone has no upload dates: that is [`IndexError::HistoryUnavailable`]. Answers are kept below
//! `<home>/index/` with their ETag and age; when the index cannot be reached, or answers with rubbish, an aged answer
//! is used and the lookup says so. Metadata of files is kept for ever, since files never change.
//!
//! | file | purpose |
//! |---|---|
//! | `address.rs` | finds the configured index |
//! | `client.rs`, `retry.rs` | HTTP with retries by reason |
//! | `fetch.rs` | the interfaces of an index, in order |
//! | `answers.rs`, `page.rs` | their answers, in JSON and HTML |
//! | `cache.rs` | histories on disk |
//! | `memory.rs` | what was looked up lately |
//! | `metadata/` | what a file requires and holds |
//! | `online.rs` | histories and metadata from the cache and the index |
//! | `pieces.rs` | whole files, however long |
//! | `snapshot.rs`, `export.rs` | both in one file, for plans that repeat for ever |
//! | `error.rs` | why there is no answer |

mod address;
mod answers;
mod cache;
mod client;
mod error;
mod export;
mod fetch;
mod memory;
mod metadata;
mod online;
mod page;
mod pieces;
mod retry;
mod snapshot;
mod source;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::Duration;

use jiff::Timestamp;
use nbrevive_files::unpoisoned;
use serde::{Deserialize, Serialize};

pub use address::{AddressSource, IndexAddress, NoAddress};
pub use client::RequestError;
pub use error::IndexError;
pub use export::ExportScope;
pub(crate) use metadata::{BuildSystem, wheel_requires};
pub(crate) use retry::chance;
pub use retry::{Patience, patience};
pub use snapshot::{SnapshotError, SnapshotWriter};
pub(crate) use source::{SourceArchive, WantedSource, source_archive};

use crate::history::{File, History};
use crate::home::Home;
use crate::metadata::Metadata;
use crate::versions::{is_name, normalise};
use memory::Memory;
use online::Online;
use snapshot::Snapshot;

/// How the index is used.
#[derive(Debug, Clone)]
pub struct IndexSettings {
    /// The index; `None` (the default) looks at the user's configuration when first needed.
    pub address: Option<IndexAddress>,
    /// Only kept answers, however old. Default false.
    pub offline: bool,
    /// Age up to which a kept answer is used without asking. Default 24 h.
    pub fresh_for: Duration,
    /// Retries of requests.
    pub retry: Patience,
}

impl Default for IndexSettings {
    fn default() -> Self {
        Self { address: None, offline: false, fresh_for: Duration::from_secs(24 * 3600), retry: patience() }
    }
}

/// What the index says of a name.
#[derive(Debug, Clone)]
pub enum Lookup {
    /// The distribution exists.
    Known {
        /// Its releases.
        history: Arc<History>,
        /// When the answer was fetched, if it is older than the settings allow and the index could not be asked.
        stale: Option<Timestamp>,
    },
    /// No distribution of that name.
    Absent,
}

/// One distribution with the metadata of its files, as far as it was ever asked for: the unit of snapshots.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct IndexEntry {
    /// Its releases.
    pub history: History,
    /// Metadata by file name.
    #[serde(default)]
    pub metadata: BTreeMap<String, Metadata>,
}

/// The package index with its cache, or what stands for it. Usable from several threads.
#[derive(Debug)]
pub struct Index {
    source: Source,
    memory: RwLock<Memory>,
    asked: Mutex<BTreeMap<String, Asked>>,
}

/// Who answers.
#[derive(Debug)]
enum Source {
    /// The cache on disk and the index itself.
    Online(Box<Online>),
    /// A snapshot file alone.
    Snapshot(Box<Snapshot>),
    /// These alone.
    Fixed(HashMap<String, Fixed>),
}

#[derive(Debug)]
struct Fixed {
    history: Arc<History>,
    metadata: BTreeMap<String, Arc<Metadata>>,
}

/// What was asked of one distribution.
#[derive(Debug, Default)]
struct Asked {
    /// When the answer was fetched, where that is known.
    fetched: Option<Timestamp>,
    /// Files whose metadata was asked for.
    files: BTreeSet<String>,
}

impl Index {
    /// An index whose answers are kept in the home.
    #[must_use]
    pub fn open(home: &Home, settings: IndexSettings) -> Self {
        Self::at(home.index(), settings)
    }

    /// An index whose answers are kept in the given folder.
    #[must_use]
    pub fn at(folder: PathBuf, settings: IndexSettings) -> Self {
        Self::of(Source::Online(Box::new(Online::new(folder, settings))))
    }

    /// An index that knows exactly these distributions, and nobody else to ask.
    #[must_use]
    pub fn fixed(entries: Vec<IndexEntry>) -> Self {
        let fixed = entries.into_iter().map(|entry| {
            let metadata = entry.metadata.into_iter().map(|(file, found)| (file, Arc::new(found))).collect();
            (entry.history.name.clone(), Fixed { history: Arc::new(entry.history), metadata })
        });
        Self::of(Source::Fixed(fixed.collect()))
    }

    /// An index that knows what a snapshot file knows; nobody else is asked.
    ///
    /// # Errors
    /// [`SnapshotError`]: the file cannot be read, is no snapshot, or is damaged.
    pub fn of_snapshot(path: &Path) -> Result<Self, SnapshotError> {
        Ok(Self::of(Source::Snapshot(Box::new(Snapshot::open(path)?))))
    }

    fn of(source: Source) -> Self {
        Self { source, memory: RwLock::default(), asked: Mutex::default() }
    }

    /// The history of a distribution, by any spelling of its name. Asked once a process, as long as memory lasts.
    ///
    /// # Errors
    /// [`IndexError`]: no usable name, no index, no dates, or neither an answer nor a kept one.
    pub fn history(&self, name: &str) -> Result<Lookup, IndexError> {
        if !is_name(name) {
            return Err(IndexError::Name(name.to_owned()));
        }
        let name = normalise(name);
        if let Some(known) = self.remembered().lookup(&name) {
            return Ok(known);
        }
        let (lookup, fetched) = match &self.source {
            Source::Online(online) => {
                let (lookup, fetched) = online.history(&name)?;
                (lookup, Some(fetched))
            }
            Source::Snapshot(snapshot) => (self.load(snapshot, &name)?, Some(snapshot.taken())),
            Source::Fixed(fixed) => {
                let entry = fixed.get(&name).ok_or_else(|| IndexError::Offline { name: name.clone() })?;
                (Lookup::Known { history: Arc::clone(&entry.history), stale: None }, None)
            }
        };
        self.noted().entry(name.clone()).or_default().fetched = fetched;
        self.remember().keep_lookup(&name, &lookup);
        Ok(lookup)
    }

    /// The metadata of one file of a distribution: what it requires and, unless the index serves it apart (PEP 658),
    /// which modules it holds. Fetched without the whole file where the index lets us, kept for ever. A file that
    /// says nothing readable has metadata of unknown source.
    ///
    /// # Errors
    /// [`IndexError`] when it is not kept and cannot be fetched, or is not what the index says it is.
    pub fn metadata(&self, history: &History, file: &File) -> Result<Arc<Metadata>, IndexError> {
        self.described(history, file, false)
    }

    /// As [`Index::metadata`], with the modules of the file even where that means to fetch more of it.
    ///
    /// # Errors
    /// As there.
    pub fn metadata_with_modules(&self, history: &History, file: &File) -> Result<Arc<Metadata>, IndexError> {
        self.described(history, file, true)
    }

    fn described(&self, history: &History, file: &File, modules: bool) -> Result<Arc<Metadata>, IndexError> {
        let name = history.name.as_str();
        if let Some((metadata, complete)) = self.remembered().metadata(name, &file.name)
            && (complete || !modules)
        {
            // A snapshot's metadata comes into memory with its history, before anybody asks for it.
            self.note_file(name, &file.name);
            return Ok(metadata);
        }
        let (metadata, complete) = match &self.source {
            Source::Online(online) => online.metadata(&self.memory, name, file, modules)?,
            Source::Snapshot(snapshot) => {
                self.load(snapshot, name)?;
                // A snapshot cannot be asked for more.
                let loaded = self.remembered().metadata(name, &file.name);
                let missing =
                    || IndexError::NotInSnapshot { what: file.name.to_string(), path: snapshot.path().into() };
                (loaded.ok_or_else(missing)?.0, true)
            }
            Source::Fixed(fixed) => {
                let found = fixed.get(name).and_then(|entry| entry.metadata.get(&*file.name));
                let found = found.ok_or_else(|| IndexError::OfflineFile { file: file.name.to_string() })?;
                (Arc::clone(found), true)
            }
        };
        self.note_file(name, &file.name);
        self.remember().keep_metadata(name, &file.name, &metadata, complete);
        Ok(metadata)
    }

    /// The bytes of one file of a distribution, up to 100 MB, checked against its digest. They are not kept.
    ///
    /// # Errors
    /// [`IndexError`] when it cannot be fetched or is not what the index says it is; a snapshot holds no files.
    pub fn whole(&self, history: &History, file: &File) -> Result<Vec<u8>, IndexError> {
        match &self.source {
            Source::Online(online) => online.whole(&self.memory, &history.name, file),
            Source::Snapshot(_) | Source::Fixed(_) => Err(IndexError::OfflineFile { file: file.name.to_string() }),
        }
    }

    /// One file of a distribution in pieces that fit into memory, in their order; an error behind the last one says that all of them
    /// together have another digest than the index lists. They are not kept.
    ///
    /// # Errors
    /// [`IndexError`] when it cannot be fetched; a snapshot holds no files.
    pub fn pieces(
        &self,
        history: &History,
        file: &File,
    ) -> Result<impl Iterator<Item = Result<Vec<u8>, IndexError>>, IndexError> {
        match &self.source {
            Source::Online(online) => online.pieces(&self.memory, &history.name, file),
            Source::Snapshot(_) | Source::Fixed(_) => Err(IndexError::OfflineFile { file: file.name.to_string() }),
        }
    }

    /// A wheel or zip archive of a distribution that is fetched in parts, as they are read, up to 192 MiB of it. Its digest is not checked.
    ///
    /// # Errors
    /// [`IndexError`] when it cannot be fetched; a snapshot holds no files.
    pub fn parts(&self, history: &History, file: &File) -> Result<impl std::io::Read + std::io::Seek, IndexError> {
        match &self.source {
            Source::Online(online) => online.parts(&self.memory, &history.name, file),
            Source::Snapshot(_) | Source::Fixed(_) => Err(IndexError::OfflineFile { file: file.name.to_string() }),
        }
    }

    fn note_file(&self, name: &str, file: &str) {
        let mut noted = self.noted();
        if !noted.get(name).is_some_and(|asked| asked.files.contains(file)) {
            noted.entry(name.to_owned()).or_default().files.insert(file.to_owned());
        }
    }

    /// Reads an entry of a snapshot into memory.
    fn load(&self, snapshot: &Snapshot, name: &str) -> Result<Lookup, IndexError> {
        let missing = || IndexError::NotInSnapshot { what: name.to_owned(), path: snapshot.path().into() };
        let Some(entry) = snapshot.entry(name)?.ok_or_else(missing)? else { return Ok(Lookup::Absent) };
        let mut memory = self.remember();
        for (file, metadata) in entry.metadata {
            memory.keep_metadata(name, &file, &Arc::new(metadata), true);
        }
        Ok(Lookup::Known { history: Arc::new(entry.history), stale: None })
    }

    /// Fetches several histories at once, so that later questions are answered from memory. Failures are told
    /// when the history itself is asked for.
    pub fn prefetch(&self, names: &[String]) {
        // Threads cost more than a plan whose answers are all in memory.
        let missing: Vec<&String> = names.iter().filter(|name| self.remembered().lookup(name).is_none()).collect();
        in_parallel(&missing, |name| {
            if let Err(error) = self.history(name) {
                tracing::debug!(name, %error, "history not fetched");
            }
        });
    }

    /// Fetches the metadata of several files at once, as [`Index::prefetch`] does with histories.
    pub fn prefetch_metadata(&self, files: &[(&History, &File)]) {
        let known = |history: &History, file: &File| self.remembered().metadata(&history.name, &file.name).is_some();
        let missing: Vec<(&History, &File)> =
            files.iter().filter(|(history, file)| !known(history, file)).copied().collect();
        in_parallel(&missing, |(history, file)| {
            if let Err(error) = self.metadata(history, file) {
                tracing::debug!(file = %file.name, %error, "metadata not fetched");
            }
        });
    }

    /// The normalised names that were asked for so far and had an answer, absence included; sorted.
    #[must_use]
    pub fn asked(&self) -> Vec<String> {
        self.noted().keys().cloned().collect()
    }

    fn remembered(&self) -> RwLockReadGuard<'_, Memory> {
        unpoisoned(self.memory.read())
    }

    fn remember(&self) -> RwLockWriteGuard<'_, Memory> {
        unpoisoned(self.memory.write())
    }

    fn noted(&self) -> MutexGuard<'_, BTreeMap<String, Asked>> {
        unpoisoned(self.asked.lock())
    }
}

/// Requests at once: an index answers several as fast as one, up to some ten.
const AT_ONCE: usize = 8;

fn in_parallel<T: Sync>(items: &[T], each: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..items.len().min(AT_ONCE) {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    each(item);
                }
            });
        }
    });
}

#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod tests;
