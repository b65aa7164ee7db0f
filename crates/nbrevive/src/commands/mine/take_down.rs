//! `nbrevive mine take-down`: what a list names goes from everywhere, and stays down.

use std::path::Path;

use nbrevive_mine::raw::TakeDown;
use nbrevive_shown::shown;
use nbrevive_store::Store;
use nbrevive_store::dataset::Variant;
use nbrevive_study::take_down;

use super::{failure, raw_store};
use crate::Outcome;
use crate::arguments::MinePlace;
use crate::commands::export::write;
use crate::commands::setting::store_failure;
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// Carries a list out.
pub(super) fn run(place: &MinePlace, file: &Path) -> Outcome {
    let list = TakeDown::load(file).map_err(|error| Failure::new(Exit::BadInput, &error))?;
    let mut store = Store::open(&place.store).map_err(|error| store_failure(&error))?;
    let raw = raw_store(&place.store)?;
    let taken = take_down(&mut store, &raw, list).map_err(|error| failure(&error))?;
    let data = place.store.join("data");
    if data.is_dir() {
        write(&store, &data, Variant::Full)?;
    }
    for body in &taken.raw.shared {
        printer::note(&shown!(
            "{}: kept, another notebook has the same content; name it by `body` to remove it too",
            body
        ));
    }
    printer::note(&shown!(
        "took down {} notebooks: {} raw bodies, {} pages cleaned, {} rows, {} files of corpora, {} executed notebooks, \
         {} answers of models",
        taken.raw.notebooks,
        taken.raw.bodies,
        taken.raw.pages,
        taken.store.rows,
        taken.files,
        taken.store.executed,
        taken.store.calls
    ));
    Ok(Exit::Success)
}
