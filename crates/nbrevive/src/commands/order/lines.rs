//! At which line the best order parts from another run of it, or from what was saved.

use std::collections::BTreeSet;
use std::io;

use nbrevive_corpus::Antidote;
use nbrevive_execute::Antidotes;
use nbrevive_retrace::{InspectedRun, SuspiciousLine, TracedNotebook, first_suspicious, unrepeatable};
use nbrevive_shown::shown;
use serde::Serialize;

use super::kept::with_processes;
use super::run::OrderRun;
use super::stage::Stage;
use crate::arguments::OrderArguments;
use crate::exit_code::Failure;
use crate::printer;

/// Where runs part.
#[derive(Debug, Serialize)]
pub(super) struct PartedRuns {
    /// The first line at which they do.
    pub(super) line: Option<SuspiciousLine>,
    /// Cells that cannot be repeated, by their places among the code cells: run again at once, they leave or show something else.
    pub(super) unrepeatable: BTreeSet<usize>,
}

/// Runs the best order in two kernels side by side, each with hashes of its own.
pub(super) fn parted(
    arguments: &OrderArguments,
    stage: &Stage,
    subject: &TracedNotebook<'_>,
    run: &OrderRun,
) -> Result<Option<PartedRuns>, Failure> {
    let Some(best) = &run.best else { return Ok(None) };
    let differs: BTreeSet<usize> = run.causes.iter().map(|(cell, _)| *cell).collect();
    let is_last = |position: usize| !best.order[position + 1..].contains(&best.order[position]);
    let fits: Vec<bool> =
        (0..best.order.len()).map(|position| !(is_last(position) && differs.contains(&best.order[position]))).collect();
    let threads = Antidotes(BTreeSet::from([Antidote::Threads]));
    let limit = arguments.running.limits()?.wall_clock();
    let found = with_processes(arguments, stage, (&threads, 1), |hub, first| -> Result<_, Failure> {
        let one = first.and_then(|first| InspectedRun::begin(hub, first, limit));
        with_processes(arguments, stage, (&threads, 2), |hub, first| -> io::Result<_> {
            let (mut one, mut other) = (one?, InspectedRun::begin(hub, first?, limit)?);
            let line = first_suspicious(subject, &best.order, &fits, &mut one, &mut other)?;
            Ok(PartedRuns { line, unrepeatable: unrepeatable(subject, &best.order, &mut one)? })
        })
    })??;
    Ok(found.inspect_err(|error| printer::note(&shown!("runs cannot be held against each other: {}", error))).ok())
}
