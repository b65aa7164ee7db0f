//! The handle of a run: ask, wait, interrupt, kill.

use std::fmt;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use nbrevive_files::unpoisoned;

use crate::shared::Shared;
use crate::{Backend, Command, Ended, Limits, Notice, SandboxStartError, SandboxUsage};

/// A command that was started. Dropping the handle kills what still runs and waits until it is gone.
pub struct Running {
    shared: Arc<Shared>,
    supervisor: Option<JoinHandle<()>>,
    notices: Vec<Notice>,
}

impl fmt::Debug for Running {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Running").field("ended", &self.ended()).finish_non_exhaustive()
    }
}

/// Starts a command behind a backend and under limits.
///
/// A thread of its own supervises the run until it is over; the caller's thread may end.
///
/// # Errors
/// [`SandboxStartError`] when something that the command needs is missing or the machine refuses; nothing runs then.
/// What bubblewrap itself finds out late is [`Ended::NotStarted`].
pub fn start(command: &Command, limits: &Limits, backend: &Backend) -> Result<Running, SandboxStartError> {
    command.verify(backend.isolates())?;
    let shared = Arc::new(Shared::new()?);
    let (sender, receiver) = sync_channel(1);
    let (theirs, command, limits) = (Arc::clone(&shared), command.clone(), limits.clone());
    let backend = backend.clone();
    let supervisor = std::thread::Builder::new()
        .name("sandbox".into())
        .spawn(move || crate::supervisor::run(&command, &limits, &backend, &theirs, &sender))
        .map_err(SandboxStartError::setup("starting the supervisor thread"))?;
    let notices = receiver.recv().map_err(|_| {
        SandboxStartError::setup("starting the sandbox")(std::io::Error::other("the supervisor broke down"))
    })??;
    Ok(Running { shared, supervisor: Some(supervisor), notices })
}

impl Running {
    /// How the run ended; `None` while it goes on.
    #[must_use]
    pub fn ended(&self) -> Option<Ended> {
        self.shared.lock().ended.clone()
    }

    /// Waits until the run is over, at most this long.
    #[must_use]
    pub fn wait(&self, patience: Duration) -> Option<Ended> {
        let deadline = Instant::now().checked_add(patience)?;
        let mut state = self.shared.lock();
        while state.ended.is_none() {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            state = unpoisoned(self.shared.changed.wait_timeout(state, left)).0;
        }
        state.ended.clone()
    }

    /// Calls back from the supervisor's thread once the run is over, or at once when it is.
    pub fn on_end(&self, callback: impl FnOnce(&Ended) + Send + 'static) {
        let mut state = self.shared.lock();
        let Some(ended) = state.ended.clone() else {
            state.callbacks.push(Box::new(callback));
            return;
        };
        drop(state);
        callback(&ended);
    }

    /// Sets the moment at which the run ends as [`Ended::WallClock`], whatever it or we are doing then; a later call
    /// replaces it. [`Limits::wall_clock`] holds all the same.
    pub fn end_by(&self, deadline: Instant) {
        self.shared.lock().deadline = Some(deadline);
    }

    /// Sends SIGINT to the command and its process group, as a terminal would; as soon as there is one, when it is only being started.
    pub fn interrupt(&self) {
        self.shared.ring(&self.shared.interrupt);
    }

    /// Kills everything inside; returns at once, [`Running::wait`] tells when it is done.
    pub fn kill(&self) {
        self.shared.ring(&self.shared.kill);
    }

    /// What the run took so far; complete once it has ended.
    #[must_use]
    pub fn usage(&self) -> SandboxUsage {
        self.shared.lock().usage.clone()
    }

    /// Which limits this run has enforced by the kernel, and which are watched only.
    #[must_use]
    pub fn notices(&self) -> &[Notice] {
        &self.notices
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if self.ended().is_none() {
            self.kill();
        }
        if let Some(supervisor) = self.supervisor.take()
            && supervisor.join().is_err()
        {
            tracing::error!("the supervisor of a sandbox panicked");
        }
    }
}
