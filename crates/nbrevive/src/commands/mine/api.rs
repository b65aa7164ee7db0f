//! The source `kaggle-api`.

use std::ops::ControlFlow;
use std::sync::Arc;

use nbrevive_mine::api::{
    Api, ApiError, ApiEvent, ApiPlan, ApiSettings, ApiSummary, ApiTrouble, Endpoint, Harm, Versions, Wanted,
};
use nbrevive_mine::records::{MinedRecord, MiningSource, NotebookKey, NotebookName, Slug, VersionRecord};
use nbrevive_mine::secret::Credentials;
use nbrevive_shown::shown;
use nbrevive_store::mined::{Told, WantedRow, wanted};
use nbrevive_study::{MineSettings, MinedVersions};

use super::Ending;
use super::interrupt::Interrupt;
use super::progress::Progress;
use super::recorder::Recorder;
use super::workplace::{Workplace, raw_failure};
use crate::commands::setting::store_failure;
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// Mines the study's competitions, and the notebooks that are wanted by name.
pub(super) fn mine(workplace: &mut Workplace, interrupt: &Interrupt) -> Result<Ending, Failure> {
    let api = online(workplace)?;
    let rows = wanted(&workplace.store).map_err(|error| store_failure(&error))?;
    let plan = plan(&workplace.study.mine, workplace.competitions.clone(), &rows)?;
    let raw = Arc::clone(&workplace.raw);
    let mut recorder = Recorder::adding(&mut workplace.store, &raw);
    let told = homes(&rows)?.into_iter().try_for_each(|told| recorder.tell(told));
    let ending = if told.is_continue() {
        walk(&api, &plan, &mut recorder, &mut |_| (), &|| interrupt.flow())
    } else {
        Ok(Ending::default())
    };
    // What was told before an error stays.
    recorder.finish()?;
    ending
}

/// The API with this user's credentials.
pub(super) fn online(workplace: &Workplace) -> Result<Api, Failure> {
    let credentials = Credentials::find().map_err(|error| Failure::new(Exit::Credentials, &error))?;
    for warning in &credentials.warnings {
        printer::note(&shown!("warning: {}", warning));
    }
    let endpoint = Endpoint::find().map_err(|error| Failure::new(Exit::BadInput, &error))?;
    printer::note(&shown!("kaggle-api: asking {}", endpoint));
    let settings = settings(&workplace.study.mine);
    Api::online(Arc::clone(&workplace.raw), endpoint, &credentials, workplace.budget()?, settings)
        .map_err(|error| failure(&error))
}

/// How the API is used, by the study's file.
pub(super) fn settings(mine: &MineSettings) -> ApiSettings {
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
pub(super) fn plan(mine: &MineSettings, competitions: Vec<Slug>, rows: &[WantedRow]) -> Result<ApiPlan, Failure> {
    let wanted = |row: &WantedRow| {
        let name = NotebookName::new(&row.notebook).map_err(|error| Failure::new(Exit::BadInput, &error))?;
        Ok(Wanted { name, version: row.version })
    };
    Ok(ApiPlan {
        competitions,
        notebooks: rows.iter().map(wanted).collect::<Result<_, Failure>>()?,
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
pub(super) fn homes(rows: &[WantedRow]) -> Result<Vec<Told>, Failure> {
    let bad = |error: nbrevive_mine::records::NameError| Failure::new(Exit::BadInput, &error);
    let mut told = Vec::new();
    for row in rows {
        if let Some(competition) = &row.competition {
            let notebook = NotebookKey::Kaggle(NotebookName::new(&row.notebook).map_err(bad)?);
            let competition = Slug::new(competition).map_err(bad)?;
            told.push(Told::Listed { competition, notebook, source: MiningSource::KaggleApi });
        }
    }
    Ok(told)
}

/// Carries out a plan; `seen` is shown every version.
pub(super) fn walk(
    api: &Api,
    plan: &ApiPlan,
    recorder: &mut Recorder<'_>,
    seen: &mut dyn FnMut(&VersionRecord),
    flow: &dyn Fn() -> ControlFlow<()>,
) -> Result<Ending, Failure> {
    let mut progress = Progress::new(api.store(), "notebooks");
    let mut ending = Ending::default();
    let mut receive = |event| {
        let told = match event {
            ApiEvent::Record(record) => {
                if let MinedRecord::Version(version) = &record {
                    seen(version);
                }
                recorder.tell(Told::Record(record))
            }
            ApiEvent::Listed(listing) => {
                let count = listing.notebooks.len();
                let more = if listing.complete { "" } else { ", perhaps more that no list shows" };
                progress.note(&shown!("{}: {} notebooks{}", listing.competition, count, more));
                for refused in &listing.refused {
                    progress.note(&shown!("{}: left out: {}", listing.competition, refused.why));
                }
                listing.notebooks.into_iter().try_for_each(|notebook| {
                    let (competition, notebook) = (listing.competition.clone(), notebook.key);
                    recorder.tell(Told::Listed { competition, notebook, source: MiningSource::KaggleApi })
                })
            }
            ApiEvent::Trouble(trouble) => {
                ending.count(&trouble);
                progress.note(&shown!("{}: {}", trouble.item, trouble.error));
                ControlFlow::Continue(())
            }
            ApiEvent::Progress(counts) => {
                progress.update(counts);
                ControlFlow::Continue(())
            }
        };
        if told.is_break() { told } else { flow() }
    };
    let summary = api.mine(plan, &mut receive);
    progress.finish("kaggle-api");
    let ApiSummary { stopped, .. } = summary.map_err(|error| failure(&error))?;
    Ok(Ending { stopped, ..ending })
}

impl Ending {
    fn count(&mut self, trouble: &ApiTrouble) {
        match (&trouble.error, trouble.error.harm()) {
            (ApiError::RulesNotAccepted { .. }, _) => self.rules += 1,
            (error, Harm::Item) if !error.is_unsure() => {}
            _ => self.unsure += 1,
        }
    }
}

/// The code for an error that ended the run.
pub(super) fn failure(error: &ApiError) -> Failure {
    let exit = match error {
        ApiError::CredentialsWrong { .. } => Exit::Credentials,
        ApiError::RulesNotAccepted { .. } => Exit::Rules,
        ApiError::Raw(error) => return raw_failure(error),
        ApiError::SetUp(_) | ApiError::Name(_) => Exit::Other,
        _ => Exit::Unreachable,
    };
    Failure::new(exit, error)
}
