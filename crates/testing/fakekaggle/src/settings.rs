//! How the server is set up.

use std::time::Duration;

use crate::world::WorldSpec;

/// What the API does when asked for an old version by `versionLabel`; for others' notebooks nobody has verified it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum VersionLabels {
    /// Serves the version, as the maintainers say of own notebooks.
    #[default]
    Served,
    /// Serves the committed version whatever was asked for, as before June 2026.
    Ignored,
    /// Answers 403 for notebooks of others, as one report says.
    Denied,
}

/// How the server is set up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FakeServerSettings {
    /// The world that is served; kept in memory, so no more than some thousand notebooks.
    pub world: WorldSpec,
    /// Port on the loopback address; 0 (the default) for any that is free.
    pub port: u16,
    /// Notebooks that the API lists for one query at most; default 1000 (issue 440 of the official client).
    pub listing_cap: usize,
    /// Notebooks that the website lists for one query at most; default 2000.
    pub page_cap: usize,
    /// What `versionLabel` does.
    pub version_labels: VersionLabels,
    /// Whether answers are compressed for clients that accept gzip, as the real site does; default no.
    pub has_gzip: bool,
    /// How long every request waits before it is answered; default zero.
    pub latency: Duration,
    /// Requests to the API in any second above which it answers 429 with `Retry-After: 1`; default none.
    pub requests_per_second: Option<usize>,
}

impl Default for FakeServerSettings {
    fn default() -> Self {
        Self {
            world: WorldSpec::default(),
            port: 0,
            listing_cap: 1_000,
            page_cap: 2_000,
            version_labels: VersionLabels::default(),
            has_gzip: false,
            latency: Duration::ZERO,
            requests_per_second: None,
        }
    }
}
