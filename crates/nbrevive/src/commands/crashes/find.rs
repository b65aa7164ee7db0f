//! `nbrevive crashes find`: crashes from notebooks that saved them, and from executions of ours.

use std::path::Path;

use nbrevive_diagnosis::crash::{CrashFilter, ImportedNames, PAPER_SIMILARITY, clusters, normal_value};
use nbrevive_notebook::{Language, language};
use nbrevive_report::{FirstRunError, FoundNotebooks, raised_errors, render_found};
use nbrevive_shown::shown;
use nbrevive_store::Store;
use nbrevive_store::dataset::Variant;

use super::{csv_of, failure};
use crate::Outcome;
use crate::arguments::CrashesFindArguments;
use crate::commands::explain::read_notebook;
use crate::commands::setting::{file_failure, store_failure};
use crate::commands::{export, sources};
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// A crash as a line of a sheet.
struct Found {
    notebook: String,
    /// Index into all cells.
    cell: usize,
    platform: String,
    ename: String,
    evalue: String,
    traceback: String,
}

/// Collects crashes; a notebook that cannot be read is told, and costs exit code 3.
pub(crate) fn find(arguments: &CrashesFindArguments) -> Outcome {
    let (mut rows, exit) = match (&arguments.store, &arguments.data) {
        (Some(store), _) => (of_store(store, arguments)?, Exit::Success),
        (_, Some(data)) => (of_data(data, arguments)?, Exit::Success),
        _ => of_notebooks(arguments)?,
    };
    if arguments.first {
        rows.dedup_by(|next, first| (&next.notebook, &next.platform) == (&first.notebook, &first.platform));
    }
    if let Some(out) = &arguments.out {
        nbrevive_files::write(out, sheet(&rows)).map_err(|error| file_failure(&error))?;
    }
    Ok(exit)
}

fn of_notebooks(arguments: &CrashesFindArguments) -> Result<(Vec<Found>, Exit), Failure> {
    let mut paths = sources::find(&arguments.paths)?;
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "ipynb"));
    let (mut found, mut rows, mut unreadable) = (FoundNotebooks::default(), Vec::new(), 0);
    for path in &paths {
        let notebook = match read_notebook(path) {
            Ok(notebook) => notebook,
            Err(failure) => {
                unreadable += 1;
                printer::error(&failure.message);
                continue;
            }
        };
        if language(&notebook) == Language::Python {
            found.add_imports(ImportedNames::of(&notebook.code_sources()).modules());
        }
        rows.extend(found.funnel.take(&notebook).into_iter().map(|error| Found {
            notebook: printer::json_path(path).into_owned(),
            cell: error.cell,
            platform: arguments.platform.clone(),
            ename: error.ename,
            evalue: error.evalue,
            traceback: error.traceback,
        }));
    }
    printer::data(&shown!("{:>9} notebooks\n", found.funnel.notebooks));
    for (filter, (notebooks, crashes)) in CrashFilter::ALL.into_iter().zip(found.funnel.left) {
        printer::data(&shown!("{:>9} {}, {} crashes\n", notebooks, filter.keeps(), crashes));
    }
    if let Some(folder) = &arguments.tables {
        let rendered =
            render_found(&found, arguments.published.as_deref(), folder, &paths).map_err(|error| failure(&error))?;
        printer::note(&shown!("wrote {} files below {}", rendered.files.len(), folder.display()));
    }
    Ok((rows, if unreadable == 0 { Exit::Success } else { Exit::BadInput }))
}

/// Crashes of a store, by way of an export.
fn of_store(folder: &Path, arguments: &CrashesFindArguments) -> Result<Vec<Found>, Failure> {
    let store = Store::open_read_only(folder).map_err(|error| store_failure(&error))?;
    let place = tempfile::tempdir().map_err(|error| Failure {
        exit: Exit::CannotWrite,
        message: shown!("cannot make a temporary folder: {}", error),
    })?;
    let data = place.path().join("data");
    export::write(&store, &data, Variant::Full)?;
    of_data(&data, arguments)
}

/// Crashes of exported data: what notebooks raise as they are. The platform is the condition where none is given.
fn of_data(folder: &Path, arguments: &CrashesFindArguments) -> Result<Vec<Found>, Failure> {
    let mut errors = raised_errors(folder).map_err(|error| Failure::new(Exit::BadInput, &error))?;
    errors.retain(|error| arguments.condition.is_none_or(|condition| condition == error.condition));
    if errors.is_empty() {
        let message = shown!("{} has no errors.parquet, or nothing was raised that was asked for", folder.display());
        return Err(Failure { exit: Exit::BadInput, message });
    }
    let count = errors.len();
    let rows = errors.into_iter().filter(|error| error.ename != "KeyboardInterrupt");
    let rows: Vec<Found> = rows.map(|error| of_error(error, &arguments.platform)).collect();
    printer::data(&shown!("{:>9} errors, {} of them crashes\n", count, rows.len()));
    Ok(rows)
}

fn of_error(error: FirstRunError, platform: &str) -> Found {
    let FirstRunError { version, condition, cell, ename, evalue, traceback, .. } = error;
    let platform = if platform.is_empty() { condition.to_string() } else { platform.to_owned() };
    Found { notebook: version, cell: cell as usize, platform, ename, evalue, traceback }
}

fn sheet(rows: &[Found]) -> String {
    let cluster = clusters(rows.iter().map(|error| error.evalue.as_str()), PAPER_SIMILARITY);
    let header = ["id", "notebook", "cell", "platform", "ename", "evalue", "evalue_normalized", "cluster", "traceback"];
    let lines = rows.iter().zip(cluster).enumerate().map(|(number, (error, cluster))| {
        [
            (number + 1).to_string(),
            error.notebook.clone(),
            (error.cell + 1).to_string(),
            error.platform.clone(),
            error.ename.clone(),
            error.evalue.clone(),
            normal_value(&error.evalue),
            cluster.to_string(),
            error.traceback.clone(),
        ]
    });
    csv_of(&header, lines)
}
