//! The dialogues with models as parquet: questions, refusals, least patches, and what each call cost.

use std::collections::BTreeSet;
use std::path::Path;

use nbrevive_corpus::{Condition, FixType};
use nbrevive_model::{LEDGER, Ledger, Row, Usage};
use polars::prelude::{Column, NamedFrom, Series};

use crate::export::{ExportError, count, number, optional_count, optional_number, optional_text, text};
use crate::loops::OfLoop;
use crate::parquet::{ParquetError, enum_column, write};
use crate::{Store, least_patches, questions, refusals};

/// Versions and conditions whose outcomes are exported.
pub(crate) type Kept<'a> = BTreeSet<(&'a str, &'a str)>;

/// Writes `questions.parquet`, `refusals.parquet`, `least-patches.parquet` and `llm-calls.parquet` into a folder that is there. The
/// calls come from the ledger beside the store; where there is none the file has no rows.
///
/// # Errors
/// When store or ledger cannot be read or a file cannot be written.
pub(crate) fn export(store: &Store, folder: &Path, kept: &Kept<'_>) -> Result<(), ExportError> {
    let rows = of(questions::all(store)?, kept);
    write(&folder.join("questions.parquet"), question_columns(&rows)?)?;
    let rows = of(refusals::all(store)?, kept);
    write(&folder.join("refusals.parquet"), refusal_columns(&rows)?)?;
    let rows = of(least_patches::all(store)?, kept);
    write(&folder.join("least-patches.parquet"), least_patch_columns(&rows)?)?;
    let mut calls = Ledger::rows_of(&store.folder().join(LEDGER)).map_err(Box::new)?;
    // Which of several jobs reserved first is chance.
    calls.sort_by(|a, b| order(a).cmp(&order(b)));
    write(&folder.join("llm-calls.parquet"), call_columns(&calls))?;
    Ok(())
}

/// By study, notebook, and the question's place in the loop.
fn order(row: &Row) -> impl Ord + '_ {
    (&row.study, &row.notebook, row.fix_number, &row.fix_type, row.re_ask, row.reserved_at, &row.call)
}

fn of<T>(mut rows: Vec<OfLoop<T>>, kept: &Kept<'_>) -> Vec<OfLoop<T>> {
    rows.retain(|row| kept.contains(&(row.version.as_str(), row.condition.as_str())));
    rows
}

fn switch(name: &str, values: impl Iterator<Item = bool>) -> Column {
    Column::from(Series::new(name.into(), values.collect::<Vec<_>>()))
}

fn whole(name: &str, values: impl Iterator<Item = Option<i64>>) -> Column {
    Column::from(Series::new(name.into(), values.collect::<Vec<_>>()))
}

/// The columns that say to which loop a row belongs.
fn keys<T>(rows: &[OfLoop<T>]) -> Result<Vec<Column>, ParquetError> {
    let conditions: Vec<Option<&str>> = rows.iter().map(|row| Some(row.condition.as_str())).collect();
    let words: Vec<&str> = Condition::ALL.iter().map(|word| word.as_str()).collect();
    Ok(vec![text("version", rows.iter().map(|row| &row.version)), enum_column("condition", &conditions, &words)?])
}

fn fix_types(values: impl Iterator<Item = FixType>) -> Result<Column, ParquetError> {
    let words: Vec<&str> = FixType::ALL.iter().map(|word| word.as_str()).collect();
    enum_column("fix_type", &values.map(|value| Some(value.as_str())).collect::<Vec<_>>(), &words)
}

fn question_columns(rows: &[OfLoop<questions::QuestionRow>]) -> Result<Vec<Column>, ParquetError> {
    let of = || rows.iter().map(|row| &row.row);
    let mut columns = keys(rows)?;
    columns.extend([
        count("number", of().map(|row| row.number)),
        switch("led_to_fix", of().map(|row| row.led_to_fix)),
        fix_types(of().map(|row| row.fix_type))?,
        text("provider", of().map(|row| &row.provider)),
        text("level", of().map(|row| &row.level)),
        text("template", of().map(|row| &row.template)),
        count("reask", of().map(|row| row.reask)),
        text("prompt_hash", of().map(|row| &row.prompt_hash)),
        count("prompt_tokens", of().map(|row| row.prompt_tokens)),
        count("answer_tokens", of().map(|row| row.answer_tokens)),
        optional_text("problem", of().map(|row| row.problem.clone())),
        text("breaches", of().map(|row| row.breaches.join(","))),
        text("detail", of().map(|row| &row.detail)),
        text("patch", of().map(|row| &row.patch)),
    ]);
    Ok(columns)
}

fn refusal_columns(rows: &[OfLoop<refusals::RefusalRow>]) -> Result<Vec<Column>, ParquetError> {
    let of = || rows.iter().map(|row| &row.row);
    let mut columns = keys(rows)?;
    columns.extend([
        count("number", of().map(|row| row.number)),
        fix_types(of().map(|row| row.fix_type))?,
        text("provider", of().map(|row| &row.provider)),
        text("breach", of().map(|row| &row.breach)),
        text("findings", of().map(|row| &row.findings)),
        text("patch", of().map(|row| &row.patch)),
    ]);
    Ok(columns)
}

fn least_patch_columns(rows: &[OfLoop<least_patches::LeastPatchRow>]) -> Result<Vec<Column>, ParquetError> {
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
        whole("seed", rows.iter().map(|row| row.seed)),
        optional_text("effort", rows.iter().map(|row| row.effort.clone())),
        text("reserved_at", rows.iter().map(|row| row.reserved_at.to_string())),
        optional_text("settled_at", rows.iter().map(|row| row.settled_at.map(|at| at.to_string()))),
        text("outcome", rows.iter().map(|row| &row.outcome)),
        optional_text("model_reported", rows.iter().map(|row| row.model_reported.clone())),
        optional_text("request_id", rows.iter().map(|row| row.request_id.clone())),
        optional_count("attempts", rows.iter().map(|row| row.attempts)),
        optional_number("seconds", rows.iter().map(|row| row.seconds)),
        tokens("input", |usage| usage.input),
        tokens("cached_input", |usage| usage.cached_input),
        tokens("cache_write", |usage| usage.cache_write),
        tokens("output", |usage| usage.output),
        tokens("reasoning", |usage| usage.reasoning),
        optional_text("usage_source", rows.iter().map(|row| row.usage_source.clone())),
        number("reserved", rows.iter().map(|row| row.reserved.dollars())),
        number("cost", rows.iter().map(|row| row.cost.dollars())),
        switch("is_paid", rows.iter().map(|row| row.is_paid)),
        switch("is_disputed", rows.iter().map(|row| row.is_disputed)),
    ]
}

#[cfg(test)]
mod tests;
