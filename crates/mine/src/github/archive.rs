//! The archive of a commit: fetched, read, and kept as far as a study needs it.
//!
//! What is kept under the request is an inventory: what was kept of the archive, and what was left out and why. The archive
//! itself, most of which nobody needs, is not.

use std::io::{Seek, SeekFrom};

use serde::{Deserialize, Serialize};

use super::ask::HubAsk;
use super::client::{Hub, Tried, doubtful, settled_refusal};
use super::error::HubError;
use super::name::HubName;
use super::tarball::{Spooled, Tarball, TarballFault};
use super::transport::{Begun, HubArrival, HubTransport};
use crate::answers;
use crate::archive::{ArchiveLimits, Packed, PackedContent};
use crate::content::{LocalSettings, LocalTrouble, classify};
use crate::raw::{HttpExchange, KeptAnswers, RawError};
use crate::records::{
    CodeLanguage, HostedCommit, HostedNotebook, HostedNotebookState, LocalPath, MiningSource, RepositoryRecord,
};
use crate::repository::RepositoryPlace;

/// The only form of an inventory so far.
const FORMAT: u32 = 1;

/// What was kept of an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Inventory {
    format: u32,
    limits: ArchiveLimits,
    /// None where nothing is kept, because it has no notebook of ours.
    pub(super) repository: Option<RepositoryRecord>,
    pub(super) notebooks: Vec<HostedNotebook>,
    pub(super) left_out: Vec<LeftOut>,
}

/// A file that is not kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct LeftOut {
    pub(super) path: String,
    pub(super) why: String,
}

/// Which archive is wanted.
pub(super) struct WantedArchive<'a> {
    pub(super) name: &'a HubName,
    pub(super) url: Option<&'a str>,
    pub(super) commit: &'a HostedCommit,
}

impl Hub {
    /// What is kept of the files of a commit.
    pub(super) fn inventory(&self, wanted: &WantedArchive<'_>) -> Result<Inventory, HubError> {
        let ask = HubAsk::archive(wanted.name, &wanted.commit.hash);
        let what = ask.key();
        let answers = self.store.answers(&what)?;
        if let Some(settled) = self.settled_archive(&ask, &answers)? {
            let mut inventory = settled?;
            // Under another name it is the same archive.
            if let (Some(kept), Some(name)) = (&mut inventory.repository, wanted.name.path()) {
                (kept.name, kept.url) = (name, wanted.url.map(str::to_owned));
            }
            return Ok(inventory);
        }
        let transport = self.transport(&what)?;
        self.persist(transport, &ask, |failed| {
            let arrival = transport.begin(&ask, None)?;
            self.take(transport, &ask, arrival, failed, wanted)
        })
    }

    /// What the kept answers settle. An archive of a commit never changes: how old an answer is does not matter.
    fn settled_archive(
        &self,
        ask: &HubAsk,
        answers: &[KeptAnswers],
    ) -> Result<Option<Result<Inventory, HubError>>, HubError> {
        for kept in answers {
            let what = ask.key();
            let limits = [(self.settings.largest_archive, 200), (self.settings.largest_unpacked, UNPACKED)];
            let passed = limits.iter().find(|(_, status)| kept.status == Some(*status));
            if let (Some(over), Some((limit, status))) = (kept.over, passed) {
                if over >= *limit {
                    let unpacked = *status == UNPACKED;
                    return Ok(Some(Err(HubError::TooLarge { what, limit: *limit, unpacked })));
                }
                continue;
            }
            let (false, Some(body)) = (kept.faulty, &kept.body) else { continue };
            let Ok(bytes) = self.store.read(body) else { continue };
            if kept.status == Some(200) {
                let Ok(inventory) = serde_json::from_slice::<Inventory>(&bytes) else { continue };
                if inventory.is_of(&self.settings.limits) && self.is_here(&inventory) {
                    return Ok(Some(Ok(inventory)));
                }
            } else if self.is_usable(kept)
                && let Some(error) = settled_refusal(ask, kept.status.unwrap_or_default(), &bytes)
            {
                return Ok(Some(Err(error)));
            }
        }
        Ok(None)
    }

    fn is_here(&self, inventory: &Inventory) -> bool {
        inventory.repository.as_ref().is_none_or(|kept| self.store.has(&kept.origin.raw))
    }

    /// One try: the archive to a file without a name, from there what is kept.
    fn take(
        &self,
        transport: &HubTransport,
        ask: &HubAsk,
        arrival: HubArrival,
        failed: u32,
        wanted: &WantedArchive<'_>,
    ) -> Tried<Inventory> {
        let mut exchange = self.exchange(transport, ask, &arrival);
        let HubArrival { start, headroom, begun, .. } = arrival;
        let mut response = match begun {
            Begun::Answer(response) => response,
            other => return self.unanswered(exchange, other, failed),
        };
        exchange.status = Some(response.status().as_u16());
        if exchange.status != Some(200) {
            let limit = self.settings.largest_answer;
            let limits = transport.limits(limit, start);
            return match answers::keep(&mut response, &self.store, &transport.secrets, &limits)? {
                Err(torn) => self.torn(exchange, torn, limit, failed),
                Ok(body) => {
                    exchange.body = Some(body.hash.clone());
                    self.refusal(transport, ask, exchange, &self.store.read(&body.hash)?, failed, &headroom)
                }
            };
        }
        let failed_to = |action| move |error| RawError::new(action, self.store.folder(), error);
        let mut file = tempfile::tempfile_in(self.store.folder()).map_err(failed_to("write in"))?;
        let limit = self.settings.largest_archive;
        let streamed = answers::stream(&mut response, &mut file, &transport.limits(limit, start));
        exchange.seconds = start.elapsed().as_secs_f64();
        if let Err(torn) = streamed.map_err(failed_to("write in"))? {
            return self.torn(exchange, torn, limit, failed);
        }
        file.seek(SeekFrom::Start(0)).map_err(failed_to("read in"))?;
        let spool = tempfile::tempfile_in(self.store.folder()).map_err(failed_to("write in"))?;
        let (largest, most) = (self.settings.limits.largest_file, self.settings.largest_unpacked);
        match Tarball::read(std::io::BufReader::new(file), spool, largest, most) {
            Ok(tarball) => self.keep(exchange, tarball, wanted),
            Err(TarballFault::Spool(error)) => Err(failed_to("write in")(error).into()),
            Err(fault) => self.unread(exchange, &fault),
        }
    }

    /// Notes an archive that is not read.
    fn unread<T>(&self, exchange: HttpExchange, fault: &TarballFault) -> Tried<T> {
        let (what, why) = (exchange.key.clone(), fault.to_string());
        if let TarballFault::TooLarge = fault {
            let limit = self.settings.largest_unpacked;
            self.store.note(HttpExchange { status: Some(UNPACKED), over: Some(limit), ..exchange })?;
            return Err(HubError::TooLarge { what, limit, unpacked: true });
        }
        self.store.note(HttpExchange { fault: Some(why.clone()), ..exchange })?;
        Ok(Err(doubtful(HubError::Unreadable { what, why })))
    }

    /// Keeps what a study needs, and the inventory.
    fn keep(&self, exchange: HttpExchange, mut tarball: Tarball, wanted: &WantedArchive<'_>) -> Tried<Inventory> {
        let what = exchange.key.clone();
        if let Some(other) = tarball.commit.as_ref().filter(|found| **found != wanted.commit.hash) {
            return self.unread(
                exchange,
                &TarballFault::Damaged(std::io::Error::other(format!("it is of another commit, {other}"))),
            );
        }
        let Some(name) = wanted.name.path() else {
            return Err(HubError::Unreadable { what, why: "its name is none".to_owned() });
        };
        let place = RepositoryPlace { name, url: wanted.url.map(str::to_owned), limits: self.settings.limits };
        let mut left_out = std::mem::take(&mut tarball.left_out);
        let found = std::mem::take(&mut tarball.files);
        let spooled = |error| RawError::new("read in", self.store.folder(), error);
        let files = place.chosen(found, &mut left_out, &mut |at: &Spooled| tarball.content(at).map_err(spooled))?;
        let notebooks = self.notebooks(&place.name, &files)?;
        let has_ours = notebooks.iter().any(|notebook| notebook.state == HostedNotebookState::Ours);
        let (revision, changed) = (wanted.commit.hash.clone(), wanted.commit.time);
        let request = (MiningSource::GitHub, what);
        let repository = match has_ours {
            true => Some(place.kept(files, Some(revision), changed, request, left_out.len(), &self.store)?),
            false => None,
        };
        let inventory = Inventory {
            format: FORMAT,
            limits: self.settings.limits,
            repository,
            notebooks,
            left_out: left_out.into_iter().map(LeftOut::of).collect(),
        };
        let body = self.keep_inventory(&inventory)?;
        self.store.note(HttpExchange { body: Some(body), ..exchange })?;
        Ok(Ok(inventory))
    }

    fn keep_inventory(&self, inventory: &Inventory) -> Result<crate::raw::ContentHash, RawError> {
        let failed = |error: std::io::Error| RawError::new("write in", self.store.folder(), error);
        let mut writer = self.store.writer()?;
        serde_json::to_writer(&mut writer, inventory).map_err(|error| failed(error.into()))?;
        Ok(writer.finish()?.hash)
    }

    /// What the notebooks are to us; those of our kernel and all others alike are kept by their content.
    fn notebooks(&self, repository: &LocalPath, files: &[Packed]) -> Result<Vec<HostedNotebook>, RawError> {
        let item = format!("repository {}", repository.as_str());
        let mut notebooks = Vec::new();
        for file in files {
            let PackedContent::Here(content) = &file.content else { continue };
            if !LocalSettings::default().takes(file.path.as_str()) {
                continue;
            }
            let (kind, language) = classify(file.path.as_str(), content);
            let state = match (kind, language) {
                (None, _) => HostedNotebookState::NoNotebook,
                (Some(_), None | Some(CodeLanguage::Python)) => HostedNotebookState::Ours,
                (Some(_), Some(_)) => HostedNotebookState::OtherKernel,
            };
            let content_hash = self.store.keep(MiningSource::GitHub, &item, content)?;
            let bytes = content.len() as u64;
            let path = file.path.clone();
            notebooks.push(HostedNotebook { path, bytes, state, language, content: content_hash });
        }
        notebooks.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(notebooks)
    }
}

/// Stands for the status of an archive that came whole and is too long unpacked: an answer has none such.
const UNPACKED: u16 = 999;

impl Inventory {
    /// Whether it was made by these limits, in the present form.
    fn is_of(&self, limits: &ArchiveLimits) -> bool {
        self.format == FORMAT && self.limits == *limits
    }
}

impl LeftOut {
    fn of(trouble: LocalTrouble) -> Self {
        Self { path: trouble.path, why: trouble.why }
    }
}
