//! The source `github`: repositories by a list and by a search.

use std::ops::ControlFlow;
use std::sync::Arc;

use nbrevive_mine::archive::ArchiveLimits;
use nbrevive_mine::github::{
    Hub, HubEndpoint, HubError, HubEvent, HubList, HubPlan, HubSettings, HubSummary, HubToken,
};
use nbrevive_mine::records::MiningSource;
use nbrevive_shown::{Shown, shown};
use nbrevive_store::mined::Told;
use nbrevive_study::{HubPlace, MineSettings};

use super::Ending;
use super::interrupt::Interrupt;
use super::local::tell_left_out;
use super::progress::Progress;
use super::recorder::Recorder;
use super::workplace::{Workplace, raw_failure};
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// Mines what the study's file lists and searches for.
pub(super) fn mine(workplace: &mut Workplace, interrupt: &Interrupt) -> Result<Ending, Failure> {
    let plan = plan(&workplace.study.mine.github)?;
    let token = HubToken::find().map_err(|error| Failure::new(Exit::Credentials, &error))?;
    let endpoint = HubEndpoint::find().map_err(|error| Failure::new(Exit::BadInput, &error))?;
    printer::note(&shown!("github: asking {}", endpoint.host()));
    let (raw, settings) = (Arc::clone(&workplace.raw), settings(&workplace.study.mine));
    let hub = Hub::online(Arc::clone(&raw), endpoint, &token, workplace.budget()?, settings);
    let mut recorder = Recorder::adding(&mut workplace.store, &raw);
    let ending = walk(&hub.map_err(|error| failure(&error))?, &plan, &mut recorder, interrupt);
    // What was told before an error stays.
    recorder.finish()?;
    ending
}

/// Reads the kept answers again, and replaces what they told before.
pub(super) fn replay(workplace: &mut Workplace, interrupt: &Interrupt) -> Result<(), Failure> {
    let plan = plan(&workplace.study.mine.github)?;
    let raw = Arc::clone(&workplace.raw);
    let hub = Hub::offline(Arc::clone(&raw), settings(&workplace.study.mine));
    let mut recorder = Recorder::replacing(&mut workplace.store, &raw, MiningSource::GitHub);
    if walk(&hub, &plan, &mut recorder, interrupt)?.stopped {
        return recorder.discard();
    }
    recorder.finish()
}

/// What to mine, by the study's file.
fn plan(place: &HubPlace) -> Result<HubPlan, Failure> {
    if place.list.is_none() && place.search.is_none() {
        let message = Shown::literal(
            "the study's file names no repositories for source `github`: set list or search in [mine.github]",
        );
        return Err(Failure { exit: Exit::BadInput, message });
    }
    let read = |path| HubList::read(path).map_err(|error| Failure::new(Exit::BadInput, &error));
    let list = place.list.as_deref().map(read).transpose()?.unwrap_or_default();
    let doubles = list.repositories.iter().filter(|listed| listed.lines.len() > 1);
    for double in doubles {
        printer::note(&shown!("github: {} stands in {} lines", double.address.name, double.lines.len()));
    }
    let listed = list.drawn(&place.draw);
    Ok(HubPlan { listed, refused: list.refused, search: place.search.clone() })
}

/// How the host is used, by the study's file.
fn settings(mine: &MineSettings) -> HubSettings {
    let (manners, place, default) = (&mine.manners, &mine.github, HubSettings::default());
    HubSettings {
        patience: manners.patience(),
        timeouts: manners.timeouts(),
        largest_archive: place.archive_mib << 20,
        reuse_since: mine.reuse_since,
        limits: ArchiveLimits {
            largest_file: mine.largest_notebook_mib << 20,
            largest_data: place.data_mib << 20,
            all_files: place.files_mib << 20,
        },
        ..default
    }
}

fn walk(hub: &Hub, plan: &HubPlan, recorder: &mut Recorder<'_>, interrupt: &Interrupt) -> Result<Ending, Failure> {
    let mut progress = Progress::new(hub.store(), "repositories");
    let mut receive = |event| {
        let told = match event {
            HubEvent::Record(record) => recorder.tell(Told::Record(record)),
            other => {
                tell(&mut progress, &other);
                ControlFlow::Continue(())
            }
        };
        if told.is_break() { told } else { interrupt.flow() }
    };
    let summary = hub.mine(plan, &mut receive);
    progress.finish("github");
    let HubSummary { states, unsure, notebooks, distinct, stopped } = summary.map_err(|error| failure(&error))?;
    for (state, count) in states {
        printer::note(&shown!("github: {:>6} {}", count, state));
    }
    printer::note(&shown!("github: {} notebooks, {} different ones", notebooks, distinct));
    Ok(Ending { unsure, stopped, ..Ending::default() })
}

fn tell(progress: &mut Progress<'_>, event: &HubEvent) {
    match event {
        HubEvent::Record(_) => {}
        HubEvent::Searched(found) => {
            let counts = shown!("{} of {} repositories drawn", found.drawn, found.total);
            let slices = shown!("{} slices, {} results beyond them", found.slices, found.beyond);
            let hurried = shown!("{} slices for which the host had no time", found.incomplete);
            progress.note(&shown!("github: {}: {}; {}, {}", found.tier, counts, slices, hurried));
        }
        HubEvent::LeftOut { repository, files } => tell_left_out(&shown!("github {}", repository), files),
        HubEvent::Trouble { repository, error } => progress.note(&shown!("{}: {}", repository, error)),
        HubEvent::Progress(counts) => progress.update(*counts),
    }
}

/// The code for an error that ended the run.
fn failure(error: &HubError) -> Failure {
    let exit = match error {
        HubError::TokenWrong { .. } => Exit::Credentials,
        HubError::Raw(error) => return raw_failure(error),
        HubError::SetUp(_) => Exit::Other,
        _ => Exit::Unreachable,
    };
    Failure::new(exit, error)
}
