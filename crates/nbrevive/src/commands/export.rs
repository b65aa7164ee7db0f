//! `nbrevive export`: a store as parquet.

use nbrevive_store::Store;
use nbrevive_store::export::{ExportError, export};

use crate::Outcome;
use crate::arguments::ExportArguments;
use crate::commands::setting::store_failure;
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// Writes the parquet files.
pub(crate) fn run(arguments: &ExportArguments) -> Outcome {
    let store = Store::open_read_only(&arguments.store).map_err(|error| store_failure(&error))?;
    export(&store, &arguments.out).map_err(|error| match &error {
        ExportError::Store(inner) => store_failure(inner),
        ExportError::NothingRan { .. } => Failure::new(Exit::BadInput, &error),
        ExportError::Parquet(_) | ExportError::Folder { .. } => Failure::new(Exit::CannotWrite, &error),
    })?;
    printer::note(&format!("wrote {}", arguments.out.display()));
    Ok(Exit::Success)
}
