//! The steps of versions between states, as parquet: from the baseline to each other outcome as a whole, and fix by fix.

use nbrevive_corpus::{Condition, Failure, FixType, FlowState, Outcome};

use crate::columns::{Column, count, text, words};
use crate::fixes::StoredFix;
use crate::outcomes::OutcomeRow;
use crate::parquet::ParquetError;

nbrevive_corpus::string_enum! {
    /// A state that a step leaves or reaches: the outcomes, and the timeouts that Table 4 has a column of.
    pub enum State ("state") {
        /// No error, and reproducible.
        ErrorFreeReproducible => "error-free-reproducible",
        /// Errors, and yet reproducible.
        ErrorReproducible => "error-reproducible",
        /// No error, and not reproducible.
        ErrorFreeNonReproducible => "error-free-non-reproducible",
        /// Errors, and not reproducible.
        ErrorNonReproducible => "error-non-reproducible",
        /// The time ran out (in steps of fixes).
        Timeout => "timeout",
        /// No result (in step 0).
        Failed => "failed",
    }
}

/// What came out, and why nothing did.
pub(crate) type Ending = (Outcome, Option<Failure>);

/// A step of a version from one state to the next.
#[derive(Debug, PartialEq)]
pub(crate) struct Transition {
    version: String,
    condition: Condition,
    step: u32,
    fix_type: Option<FixType>,
    before: Option<State>,
    after: State,
}

/// The steps from the baseline, if that came to its end, to an outcome of another condition with its fixes.
pub(crate) fn transitions(baseline: Option<Ending>, row: &OutcomeRow, fixes: &[StoredFix]) -> Vec<Transition> {
    let step = |step, fix_type, before, after| Transition {
        version: row.version.clone(),
        condition: row.condition,
        step,
        fix_type,
        before,
        after,
    };
    let mut steps =
        vec![step(0, None, baseline.map(|(outcome, _)| of_outcome(outcome)), of_outcome(row.verdict.outcome))];
    let mut before = baseline.map(|(outcome, failure)| of_flow(FlowState::of(outcome, failure)));
    for fix in fixes {
        let after = of_flow(fix.led_to);
        steps.push(step(fix.number, Some(fix.fix_type), before, after));
        before = Some(after);
    }
    steps
}

const fn of_outcome(outcome: Outcome) -> State {
    match outcome {
        Outcome::ErrorFreeReproducible => State::ErrorFreeReproducible,
        Outcome::ErrorReproducible => State::ErrorReproducible,
        Outcome::ErrorFreeNonReproducible => State::ErrorFreeNonReproducible,
        Outcome::ErrorNonReproducible => State::ErrorNonReproducible,
        Outcome::Failed => State::Failed,
    }
}

const fn of_flow(state: FlowState) -> State {
    match state {
        FlowState::Timeout => State::Timeout,
        FlowState::ErrorNonReproducible => State::ErrorNonReproducible,
        FlowState::ErrorFreeNonReproducible => State::ErrorFreeNonReproducible,
        FlowState::ErrorReproducible => State::ErrorReproducible,
        FlowState::ErrorFreeReproducible => State::ErrorFreeReproducible,
    }
}

pub(crate) fn transition_columns(rows: &[Transition]) -> Result<Vec<Column>, ParquetError> {
    Ok(vec![
        text("version", rows.iter().map(|row| &row.version)),
        text("condition", rows.iter().map(|row| row.condition.as_str())),
        count("step", rows.iter().map(|row| row.step)),
        words!("fix_type", FixType, rows.iter().map(|row| row.fix_type.map(FixType::as_str))),
        words!("before", State, rows.iter().map(|row| row.before.map(State::as_str))),
        words!("after", State, rows.iter().map(|row| Some(row.after.as_str()))),
    ])
}
