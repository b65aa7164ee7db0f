//! How notebooks were repaired, as parquet: fixes, questions, refusals, least patches, and what each call of a model cost.

use nbrevive_corpus::{Breach, FixType, Level};
use nbrevive_model::{LEDGER, Ledger, Row, Usage};

use crate::columns::{
    Column, count, number, optional_count, optional_number, optional_text, optional_whole, switch, text, words,
};
use crate::dataset::folder::Staging;
use crate::dataset::table_file::{RowFile, write_table};
use crate::export::{ExportError, Scope};
use crate::least_patches::LeastPatchRow;
use crate::loops::OfLoop;
use crate::parquet::ParquetError;
use crate::questions::QuestionRow;
use crate::refusals::RefusalRow;
use crate::{Store, StoreError, least_patches, outcomes, questions, refusals};

/// Writes `questions`, `refusals`, `least-patches` and `llm-calls`. The calls come from the ledger beside the store; where there is none
/// the file has no rows.
///
/// # Errors
/// When store or ledger cannot be read or a file cannot be written.
pub(crate) fn export(store: &Store, staging: &Staging, scope: &Scope) -> Result<(), ExportError> {
    let mut kept = Kept { scope, outcomes: outcomes::Known::of(store)? };
    let questions = RowFile::create(staging, "questions", question_columns)?
        .weighed(|row| row.row.patch.len() + row.row.detail.len());
    write_of_loops(staging, &mut kept, questions, |take| questions::each(store, take))?;
    let refusals = RowFile::create(staging, "refusals", refusal_columns)?
        .weighed(|row| row.row.patch.len() + row.row.findings.len());
    write_of_loops(staging, &mut kept, refusals, |take| refusals::each(store, take))?;
    let least_patches = RowFile::create(staging, "least-patches", least_patch_columns)?
        .weighed(|row| row.row.patch.len() + row.row.whole_patch.len());
    write_of_loops(staging, &mut kept, least_patches, |take| least_patches::each(store, take))?;
    let mut calls = Ledger::rows_of(&store.folder().join(LEDGER)).map_err(Box::new)?;
    // Which of several jobs reserved first is chance.
    calls.sort_by(|a, b| order(a).cmp(&order(b)));
    write_table(staging, "llm-calls", calls, |rows| Ok(call_columns(rows)))?;
    Ok(())
}

/// Which loops are exported: those of versions that are studied, as far as they have an outcome.
struct Kept<'store> {
    scope: &'store Scope,
    outcomes: outcomes::Known<'store>,
}

impl Kept<'_> {
    fn has<T>(&mut self, row: &OfLoop<T>) -> Result<bool, StoreError> {
        Ok(self.scope.studied(&row.version).is_some() && self.outcomes.has(&row.version, row.condition)?)
    }
}

/// Writes the rows of loops whose outcomes are exported.
fn write_of_loops<T>(
    staging: &Staging,
    kept: &mut Kept<'_>,
    mut file: RowFile<OfLoop<T>, impl Fn(&[OfLoop<T>]) -> Result<Vec<Column>, ParquetError>>,
    each: impl FnOnce(&mut dyn FnMut(OfLoop<T>) -> Result<(), ExportError>) -> Result<(), ExportError>,
) -> Result<(), ExportError> {
    each(&mut |row| if kept.has(&row)? { Ok(file.push(row)?) } else { Ok(()) })?;
    Ok(file.finish(staging)?)
}

/// By study, notebook, and the question's place in the loop.
fn order(row: &Row) -> impl Ord + '_ {
    (&row.study, &row.notebook, row.fix_number, &row.fix_type, row.re_ask, row.reserved_at, &row.call)
}

/// The columns that say to which loop a row belongs.
fn keys<T>(rows: &[OfLoop<T>]) -> Result<Vec<Column>, ParquetError> {
    Ok(vec![
        text("version", rows.iter().map(|row| &row.version)),
        text("condition", rows.iter().map(|row| row.condition.as_str())),
    ])
}

fn fix_types(values: impl Iterator<Item = FixType>) -> Result<Column, ParquetError> {
    Ok(words!("fix_type", FixType, values.map(|value| Some(value.as_str()))))
}

fn question_columns(rows: &[OfLoop<QuestionRow>]) -> Result<Vec<Column>, ParquetError> {
    let of = || rows.iter().map(|row| &row.row);
    let mut columns = keys(rows)?;
    columns.extend([
        count("number", of().map(|row| row.number)),
        switch("led_to_fix", of().map(|row| row.led_to_fix)),
        fix_types(of().map(|row| row.fix_type))?,
        text("provider", of().map(|row| &row.provider)),
        words!("level", Level, of().map(|row| Some(row.level.as_str()))),
        text("template", of().map(|row| &row.template)),
        count("reask", of().map(|row| row.reask)),
        text("prompt_hash", of().map(|row| &row.prompt_hash)),
        count("prompt_tokens", of().map(|row| row.prompt_tokens)),
        count("answer_tokens", of().map(|row| row.answer_tokens)),
        optional_text("problem", of().map(|row| row.problem.as_ref())),
        text("breaches", of().map(|row| row.breaches.join(","))),
        text("detail", of().map(|row| &row.detail)),
        text("patch", of().map(|row| &row.patch)),
    ]);
    Ok(columns)
}

fn refusal_columns(rows: &[OfLoop<RefusalRow>]) -> Result<Vec<Column>, ParquetError> {
    let of = || rows.iter().map(|row| &row.row);
    let mut columns = keys(rows)?;
    columns.extend([
        count("number", of().map(|row| row.number)),
        fix_types(of().map(|row| row.fix_type))?,
        text("provider", of().map(|row| &row.provider)),
        words!("breach", Breach, of().map(|row| Some(row.breach.as_str()))),
        text("findings", of().map(|row| &row.findings)),
        text("patch", of().map(|row| &row.patch)),
    ]);
    Ok(columns)
}

fn least_patch_columns(rows: &[OfLoop<LeastPatchRow>]) -> Result<Vec<Column>, ParquetError> {
    let of = || rows.iter().map(|row| &row.row);
    let mut columns = keys(rows)?;
    columns.extend([
        text("patch", of().map(|row| &row.patch)),
        text("whole_patch", of().map(|row| &row.whole_patch)),
        count("hunks_before", of().map(|row| row.hunks_before)),
        count("hunks_after", of().map(|row| row.hunks_after)),
        number("similarity_to_original", of().map(|row| row.similarity_to_original)),
        count("executions", of().map(|row| row.executions)),
        switch("is_minimal", of().map(|row| row.is_minimal)),
    ]);
    Ok(columns)
}

fn call_columns(rows: &[Row]) -> Vec<Column> {
    let tokens = |name, of: fn(&Usage) -> u64| {
        let short = move |row: &Row| row.usage.map(|usage| u32::try_from(of(&usage)).unwrap_or(u32::MAX));
        optional_count(name, rows.iter().map(short))
    };
    vec![
        text("call", rows.iter().map(|row| &row.call)),
        text("study", rows.iter().map(|row| &row.study)),
        text("notebook", rows.iter().map(|row| &row.notebook)),
        text("fix_type", rows.iter().map(|row| &row.fix_type)),
        count("fix_number", rows.iter().map(|row| row.fix_number)),
        count("re_ask", rows.iter().map(|row| row.re_ask)),
        text("provider", rows.iter().map(|row| &row.provider)),
        text("model", rows.iter().map(|row| &row.model)),
        text("prompt", rows.iter().map(|row| &row.prompt)),
        count("occurrence", rows.iter().map(|row| row.occurrence)),
        count("max_output", rows.iter().map(|row| row.max_output)),
        optional_number("temperature", rows.iter().map(|row| row.temperature)),
        optional_whole("seed", rows.iter().map(|row| row.seed)),
        optional_text("effort", rows.iter().map(|row| row.effort.as_ref())),
        text("reserved_at", rows.iter().map(|row| row.reserved_at.to_string())),
        optional_text("settled_at", rows.iter().map(|row| row.settled_at.map(|at| at.to_string()))),
        text("outcome", rows.iter().map(|row| &row.outcome)),
        optional_text("model_reported", rows.iter().map(|row| row.model_reported.as_ref())),
        optional_text("request_id", rows.iter().map(|row| row.request_id.as_ref())),
        optional_count("attempts", rows.iter().map(|row| row.attempts)),
        optional_number("seconds", rows.iter().map(|row| row.seconds)),
        tokens("input", |usage| usage.input),
        tokens("cached_input", |usage| usage.cached_input),
        tokens("cache_write", |usage| usage.cache_write),
        tokens("output", |usage| usage.output),
        tokens("reasoning", |usage| usage.reasoning),
        optional_text("usage_source", rows.iter().map(|row| row.usage_source.as_ref())),
        number("reserved", rows.iter().map(|row| row.reserved.dollars())),
        number("cost", rows.iter().map(|row| row.cost.dollars())),
        switch("is_paid", rows.iter().map(|row| row.is_paid)),
        switch("is_disputed", rows.iter().map(|row| row.is_disputed)),
    ]
}

#[cfg(test)]
mod tests;
