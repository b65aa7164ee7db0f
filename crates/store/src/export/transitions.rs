//! The steps of versions between states, as parquet: from the baseline to each other outcome as a whole, and fix by fix.

use nbrevive_corpus::{Condition, Failure, FixType, FlowState, Outcome};

use crate::columns::{Column, count, text, words};
use crate::fixes::FixRow;
use crate::loops::OfLoop;
use crate::outcomes::OutcomeRow;
use crate::parquet::ParquetError;

/// What came out, and why nothing did.
pub(crate) type Ending = (Outcome, Option<Failure>);

/// A step of a version from one state to the next.
#[derive(Debug, PartialEq)]
pub(crate) struct Transition {
    version: String,
    condition: Condition,
    step: u32,
    fix_type: Option<FixType>,
    before: Option<FlowState>,
    after: FlowState,
}

/// The steps from the baseline, if that came to its end, to an outcome of another condition with its fixes.
pub(crate) fn transitions(baseline: Option<Ending>, row: &OutcomeRow, fixes: &[OfLoop<FixRow>]) -> Vec<Transition> {
    let step = |step, fix_type, before, after| Transition {
        version: row.version.clone(),
        condition: row.condition,
        step,
        fix_type,
        before,
        after,
    };
    let mut steps = vec![step(0, None, baseline.map(|(outcome, _)| whole(outcome)), whole(row.verdict.outcome))];
    let mut before = baseline.map(|(outcome, failure)| FlowState::of(outcome, failure).column());
    for fix in fixes {
        let (fix, after) = (&fix.row, fix.row.led_to);
        steps.push(step(fix.number, Some(fix.fix_type), before, after));
        before = Some(after);
    }
    steps
}

/// The state after a condition as a whole. Running out of time is a failure like others there, as in Figures 3 and 6.
fn whole(outcome: Outcome) -> FlowState {
    FlowState::of(outcome, None)
}

pub(crate) fn transition_columns(rows: &[Transition]) -> Result<Vec<Column>, ParquetError> {
    Ok(vec![
        text("version", rows.iter().map(|row| &row.version)),
        text("condition", rows.iter().map(|row| row.condition.as_str())),
        count("step", rows.iter().map(|row| row.step)),
        words!("fix_type", FixType, rows.iter().map(|row| row.fix_type.map(FixType::as_str))),
        words!("before", FlowState, rows.iter().map(|row| row.before.map(FlowState::as_str))),
        words!("after", FlowState, rows.iter().map(|row| Some(row.after.as_str()))),
    ])
}
