//! What was studied, as parquet: the study, its competitions, versions and environments, and who was left out.

use std::collections::BTreeMap;

use nbrevive_corpus::{Direction, EnvironmentKind, Judge, Prediction, Recipe};

use crate::columns::{
    Column, count, number, optional_count, optional_number, optional_text, optional_whole, text, words,
};
use crate::comparisons::ComparisonRow;
use crate::competitions::CompetitionRow;
use crate::dataset::folder::Staging;
use crate::dataset::table_file::{RowFile, write_table};
use crate::executions::EnvironmentRow;
use crate::export::tracebacks::without_places;
use crate::export::{ExportError, Scope};
use crate::install_refusals::{self, InstallRefusalRow};
use crate::left_out::LeftOutRow;
use crate::loops::{OfLoop, columns_of_loop};
use crate::order_runs::OrderRunRow;
use crate::parquet::ParquetError;
use crate::record::Record;
use crate::repositories::RepositoryRow;
use crate::repository_environments::RepositoryEnvironmentRow;
use crate::restorations::{ErrorRootRow, RestorationRow};
use crate::selections::StepRow;
use crate::studies::StudyRow;
use crate::versions::VersionRow;
use crate::{
    Store, comparisons, competitions, conditions, executability, executions, left_out, order_runs, repositories,
    repository_environments, restorations, selections, versions,
};

/// Writes `conditions`, `competitions`, `repositories`, `versions`, `funnel`, `left-out`, `install-refusals`, `executability`,
/// `comparisons`, `restorations`, `error-roots`, `order-runs`, `repository-environments`, `environments` and `locks`.
///
/// # Errors
/// When the store cannot be read or a file cannot be written.
pub(crate) fn export(store: &Store, staging: &Staging, scope: &Scope) -> Result<(), ExportError> {
    write_table(staging, "conditions", conditions::all(store)?, |rows: &[Recipe]| Recipe::columns(rows.iter(), &[]))?;
    write_competitions(store, staging, scope)?;
    write_table(staging, "repositories", repositories::all(store)?, |rows: &[RepositoryRow]| {
        RepositoryRow::columns(rows.iter(), &[])
    })?;
    let mut file = RowFile::create(staging, "versions", |rows: &[VersionRow]| VersionRow::columns(rows.iter(), &[]))?;
    versions::each(store, |row| match scope.has(&row.version) {
        true => Ok::<_, ExportError>(file.push(row)?),
        false => Ok(()),
    })?;
    file.finish(staging)?;
    export_funnel(store, staging, Some(scope))?;
    let rows = left_out::all(store)?.into_iter().filter(|row| scope.studied(&row.version).is_some());
    write_table(staging, "left-out", rows, |rows: &[LeftOutRow]| LeftOutRow::columns(rows.iter(), &[]))?;
    write_install_refusals(store, staging, scope)?;
    write_executability(store, staging, scope)?;
    write_comparisons(store, staging, scope)?;
    write_restorations(store, staging, scope)?;
    write_order_runs(store, staging, scope)?;
    write_table(staging, "repository-environments", repository_environments::all(store)?, |rows| {
        RepositoryEnvironmentRow::columns(rows.iter(), &[])
    })?;
    let environments = executions::environments(store)?;
    let locks: Vec<Locked> = environments.iter().flat_map(locked).collect();
    write_table(staging, "environments", environments, environment_columns)?;
    write_table(staging, "locks", locks, |rows| Ok(lock_columns(rows)))?;
    Ok(())
}

/// Writes `funnel`: the steps over what was mined, then what the study leaves out.
///
/// # Errors
/// When the store cannot be read or the file cannot be written.
pub(crate) fn export_funnel(store: &Store, staging: &Staging, scope: Option<&Scope>) -> Result<(), ExportError> {
    let mut steps = selections::steps(store)?;
    if let Some(scope) = scope {
        let totals = scope.totals();
        steps.push(StepRow {
            position: u32::try_from(steps.len()).unwrap_or(u32::MAX),
            step: "study".to_owned(),
            kept: totals.studied.into(),
            dropped: (totals.looked_at - totals.studied).into(),
            unknown_kept: 0,
            reasons: serde_json::to_string(&scope.excluded).unwrap_or_default(),
        });
    }
    Ok(write_table(staging, "funnel", steps, |rows| Ok(step_columns(rows)))?)
}

/// Writes `study`.
///
/// # Errors
/// When the file cannot be written.
pub(crate) fn write_study(study: &StudyRow, staging: &Staging, scope: &Scope) -> Result<(), ParquetError> {
    let studied = scope.totals().studied;
    let columns = |rows: &[&StudyRow]| {
        let all = || rows.iter();
        Ok(vec![
            text("study", all().map(|row| &row.study)),
            text("title", all().map(|row| &row.title)),
            text("baseline_environment", all().map(|row| &row.baseline_environment)),
            text("baseline_python", all().map(|row| &row.baseline_python)),
            text("baseline_packages", all().map(|row| &row.baseline_packages)),
            text("tool_revision", all().map(|row| &row.tool_revision)),
            text("machine", all().map(|row| &row.machine)),
            number("time_limit_seconds", all().map(|row| row.time_limit_seconds)),
            words!("judge", Judge, all().map(|row| Some(row.judge.as_str()))),
            number("tau", all().map(|row| row.tau)),
            count("max_fixes", all().map(|row| row.max_fixes)),
            count("versions", all().map(|_| studied)),
        ])
    };
    write_table(staging, "study", [study], columns)
}

/// A competition with what is known of it and how many versions it has.
struct Competition {
    name: String,
    known: Option<CompetitionRow>,
    looked_at: u32,
    studied: u32,
}

fn write_competitions(store: &Store, staging: &Staging, scope: &Scope) -> Result<(), ExportError> {
    let mut known: BTreeMap<String, CompetitionRow> =
        competitions::all(store)?.into_iter().map(|row| (row.competition.clone(), row)).collect();
    let rows = scope.competitions().map(|(name, counts)| Competition {
        name: name.to_owned(),
        known: known.remove(name),
        looked_at: counts.looked_at,
        studied: counts.studied,
    });
    Ok(write_table(staging, "competitions", rows.collect::<Vec<_>>(), competition_columns)?)
}

fn competition_columns(rows: &[Competition]) -> Result<Vec<Column>, ParquetError> {
    let known = || rows.iter().map(|row| row.known.as_ref());
    let texts = |name, of: fn(&CompetitionRow) -> &String| optional_text(name, known().map(|row| row.map(of)));
    let bytes = |row: &CompetitionRow| row.data_bytes.and_then(|bytes| i64::try_from(bytes).ok());
    Ok(vec![
        text("competition", rows.iter().map(|row| &row.name)),
        texts("title", |row| &row.title),
        texts("metric", |row| &row.metric),
        words!("direction", Direction, known().map(|row| row.map(|row| row.direction.as_str()))),
        optional_number("worst_score", known().map(|row| row?.worst_score)),
        optional_number("best_score", known().map(|row| row?.best_score)),
        texts("unit", |row| &row.unit),
        texts("id_column", |row| &row.id_column),
        texts("target_columns", |row| &row.target_columns),
        words!("prediction", Prediction, known().map(|row| row?.prediction.map(Prediction::as_str))),
        texts("data_source", |row| &row.data_source),
        texts("data_licence", |row| &row.data_licence),
        optional_count("data_files", known().map(|row| row.map(|row| row.data_files))),
        optional_whole("data_bytes", known().map(|row| row.and_then(bytes))),
        optional_text("level", known().map(|row| row?.level.as_ref())),
        optional_text("flags", known().map(|row| row?.flags.as_ref())),
        count("versions", rows.iter().map(|row| row.looked_at)),
        count("studied", rows.iter().map(|row| row.studied)),
    ])
}

fn step_columns(rows: &[StepRow]) -> Vec<Column> {
    let short = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    vec![
        count("position", rows.iter().map(|row| row.position)),
        text("step", rows.iter().map(|row| &row.step)),
        count("kept", rows.iter().map(|row| short(row.kept))),
        count("dropped", rows.iter().map(|row| short(row.dropped))),
        count("unknown_kept", rows.iter().map(|row| short(row.unknown_kept))),
        text("reasons", rows.iter().map(|row| &row.reasons)),
    ]
}

fn write_executability(store: &Store, staging: &Staging, scope: &Scope) -> Result<(), ExportError> {
    let mut rows = executability::all(store)?;
    rows.retain(|row| scope.studied(&row.version).is_some());
    // By version already.
    rows.sort_by_key(|row| row.condition);
    Ok(write_table(staging, "executability", rows, |rows| columns_of_loop(rows, &[]))?)
}

fn write_restorations(store: &Store, staging: &Staging, scope: &Scope) -> Result<(), ExportError> {
    let mut rows = restorations::put_back(store)?;
    rows.retain(|row| scope.studied(&row.version).is_some());
    write_table(staging, "restorations", rows, |rows: &[OfLoop<RestorationRow>]| columns_of_loop(rows, &[]))?;
    let columns = |rows: &[OfLoop<ErrorRootRow>]| columns_of_loop(rows, &[]);
    let mut file = RowFile::create(staging, "error-roots", columns)?;
    restorations::each_root(store, |row| {
        if scope.studied(&row.version).is_some() { file.push(row).map_err(ExportError::from) } else { Ok(()) }
    })?;
    Ok(file.finish(staging)?)
}

fn write_order_runs(store: &Store, staging: &Staging, scope: &Scope) -> Result<(), ExportError> {
    let columns = |rows: &[OfLoop<OrderRunRow>]| columns_of_loop(rows, &[]);
    let mut file = RowFile::create(staging, "order-runs", columns)?;
    order_runs::each(store, |row| {
        if scope.studied(&row.version).is_some() { file.push(row).map_err(ExportError::from) } else { Ok(()) }
    })?;
    Ok(file.finish(staging)?)
}

fn write_comparisons(store: &Store, staging: &Staging, scope: &Scope) -> Result<(), ExportError> {
    let columns = |rows: &[OfLoop<ComparisonRow>]| columns_of_loop(rows, &[]);
    let mut file = RowFile::create(staging, "comparisons", columns)?;
    comparisons::each(store, |row| {
        if scope.studied(&row.version).is_some() { file.push(row).map_err(ExportError::from) } else { Ok(()) }
    })?;
    Ok(file.finish(staging)?)
}

/// A refused piece with its place among those of its version, from 1.
type Refused = (u32, (String, InstallRefusalRow));

fn write_install_refusals(store: &Store, staging: &Staging, scope: &Scope) -> Result<(), ExportError> {
    let mut refused: Vec<Refused> = Vec::new();
    for row in install_refusals::all(store)?.into_iter().filter(|(version, _)| scope.studied(version).is_some()) {
        let before = refused.last().filter(|(_, (version, _))| *version == row.0).map_or(0, |(position, _)| *position);
        refused.push((before + 1, row));
    }
    Ok(write_table(staging, "install-refusals", refused, |rows| Ok(install_refusal_columns(rows)))?)
}

fn install_refusal_columns(rows: &[Refused]) -> Vec<Column> {
    let pieces = || rows.iter().map(|(_, (_, row))| row);
    vec![
        text("version", rows.iter().map(|(_, (version, _))| version)),
        count("position", rows.iter().map(|(position, _)| *position)),
        count("cell", pieces().map(|row| row.cell)),
        text("reason", pieces().map(|_| install_refusals::REASON)),
        text("why", pieces().map(|row| &row.why)),
        text("piece", pieces().map(|row| &row.piece)),
    ]
}

fn environment_columns(rows: &[EnvironmentRow]) -> Result<Vec<Column>, ParquetError> {
    let tail = |row: &EnvironmentRow| row.failure.as_ref().map(|(_, tail)| without_places(tail));
    Ok(vec![
        text("environment", rows.iter().map(|row| &row.environment)),
        words!("kind", EnvironmentKind, rows.iter().map(|row| Some(row.kind.as_str()))),
        text("python", rows.iter().map(|row| &row.python)),
        text("requirements", rows.iter().map(|row| &row.requirements)),
        optional_text("lock", rows.iter().map(|row| row.lock.as_ref())),
        optional_text("failure_class", rows.iter().map(|row| row.failure.as_ref().map(|(class, _)| class))),
        optional_text("failure_tail", rows.iter().map(tail)),
    ])
}

/// A distribution of an environment.
struct Locked {
    environment: String,
    distribution: String,
    release: String,
}

fn locked(row: &EnvironmentRow) -> impl Iterator<Item = Locked> + '_ {
    let lines = row.lock.as_deref().unwrap_or_default().lines();
    lines.filter_map(|line| line.split_once("==")).map(|(distribution, release)| Locked {
        environment: row.environment.clone(),
        distribution: distribution.to_owned(),
        release: release.to_owned(),
    })
}

fn lock_columns(rows: &[Locked]) -> Vec<Column> {
    vec![
        text("environment", rows.iter().map(|row| &row.environment)),
        text("distribution", rows.iter().map(|row| &row.distribution)),
        text("release", rows.iter().map(|row| &row.release)),
    ]
}
