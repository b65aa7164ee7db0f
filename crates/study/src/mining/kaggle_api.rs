//! The source `kaggle-api`.

use std::ops::ControlFlow;
use std::sync::Arc;

use nbrevive_mine::api::{
    Api, ApiError, ApiEvent, ApiPlan, ApiSettings, ApiSummary, ApiTrouble, Endpoint, Generation, Harm, Versions, Wanted,
};
use nbrevive_mine::records::{MiningSource, NotebookKey, NotebookName, Slug};
use nbrevive_mine::secret::Credentials;
use nbrevive_store::mined::{Told, WantedRow, wanted};

use crate::mining::Mining;
use crate::mining::error::MiningError;
use crate::mining::event::{MiningEnd, MiningEvent, MiningListener, ToTheEnd};
use crate::mining::recorder::MinedRecorder;
use crate::settings::mine::{MineSettings, MinedVersions};

impl Mining {
    /// Asks the API for the study's competitions, and for the notebooks that are wanted by name.
    ///
    /// # Errors
    /// [`MiningError`]; what was told before it stays.
    pub fn kaggle_api(&mut self, listener: &mut dyn MiningListener) -> Result<MiningEnd, MiningError> {
        let api = self.api(listener)?;
        let rows = wanted(&self.store)?;
        let plan = plan(&self.study.mine, self.competitions.clone(), &rows)?;
        carry_out(&api, &plan, homes(&rows)?, self.adding(), listener)
    }

    /// Reads the kept answers of the API again, and replaces what they told before.
    ///
    /// # Errors
    /// [`MiningError`]; then what they told before stays.
    pub fn kaggle_api_again(&mut self, listener: &mut dyn MiningListener) -> Result<(), MiningError> {
        let generation = Generation::of_store(&self.raw)?;
        let generation = generation.ok_or_else(|| MiningError::NoAnswers(self.raw.folder().to_owned()))?;
        let api = Api::offline(Arc::clone(&self.raw), generation, settings(&self.study.mine));
        let rows = wanted(&self.store)?;
        let plan = plan(&self.study.mine, self.competitions.clone(), &rows)?;
        let homes = homes(&rows)?;
        let mut recorder = self.replacing(MiningSource::KaggleApi);
        // Where the store refuses one, the walk ends at once.
        let _ = tell_all(&mut recorder, homes);
        walk(&api, &plan, &mut recorder, &mut ToTheEnd(listener))?;
        recorder.finish()
    }

    /// The API with this user's credentials.
    pub(super) fn api(&self, listener: &mut dyn MiningListener) -> Result<Api, MiningError> {
        let credentials = Credentials::find()?;
        for warning in &credentials.warnings {
            listener.hear(MiningEvent::Odd(warning));
        }
        let endpoint = Endpoint::find()?;
        listener.hear(MiningEvent::Asking(MiningSource::KaggleApi, &endpoint.to_string()));
        let settings = settings(&self.study.mine);
        Ok(Api::online(Arc::clone(&self.raw), endpoint, &credentials, self.budget()?, settings)?)
    }
}

/// Tells where notebooks belong, then carries a plan out. What was told before an error stays.
pub(super) fn carry_out(
    api: &Api,
    plan: &ApiPlan,
    homes: Vec<Told>,
    mut recorder: MinedRecorder<'_>,
    listener: &mut dyn MiningListener,
) -> Result<MiningEnd, MiningError> {
    let end = match tell_all(&mut recorder, homes) {
        ControlFlow::Continue(()) => walk(api, plan, &mut recorder, listener),
        ControlFlow::Break(()) => Ok(MiningEnd::default()),
    };
    recorder.finish()?;
    end
}

fn tell_all(recorder: &mut MinedRecorder<'_>, told: Vec<Told>) -> ControlFlow<()> {
    told.into_iter().try_for_each(|told| recorder.tell(told))
}

/// How the API is used, by the study's file.
fn settings(mine: &MineSettings) -> ApiSettings {
    let manners = &mine.manners;
    ApiSettings {
        patience: manners.patience(),
        belief: manners.belief(),
        timeouts: manners.timeouts(),
        largest_answer: mine.largest_notebook_mib << 20,
        reuse_since: mine.reuse_since,
    }
}

/// What to mine.
pub(super) fn plan(mine: &MineSettings, competitions: Vec<Slug>, rows: &[WantedRow]) -> Result<ApiPlan, MiningError> {
    let wanted = |row: &WantedRow| Ok(Wanted { name: NotebookName::new(&row.notebook)?, version: row.version });
    Ok(ApiPlan {
        competitions,
        notebooks: rows.iter().map(wanted).collect::<Result<_, MiningError>>()?,
        versions: match mine.versions {
            MinedVersions::Current => Versions::Current,
            MinedVersions::All => Versions::Every,
        },
        leaderboards: mine.leaderboards,
        statuses: mine.statuses,
        at_most: mine.at_most,
        ..ApiPlan::default()
    })
}

/// Where the notebooks of lists belong, as the lists say.
pub(super) fn homes(rows: &[WantedRow]) -> Result<Vec<Told>, MiningError> {
    let mut told = Vec::new();
    for row in rows {
        if let Some(competition) = &row.competition {
            let notebook = NotebookKey::Kaggle(NotebookName::new(&row.notebook)?);
            let competition = Slug::new(competition)?;
            told.push(Told::Listed { competition, notebook, source: MiningSource::KaggleApi });
        }
    }
    Ok(told)
}

/// Carries out a plan.
fn walk(
    api: &Api,
    plan: &ApiPlan,
    recorder: &mut MinedRecorder<'_>,
    listener: &mut dyn MiningListener,
) -> Result<MiningEnd, MiningError> {
    listener.hear(MiningEvent::Begins("notebooks"));
    let mut end = MiningEnd::default();
    let summary = api.mine(plan, &mut |event| {
        listener.hear(MiningEvent::Api(&event));
        let told = match event {
            ApiEvent::Record(record) => recorder.tell(Told::Record(record)),
            ApiEvent::Listed(listing) => listing.notebooks.into_iter().try_for_each(|notebook| {
                let (competition, notebook) = (listing.competition.clone(), notebook.key);
                recorder.tell(Told::Listed { competition, notebook, source: MiningSource::KaggleApi })
            }),
            ApiEvent::Trouble(trouble) => {
                end.count(&trouble);
                ControlFlow::Continue(())
            }
            ApiEvent::Progress(_) => ControlFlow::Continue(()),
        };
        if told.is_break() { told } else { listener.flow() }
    });
    listener.hear(MiningEvent::Ends(MiningSource::KaggleApi));
    let ApiSummary { stopped, .. } = summary?;
    Ok(MiningEnd { is_stopped: stopped, ..end })
}

impl MiningEnd {
    fn count(&mut self, trouble: &ApiTrouble) {
        match (&trouble.error, trouble.error.harm()) {
            (ApiError::RulesNotAccepted { .. }, _) => self.rules += 1,
            (error, Harm::Item) if !error.is_unsure() => {}
            _ => self.unsure += 1,
        }
    }
}
