//! `nbrevive mine export-ids` and `fetch-ids`: lists without content, to hand on.

use std::path::Path;

use nbrevive_mine::list::{ListError, export_ids, read_ids};
use nbrevive_shown::shown;
use nbrevive_store::Store;
use nbrevive_study::ids_of;

use super::screen::Screen;
use super::{failure, finish, open, report};
use crate::Outcome;
use crate::arguments::{ExportIdsArguments, MinePlace};
use crate::commands::interrupt::Interrupt;
use crate::commands::setting::store_failure;
use crate::exit_code::{Exit, Failure};
use crate::printer;

fn list_failure(error: &ListError) -> Failure {
    let exit = match error {
        ListError::File { action: "write", .. } => Exit::CannotWrite,
        ListError::File { .. } | ListError::Format(_) | ListError::Line { .. } => Exit::BadInput,
    };
    Failure::new(exit, error)
}

/// Writes the ids of all mined versions, or of those that the last selection kept.
pub(super) fn export(place: &MinePlace, arguments: &ExportIdsArguments) -> Outcome {
    let store = Store::open_read_only(&place.store).map_err(|error| store_failure(&error))?;
    let ids = ids_of(&store, arguments.selected).map_err(|error| store_failure(&error))?;
    let count = export_ids(&arguments.file, ids).map_err(|error| list_failure(&error))?;
    printer::note(&shown!("wrote {} ids to {}", count, arguments.file.display()));
    Ok(Exit::Success)
}

/// Fetches what a list names, and says which notebooks are no longer what the list says.
pub(super) fn fetch(place: &MinePlace, file: &Path) -> Outcome {
    let ids = read_ids(file).map_err(|error| list_failure(&error))?;
    let mut mining = open(place)?;
    let interrupt = Interrupt::listen()?;
    let mut screen = Screen::new(&mining, &interrupt);
    let (end, fetched) = mining.fetch(&ids, &mut screen).map_err(|error| failure(&error))?;
    for notebook in &fetched.changed {
        printer::note(&shown!("{}: its code is no longer the listed one", notebook));
    }
    let (same, changed, missing) = (fetched.same, fetched.changed.len(), fetched.missing);
    printer::note(&shown!("{} as listed, {} changed, {} not to be had, of {}", same, changed, missing, ids.len()));
    report(&mining)?;
    finish(end, None)
}
