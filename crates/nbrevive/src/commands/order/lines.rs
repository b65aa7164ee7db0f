//! At which line the best order parts from another run of it, or from what was saved.

use std::collections::BTreeSet;
use std::time::Duration;

use nbrevive_retrace::{InspectedOrder, TracedNotebook};
use nbrevive_shown::shown;
use nbrevive_study::{Manner, PartedRuns};

use super::run::{MARGIN, OrderRun};
use super::stage::Stage;
use crate::arguments::OrderArguments;
use crate::exit_code::Failure;
use crate::printer;

/// How long other values of constants are tried.
const PATIENCE: Duration = Duration::from_secs(60);

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
    let manner = Manner { wall_clock: Some(arguments.running.search_time()? + MARGIN), ..Manner::default() };
    let around = (&stage.environment, &stage.place);
    let walk = InspectedOrder { order: &best.order, fits: &fits, patience: PATIENCE };
    let found = stage.laboratory.run_side_by_side(around, manner, subject, walk);
    Ok(found.inspect_err(|error| printer::note(&shown!("runs cannot be held against each other: {}", error))).ok())
}
