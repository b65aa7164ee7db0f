//! Ctrl-C: the first ends the run after the request that is under way, the second ends the program at once. Both lose nothing.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::exit_code::{Exit, Failure};

/// Whether somebody wants the run to end.
pub(super) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens from now on.
    pub(super) fn listen() -> Result<Self, Failure> {
        let asked = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            // In this order: the second signal finds the flag set, and ends the program.
            flag::register_conditional_shutdown(signal, Exit::Stopped as i32, Arc::clone(&asked))
                .and_then(|_| flag::register(signal, Arc::clone(&asked)))
                .map_err(|error| Failure::new(Exit::Other, &error))?;
        }
        Ok(Self(asked))
    }

    /// Whether to stop.
    pub(super) fn is_asked(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// The same, for receivers of events.
    pub(super) fn flow(&self) -> ControlFlow<()> {
        if self.is_asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
