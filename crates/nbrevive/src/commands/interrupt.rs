//! Ctrl-C: the first ends the run after what is under way, the second ends the program at once. Neither loses what is stored.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use nbrevive_shown::Shown;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::exit_code::{Exit, Failure};
use crate::printer;

/// How soon a signal is answered in words.
const LATENCY: Duration = Duration::from_millis(100);

/// Whether somebody wants the run to end.
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens from now on.
    pub(crate) fn listen() -> Result<Self, Failure> {
        let asked = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            // In this order: the second signal finds the flag set, and ends the program.
            flag::register_conditional_shutdown(signal, Exit::Stopped as i32, Arc::clone(&asked))
                .and_then(|_| flag::register(signal, Arc::clone(&asked)))
                .map_err(|error| Failure::new(Exit::Other, &error))?;
        }
        Ok(Self(asked))
    }

    /// Says once what becomes of it, as soon as somebody does: what is under way may take long.
    pub(crate) fn say(&self, words: &'static str) {
        let asked = Arc::clone(&self.0);
        std::thread::spawn(move || {
            while !asked.load(Ordering::SeqCst) {
                std::thread::sleep(LATENCY);
            }
            printer::note(&Shown::literal(words));
        });
    }

    /// Whether to stop.
    pub(crate) fn is_asked(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// The same, for receivers of events.
    pub(crate) fn flow(&self) -> ControlFlow<()> {
        if self.is_asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
