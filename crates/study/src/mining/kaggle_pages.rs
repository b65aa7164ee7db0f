//! The source `browser`: the pages of the notebooks that are known by name.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use nbrevive_mine::api::Harm;
use nbrevive_mine::browser::{Browser, BrowserEvent, BrowserSettings, Session};
use nbrevive_mine::records::{MiningSource, NotebookKey, NotebookName};
use nbrevive_store::mined::{Told, notebooks_of, wanted};

use crate::mining::Mining;
use crate::mining::error::MiningError;
use crate::mining::event::{MiningEnd, MiningEvent, MiningListener, ToTheEnd};
use crate::mining::recorder::MinedRecorder;
use crate::settings::mine::MineSettings;

impl Mining {
    /// Reads the pages of every notebook that another source listed for the study's competitions, or that is wanted by name.
    ///
    /// # Errors
    /// [`MiningError`]; what was told before it stays.
    pub fn kaggle_pages(&mut self, listener: &mut dyn MiningListener) -> Result<MiningEnd, MiningError> {
        let session = match &self.study.mine.browser.cookies {
            Some(path) => Session::load(path),
            None => Session::find(),
        };
        let session = session?;
        let settings = self.browser_settings();
        listener.hear(MiningEvent::Asking(MiningSource::Browser, &settings.site));
        let mut browser = Browser::online(Arc::clone(&self.raw), settings, session, self.budget()?)?;
        let names = self.names()?;
        let mut recorder = self.adding();
        let end = walk(&mut browser, &names, &mut recorder, listener);
        recorder.finish()?;
        end
    }

    /// Reads the kept pages again, without a browser, and replaces what they told before.
    ///
    /// # Errors
    /// [`MiningError`]; then what they told before stays.
    pub fn kaggle_pages_again(&mut self, listener: &mut dyn MiningListener) -> Result<(), MiningError> {
        let mut browser = Browser::offline(Arc::clone(&self.raw), self.browser_settings())?;
        let names = self.names()?;
        let mut recorder = self.replacing(MiningSource::Browser);
        walk(&mut browser, &names, &mut recorder, &mut ToTheEnd(listener))?;
        recorder.finish()
    }

    fn browser_settings(&self) -> BrowserSettings {
        let MineSettings { browser, manners, largest_notebook_mib, reuse_since, .. } = &self.study.mine;
        let default = BrowserSettings::default();
        let other_hosts = if browser.site.is_some() { Vec::new() } else { default.other_hosts.clone() };
        BrowserSettings {
            site: browser.site.clone().unwrap_or(default.site),
            other_hosts,
            patience: manners.patience(),
            belief: manners.belief(),
            largest_answer: largest_notebook_mib << 20,
            reuse_since: *reuse_since,
            trouble_folder: self.store.folder().join("mine/trouble"),
            selectors: browser.selectors.clone(),
            ..default
        }
    }

    /// The notebooks, sorted: of each competition as many as the study's file allows.
    fn names(&self) -> Result<Vec<NotebookName>, MiningError> {
        let at_most = self.study.mine.browser.at_most.or(self.study.mine.at_most).unwrap_or(usize::MAX);
        let mut names = BTreeSet::new();
        for competition in &self.competitions {
            let on_site = notebooks_of(&self.store, competition)?.into_iter().filter_map(|key| match key {
                NotebookKey::Kaggle(name) => Some(name),
                NotebookKey::File(_) => None,
            });
            names.extend(on_site.take(at_most));
        }
        for row in wanted(&self.store)? {
            names.insert(NotebookName::new(&row.notebook)?);
        }
        if names.is_empty() { Err(MiningError::NothingNamed) } else { Ok(names.into_iter().collect()) }
    }
}

fn walk(
    browser: &mut Browser,
    names: &[NotebookName],
    recorder: &mut MinedRecorder<'_>,
    listener: &mut dyn MiningListener,
) -> Result<MiningEnd, MiningError> {
    listener.hear(MiningEvent::Begins("notebooks"));
    let mut end = MiningEnd::default();
    let summary = browser.mine(names, &mut |event| {
        listener.hear(MiningEvent::Pages(&event));
        let told = match event {
            BrowserEvent::Record(record) => recorder.tell(Told::Record(record)),
            BrowserEvent::Trouble(trouble) => {
                end.unsure += usize::from(trouble.error.is_unsure() || trouble.error.harm() != Harm::Item);
                ControlFlow::Continue(())
            }
            BrowserEvent::Progress(_) => ControlFlow::Continue(()),
        };
        if told.is_break() { told } else { listener.flow() }
    });
    listener.hear(MiningEvent::Ends(MiningSource::Browser));
    let summary = summary?;
    if summary.by_marks > 0 {
        listener.hear(MiningEvent::ByMarks(summary.by_marks));
    }
    Ok(MiningEnd { is_stopped: summary.stopped, ..end })
}
