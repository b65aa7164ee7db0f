//! `nbrevive mine take-down`: what a list names goes from everywhere, and stays down.

use std::path::Path;

use nbrevive_mine::raw::TakeDown;
use nbrevive_shown::shown;
use nbrevive_store::dataset::Variant;
use nbrevive_store::{Store, selections, takedown};
use nbrevive_study::{CorpusError, remove_from_corpus};

use super::workplace::{raw_failure, raw_store};
use crate::Outcome;
use crate::arguments::MinePlace;
use crate::commands::export::write;
use crate::commands::setting::store_failure;
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// Carries a list out. The raw answers come first: from then on no run takes the items again.
pub(super) fn run(place: &MinePlace, file: &Path) -> Outcome {
    let list = TakeDown::load(file).map_err(|error| Failure::new(Exit::BadInput, &error))?;
    let mut store = Store::open(&place.store).map_err(|error| store_failure(&error))?;
    let raw = raw_store(&place.store)?;
    let owners = takedown::owners(&store, &list).map_err(|error| store_failure(&error))?;
    let list = list.with_notebooks(owners);
    let done = raw.take_down(&list).map_err(|error| raw_failure(&error))?;
    // Before the rows go: they say under which names versions stand in corpora.
    let slugs = takedown::slugs(&store, &list).map_err(|error| store_failure(&error))?;
    let mut notebooks = 0;
    for corpus in selections::corpora(&store).map_err(|error| store_failure(&error))? {
        notebooks += remove_from_corpus(Path::new(&corpus), &slugs).map_err(|error| corpus_failure(&error))?;
    }
    let removed = takedown::take_down(&mut store, &list).map_err(|error| store_failure(&error))?;
    let data = place.store.join("data");
    if data.is_dir() {
        write(&store, &data, Variant::Full)?;
    }
    for body in &done.shared {
        printer::note(&shown!(
            "{}: kept, another notebook has the same content; name it by `body` to remove it too",
            body
        ));
    }
    printer::note(&shown!(
        "took down {} notebooks: {} raw bodies, {} pages cleaned, {} rows, {} files of corpora, {} executed notebooks, \
         {} answers of models",
        done.notebooks,
        done.bodies,
        done.pages,
        removed.rows,
        notebooks,
        removed.executed,
        removed.calls
    ));
    Ok(Exit::Success)
}

/// The code for an error of a corpus folder.
pub(crate) fn corpus_failure(error: &CorpusError) -> Failure {
    let exit = match error {
        CorpusError::Io { .. } | CorpusError::File(_) | CorpusError::NotOurs(_) | CorpusError::Stray { .. } => {
            Exit::CannotWrite
        }
        CorpusError::Invalid { .. } => Exit::BadInput,
        CorpusError::Raw(error) => return raw_failure(error),
    };
    Failure::new(exit, error)
}
