//! `nbrevive synthetic`: a made-up study of any size, for tests and benchmarks.

use nbrevive_shown::shown;
use nbrevive_study::{SyntheticError, SyntheticSettings, make_up};

use crate::Outcome;
use crate::arguments::SyntheticArguments;
use crate::commands::setting::{REVISION, store_failure};
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// Fills a new store.
pub(crate) fn run(arguments: &SyntheticArguments) -> Outcome {
    let settings = SyntheticSettings {
        store: arguments.store.clone(),
        published: arguments.published.clone(),
        versions: arguments.versions,
        cells: arguments.cells,
        seed: arguments.seed,
        tool_revision: REVISION.to_owned(),
    };
    make_up(&settings).map_err(|error| match &error {
        SyntheticError::Published(_) => Failure::new(Exit::BadInput, &error),
        SyntheticError::Store(error) => store_failure(error),
    })?;
    printer::note(&shown!("made up {} versions in {}", arguments.versions, arguments.store.display()));
    Ok(Exit::Success)
}
