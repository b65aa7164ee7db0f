//! The source `github`: repositories by a list and by a search.

use std::ops::ControlFlow;
use std::sync::Arc;

use nbrevive_mine::archive::ArchiveLimits;
use nbrevive_mine::github::{Hub, HubEndpoint, HubEvent, HubList, HubPlan, HubSettings, HubToken};
use nbrevive_mine::records::MiningSource;
use nbrevive_store::mined::Told;

use crate::mining::Mining;
use crate::mining::error::MiningError;
use crate::mining::event::{MiningEnd, MiningEvent, MiningListener};
use crate::mining::recorder::MinedRecorder;
use crate::settings::mine::{HubPlace, MineSettings};

impl Mining {
    /// Asks GitHub for what the study's file lists and searches for.
    ///
    /// # Errors
    /// [`MiningError`]; what was told before it stays.
    pub fn github(&mut self, listener: &mut dyn MiningListener) -> Result<MiningEnd, MiningError> {
        let plan = plan(&self.study.mine.github, listener)?;
        let token = HubToken::find().map_err(MiningError::HubToken)?;
        let endpoint = HubEndpoint::find().map_err(MiningError::HubEndpoint)?;
        listener.hear(MiningEvent::Asking(MiningSource::GitHub, &endpoint.host()));
        let settings = settings(&self.study.mine);
        let hub = Hub::online(Arc::clone(&self.raw), endpoint, &token, self.budget()?, settings)?;
        let mut recorder = self.adding();
        let end = walk(&hub, &plan, &mut recorder, listener);
        recorder.finish()?;
        end
    }

    /// Reads the kept answers of GitHub again, and replaces what they told before, unless it is ended before.
    ///
    /// # Errors
    /// [`MiningError`]; then what they told before stays.
    pub fn github_again(&mut self, listener: &mut dyn MiningListener) -> Result<(), MiningError> {
        let plan = plan(&self.study.mine.github, listener)?;
        let hub = Hub::offline(Arc::clone(&self.raw), settings(&self.study.mine));
        let mut recorder = self.replacing(MiningSource::GitHub);
        if walk(&hub, &plan, &mut recorder, listener)?.is_stopped {
            return recorder.discard();
        }
        recorder.finish()
    }
}

/// What to mine, by the study's file.
fn plan(place: &HubPlace, listener: &mut dyn MiningListener) -> Result<HubPlan, MiningError> {
    if place.list.is_none() && place.search.is_none() {
        return Err(MiningError::NoRepositories);
    }
    let list = place.list.as_deref().map(HubList::read).transpose()?.unwrap_or_default();
    for double in list.repositories.iter().filter(|listed| listed.lines.len() > 1) {
        listener.hear(MiningEvent::Double(double));
    }
    let listed = list.drawn(&place.draw);
    Ok(HubPlan { listed, refused: list.refused, search: place.search.clone() })
}

/// How the host is used, by the study's file.
fn settings(mine: &MineSettings) -> HubSettings {
    let (manners, place) = (&mine.manners, &mine.github);
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
        ..HubSettings::default()
    }
}

fn walk(
    hub: &Hub,
    plan: &HubPlan,
    recorder: &mut MinedRecorder<'_>,
    listener: &mut dyn MiningListener,
) -> Result<MiningEnd, MiningError> {
    listener.hear(MiningEvent::Begins("repositories"));
    let summary = hub.mine(plan, &mut |event| {
        listener.hear(MiningEvent::Hub(&event));
        let told = match event {
            HubEvent::Record(record) => recorder.tell(Told::Record(record)),
            _ => ControlFlow::Continue(()),
        };
        if told.is_break() { told } else { listener.flow() }
    });
    listener.hear(MiningEvent::Ends(MiningSource::GitHub));
    let summary = summary?;
    listener.hear(MiningEvent::HubEnds(&summary));
    Ok(MiningEnd { unsure: summary.unsure, is_stopped: summary.stopped, ..MiningEnd::default() })
}
