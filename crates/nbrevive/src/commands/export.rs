//! `nbrevive export`: a store as parquet.

use std::collections::BTreeSet;
use std::path::Path;

use nbrevive_corpus::{Recipe, outcome_columns};
use nbrevive_filter::Filter;
use nbrevive_shown::shown;
use nbrevive_store::compare::differences;
use nbrevive_store::dataset::Variant;
use nbrevive_store::export::{ExportError, ExportSettings, Exported, export};
use nbrevive_store::{Store, conditions};
use nbrevive_study::versions_with;

use crate::Outcome;
use crate::arguments::ExportArguments;
use crate::commands::setting::{REVISION, store_failure};
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// Writes what was mined and what ran; at least one of both has to be there.
pub(crate) fn run(arguments: &ExportArguments) -> Outcome {
    if arguments.against.as_deref().is_some_and(|other| is_one_folder(&arguments.out, other)) {
        return Err(export_failure(&ExportError::WrittenOver { path: arguments.out.clone() }));
    }
    let store = Store::open_read_only(&arguments.store).map_err(|error| store_failure(&error))?;
    let variant = if arguments.ids_only { Variant::IdsOnly } else { Variant::Full };
    let only = arguments.filter.as_deref().map(|filter| versions_of(&store, filter)).transpose()?;
    if write_part(&store, &arguments.out, variant, only.as_ref())? == Exported::default() {
        let error = ExportError::NothingRan { path: store.folder().to_owned() };
        return Err(export_failure(&error));
    }
    printer::note(&shown!("wrote {}", arguments.out.display()));
    arguments.against.as_deref().map_or(Ok(Exit::Success), |other| compare(&arguments.out, other))
}

/// Whether two paths lead to one folder; one that is not there is no other.
fn is_one_folder(one: &Path, other: &Path) -> bool {
    one == other || one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
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
    write_part(store, out, variant, None)
}

fn write_part(
    store: &Store,
    out: &Path,
    variant: Variant,
    only: Option<&BTreeSet<String>>,
) -> Result<Exported, Failure> {
    let settings = ExportSettings { variant, tool_revision: REVISION, only };
    export(store, out, &settings).map_err(|error| export_failure(&error))
}

/// The versions that a filter keeps.
fn versions_of(store: &Store, filter: &str) -> Result<BTreeSet<String>, Failure> {
    let recipes = conditions::all(store).map_err(|error| store_failure(&error))?;
    versions_with(&parsed(filter, &recipes)?, store).map_err(|error| store_failure(&error))
}

/// A filter over outcomes of these conditions.
pub(crate) fn parsed(filter: &str, conditions: &[Recipe]) -> Result<Filter, Failure> {
    let names: Vec<&'static str> = conditions.iter().map(|recipe| recipe.name.as_str()).collect();
    Filter::parse(filter, &outcome_columns(&names)).map_err(|error| Failure::new(Exit::BadInput, &error))
}

/// The code for an error of an export.
fn export_failure(error: &ExportError) -> Failure {
    match error {
        ExportError::Store(inner) => store_failure(inner),
        ExportError::NothingRan { .. } | ExportError::WrittenOver { .. } | ExportError::Ledger(_) => {
            Failure::new(Exit::BadInput, error)
        }
        ExportError::Parquet(_) | ExportError::Folder { .. } => Failure::new(Exit::CannotWrite, error),
    }
}
