//! What came out, as parquet: outcomes, the steps between states, and repetitions.

use nbrevive_corpus::{Condition, ErrorStatus, Failure, FixType, FlowState, Outcome, OutputStatus};

use crate::columns::{Column, count, number, optional_number, optional_text, text, words};
use crate::dataset::folder::Staging;
use crate::dataset::table_file::RowFile;
use crate::export::{Competition, Ending, ExportError, Noted, Scope, Told};
use crate::loops::{LoopEndRow, LoopEnds};
use crate::outcomes::OutcomeRow;
use crate::parquet::ParquetError;
use crate::repetitions::Series;
use crate::{Store, StoreError, fixes, outcomes, repetition_export};

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

/// Writes `outcomes`, `transitions`, `repetitions` and `flaky`; gives what it took note of.
///
/// # Errors
/// When the store cannot be read or a file cannot be written.
pub(crate) fn export<'scope>(
    store: &Store,
    staging: &Staging,
    scope: &'scope Scope,
    told: &mut Told,
) -> Result<Noted<'scope>, ExportError> {
    let mut outcome_file = RowFile::create(staging, "outcomes", outcome_columns)?;
    let mut transition_file = RowFile::create(staging, "transitions", transition_columns)?;
    let mut noted = Noted::of(scope);
    let mut series = Series::of(store)?;
    let mut ends = LoopEnds::of(store)?;
    outcomes::each::<ExportError>(store, |row| {
        let Some((seen, baseline)) = noted.note(&row) else { return Ok(()) };
        series.first(&row);
        told.counts[row.condition as usize][row.verdict.outcome as usize] += 1;
        if told.recorded.as_ref().is_none_or(|last| *last < row.recorded_at) && !row.recorded_at.is_empty() {
            told.recorded = Some(row.recorded_at.clone());
        }
        for transition in transitions(store, baseline, &row)? {
            transition_file.push(transition)?;
        }
        let end = if row.condition.is_modernize() { ends.find(&row.version, row.condition)? } else { None };
        Ok(outcome_file.push(Ended { competition: &seen.competition, row, end })?)
    })?;
    outcome_file.finish(staging)?;
    transition_file.finish(staging)?;
    repetition_export::export(staging, &series.whole())?;
    Ok(noted)
}

/// An outcome with its competition and how its loop ended.
struct Ended<'scope> {
    competition: &'scope Competition,
    row: OutcomeRow,
    end: Option<LoopEndRow>,
}

fn outcome_columns(rows: &[Ended<'_>]) -> Result<Vec<Column>, ParquetError> {
    let of = || rows.iter().map(|ended| &ended.row);
    let verdicts = || rows.iter().map(|ended| &ended.row.verdict);
    let ends = || rows.iter().map(|ended| ended.end.as_ref());
    Ok(vec![
        text("version", of().map(|row| &row.version)),
        text("competition", rows.iter().map(|ended| &ended.competition.name)),
        words!("condition", Condition, of().map(|row| Some(row.condition.as_str()))),
        words!("outcome", Outcome, verdicts().map(|verdict| Some(verdict.outcome.as_str()))),
        words!("error_status", ErrorStatus, verdicts().map(|verdict| verdict.error_status.map(ErrorStatus::as_str))),
        words!(
            "output_status",
            OutputStatus,
            verdicts().map(|verdict| verdict.output_status.map(OutputStatus::as_str))
        ),
        optional_text("output_reason", verdicts().map(|verdict| verdict.output_reason.as_ref())),
        words!("failure", Failure, verdicts().map(|verdict| verdict.failure.map(Failure::as_str))),
        optional_text("failure_cause", verdicts().map(|verdict| verdict.failure_cause.as_ref())),
        number("target_score", of().map(|row| row.target_score)),
        optional_number("score", verdicts().map(|verdict| verdict.score)),
        optional_number("deviation", verdicts().map(|verdict| verdict.deviation)),
        count("fixes", of().map(|row| row.fixes)),
        number("seconds", of().map(|row| row.seconds)),
        text("reason", of().map(|row| &row.reason)),
        optional_text("environment", of().map(|row| row.environment.as_ref())),
        text("inputs_hash", of().map(|row| &row.inputs_hash)),
        count("seed", of().map(|row| row.seed)),
        text("tool_revision", of().map(|row| &row.tool_revision)),
        text("recorded_at", of().map(|row| &row.recorded_at)),
        optional_text("loop_end", ends().map(|end| end.map(|end| &end.loop_end))),
        optional_text("provider_errors", ends().map(|end| end.map(|end| end.provider_errors.join("\n")))),
    ])
}

/// A step of a version from one state to the next.
#[derive(Debug, PartialEq)]
struct Transition {
    version: String,
    condition: Condition,
    step: u32,
    fix_type: Option<FixType>,
    before: Option<State>,
    after: State,
}

/// The steps from the baseline to an outcome: as a whole, and fix by fix.
fn transitions(store: &Store, baseline: Option<Ending>, row: &OutcomeRow) -> Result<Vec<Transition>, StoreError> {
    if row.condition == Condition::Baseline {
        return Ok(Vec::new());
    }
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
    if row.condition.is_modernize() {
        let mut before = baseline.map(|(outcome, failure)| of_flow(FlowState::of(outcome, failure)));
        for (number, fix_type, led_to) in fixes::steps(store, &row.version, row.condition)? {
            let after = of_flow(led_to);
            steps.push(step(number, Some(fix_type), before, after));
            before = Some(after);
        }
    }
    Ok(steps)
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

fn transition_columns(rows: &[Transition]) -> Result<Vec<Column>, ParquetError> {
    Ok(vec![
        text("version", rows.iter().map(|row| &row.version)),
        words!("condition", Condition, rows.iter().map(|row| Some(row.condition.as_str()))),
        count("step", rows.iter().map(|row| row.step)),
        words!("fix_type", FixType, rows.iter().map(|row| row.fix_type.map(FixType::as_str))),
        words!("before", State, rows.iter().map(|row| row.before.map(State::as_str))),
        words!("after", State, rows.iter().map(|row| Some(row.after.as_str()))),
    ])
}
