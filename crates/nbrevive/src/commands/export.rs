//! `nbrevive export`: a store as parquet.

use std::path::Path;

use nbrevive_shown::shown;
use nbrevive_store::Store;
use nbrevive_store::compare::differences;
use nbrevive_store::dataset::Variant;
use nbrevive_store::export::{ExportError, ExportSettings, Exported, export};

use crate::Outcome;
use crate::arguments::ExportArguments;
use crate::commands::setting::{REVISION, store_failure};
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// Writes what was mined and what ran; at least one of both has to be there.
pub(crate) fn run(arguments: &ExportArguments) -> Outcome {
    let store = Store::open_read_only(&arguments.store).map_err(|error| store_failure(&error))?;
    let variant = if arguments.ids_only { Variant::IdsOnly } else { Variant::Full };
    if write(&store, &arguments.out, variant)? == Exported::default() {
        let error = ExportError::NothingRan { path: store.folder().to_owned() };
        return Err(export_failure(&error));
    }
    printer::note(&shown!("wrote {}", arguments.out.display()));
    arguments.against.as_deref().map_or(Ok(Exit::Success), |other| compare(&arguments.out, other))
}

/// Prints how two exports differ; any difference is a failure, as it is for `diff`.
fn compare(out: &Path, other: &Path) -> Outcome {
    let told = differences(out, other).map_err(|error| Failure::new(Exit::BadInput, &error))?;
    if told.is_empty() {
        printer::note(&shown!("the same rows as {}, but for times", other.display()));
        return Ok(Exit::Success);
    }
    printer::data(&told.iter().map(|line| shown!("{}\n", line)).collect());
    Ok(Exit::Other)
}

/// Writes a store as a dataset, in place of the one that is there.
pub(crate) fn write(store: &Store, out: &Path, variant: Variant) -> Result<Exported, Failure> {
    let settings = ExportSettings { variant, tool_revision: REVISION };
    export(store, out, &settings).map_err(|error| export_failure(&error))
}

/// The code for an error of an export.
fn export_failure(error: &ExportError) -> Failure {
    match error {
        ExportError::Store(inner) => store_failure(inner),
        ExportError::NothingRan { .. } | ExportError::Ledger(_) => Failure::new(Exit::BadInput, error),
        ExportError::Parquet(_) | ExportError::Folder { .. } => Failure::new(Exit::CannotWrite, error),
    }
}
