//! What came out, as parquet: outcomes, fixes, the steps between states, and repetitions.

use nbrevive_corpus::{ErrorStatus, Failure, FixType, FlowState, Level, LoopEnd, Outcome, OutputStatus, Role};

use crate::columns::{Column, count, number, optional_number, optional_text, text, words};
use crate::cursor::Cursor;
use crate::dataset::folder::Staging;
use crate::dataset::table_file::RowFile;
use crate::export::{Competition, ExportError, Scope, Told};
use crate::fixes::StoredFix;
use crate::loops::LoopEndRow;
use crate::outcomes::OutcomeRow;
use crate::parquet::ParquetError;
use crate::repetitions::Series;
use crate::transitions::{transition_columns, transitions};
use crate::{Store, conditions, fixes, loops, outcomes, repetition_export};

/// Writes `outcomes`, `fixes`, `transitions`, `repetitions` and `flaky`.
///
/// Outcomes are read once, by version, since the database would look through all of them for each condition; `outcomes` and
/// `transitions`, which are sorted by condition, are gathered in a part for each.
///
/// # Errors
/// When the store cannot be read or a file cannot be written.
pub(crate) fn export(store: &Store, staging: &Staging, scope: &Scope, told: &mut Told) -> Result<(), ExportError> {
    let from = conditions::roles(store)?.condition(Role::Baseline);
    let conditions = outcomes::conditions(store)?;
    let mut outcome_file = RowFile::in_parts(staging, "outcomes", conditions.len(), outcome_columns)?
        .weighed(|ended| ended.row.reason.len());
    let mut transition_file = RowFile::in_parts(staging, "transitions", conditions.len(), transition_columns)?;
    let mut fix_file = RowFile::create(staging, "fixes", fix_columns)?.weighed(|fix| fix.patch.len());
    let mut series = Series::of(store)?;
    let (mut of_fixes, mut of_ends) = (fixes::statement(store)?, loops::statement(store)?);
    let mut fixes = Cursor::begin(store, &mut of_fixes, fixes::read)?;
    let mut ends = Cursor::begin(store, &mut of_ends, loops::read_end)?;
    outcomes::of_versions::<ExportError>(store, |rows| {
        let Some(seen) = scope.studied(&rows[0].version) else { return Ok(()) };
        let baseline = rows.iter().find(|row| row.condition == from);
        let baseline = baseline.map(|row| (row.verdict.outcome, row.verdict.failure));
        for row in rows {
            series.first(&row);
            told.note(&row);
            let condition = row.condition.as_str();
            let part = conditions.binary_search(&row.condition).expect("the snapshot has no others");
            let made = fixes.of(&row.version, condition)?;
            if row.condition != from {
                let mut steps = transitions(baseline, &row, &made).into_iter();
                steps.try_for_each(|step| transition_file.push_to(part, step))?;
            }
            made.into_iter().try_for_each(|fix| fix_file.push(fix))?;
            let end = ends.of(&row.version, condition)?.pop().map(|end| end.row);
            outcome_file.push_to(part, Ended { competition: &seen.competition, row, end })?;
        }
        Ok(())
    })?;
    outcome_file.finish(staging)?;
    transition_file.finish(staging)?;
    fix_file.finish(staging)?;
    Ok(repetition_export::export(staging, &series.whole())?)
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
        text("condition", of().map(|row| row.condition.as_str())),
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
        words!("loop_end", LoopEnd, ends().map(|end| end.map(|end| end.loop_end.as_str()))),
        optional_text("provider_errors", ends().map(|end| end.map(|end| end.provider_errors.join("\n")))),
    ])
}

fn fix_columns(rows: &[StoredFix]) -> Result<Vec<Column>, ParquetError> {
    Ok(vec![
        text("version", rows.iter().map(|row| &row.version)),
        text("condition", rows.iter().map(|row| row.condition.as_str())),
        count("number", rows.iter().map(|row| row.number)),
        words!("fix_type", FixType, rows.iter().map(|row| Some(row.fix_type.as_str()))),
        text("provider", rows.iter().map(|row| &row.provider)),
        text("rules", rows.iter().map(|row| &row.rules)),
        number("similarity_to_previous", rows.iter().map(|row| row.similarity_to_previous)),
        number("similarity_to_original", rows.iter().map(|row| row.similarity_to_original)),
        words!("led_to", FlowState, rows.iter().map(|row| Some(row.led_to.as_str()))),
        optional_text("led_to_failure_cause", rows.iter().map(|row| row.led_to_failure_cause.as_ref())),
        words!("level", Level, rows.iter().map(|row| row.level.map(Level::as_str))),
        optional_text("template", rows.iter().map(|row| row.template.as_ref())),
        optional_number("seconds", rows.iter().map(|row| row.seconds)),
        optional_number("score", rows.iter().map(|row| row.score)),
        optional_text("state_code", rows.iter().map(|row| row.state_code.as_ref())),
        optional_text("state_failure", rows.iter().map(|row| row.state_failure.as_ref())),
        text("patch", rows.iter().map(|row| &row.patch)),
    ])
}
