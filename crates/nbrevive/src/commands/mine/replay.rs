//! `nbrevive mine replay`: everything again from the raw answers, without the network. The rows of each source are replaced at once.
//!
//! Folders, repositories and the dump are read again where they lie, examples from archives that are kept: they need no network.

use std::ops::ControlFlow;
use std::sync::Arc;

use nbrevive_mine::api::{Api, Generation};
use nbrevive_mine::records::MiningSource;
use nbrevive_shown::shown;
use nbrevive_store::mined::wanted;

use super::api::{homes, plan, settings, walk};
use super::interrupt::Interrupt;
use super::recorder::Recorder;
use super::workplace::{Workplace, raw_failure};
use super::{browser, dump, examples, github, local};
use crate::Outcome;
use crate::arguments::MinePlace;
use crate::commands::setting::store_failure;
use crate::exit_code::{Exit, Failure};

/// Replays every source of the study's file.
#[deny(clippy::wildcard_enum_match_arm)]
pub(super) fn run(place: &MinePlace) -> Outcome {
    let mut workplace = Workplace::open(place)?;
    let interrupt = Interrupt::listen()?;
    for source in workplace.study.mine.sources.clone() {
        match source {
            MiningSource::KaggleApi => api(&mut workplace)?,
            MiningSource::Folder => drop(local::folders(&mut workplace, &interrupt)?),
            MiningSource::Git => drop(local::repositories(&mut workplace, &interrupt)?),
            MiningSource::MetaKaggle => drop(dump::mine(&mut workplace, &interrupt)?),
            MiningSource::Browser => browser::replay(&mut workplace)?,
            MiningSource::GitHub => github::replay(&mut workplace, &interrupt)?,
            MiningSource::Examples => drop(examples::mine(&mut workplace, &interrupt)?),
        }
    }
    workplace.report()?;
    Ok(Exit::Success)
}

fn api(workplace: &mut Workplace) -> Result<(), Failure> {
    let generation = Generation::of_store(&workplace.raw).map_err(|error| raw_failure(&error))?;
    let Some(generation) = generation else {
        let message =
            shown!("no answer of the API is kept in {}: run `nbrevive mine` first", workplace.raw.folder().display());
        return Err(Failure { exit: Exit::BadInput, message });
    };
    let raw = Arc::clone(&workplace.raw);
    let api = Api::offline(Arc::clone(&raw), generation, settings(&workplace.study.mine));
    let rows = wanted(&workplace.store).map_err(|error| store_failure(&error))?;
    let plan = plan(&workplace.study.mine, workplace.competitions.clone(), &rows)?;
    let mut recorder = Recorder::replacing(&mut workplace.store, &raw, MiningSource::KaggleApi);
    for told in homes(&rows)? {
        if recorder.tell(told).is_break() {
            break;
        }
    }
    walk(&api, &plan, &mut recorder, &mut |_| (), &|| ControlFlow::Continue(()))?;
    recorder.finish()
}
