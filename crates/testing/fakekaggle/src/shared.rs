//! What all connections share.

use std::sync::atomic::AtomicUsize;
use std::sync::{Mutex, MutexGuard};
use std::time::Instant;

use nbrevive_loopback::lock;

use crate::faults::Switchboard;
use crate::log::ServedRequest;
use crate::settings::FakeServerSettings;
use crate::site::Site;
use crate::world::FakeWorld;

/// What all connections share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) site: Site,
    pub(crate) settings: FakeServerSettings,
    pub(crate) switchboard: Switchboard,
    pub(crate) started: Instant,
    log: Mutex<Vec<ServedRequest>>,
    pub(crate) in_work: AtomicUsize,
}

impl Shared {
    pub(crate) fn new(settings: FakeServerSettings, world: FakeWorld) -> Self {
        Self {
            site: Site::new(world),
            settings,
            switchboard: Switchboard::new(settings.world.seed),
            started: Instant::now(),
            log: Mutex::new(Vec::new()),
            in_work: AtomicUsize::new(0),
        }
    }

    /// The requests so far, in the order in which they came.
    pub(crate) fn log(&self) -> MutexGuard<'_, Vec<ServedRequest>> {
        lock(&self.log)
    }
}
