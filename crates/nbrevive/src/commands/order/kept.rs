//! A kernel whose processes split, as long as somebody needs it.

use std::io;
use std::time::Duration;

use nbrevive_execute::Antidotes;
use nbrevive_execute::{BranchHub, BranchProcess, ExecutionSettings};
use nbrevive_shown::shown;
use nbrevive_study::StudyLimits;

use super::stage::Stage;
use crate::arguments::OrderArguments;
use crate::commands::setting::laboratory_of;
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// How long it may take to be there.
const START: Duration = Duration::from_secs(90);
/// What it may live beyond the search, in seconds.
const MARGIN: f64 = 120.0;

/// Starts a kernel, and calls `act` with the place where its processes are met and the first of them. It ends when `act` has let go of
/// them.
pub(super) fn with_processes<T>(
    arguments: &OrderArguments,
    stage: &Stage,
    (antidotes, run): (&Antidotes, u32),
    act: impl FnOnce(BranchHub, io::Result<BranchProcess>) -> T,
) -> Result<T, Failure> {
    let running = &arguments.running;
    let mut hub =
        BranchHub::open(&ExecutionSettings::default()).map_err(|error| Failure::new(Exit::CannotWrite, &error))?;
    let limits = StudyLimits { seconds: running.search_time()?.as_secs_f64() + MARGIN, ..running.limits()? };
    let laboratory = laboratory_of(&running.sandbox, &limits)?;
    let (document, mut place) = (hub.document(), stage.place.clone());
    place.input.push(hub.bind());
    Ok(std::thread::scope(|scope| {
        let serving = scope.spawn(|| stage.execute_in(&laboratory, &place, &document, antidotes, run));
        let first = hub.first(START);
        let done = act(hub, first);
        match serving.join() {
            Ok(Err(error)) => printer::note(&shown!("the kernel whose processes were kept failed: {}", error)),
            Ok(Ok(served)) if !served.ended.is_completed() => {
                printer::note(&shown!("the kernel whose processes were kept ended: {}", served.ended));
            }
            Ok(Ok(_)) | Err(_) => {}
        }
        done
    }))
}
