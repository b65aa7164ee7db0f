//! `nbrevive export`: a store as parquet.

use std::path::Path;

use nbrevive_store::compare::differences;
use nbrevive_store::export::{ExportError, export};
use nbrevive_store::{Store, mined_export, versions};

use crate::Outcome;
use crate::arguments::ExportArguments;
use crate::commands::setting::store_failure;
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// Writes the parquet files of what was mined and of what ran; at least one of both has to be there.
pub(crate) fn run(arguments: &ExportArguments) -> Outcome {
    let store = Store::open_read_only(&arguments.store).map_err(|error| store_failure(&error))?;
    let mined = mined_export::export(&store, &arguments.out).map_err(|error| export_failure(&error))?;
    let ran = export_study(&store, &arguments.out)?;
    if mined == 0 && !ran {
        let error = ExportError::NothingRan { path: store.folder().to_owned() };
        return Err(export_failure(&error));
    }
    printer::note(&format!("wrote {}", arguments.out.display()));
    arguments.against.as_deref().map_or(Ok(Exit::Success), |other| compare(&arguments.out, other))
}

/// Prints how two exports differ; any difference is a failure, as it is for `diff`.
fn compare(out: &Path, other: &Path) -> Outcome {
    let told = differences(out, other).map_err(|error| Failure::new(Exit::BadInput, &error))?;
    if told.is_empty() {
        printer::note(&format!("the same rows as {}, but for times", other.display()));
        return Ok(Exit::Success);
    }
    printer::data(&told.iter().map(|line| format!("{line}\n")).collect::<String>());
    Ok(Exit::Other)
}

/// Writes the parquet files of a run, if there was one.
pub(crate) fn export_study(store: &Store, out: &Path) -> Result<bool, Failure> {
    let ran = versions::fact(store, "study").map_err(|error| store_failure(&error))?.is_some();
    if ran {
        export(store, out).map_err(|error| export_failure(&error))?;
    }
    Ok(ran)
}

/// The code for an error of an export.
pub(crate) fn export_failure(error: &ExportError) -> Failure {
    match error {
        ExportError::Store(inner) => store_failure(inner),
        ExportError::NothingRan { .. } | ExportError::Ledger(_) => Failure::new(Exit::BadInput, error),
        ExportError::Parquet(_) | ExportError::Folder { .. } => Failure::new(Exit::CannotWrite, error),
    }
}
