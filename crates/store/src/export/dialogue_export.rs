//! How notebooks were repaired, as parquet: fixes, questions, refusals, least patches, and what each call of a model cost.

use nbrevive_model::{LEDGER, Ledger, LedgerRow, TokenUsage};

use crate::columns::{
    Column, count, number, optional_count, optional_number, optional_text, optional_whole, switch, text,
};
use crate::dataset::folder::Staging;
use crate::dataset::table_file::{RowFile, write_table};
use crate::export::{ExportError, Scope};
use crate::least_patches::LeastPatchRow;
use crate::loops::{OfLoop, columns_of_loop};
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
    let questions = RowFile::create(staging, "questions", |rows: &[OfLoop<QuestionRow>]| columns_of_loop(rows, &[]))?
        .weighed(|row| row.row.patch.len() + row.row.detail.len());
    write_of_loops(staging, &mut kept, questions, |take| questions::each(store, take))?;
    let refusals = RowFile::create(staging, "refusals", |rows: &[OfLoop<RefusalRow>]| columns_of_loop(rows, &[]))?
        .weighed(|row| row.row.patch.len() + row.row.findings.len());
    write_of_loops(staging, &mut kept, refusals, |take| refusals::each(store, take))?;
    let least_patches =
        RowFile::create(staging, "least-patches", |rows: &[OfLoop<LeastPatchRow>]| columns_of_loop(rows, &[]))?
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
fn order(row: &LedgerRow) -> impl Ord + '_ {
    (&row.study, &row.notebook, row.fix_number, &row.fix_type, row.re_ask, row.reserved_at, &row.call)
}

fn call_columns(rows: &[LedgerRow]) -> Vec<Column> {
    let tokens = |name, of: fn(&TokenUsage) -> u64| {
        let short = move |row: &LedgerRow| row.usage.map(|usage| u32::try_from(of(&usage)).unwrap_or(u32::MAX));
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
