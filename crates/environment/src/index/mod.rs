//! Release histories from the package index, kept on disk.
//!
//! A history is asked for in the JSON API first, in the Simple API as JSON second. An index that serves HTML alone
//! has no upload dates: that is [`IndexError::HistoryUnavailable`]. Answers are kept below `<home>/index/` with
//! their ETag and age; when the index cannot be reached, an aged answer is used and the lookup says so.
//!
//! | file | purpose |
//! |---|---|
//! | `address.rs` | finds the configured index |
//! | `client.rs`, `retry.rs` | HTTP with retries by reason |
//! | `answers.rs` | the two JSON answers |
//! | `cache.rs` | histories on disk |

mod address;
mod answers;
mod cache;
mod client;
mod retry;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

pub use address::{AddressSource, IndexAddress, NoAddress};
pub use client::RequestError;
pub use retry::RetryPolicy;

use crate::history::History;
use crate::home::{Home, HomeError};
use crate::versions::{is_name, normalise};
use cache::Record;
use client::{Answer, Fetcher};

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
    pub retry: RetryPolicy,
}

impl Default for IndexSettings {
    fn default() -> Self {
        Self { address: None, offline: false, fresh_for: Duration::from_secs(24 * 3600), retry: RetryPolicy::default() }
    }
}

/// The package index with its cache. Usable from several threads.
#[derive(Debug)]
pub struct Index {
    folder: PathBuf,
    settings: IndexSettings,
    connection: OnceLock<Result<(IndexAddress, Fetcher), Arc<IndexError>>>,
    known: Mutex<HashMap<String, Lookup>>,
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

/// A history could not be had.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// The text cannot be the name of a distribution.
    #[error("{0:?} cannot be the name of a distribution")]
    Name(String),
    /// Nothing names an index.
    #[error(transparent)]
    NoAddress(#[from] NoAddress),
    /// The index could not be reached and nothing is kept.
    #[error("package index unreachable for {name}, and no history of it is kept")]
    Unreachable {
        /// The distribution.
        name: String,
        /// The last request.
        #[source]
        source: RequestError,
    },
    /// Offline, and nothing is kept.
    #[error("no history of {name} is kept, and the index may not be asked (offline)")]
    Offline {
        /// The distribution.
        name: String,
    },
    /// The index lists files without upload dates (HTML alone, or JSON before PEP 700).
    #[error(
        "{address} gives no upload dates for {name}: the date rule needs an index with the JSON API or PEP 700; set NBREVIVE_INDEX_URL to one"
    )]
    HistoryUnavailable {
        /// The distribution.
        name: String,
        /// The index.
        address: String,
    },
    /// The answer is no JSON of the expected form.
    #[error("{address} gave an unreadable answer for {name}: {what}")]
    Malformed {
        /// The distribution.
        name: String,
        /// The index.
        address: String,
        /// What is wrong.
        what: String,
    },
    /// The cache could not be written.
    #[error(transparent)]
    Home(#[from] HomeError),
    /// The connection could not be set up, as told before.
    #[error("{0}")]
    Connection(Arc<IndexError>),
}

const JSON_API: &str = "application/json";
const SIMPLE_API: &str = "application/vnd.pypi.simple.v1+json, text/html;q=0.1";

impl Index {
    /// An index whose answers are kept in the home.
    #[must_use]
    pub fn open(home: &Home, settings: IndexSettings) -> Self {
        Self::at(home.index(), settings)
    }

    /// An index whose answers are kept in the given folder.
    #[must_use]
    pub fn at(folder: PathBuf, settings: IndexSettings) -> Self {
        Self { folder, settings, connection: OnceLock::new(), known: Mutex::default() }
    }

    /// The history of a distribution, by any spelling of its name. Asked once a process.
    ///
    /// # Errors
    /// [`IndexError`]: no usable name, no index, no dates, or neither an answer nor a kept one.
    pub fn history(&self, name: &str) -> Result<Lookup, IndexError> {
        if !is_name(name) {
            return Err(IndexError::Name(name.to_owned()));
        }
        let name = normalise(name);
        if let Some(known) = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&name) {
            return Ok(known.clone());
        }
        let lookup = self.look_up(&name)?;
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(name, lookup.clone());
        Ok(lookup)
    }

    /// Fetches several histories at once, so that later questions are answered from memory. Failures are told
    /// when the history itself is asked for.
    pub fn prefetch(&self, names: &[String]) {
        let next = std::sync::atomic::AtomicUsize::new(0);
        let workers = names.len().min(6);
        std::thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|| {
                    while let Some(name) = names.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) {
                        if let Err(error) = self.history(name) {
                            tracing::debug!(name, %error, "history not fetched");
                        }
                    }
                });
            }
        });
    }

    fn look_up(&self, name: &str) -> Result<Lookup, IndexError> {
        let path = self.folder.join(format!("{name}.json"));
        let kept = Record::read(&path);
        let now = Timestamp::now();
        let fresh_for = SignedDuration::try_from(self.settings.fresh_for).unwrap_or(SignedDuration::MAX);
        if let Some(record) = &kept
            && (self.settings.offline || now.duration_since(record.fetched) < fresh_for)
        {
            let aged = now.duration_since(record.fetched) >= fresh_for;
            return Ok(record.lookup(aged));
        }
        if self.settings.offline {
            return Err(IndexError::Offline { name: name.to_owned() });
        }
        match self.fetch(name, kept.as_ref()) {
            Ok(record) => {
                record.write(&path)?;
                Ok(record.lookup(false))
            }
            Err(IndexError::Unreachable { source, .. }) if kept.is_some() => {
                tracing::warn!(name, error = %source, "package index unreachable, using the kept history");
                let record = kept.expect("checked by the guard");
                Ok(record.lookup(true))
            }
            Err(error) => Err(error),
        }
    }

    fn connection(&self) -> Result<&(IndexAddress, Fetcher), IndexError> {
        let connect = || {
            let address = match self.settings.address.clone() {
                Some(address) => address,
                None => IndexAddress::find().map_err(IndexError::from)?,
            };
            tracing::debug!(%address, source = ?address.source, "package index");
            let fetcher = Fetcher::new(self.settings.retry)
                .map_err(|source| IndexError::Unreachable { name: address.to_string(), source })?;
            Ok((address, fetcher))
        };
        let connection = self.connection.get_or_init(|| connect().map_err(Arc::new));
        connection.as_ref().map_err(|error| IndexError::Connection(Arc::clone(error)))
    }

    fn fetch(&self, name: &str, kept: Option<&Record>) -> Result<Record, IndexError> {
        let (address, fetcher) = self.connection()?;
        let place = address.to_string();
        let kept = kept.filter(|record| record.address == place);
        let get = |url: &str, accept: &str| {
            let etag = kept.filter(|record| record.accept == accept).and_then(|record| record.etag.as_deref());
            fetcher.get(url, accept, etag).map_err(|source| IndexError::Unreachable { name: name.to_owned(), source })
        };
        let malformed = |what: String| IndexError::Malformed { name: name.to_owned(), address: place.clone(), what };
        let dateless = || IndexError::HistoryUnavailable { name: name.to_owned(), address: place.clone() };
        let mut record = Record::absent(name, &place, Timestamp::now());
        match get(&address.json(name), JSON_API)? {
            Answer::NotModified => return kept.map(Record::renewed).ok_or_else(|| malformed("unasked 304".into())),
            Answer::Body { bytes, etag, .. } if looks_like_json(&bytes) => {
                let files = answers::project(&bytes).map_err(|error| malformed(error.to_string()))?;
                if let Some(files) = files {
                    record.set(JSON_API, etag, History::from_files(name, files).ok_or_else(dateless)?);
                    return Ok(record);
                }
            }
            Answer::Body { .. } | Answer::Absent => {}
        }
        match get(&address.simple(name), SIMPLE_API)? {
            Answer::NotModified => kept.map(Record::renewed).ok_or_else(|| malformed("unasked 304".into())),
            Answer::Absent => Ok(record),
            Answer::Body { bytes, etag, content_type } if content_type.contains("json") => {
                let files = answers::listing(&bytes).map_err(|error| malformed(error.to_string()))?;
                record.set(SIMPLE_API, etag, History::from_files(name, files).ok_or_else(dateless)?);
                Ok(record)
            }
            Answer::Body { .. } => Err(dateless()),
        }
    }
}

/// Whether a body is meant as JSON, whatever its declared type: front servers answer unknown paths with HTML.
fn looks_like_json(bytes: &[u8]) -> bool {
    bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{')
}

#[cfg(test)]
mod tests;
