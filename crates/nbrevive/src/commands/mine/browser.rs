//! The source `browser`: the pages of the notebooks that are known by name.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use nbrevive_mine::api::Harm;
use nbrevive_mine::browser::{Browser, BrowserError, BrowserEvent, BrowserSettings, Session, SessionError};
use nbrevive_mine::records::{MiningSource, NotebookKey, NotebookName};
use nbrevive_shown::{Shown, shown};
use nbrevive_store::mined::{Told, notebooks_of, wanted};
use nbrevive_study::MineSettings;

use super::Ending;
use super::interrupt::Interrupt;
use super::progress::Progress;
use super::recorder::Recorder;
use super::workplace::{Workplace, raw_failure};
use crate::commands::setting::store_failure;
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// Reads the pages of every notebook that another source listed for the study's competitions, or that is wanted by name.
pub(super) fn mine(workplace: &mut Workplace, interrupt: &Interrupt) -> Result<Ending, Failure> {
    let place = &workplace.study.mine.browser;
    let session = match &place.cookies {
        Some(path) => Session::load(path),
        None => Session::find(),
    };
    let session = session.map_err(|error| session_failure(&error))?;
    let settings = settings(workplace);
    printer::note(&shown!("browser: reading pages of {}", settings.site));
    let budget = workplace.budget()?;
    let browser = Browser::online(Arc::clone(&workplace.raw), settings, session, budget);
    let mut browser = browser.map_err(|error| failure(&error))?;
    let names = names(workplace)?;
    let raw = Arc::clone(&workplace.raw);
    let mut recorder = Recorder::adding(&mut workplace.store, &raw);
    let ending = walk(&mut browser, &names, &mut recorder, &|| interrupt.flow());
    recorder.finish()?;
    ending
}

/// Reads the kept pages again, without a browser.
pub(super) fn replay(workplace: &mut Workplace) -> Result<(), Failure> {
    let browser = Browser::offline(Arc::clone(&workplace.raw), settings(workplace));
    let mut browser = browser.map_err(|error| failure(&error))?;
    let names = names(workplace)?;
    let raw = Arc::clone(&workplace.raw);
    let mut recorder = Recorder::replacing(&mut workplace.store, &raw, MiningSource::Browser);
    walk(&mut browser, &names, &mut recorder, &|| ControlFlow::Continue(()))?;
    recorder.finish()
}

fn settings(workplace: &Workplace) -> BrowserSettings {
    let MineSettings { browser, manners, largest_notebook_mib, reuse_since, .. } = &workplace.study.mine;
    let default = BrowserSettings::default();
    let other_hosts = if browser.site.is_some() { Vec::new() } else { default.other_hosts.clone() };
    BrowserSettings {
        site: browser.site.clone().unwrap_or(default.site),
        other_hosts,
        patience: manners.patience(),
        belief: manners.belief(),
        largest_answer: largest_notebook_mib << 20,
        reuse_since: *reuse_since,
        trouble_folder: workplace.store.folder().join("mine/trouble"),
        selectors: browser.selectors.clone(),
        ..default
    }
}

/// The notebooks, sorted: of each competition as many as the study's file allows.
fn names(workplace: &Workplace) -> Result<Vec<NotebookName>, Failure> {
    let at_most = workplace.study.mine.browser.at_most.or(workplace.study.mine.at_most).unwrap_or(usize::MAX);
    let mut names = BTreeSet::new();
    for competition in &workplace.competitions {
        let listed = notebooks_of(&workplace.store, competition).map_err(|error| store_failure(&error))?;
        let on_site = listed.into_iter().filter_map(|key| match key {
            NotebookKey::Kaggle(name) => Some(name),
            NotebookKey::File(_) => None,
        });
        names.extend(on_site.take(at_most));
    }
    for row in wanted(&workplace.store).map_err(|error| store_failure(&error))? {
        names.insert(NotebookName::new(&row.notebook).map_err(|error| Failure::new(Exit::BadInput, &error))?);
    }
    if names.is_empty() {
        let message = Shown::literal(
            "no notebook is known by name: put kaggle-api or meta-kaggle before browser in mine.sources",
        );
        return Err(Failure { exit: Exit::BadInput, message });
    }
    Ok(names.into_iter().collect())
}

fn walk(
    browser: &mut Browser,
    names: &[NotebookName],
    recorder: &mut Recorder<'_>,
    flow: &dyn Fn() -> ControlFlow<()>,
) -> Result<Ending, Failure> {
    let raw = recorder.raw();
    let mut progress = Progress::new(raw, "notebooks");
    let mut ending = Ending::default();
    let mut receive = |event| {
        let told = match event {
            BrowserEvent::Record(record) => recorder.tell(Told::Record(record)),
            BrowserEvent::Trouble(trouble) => {
                ending.unsure += usize::from(trouble.error.is_unsure() || trouble.error.harm() != Harm::Item);
                progress.note(&shown!("{}: {}", trouble.item, trouble.error));
                ControlFlow::Continue(())
            }
            BrowserEvent::Progress(counts) => {
                progress.update(counts);
                ControlFlow::Continue(())
            }
        };
        if told.is_break() { told } else { flow() }
    };
    let summary = browser.mine(names, &mut receive);
    progress.finish("browser");
    let summary = summary.map_err(|error| failure(&error))?;
    if summary.by_marks > 0 {
        progress.note(&shown!("{} versions were read by the marks on their pages alone", summary.by_marks));
    }
    Ok(Ending { stopped: summary.stopped, ..ending })
}

fn session_failure(error: &SessionError) -> Failure {
    Failure::new(Exit::Credentials, error)
}

fn failure(error: &BrowserError) -> Failure {
    let exit = match error {
        BrowserError::Missing { .. } => Exit::Missing,
        BrowserError::LoginWall { .. } => Exit::Credentials,
        BrowserError::Session(error) => return session_failure(error),
        BrowserError::Raw(error) => return raw_failure(error),
        BrowserError::File { .. } => Exit::CannotWrite,
        BrowserError::Site { .. } | BrowserError::Selectors(_) => Exit::BadInput,
        BrowserError::Layout { .. } => Exit::Incomplete,
        _ => Exit::Unreachable,
    };
    Failure::new(exit, error)
}
