//! What came out, as parquet: outcomes, fixes, the steps between states, and repetitions.

use nbrevive_compare::CameBack;
use nbrevive_corpus::{ErrorStatus, Failure, LoopEnd, Outcome, OutputStatus, Role};

use crate::columns::{Column, optional_number, optional_text, words};
use crate::cursor::Cursor;
use crate::dataset::folder::Staging;
use crate::dataset::table_file::RowFile;
use crate::export::transitions::{transition_columns, transitions};
use crate::export::{Competition, ExportError, Scope, Told, repetition_export};
use crate::fixes::FixRow;
use crate::loops::{LoopEndRow, OfLoop, columns_of_loop};
use crate::outcomes::OutcomeRow;
use crate::parquet::ParquetError;
use crate::record::Record as _;
use crate::repetitions::Series;
use crate::{Store, conditions, fixes, loops, outcomes};

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
    let mut fix_file = RowFile::create(staging, "fixes", fix_columns)?.weighed(|fix| fix.row.patch.len());
    let mut series = Series::of(store)?;
    let (mut of_fixes, mut of_ends) = (
        loops::statement::<FixRow>(store, "fixes", fixes::ORDER)?,
        loops::statement::<LoopEndRow>(store, "loops", loops::ORDER)?,
    );
    let mut fixes = Cursor::begin(store, &mut of_fixes, loops::read::<FixRow>)?;
    let mut ends = Cursor::begin(store, &mut of_ends, loops::read::<LoopEndRow>)?;
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
            outcome_file.push_to(part, Ended { competition: seen.competition.as_deref(), row, end })?;
        }
        Ok(())
    })?;
    outcome_file.finish(staging)?;
    transition_file.finish(staging)?;
    fix_file.finish(staging)?;
    Ok(repetition_export::export(staging, &series)?)
}

/// An outcome with its competition and how its loop ended.
struct Ended<'scope> {
    competition: Option<&'scope Competition>,
    row: OutcomeRow,
    end: Option<LoopEndRow>,
}

fn outcome_columns(rows: &[Ended<'_>]) -> Result<Vec<Column>, ParquetError> {
    let verdicts = || rows.iter().map(|ended| &ended.row.verdict);
    let ends = || rows.iter().map(|ended| ended.end.as_ref());
    let mut columns = OutcomeRow::columns(rows.iter().map(|ended| &ended.row), &["verdict_json"])?;
    columns.extend([
        optional_text("competition", rows.iter().map(|ended| ended.competition.map(|competition| &competition.name))),
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
        optional_number("score", verdicts().map(|verdict| verdict.score)),
        optional_number("deviation", verdicts().map(|verdict| verdict.deviation)),
        words!("loop_end", LoopEnd, ends().map(|end| end.map(|end| end.loop_end.as_str()))),
        words!("came_back", CameBack, ends().map(|end| end.and_then(|end| end.came_back.map(CameBack::as_str)))),
        optional_text("provider_errors", ends().map(|end| end.map(|end| end.provider_errors.join("\n")))),
    ]);
    Ok(columns)
}

fn fix_columns(rows: &[OfLoop<FixRow>]) -> Result<Vec<Column>, ParquetError> {
    // The plan in words is a model's, and stays here.
    columns_of_loop(rows, &["plan"])
}
