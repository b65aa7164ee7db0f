//! `nbrevive crashes`: errors that notebooks saved, collected, labelled, sampled and counted.

mod agree;
mod find;
mod label;
mod labels;
mod tables;

use std::path::Path;

use nbrevive_diagnosis::crash::{
    CrashLabels, PAPER_SIMILARITY, SheetRow, clusters, draw, normal_value, read_sheet, sample_size, strata,
};
use nbrevive_report::{ReportError, csv_text};
use nbrevive_shown::shown;

use crate::Outcome;
use crate::arguments::{CrashesClassifyArguments, CrashesSampleArguments};
use crate::commands::setting::file_failure;
use crate::exit_code::{Exit, Failure};
use crate::printer;

pub(crate) use agree::agree;
pub(crate) use find::find;
pub(crate) use label::label;
pub(crate) use tables::tables;

/// The largest sheet that is read, in bytes.
const LONGEST_SHEET: u64 = 4 << 30;

/// Points to each side that a sample of default size leaves open.
const MARGIN: f64 = 0.05;

/// Labels every line of a sheet.
pub(crate) fn classify_sheet(arguments: &CrashesClassifyArguments) -> Outcome {
    let rows = sheet(&arguments.csv)?;
    let started = std::time::Instant::now();
    let labels = labels::labels_of(&rows, arguments.notebooks.as_deref());
    let seconds = started.elapsed().as_secs_f64().max(1e-9);
    let header = [
        "id",
        "exception_type",
        "root_cause",
        "ml_bug",
        "pipeline_stage",
        "library",
        "exception_type_confidence",
        "root_cause_confidence",
        "ml_bug_confidence",
        "pipeline_stage_confidence",
        "exception_type_reason",
        "root_cause_reason",
        "ml_bug_reason",
        "pipeline_stage_reason",
        "ran_in",
    ];
    let lines = rows.iter().zip(&labels).map(|(row, labels)| {
        let sure = |confidence: f32| format!("{confidence:.2}");
        let CrashLabels { exception_type, root_cause, ml_bug, pipeline_stage, library, ran_in } = labels;
        [
            row.id.clone(),
            exception_type.label.to_string(),
            root_cause.label.to_string(),
            ml_bug.label.to_string(),
            pipeline_stage.label.to_string(),
            library.clone().unwrap_or_default(),
            sure(exception_type.confidence),
            sure(root_cause.confidence),
            sure(ml_bug.confidence),
            sure(pipeline_stage.confidence),
            exception_type.reason.clone(),
            root_cause.reason.clone(),
            ml_bug.reason.clone(),
            pipeline_stage.reason.clone(),
            ran_in.clone().unwrap_or_default(),
        ]
    });
    let inputs = [arguments.csv.as_path()];
    nbrevive_files::write_beside_inputs(&arguments.out, csv_of(&header, lines), &inputs)
        .map_err(|error| file_failure(&error))?;
    printer::note(&shown!("{} crashes labelled, {:.0} a second", rows.len(), rows.len() as f64 / seconds));
    Ok(Exit::Success)
}

/// Columns of a drawn sheet; the sheet's others follow: the notebook and the cell, by which `label` shows the crash, and labels.
const OF_SAMPLES: [&str; 7] = ["id", "platform", "ename", "evalue", "evalue_normalized", "cluster", "traceback"];

/// Draws a stratified sample of a sheet.
pub(crate) fn sample(arguments: &CrashesSampleArguments) -> Outcome {
    let rows = sheet(&arguments.csv)?;
    let cluster = clusters(rows.iter().map(|row| row.evalue.as_str()), PAPER_SIMILARITY);
    let size = arguments.size.unwrap_or_else(|| sample_size(rows.len(), MARGIN));
    let strata = strata(&cluster, arguments.least);
    let drawn = draw(&strata, size, arguments.seed);
    let others = rows.first().into_iter().flat_map(|row| row.others.keys());
    let others: Vec<&String> = others.filter(|name| !OF_SAMPLES.contains(&name.as_str())).collect();
    let header = OF_SAMPLES.into_iter().chain(others.iter().map(|name| name.as_str())).map(str::to_owned).collect();
    let lines = drawn.iter().map(|&crash| {
        let row = &rows[crash];
        let (normal, cluster) = (normal_value(&row.evalue), cluster[crash].to_string());
        let own = [&row.id, &row.platform, &row.ename, &row.evalue, &normal, &cluster, &row.traceback];
        own.into_iter().chain(others.iter().map(|name| &row.others[*name])).cloned().collect()
    });
    let text = csv_text(std::iter::once(header).chain(lines));
    let inputs = [arguments.csv.as_path()];
    nbrevive_files::write_beside_inputs(&arguments.out, text, &inputs).map_err(|error| file_failure(&error))?;
    printer::note(&shown!(
        "{} of {} crashes drawn, of {} strata and {} clusters; the formula asks for {}",
        drawn.len(),
        rows.len(),
        strata.len(),
        cluster.iter().max().map_or(0, |most| most + 1),
        size
    ));
    Ok(Exit::Success)
}

/// Why tables were not made: what was read cannot be used, or what was made cannot be written.
fn failure(error: &ReportError) -> Failure {
    let exit = if matches!(error, ReportError::Output(_)) { Exit::CannotWrite } else { Exit::BadInput };
    Failure::new(exit, error)
}

fn sheet(path: &Path) -> Result<Vec<SheetRow>, Failure> {
    let bytes = nbrevive_files::read(path, LONGEST_SHEET).map_err(|error| file_failure(&error))?;
    read_sheet(bytes.as_slice()).map_err(|error| {
        let message = shown!("{}: {}", path.display(), nbrevive_shown::Shown::error(&error));
        Failure { exit: Exit::BadInput, message }
    })
}

/// A sheet as CSV, which no spreadsheet computes with: names of notebooks and messages come from outside.
fn csv_of<const COLUMNS: usize>(header: &[&str; COLUMNS], lines: impl Iterator<Item = [String; COLUMNS]>) -> String {
    csv_text(std::iter::once(header.map(str::to_owned).into()).chain(lines.map(Vec::from)))
}

#[cfg(test)]
mod attacks {
    use super::*;

    #[test]
    fn a_sheet_holds_no_formula() {
        let line = ["1", "=HYPERLINK(1).ipynb"].map(str::to_owned);
        assert_eq!(csv_of(&["id", "notebook"], [line].into_iter()), "id,notebook\n1,'=HYPERLINK(1).ipynb\n");
    }
}
