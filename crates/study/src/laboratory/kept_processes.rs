//! Kernels whose processes split, as long as somebody needs them.

use std::collections::BTreeSet;
use std::io;
use std::time::Duration;

use nbrevive_corpus::Antidote;
use nbrevive_execute::{BranchHub, BranchProcess, ExecutionSettings};
use nbrevive_notebook::PythonVersion;
use nbrevive_retrace::{InspectedOrder, InspectedRun, SuspiciousLine, TracedNotebook, first_suspicious, unrepeatable};
use nbrevive_sandbox::Backend;
use nbrevive_shown::{shown, with_causes};
use serde::Serialize;

use crate::laboratory::attempt::Attempt;
use crate::laboratory::{Laboratory, Prepared};
use crate::{KagglePlace, Manner};

/// How long a kernel may take to be there.
const START: Duration = Duration::from_secs(90);

/// Where two runs of an order part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PartedRuns {
    /// The first line at which they do, or the first at which one parts from what was saved.
    pub line: Option<SuspiciousLine>,
    /// Cells that cannot be repeated, by their places among the code cells: run again at once, they leave or show something else.
    pub unrepeatable: BTreeSet<usize>,
}

impl Laboratory {
    /// Why the processes of a kernel in this environment cannot split, where they cannot.
    #[must_use]
    pub fn why_no_processes(&self, environment: &Prepared, manner: Manner<'_>) -> Option<&'static str> {
        if environment.minor() < PythonVersion::new(3, 6) {
            return Some("Python before 3.6");
        }
        let is_bubblewrap = matches!(self.backend_of(manner.submitted), Backend::Bubblewrap);
        (!is_bubblewrap).then_some("another sandbox than bubblewrap")
    }

    /// Starts a kernel, and calls `act` with the place where its processes are met and the first of them. It ends when `act` has let go of
    /// them, or its time is up. Beside what `act` gives, what is to be said of the kernel where it did not end well.
    ///
    /// # Errors
    /// When there is no place where its processes could be met.
    pub fn with_processes<T>(
        &self,
        (environment, place): (&Prepared, &KagglePlace),
        manner: Manner<'_>,
        act: impl FnOnce(BranchHub, io::Result<BranchProcess>) -> T,
    ) -> io::Result<(T, Option<String>)> {
        let mut hub = BranchHub::open(&ExecutionSettings::default())?;
        let (document, mut place) = (hub.document(), place.clone());
        place.input.push(hub.bind());
        Ok(std::thread::scope(|scope| {
            let serving = scope.spawn(|| {
                self.attempt_once(&document, environment, &place, None, manner).and_then(Attempt::undisturbed)
            });
            let first = hub.first(START);
            let done = act(hub, first);
            let told = match serving.join() {
                Ok(Err(error)) => Some(format!("the kernel whose processes were kept failed: {}", with_causes(&error))),
                Ok(Ok(served)) if !served.execution.ended.is_completed() => {
                    Some(format!("the kernel whose processes were kept ended: {}", served.execution.ended))
                }
                Ok(Ok(_)) | Err(_) => None,
            };
            (done, told)
        }))
    }

    /// Runs an order of `subject`'s cells in two kernels side by side, each with hashes of its own, and one of them a second time for the cells
    /// that cannot be repeated. A process that has threads cannot split, so that
    /// numeric libraries have one; the manner's antidotes hold besides.
    ///
    /// # Errors
    /// When a kernel did not start or ended, or a cell took longer than the laboratory's wall clock.
    pub fn run_side_by_side(
        &self,
        around: (&Prepared, &KagglePlace),
        manner: Manner<'_>,
        subject: &TracedNotebook<'_>,
        walk: InspectedOrder<'_>,
    ) -> io::Result<PartedRuns> {
        let mut antidotes = manner.antidotes.map(|(antidotes, _)| antidotes.clone()).unwrap_or_default();
        antidotes.insert(Antidote::Threads);
        let time = |time| Manner { antidotes: Some((&antidotes, time)), ..manner };
        let limit = self.settings.limits.wall_clock;
        let ((found, other), one) = self.with_processes(around, time(1), |hub, first| {
            let one = first.and_then(|first| InspectedRun::begin(hub, first, limit));
            let found = self.with_processes(around, time(2), |hub, first| {
                let (mut one, mut other) = (one?, InspectedRun::begin(hub, first?, limit)?);
                let line = first_suspicious(subject, walk, &mut one, &mut other)?;
                Ok(PartedRuns { line, unrepeatable: unrepeatable(subject, walk.order, &mut one)? })
            });
            match found {
                Ok((found, told)) => (found, told),
                Err(error) => (Err(error), None),
            }
        })?;
        one.into_iter().chain(other).for_each(|told| tracing::warn!("{}", shown!("{}", told).as_str()));
        found
    }
}
