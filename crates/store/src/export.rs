//! A store as parquet: one file a table, sorted rows, each file whole or not there.
//!
//! `tables` and `figures` are made from these files alone, so they hold what tables need and the raw observations beside it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use nbrevive_corpus::{Condition, ErrorStatus, Exclusion, Failure, FixType, FlowState, Outcome, OutputStatus};
use nbrevive_model::LedgerError;
use polars::prelude::{Column, NamedFrom, Series};

use crate::outcomes::OutcomeRow;
use crate::parquet::{ParquetError, write};
use crate::{
    Store, StoreError, cut_outputs, dialogue_export, executions, fixes, left_out, loops, outcomes, repetition_export,
    versions,
};

/// Why an export did not come to its end.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A parquet file cannot be written.
    #[error(transparent)]
    Parquet(#[from] ParquetError),
    /// The ledger beside the store cannot be read.
    #[error(transparent)]
    Ledger(#[from] Box<LedgerError>),
    /// The folder cannot be made.
    #[error("cannot make folder {path}: {source}")]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The run that filled the store left no facts.
    #[error("store {path} has no complete run: run `nbrevive study run` first")]
    NothingRan {
        /// The store.
        path: PathBuf,
    },
}

/// The facts that a run leaves for `study.parquet`, with the ones that are numbers at the end.
pub const STUDY_FACTS: &[&str] = &[
    "study",
    "title",
    "baseline_environment",
    "baseline_python",
    "baseline_packages",
    "tool_revision",
    "machine",
    "time_limit_seconds",
    "tau",
    "max_fixes",
];

/// Writes the store's tables into `folder`.
///
/// Outcomes of versions that are no longer studied are left out, and so are modernize outcomes whose version is no subject any
/// more; the store keeps them.
///
/// # Errors
/// When the store cannot be read or a file cannot be written; files written before stay.
pub fn export(store: &Store, folder: &Path) -> Result<(), ExportError> {
    std::fs::create_dir_all(folder).map_err(|source| ExportError::Folder { path: folder.to_owned(), source })?;
    let versions = versions::all(store)?;
    let studied: BTreeSet<&str> =
        versions.iter().filter(|row| row.exclusion.is_none()).map(|row| row.version.as_str()).collect();
    let mut outcomes = outcomes::all(store)?;
    outcomes.retain(|row| studied.contains(row.version.as_str()));
    write(&folder.join("versions.parquet"), version_columns(&versions)?)?;
    let mut columns = outcome_columns(&outcomes, &versions)?;
    columns.extend(loop_columns(store, &outcomes)?);
    write(&folder.join("outcomes.parquet"), columns)?;
    let kept: dialogue_export::Kept<'_> =
        outcomes.iter().map(|row| (row.version.as_str(), row.condition.as_str())).collect();
    write(&folder.join("fixes.parquet"), fix_columns(store, &kept)?)?;
    dialogue_export::export(store, folder, &kept)?;
    repetition_export::export(store, folder, &outcomes)?;
    write_executions(store, folder, &studied)?;
    write(&folder.join("environments.parquet"), environment_columns(store)?)?;
    write(&folder.join("left-out.parquet"), left_out_columns(store, &studied)?)?;
    write(&folder.join("study.parquet"), study_columns(store, studied.len())?)?;
    Ok(())
}

pub(crate) fn text<T: AsRef<str>>(name: &str, values: impl Iterator<Item = T>) -> Column {
    let values: Vec<String> = values.map(|value| value.as_ref().to_owned()).collect();
    Column::from(Series::new(name.into(), values))
}

pub(crate) fn optional_text(name: &str, values: impl Iterator<Item = Option<String>>) -> Column {
    Column::from(Series::new(name.into(), values.collect::<Vec<_>>()))
}

pub(crate) fn number(name: &str, values: impl Iterator<Item = f64>) -> Column {
    Column::from(Series::new(name.into(), values.collect::<Vec<_>>()))
}

pub(crate) fn optional_number(name: &str, values: impl Iterator<Item = Option<f64>>) -> Column {
    Column::from(Series::new(name.into(), values.collect::<Vec<_>>()))
}

pub(crate) fn count(name: &str, values: impl Iterator<Item = u32>) -> Column {
    Column::from(Series::new(name.into(), values.collect::<Vec<_>>()))
}

pub(crate) fn optional_count(name: &str, values: impl Iterator<Item = Option<u32>>) -> Column {
    Column::from(Series::new(name.into(), values.collect::<Vec<_>>()))
}

/// An Enum column over one of the vocabulary's words.
macro_rules! words {
    ($name:literal, $type:ty, $values:expr) => {{
        let values: Vec<Option<&str>> = $values.collect();
        let categories: Vec<&str> = <$type>::ALL.iter().map(|word| word.as_str()).collect();
        crate::parquet::enum_column($name, &values, &categories)?
    }};
}

pub(crate) use words;

fn version_columns(rows: &[versions::VersionRow]) -> Result<Vec<Column>, ParquetError> {
    Ok(vec![
        text("version", rows.iter().map(|row| &row.version)),
        text("competition", rows.iter().map(|row| &row.competition)),
        text("title", rows.iter().map(|row| &row.title)),
        text("submitted", rows.iter().map(|row| &row.submitted)),
        optional_text("notebook_hash", rows.iter().map(|row| row.notebook_hash.clone())),
        optional_count("code_cells", rows.iter().map(|row| row.code_cells)),
        optional_count("code_lines", rows.iter().map(|row| row.code_lines)),
        optional_number("target_score", rows.iter().map(|row| row.target_score)),
        words!(
            "exclusion",
            Exclusion,
            rows.iter().map(|row| row.exclusion.as_ref().map(|(reason, _)| reason.as_str()))
        ),
        optional_text("exclusion_detail", rows.iter().map(|row| row.exclusion.clone().map(|(_, detail)| detail))),
    ])
}

fn outcome_columns(rows: &[OutcomeRow], versions: &[versions::VersionRow]) -> Result<Vec<Column>, ParquetError> {
    let competitions: BTreeMap<&str, &str> =
        versions.iter().map(|row| (row.version.as_str(), row.competition.as_str())).collect();
    let competition = |slug: &str| competitions.get(slug).copied().unwrap_or_default();
    let verdicts = || rows.iter().map(|row| &row.verdict);
    Ok(vec![
        text("version", rows.iter().map(|row| &row.version)),
        text("competition", rows.iter().map(|row| competition(&row.version))),
        words!("condition", Condition, rows.iter().map(|row| Some(row.condition.as_str()))),
        words!("outcome", Outcome, verdicts().map(|verdict| Some(verdict.outcome.as_str()))),
        words!("error_status", ErrorStatus, verdicts().map(|verdict| verdict.error_status.map(ErrorStatus::as_str))),
        words!(
            "output_status",
            OutputStatus,
            verdicts().map(|verdict| verdict.output_status.map(OutputStatus::as_str))
        ),
        optional_text("output_reason", verdicts().map(|verdict| verdict.output_reason.clone())),
        words!("failure", Failure, verdicts().map(|verdict| verdict.failure.map(Failure::as_str))),
        optional_text("failure_cause", verdicts().map(|verdict| verdict.failure_cause.clone())),
        number("target_score", rows.iter().map(|row| row.target_score)),
        optional_number("score", verdicts().map(|verdict| verdict.score)),
        optional_number("deviation", verdicts().map(|verdict| verdict.deviation)),
        count("fixes", rows.iter().map(|row| row.fixes)),
        number("seconds", rows.iter().map(|row| row.seconds)),
        text("reason", rows.iter().map(|row| &row.reason)),
        optional_text("environment", rows.iter().map(|row| row.environment.clone())),
        text("inputs_hash", rows.iter().map(|row| &row.inputs_hash)),
        count("seed", rows.iter().map(|row| row.seed)),
        text("tool_revision", rows.iter().map(|row| &row.tool_revision)),
        text("recorded_at", rows.iter().map(|row| &row.recorded_at)),
    ])
}

/// How the loop of each outcome ended.
fn loop_columns(store: &Store, outcomes: &[OutcomeRow]) -> Result<[Column; 2], ExportError> {
    let ends = loops::all(store)?;
    let ends: BTreeMap<_, _> = ends.iter().map(|end| ((end.version.as_str(), end.condition), &end.row)).collect();
    let ends = || outcomes.iter().map(|row| ends.get(&(row.version.as_str(), row.condition)));
    Ok([
        optional_text("loop_end", ends().map(|end| end.map(|end| end.loop_end.clone()))),
        optional_text("provider_errors", ends().map(|end| end.map(|end| end.provider_errors.join("\n")))),
    ])
}

fn fix_columns(store: &Store, kept: &BTreeSet<(&str, &str)>) -> Result<Vec<Column>, ExportError> {
    let mut rows = fixes::all(store)?;
    rows.retain(|row| kept.contains(&(row.version.as_str(), row.condition.as_str())));
    Ok(vec![
        text("version", rows.iter().map(|row| &row.version)),
        words!("condition", Condition, rows.iter().map(|row| Some(row.condition.as_str()))),
        count("number", rows.iter().map(|row| row.number)),
        words!("fix_type", FixType, rows.iter().map(|row| Some(row.fix_type.as_str()))),
        text("provider", rows.iter().map(|row| &row.provider)),
        text("rules", rows.iter().map(|row| &row.rules)),
        number("similarity_to_previous", rows.iter().map(|row| row.similarity_to_previous)),
        number("similarity_to_original", rows.iter().map(|row| row.similarity_to_original)),
        words!("led_to", FlowState, rows.iter().map(|row| Some(row.led_to.as_str()))),
        optional_text("led_to_failure_cause", rows.iter().map(|row| row.led_to_failure_cause.clone())),
        optional_text("level", rows.iter().map(|row| row.level.clone())),
        optional_text("template", rows.iter().map(|row| row.template.clone())),
        optional_number("seconds", rows.iter().map(|row| row.seconds)),
        optional_number("score", rows.iter().map(|row| row.score)),
        optional_text("state_code", rows.iter().map(|row| row.state_code.clone())),
        optional_text("state_failure", rows.iter().map(|row| row.state_failure.clone())),
        text("patch", rows.iter().map(|row| &row.patch)),
    ])
}

fn write_executions(store: &Store, folder: &Path, studied: &BTreeSet<&str>) -> Result<(), ExportError> {
    let mut rows = executions::all(store)?;
    rows.retain(|row| studied.contains(row.key.version.as_str()));
    write(&folder.join("executions.parquet"), execution_columns(&rows, &cut_outputs::all(store)?)?)?;
    write(&folder.join("cells.parquet"), cell_columns(&rows))?;
    Ok(())
}

fn execution_columns(
    rows: &[executions::ExecutionRow],
    cut: &BTreeMap<String, String>,
) -> Result<Vec<Column>, ParquetError> {
    Ok(vec![
        text("version", rows.iter().map(|row| &row.key.version)),
        words!("condition", Condition, rows.iter().map(|row| Some(row.condition.as_str()))),
        count("fix_number", rows.iter().map(|row| row.fix_number)),
        count("repetition", rows.iter().map(|row| row.repetition)),
        text("code_hash", rows.iter().map(|row| &row.key.code_hash)),
        text("environment", rows.iter().map(|row| &row.key.environment)),
        text("settings_hash", rows.iter().map(|row| &row.key.settings_hash)),
        text("started_at", rows.iter().map(|row| &row.started_at)),
        text("tool_revision", rows.iter().map(|row| &row.tool_revision)),
        count("seed", rows.iter().map(|row| row.seed)),
        text("end", rows.iter().map(|row| row.end_word())),
        count("error_cells", rows.iter().map(|row| row.error_cells)),
        optional_number("score", rows.iter().map(|row| row.grade.as_ref().ok().copied())),
        optional_text("output_reason", rows.iter().map(|row| row.grade.as_ref().err().cloned())),
        optional_text("output_detail", rows.iter().map(|row| row.output_detail.clone())),
        number("seconds", rows.iter().map(|row| row.seconds)),
        number("startup_seconds", rows.iter().map(|row| row.startup_seconds)),
        optional_number("cpu_seconds", rows.iter().map(|row| row.cpu_seconds)),
        optional_number("peak_memory_mib", rows.iter().map(|row| row.peak_memory_bytes.map(mebibytes))),
        optional_text("outputs_note", rows.iter().map(|row| cut.get(&row.notebook_file).cloned())),
    ])
}

/// Bytes as MiB, to a tenth: what a reader of the table needs, in one type that every tool knows.
fn mebibytes(bytes: u64) -> f64 {
    let tenths = bytes / (1024 * 1024 / 10);
    f64::from(u32::try_from(tenths).unwrap_or(u32::MAX)) / 10.0
}

fn cell_columns(rows: &[executions::ExecutionRow]) -> Vec<Column> {
    let cells: Vec<_> = rows.iter().flat_map(|row| row.cells.iter().map(move |cell| (row, cell))).collect();
    vec![
        text("version", cells.iter().map(|(row, _)| &row.key.version)),
        text("code_hash", cells.iter().map(|(row, _)| &row.key.code_hash)),
        text("environment", cells.iter().map(|(row, _)| &row.key.environment)),
        count("repetition", cells.iter().map(|(row, _)| row.repetition)),
        count("cell", cells.iter().map(|(_, cell)| cell.cell)),
        text("status", cells.iter().map(|(_, cell)| &cell.status)),
        optional_number("seconds", cells.iter().map(|(_, cell)| cell.seconds)),
        optional_text("ename", cells.iter().map(|(_, cell)| cell.error.as_ref().map(|error| error.ename.clone()))),
        optional_text("evalue", cells.iter().map(|(_, cell)| cell.error.as_ref().map(|error| error.evalue.clone()))),
    ]
}

fn environment_columns(store: &Store) -> Result<Vec<Column>, StoreError> {
    let rows = executions::environments(store)?;
    Ok(vec![
        text("environment", rows.iter().map(|row| &row.environment)),
        text("kind", rows.iter().map(|row| &row.kind)),
        text("python", rows.iter().map(|row| &row.python)),
        text("requirements", rows.iter().map(|row| &row.requirements)),
        optional_text("lock", rows.iter().map(|row| row.lock.clone())),
        optional_text("failure_class", rows.iter().map(|row| row.failure.clone().map(|(class, _)| class))),
        optional_text("failure_tail", rows.iter().map(|row| row.failure.clone().map(|(_, tail)| tail))),
    ])
}

fn left_out_columns(store: &Store, studied: &BTreeSet<&str>) -> Result<Vec<Column>, ExportError> {
    let mut rows = left_out::all(store)?;
    rows.retain(|row| studied.contains(row.version.as_str()));
    Ok(vec![
        text("version", rows.iter().map(|row| &row.version)),
        words!("condition", Condition, rows.iter().map(|row| Some(row.condition.as_str()))),
        words!("reason", Exclusion, rows.iter().map(|row| Some(row.reason.as_str()))),
        text("detail", rows.iter().map(|row| &row.detail)),
    ])
}

fn study_columns(store: &Store, studied: usize) -> Result<Vec<Column>, ExportError> {
    let mut columns = Vec::new();
    for name in STUDY_FACTS {
        let Some(value) = versions::fact(store, name)? else {
            return Err(ExportError::NothingRan { path: store.folder().to_owned() });
        };
        columns.push(match *name {
            "time_limit_seconds" | "tau" => number(name, std::iter::once(value.parse().unwrap_or(f64::NAN))),
            "max_fixes" => count(name, std::iter::once(value.parse().unwrap_or(0))),
            _ => text(name, std::iter::once(value)),
        });
    }
    columns.push(count("versions", std::iter::once(u32::try_from(studied).unwrap_or(u32::MAX))));
    Ok(columns)
}

#[cfg(test)]
pub(crate) mod tests {
    use polars_io::SerReader;
    use polars_io::parquet::read::ParquetReader;

    use super::*;

    #[test]
    fn every_column_stands_in_the_schema_page() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(&folder.path().join("store")).unwrap();
        let facts: Vec<(&str, String)> = STUDY_FACTS.iter().map(|name| (*name, "1".to_owned())).collect();
        versions::set_facts(&mut store, &facts).unwrap();
        let data = folder.path().join("data");
        export(&store, &data).unwrap();
        assert!(assert_documented(&data).contains(&"outcome".to_owned()));
    }

    /// Every column of every file in a folder has a line in the schema page; gives the columns' names.
    pub(crate) fn assert_documented(data: &Path) -> Vec<String> {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema.md");
        let page = std::fs::read_to_string(page).unwrap();
        let mut names = Vec::new();
        for entry in std::fs::read_dir(data).unwrap() {
            let path = entry.unwrap().path();
            let file = path.file_name().unwrap().to_string_lossy().into_owned();
            let section = page.split("\n## ").find(|section| section.starts_with(&file));
            let section = section.unwrap_or_else(|| panic!("docs/schema.md has no section {file}"));
            let documented: Vec<&str> = section
                .lines()
                .filter_map(|line| line.strip_prefix("| ")?.split(" | ").next())
                .flat_map(|names| names.split(", "))
                .collect();
            let frame = ParquetReader::new(std::fs::File::open(&path).unwrap()).finish().unwrap();
            for column in frame.get_column_names() {
                assert!(documented.contains(&column.as_str()), "docs/schema.md lacks `{column}` of {file}");
                names.push(column.to_string());
            }
        }
        names
    }

    #[test]
    fn a_store_in_which_nothing_ran_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("store")).unwrap();
        let error = export(&store, &folder.path().join("data")).unwrap_err().to_string();
        assert!(error.contains("nbrevive study run"), "{error}");
    }
}
