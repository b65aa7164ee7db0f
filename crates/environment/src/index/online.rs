//! Histories and metadata from the cache on disk and from the index itself.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock, RwLock};

use jiff::{SignedDuration, Timestamp};
use nbrevive_files::unpoisoned;
use reqwest::Url;

use super::cache::{Place, Places, Record, read_places};
use super::client::{Fetcher, LONGEST_FILE};
use super::fetch::{self, Fetched};
use super::memory::Memory;
use super::metadata::{self, Kept};
use super::pieces::Pieces;
use super::{IndexAddress, IndexError, IndexSettings, Lookup};
use crate::history::File;
use crate::metadata::Metadata;

/// What an answer's file is called behind the distribution's name.
pub(super) const SUFFIX: &str = ".json.zst";

/// An index with its cache.
#[derive(Debug)]
pub(super) struct Online {
    pub(super) folder: PathBuf,
    settings: IndexSettings,
    connection: OnceLock<Result<(IndexAddress, Fetcher), Arc<IndexError>>>,
}

impl Online {
    pub(super) fn new(folder: PathBuf, settings: IndexSettings) -> Self {
        Self { folder, settings, connection: OnceLock::new() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}{SUFFIX}"))
    }

    /// What is kept of a name, however old.
    pub(super) fn kept(&self, name: &str) -> Option<Record> {
        Record::read(&self.path(name), name)
    }

    /// The history of a normalised name, and when it was fetched.
    pub(super) fn history(&self, name: &str) -> Result<(Lookup, Timestamp), IndexError> {
        let (kept, now) = (self.kept(name), Timestamp::now());
        if self.settings.offline {
            let record = kept.ok_or_else(|| IndexError::Offline { name: name.to_owned() })?;
            let aged = !self.is_fresh(&record, now);
            return Ok(lookup(record, aged));
        }
        let kept = match kept {
            Some(record) if self.is_fresh(&record, now) => return Ok(lookup(record, false)),
            kept => kept,
        };
        match self.ask(name, kept.as_ref()) {
            Ok(record) => Ok(lookup(record, false)),
            Err(error @ (IndexError::Unreachable { .. } | IndexError::Malformed { .. })) => {
                let record = kept.ok_or(error).inspect(|_| {
                    tracing::warn!(name, "the package index gives no answer, using the kept history");
                })?;
                Ok(lookup(record, true))
            }
            Err(error) => Err(error),
        }
    }

    /// Whether an answer is young enough to be used unasked. One from the future, or of another index than the one
    /// that the settings name, is not.
    fn is_fresh(&self, record: &Record, now: Timestamp) -> bool {
        let age = now.duration_since(record.fetched);
        let fresh_for = SignedDuration::try_from(self.settings.fresh_for).unwrap_or(SignedDuration::MAX);
        let same = self.settings.address.as_ref().is_none_or(|address| address.to_string() == record.address);
        same && !age.is_negative() && age < fresh_for
    }

    /// Asks the index and keeps its answer.
    fn ask(&self, name: &str, kept: Option<&Record>) -> Result<Record, IndexError> {
        let (address, fetcher) = self.connection()?;
        let path = self.path(name);
        // An answer whose places are lost cannot be confirmed, it must be asked for anew.
        let kept = kept.and_then(|record| Some((record, read_places(&path)?)));
        let question = fetch::Question { address, fetcher, name };
        let (record, places) = match (question.ask(kept.as_ref().map(|kept| kept.0))?, kept) {
            (Fetched::Renewed, Some((record, places))) => (record.renewed(), places),
            (Fetched::New(record, places), _) => (record, places),
            (Fetched::Renewed, None) => {
                let what = "confirmed an answer that is not kept".to_owned();
                return Err(IndexError::Malformed { name: name.into(), address: address.to_string(), what });
            }
        };
        record.write(&places, &path)?;
        Ok(record)
    }

    /// The metadata of a file, and whether its modules were looked for.
    pub(super) fn metadata(
        &self,
        memory: &RwLock<Memory>,
        name: &str,
        file: &File,
        modules: bool,
    ) -> Result<(Arc<Metadata>, bool), IndexError> {
        if let Some(kept) = Kept::read(&self.folder, name, file)
            && (kept.complete || !modules || self.settings.offline)
        {
            return Ok((Arc::new(kept.metadata), kept.complete));
        }
        if self.settings.offline {
            return Err(IndexError::OfflineFile { file: file.name.to_string() });
        }
        let (address, fetcher) = self.connection()?;
        let mut place = self.place(memory, name, file)?;
        place.url = address.authorised(&place.url);
        let read = metadata::Question { fetcher, name, file, place: &place, modules }.ask()?;
        if read.lasting {
            Kept::write(&self.folder, name, file, &read)?;
        }
        Ok((Arc::new(read.metadata), read.complete))
    }

    /// The bytes of a file, checked against the digest that the index lists.
    pub(super) fn whole(&self, memory: &RwLock<Memory>, name: &str, file: &File) -> Result<Vec<u8>, IndexError> {
        if self.settings.offline {
            return Err(IndexError::OfflineFile { file: file.name.to_string() });
        }
        let (address, fetcher) = self.connection()?;
        let place = self.place(memory, name, file)?;
        let unreachable = |source| IndexError::FileUnreachable { file: file.name.to_string(), source };
        let bytes = fetcher.file(&address.authorised(&place.url), LONGEST_FILE).map_err(unreachable)?;
        let bytes = bytes.ok_or_else(|| IndexError::FileGone { file: file.name.to_string() })?;
        match (file.sha256, metadata::digest_of(&bytes)) {
            (Some(listed), found) if listed != found => {
                let file = file.name.to_string();
                Err(IndexError::WrongDigest { file, listed: listed.into(), found: found.into() })
            }
            _ => Ok(bytes),
        }
    }

    /// A file in pieces.
    pub(super) fn pieces(&self, memory: &RwLock<Memory>, name: &str, file: &File) -> Result<Pieces<'_>, IndexError> {
        if self.settings.offline {
            return Err(IndexError::OfflineFile { file: file.name.to_string() });
        }
        let (address, fetcher) = self.connection()?;
        let place = self.place(memory, name, file)?;
        Ok(Pieces::of(fetcher, address.authorised(&place.url), file))
    }

    /// A file that is read in parts.
    pub(super) fn parts(
        &self,
        memory: &RwLock<Memory>,
        name: &str,
        file: &File,
    ) -> Result<metadata::Parts<'_>, IndexError> {
        if self.settings.offline {
            return Err(IndexError::OfflineFile { file: file.name.to_string() });
        }
        let (address, fetcher) = self.connection()?;
        let place = self.place(memory, name, file)?;
        metadata::text_parts(fetcher, address.authorised(&place.url), file)
    }

    /// Where a file is, by the kept answer of the index or a new one.
    fn place(&self, memory: &RwLock<Memory>, name: &str, file: &File) -> Result<Place, IndexError> {
        let find = |places: &Places| places.get(&*file.name).cloned();
        let known = unpoisoned(memory.read()).places(name);
        if let Some(place) = known.as_deref().and_then(find) {
            return Ok(place);
        }
        if known.is_some() || read_places(&self.path(name)).as_ref().and_then(find).is_none() {
            self.ask(name, None)?;
        }
        let places = Arc::new(read_places(&self.path(name)).unwrap_or_default());
        unpoisoned(memory.write()).keep_places(name, &places);
        find(&places).ok_or_else(|| IndexError::FileGone { file: file.name.to_string() })
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
}

fn lookup(record: Record, aged: bool) -> (Lookup, Timestamp) {
    let fetched = record.fetched;
    let known = |history| Lookup::Known { history: Arc::new(history), stale: aged.then_some(fetched) };
    (record.history.map_or(Lookup::Absent, known), fetched)
}

impl IndexAddress {
    /// The address of a file with the index's credentials, where it lies on the same server.
    pub(super) fn authorised(&self, url: &str) -> String {
        let with_credentials = || {
            let (own, mut url) = (Url::parse(self.with_credentials()).ok()?, Url::parse(url).ok()?);
            if own.origin() != url.origin() || own.username().is_empty() {
                return None;
            }
            url.set_username(own.username()).ok()?;
            url.set_password(own.password()).ok()?;
            Some(String::from(url))
        };
        with_credentials().unwrap_or_else(|| url.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_go_to_the_index_alone() {
        let address = IndexAddress::given("https://me:secret@index.example/simple");
        assert_eq!(address.authorised("https://index.example/f/x.whl"), "https://me:secret@index.example/f/x.whl");
        assert_eq!(address.authorised("https://files.example/x.whl"), "https://files.example/x.whl");
        assert_eq!(address.authorised("http://index.example/x.whl"), "http://index.example/x.whl");
    }
}
