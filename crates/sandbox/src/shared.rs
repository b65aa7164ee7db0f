//! What the thread that supervises a run and the handle of the run share.

use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Instant;

use nbrevive_files::unpoisoned;
use rustix::event::{EventfdFlags, eventfd};

use crate::ended::{Ended, SandboxUsage};
use crate::error::SandboxStartError;

pub(crate) type Callback = Box<dyn FnOnce(&Ended) + Send>;

/// What both share.
pub(crate) struct Shared {
    state: Mutex<State>,
    pub(crate) changed: Condvar,
    /// Wakes the supervisor.
    pub(crate) bell: OwnedFd,
    pub(crate) kill: AtomicBool,
    pub(crate) interrupt: AtomicBool,
}

#[derive(Default)]
pub(crate) struct State {
    pub(crate) ended: Option<Ended>,
    pub(crate) usage: SandboxUsage,
    pub(crate) callbacks: Vec<Callback>,
    /// When the run is over at the latest, where somebody said so.
    pub(crate) deadline: Option<Instant>,
}

impl Shared {
    pub(crate) fn new() -> Result<Self, SandboxStartError> {
        let bell = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)
            .map_err(|error| SandboxStartError::setup("making an event descriptor")(error.into()))?;
        let (kill, interrupt) = (AtomicBool::new(false), AtomicBool::new(false));
        Ok(Self { state: Mutex::default(), changed: Condvar::new(), bell, kill, interrupt })
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        unpoisoned(self.state.lock())
    }

    pub(crate) fn ring(&self, request: &AtomicBool) {
        request.store(true, Ordering::Release);
        // Fails only when the counter is full, and then the bell rings anyway.
        let _ = rustix::io::write(&self.bell, &1_u64.to_ne_bytes());
    }

    /// Whether the time is up that [`crate::Running::end_by`] set.
    pub(crate) fn is_due(&self) -> bool {
        self.lock().deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    pub(crate) fn update(&self, usage: &SandboxUsage) {
        self.lock().usage.clone_from(usage);
    }

    pub(crate) fn end(&self, ended: &Ended, usage: SandboxUsage) {
        let callbacks = {
            let mut state = self.lock();
            state.usage = usage;
            state.ended = Some(ended.clone());
            std::mem::take(&mut state.callbacks)
        };
        self.changed.notify_all();
        for callback in callbacks {
            callback(ended);
        }
    }
}
