//! How the host is used.

use jiff::Timestamp;

use crate::archive::ArchiveLimits;
use crate::budget::Patience;
use crate::http::Timeouts;

/// How the host is used.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HubSettings {
    /// Retries of requests.
    pub patience: Patience,
    /// How long an exchange may take.
    pub timeouts: Timeouts,
    /// Searches a second. Default 0.5: the host allows 30 a minute.
    pub search_rate: f64,
    /// Longest answer that is taken, in bytes. Default 16 MiB; a page of a search has half of one.
    pub largest_answer: u64,
    /// Longest archive that is taken, in bytes, as it comes. Default 512 MiB.
    pub largest_archive: u64,
    /// Longest archive that is taken, in bytes, unpacked. Default 4 GiB: what packs better than that is made to.
    pub largest_unpacked: u64,
    /// What of an archive is kept. Default: data up to 10 MiB a file.
    pub limits: ArchiveLimits,
    /// KeptAnswers answers from before this are asked for again, where the host knows them again at no cost. Default `None`:
    /// every kept answer is used.
    pub reuse_since: Option<Timestamp>,
}

impl Default for HubSettings {
    fn default() -> Self {
        Self {
            patience: Patience::default(),
            timeouts: Timeouts::default(),
            search_rate: 0.5,
            largest_answer: 16 << 20,
            largest_archive: 512 << 20,
            largest_unpacked: 4 << 30,
            limits: ArchiveLimits { largest_data: 10 << 20, ..ArchiveLimits::default() },
            reuse_since: None,
        }
    }
}
